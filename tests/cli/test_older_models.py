"""Model files of older versions are read, predict what the program that wrote them predicted, and keep what they held
out. older_models/ has the files, and beside each what its own program predicted and held out; of version 2 there is
none yet. A program of some version writes those of its version anew by

    python3 test_older_models.py --write VERSION PROGRAM
"""

import csv
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import ProgramTest, three_classes, two_classes, values

OLDER = pathlib.Path(__file__).resolve().parent / "older_models"
KERNEL = ("--kernel", "rbf:theta=0.5")


def kinds(rows, seed):
    """values() with a column of categories."""
    lines = values(rows, seed).splitlines()
    return "\n".join([lines[0] + ",kind", *(f"{line},{'pqr'[i % 3]}" for i, line in enumerate(lines[1:]))]) + "\n"


# name: (version, rows as a function of their number and a seed, words of fit)
WRITTEN = {
    "two-classes": (1, two_classes, ("--target", "label", "--model", "ls-svm", *KERNEL)),
    "three-classes": (1, three_classes, ("--target", "kind", "--model", "ls-svm", *KERNEL)),
    "values": (1, kinds, ("--target", "t", "--model", "ls-svm", *KERNEL)),
    "gaussian-process": (3, two_classes, ("--target", "label", "--model", "gp-laplace", *KERNEL)),
    "basis": (3, values, ("--target", "t", "--model", "ls-svm", "--basis", "6", *KERNEL)),
    "centred": (4, values, ("--target", "t", "--model", "ls-svm", "--kernel", "linear", "--no-standardise")),
}


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def write(version, program):
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            return subprocess.run([program, *words], cwd=folder, check=True, capture_output=True, text=True).stdout

        for name, (since, rows, words) in WRITTEN.items():
            if since != version:
                continue
            pathlib.Path(folder, "train.csv").write_text(rows(20, 11))
            pathlib.Path(folder, "new.csv").write_text(rows(8, 12))
            run("fit", "train.csv", *words, "-o", "m.lacuna")
            shutil.copy(pathlib.Path(folder, "m.lacuna"), OLDER / f"{version}-{name}.lacuna")
            (OLDER / f"{version}-{name}.predicted.csv").write_text(run("predict", "m.lacuna", "new.csv"))
            (OLDER / f"{version}-{name}.held-out.csv").write_text(run("loo", "m.lacuna"))


class OlderModels(ProgramTest):
    def same(self, old, new):
        """Every column that the older program wrote says the same; 1e-10 leaves room for another BLAS."""
        self.assertTrue(old)
        self.assertEqual(len(old), len(new))
        for before, now in zip(old, new):
            for column, cell in before.items():
                try:
                    self.assertAlmostEqual(float(now[column]), float(cell), delta=1e-10 * (1 + abs(float(cell))))
                except ValueError:
                    self.assertEqual(now[column], cell, column)

    def test_every_version_has_files(self):
        for name, (version, _, _) in WRITTEN.items():
            raw = (OLDER / f"{version}-{name}.lacuna").read_bytes()
            self.assertIn(f'"version":"{version}"'.encode(), raw[:200], name)

    def test_older_files_predict_what_their_own_program_predicted(self):
        for name, (version, rows, _) in WRITTEN.items():
            with self.subTest(name=name, version=version):
                self.file("new.csv", rows(8, 12))
                now = self.ok("predict", str(OLDER / f"{version}-{name}.lacuna"), "new.csv")
                self.same(table((OLDER / f"{version}-{name}.predicted.csv").read_text()), table(now))

    def test_older_files_keep_what_was_held_out(self):
        for name, (version, _, _) in WRITTEN.items():
            with self.subTest(name=name, version=version):
                now = self.ok("loo", str(OLDER / f"{version}-{name}.lacuna"))
                self.same(table((OLDER / f"{version}-{name}.held-out.csv").read_text()), table(now))

    def test_older_files_can_be_inspected(self):
        for name, (version, _, _) in WRITTEN.items():
            with self.subTest(name=name, version=version):
                self.assertIn("20 rows", self.ok("inspect", str(OLDER / f"{version}-{name}.lacuna")))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write(int(sys.argv[2]), sys.argv[3])
    else:
        unittest.main()
