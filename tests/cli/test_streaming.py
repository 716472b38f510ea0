"""Rows that do not fit into the memory allowed stay on disk: the same model, within the ceiling, and nothing left behind."""

import gzip
import os
import random
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest


NOISE = 100  # columns that make a row large beside what a machine keeps of it


def rows(count, seed=1):
    """Numbers, a category and a missing cell now and then; the target is a smooth function of a, b and the colour."""
    rng = random.Random(seed)
    lines = ["a,b,colour,c," + ",".join(f"n{j}" for j in range(NOISE)) + ",y"]
    for _ in range(count):
        a, b, c = rng.gauss(0, 1), rng.uniform(-2, 2), rng.gauss(5, 3)
        colour = rng.choice(["red", "green", "blue"])
        noise = ",".join(f"{rng.random():.4f}" for _ in range(NOISE))
        y = a * a + b + (colour == "red") + rng.gauss(0, 0.2)
        lines.append(f"{a:.9f},{b:.9f},{colour},{'' if rng.random() < 0.01 else format(c, '.6f')},{noise},{y:.9f}")
    return "\n".join(lines) + "\n"


D = rows(3000)
FIT = ("--target", "y", "--missing", "mean", "--basis", "random:20", "--seed", "3")


class Streaming(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("d.csv", D)
        os.mkdir(self.path("out"))

    def numbers(self, report):
        return [report["criterion"]["value"], report["lambda"], report["kernel"]["theta"], report["held_out"]["rmse"]]

    def test_the_model_is_that_of_rows_in_memory(self):
        in_memory = self.fit_json("d.csv", *FIT, "-o", "out/memory.lacuna")
        self.assertNotIn("stay on disk", self.stderr)
        small = ("--memory", "4M")
        on_disk = self.fit_json("d.csv", *FIT, *small, "-o", "out/disk.lacuna")
        self.assertRegex(self.stderr, r"d.csv: about (29|30)\d\d rows would need 5 MB of memory, and 4 MB are allowed")
        self.assertIn("they stay on disk", self.stderr)
        self.assertIn("3000 rows in a cache of 3 MB beside the model", self.stderr)
        for a, b in zip(self.numbers(in_memory), self.numbers(on_disk)):
            self.assertAlmostEqual(a, b, delta=1e-9 * abs(a))
        self.assertEqual(in_memory["warnings"], on_disk["warnings"])
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["disk.lacuna", "memory.lacuna"])
        self.file("new.csv", rows(50, seed=2))
        predictions = [self.table(self.ok("predict", f"out/{m}.lacuna", "new.csv")) for m in ("memory", "disk")]
        for one, other in zip(*predictions):
            self.assertAlmostEqual(float(one["prediction"]), float(other["prediction"]), delta=1e-8)
        self.file("d.csv.gz", gzip.compress(self.contents("d.csv")))
        packed = self.fit_json("d.csv.gz", *FIT, *small)
        self.assertIn("folder for temporary files", self.stderr)
        self.assertEqual(self.numbers(packed), self.numbers(on_disk))

    def test_sparse_text_stays_on_disk_too(self):
        rng = random.Random(4)
        lines = []
        for _ in range(1000):  # so many entries that the rows need more than the fit
            x = {j: rng.gauss(0, 1) for j in sorted(rng.sample(range(1, 1000), 700))}
            label = "yes" if x.get(1, 0) + x.get(2, 0) - x.get(3, 0) + rng.gauss(0, 0.5) > 0 else "no"
            lines.append(label + "".join(f" {j}:{v:.5f}" for j, v in x.items()))
        self.file("d.svm", "\n".join(lines) + "\n")
        fit = ("d.svm", "--basis", "random:20", "--kernel", "rbf:theta=0.005", "--lambda", "1", "--search", "none")
        in_memory = self.fit_json(*fit)
        on_disk = self.fit_json(*fit, "--memory", "13M")
        self.assertIn("they stay on disk", self.stderr)
        self.assertAlmostEqual(in_memory["criterion"]["value"], on_disk["criterion"]["value"], delta=1e-10)

    def test_bad_data_on_the_last_line_leaves_nothing_behind(self):
        self.file("bad.csv", D + "1,2,red\n")
        message = self.refused(3, ["bad.csv line 3002", "3 fields found, 105 expected"], "fit", "bad.csv", *FIT, "--memory", "4M",
                               "-o", "out/m.lacuna")
        self.assertNotIn("rows in a cache", message)
        self.file("stray.csv", D + "1,oops,red,2," + "0," * NOISE + "3\n")
        self.refused(3, ["stray.csv line 3002, column 2 (b)", '"oops" is not a number'], "fit", "stray.csv", *FIT, "--memory",
                     "4M", "-o", "out/m.lacuna")
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_an_interruption_leaves_nothing_behind(self):
        head, *lines = D.splitlines(keepends=True)
        self.file("many.csv", head + "".join(lines * 8))
        for stop, code in ((signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)):
            child = subprocess.Popen([PROGRAM, "fit", "many.csv", "--target", "y", "--missing", "mean", "--basis", "50", "--memory",
                                      "30M", "-o", "out/m.lacuna"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            line = child.stderr.readline().decode()  # the work has begun
            self.assertIn("stay on disk", line)
            time.sleep(0.1)
            child.send_signal(stop)
            output, _ = child.communicate(timeout=120)
            self.assertEqual(child.returncode, code)
            self.assertEqual(output, b"")
            self.assertEqual(os.listdir(self.path("out")), [])

    def test_predictions_are_those_of_rows_in_memory(self):
        self.ok("fit", "d.csv", *FIT, "-o", "m.lacuna")
        whole = self.ok("predict", "m.lacuna", "d.csv", "-o", "whole.csv")
        said = self.stderr
        self.assertIn("rmse", said)
        self.ok("predict", "m.lacuna", "d.csv", "--memory", "2M", "-o", "out/pieces.csv")
        self.assertIn("they stay on disk", self.stderr)
        self.assertIn(said.splitlines()[-1], self.stderr)
        self.assertEqual(whole, "")
        self.assertEqual(self.contents("whole.csv"), self.contents("out/pieces.csv"))
        self.assertEqual(self.ok("predict", "m.lacuna", "d.csv", "--memory", "2M", "-q"), self.contents("whole.csv", "r"))
        self.assertEqual(os.listdir(self.path("out")), ["pieces.csv"])
        self.file("bad.csv", D + "1,2,red\n")
        self.refused(3, ["bad.csv line 3002", "3 fields found, 105 expected"], "predict", "m.lacuna", "bad.csv", "--memory", "2M", "-o",
                     "out/pieces.csv")
        self.assertEqual(self.contents("whole.csv"), self.contents("out/pieces.csv"))
        self.refused(3, ["standard input", "too much"], "predict", "m.lacuna", "-", "--memory", "1M", stdin=D)

    def test_what_cannot_be_read_twice_or_kept_is_refused(self):
        self.refused(3, ["standard input", "MB of text are too much", "save it to a file"], "fit", "-", *FIT, "--memory", "3M",
                     stdin=D)
        self.refused(3, ["d.csv", "even when they stay on disk", "--memory"], "fit", "d.csv", *FIT, "--memory", "50k")


if __name__ == "__main__":
    unittest.main()
