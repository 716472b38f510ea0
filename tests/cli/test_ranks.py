"""--backend mpi: the same numbers on any number of ranks, said and written once; and what is said without the plug-in.

Tests on ranks run where the plug-in was built and mpirun is there, and are reported as skipped where not.
LACUNA_TEST_RANKS says on how many ranks: 2, or for `make ranks` 1,2,3,4.
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import unittest

from program import FIXED, PROGRAM, ProgramTest, counts, three_classes, two_classes, values

PLUGIN = pathlib.Path(os.environ.get("LACUNA_BUILD", "build")) / "lib" / "liblacuna_mpi.so"
HAS_RANKS = PLUGIN.exists() and shutil.which("mpirun") is not None
RANKS = [int(n) for n in os.environ.get("LACUNA_TEST_RANKS", "2").split(",")]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "LACUNA_MPI_ROWS": "0"}


def numbers_of(table):
    return [[float(v) for k, v in row.items() if k not in ("prediction", "target") and v] for row in table]


@unittest.skipUnless(HAS_RANKS, "back end mpi was not built, or there is no mpirun: make mpi")
class Ranks(ProgramTest):
    def on_ranks(self, ranks, *words, stdin=None, succeeds=True):
        done = subprocess.run(["mpirun", "-n", str(ranks), PROGRAM, *words, "--backend", "mpi"], cwd=self.folder,
                              capture_output=True, timeout=600, env=ENVIRONMENT, input=stdin)
        if succeeds:
            self.assertEqual(done.returncode, 0, done.stderr.decode())
        return done

    def numbers(self, name):
        return numbers_of(self.table(self.contents(name, "r")))

    def close(self, a, b, tolerance):
        self.assertEqual(len(a), len(b))
        for x, y in zip(a, b):
            for u, v in zip(x, y):
                self.assertLessEqual(abs(u - v), tolerance * (1.0 + abs(v)))

    # 37, 41 and 43 rows: no number of ranks divides them, and no block of a matrix either.
    def test_held_out_outputs_equal_those_of_the_cpu_at_given_parameters(self):
        for name, contents, target, words in (
            ("klr", two_classes(41), "label", ["--model", "klr"]),
            ("ls-svm, classes, folds", three_classes(43), "kind", ["--model", "ls-svm", "--cv", "5"]),
            ("gp-laplace", two_classes(37), "label", ["--model", "gp-laplace"]),
            ("poisson", counts(41), "n", ["--model", "poisson", "--exposure", "e"]),
        ):
            with self.subTest(name):
                self.file("train.csv", contents)
                fixed = ["fit", "train.csv", "--target", target, *FIXED, *words]
                self.ok(*fixed, "--loo", "cpu.csv")
                for ranks in RANKS:
                    self.on_ranks(ranks, *fixed, "--loo", "ranks.csv")
                    self.close(self.numbers("ranks.csv"), self.numbers("cpu.csv"), 1e-9)

    # 103 rows: in blocks, none of which are all of one rank.
    def test_machines_on_a_basis_are_those_of_the_cpu(self):
        for name, contents, target, words in (
            ("ls-svm", three_classes(103), "kind", []),
            ("klr", two_classes(103), "label", []),
            ("klr, three classes", three_classes(103), "kind", []),
            ("l2-svm", two_classes(103), "label", []),
            ("poisson", counts(103), "n", ["--exposure", "e"]),
            ("negbin", counts(103), "n", []),
            ("ls-svm, folds", two_classes(103), "label", ["--cv", "5"]),
        ):
            with self.subTest(name):
                self.file("train.csv", contents)
                words = ["fit", "train.csv", "--target", target, *FIXED, "--basis", "8", "--model", name.split(",")[0],
                         "--json", *words]
                here = json.loads(self.ok(*words, "--loo", "cpu.csv", "-o", "cpu.lacuna"))
                said = self.table(self.ok("predict", "cpu.lacuna", "train.csv"))
                for ranks in RANKS:
                    there = json.loads(self.on_ranks(ranks, *words, "--loo", "ranks.csv", "-o", "m.lacuna").stdout)
                    self.close([[there["criterion"]["value"]]], [[here["criterion"]["value"]]], 1e-10)
                    self.close(self.numbers("ranks.csv"), self.numbers("cpu.csv"), 1e-10)
                    again = self.table(self.ok("predict", "m.lacuna", "train.csv"))
                    self.close(numbers_of(again), numbers_of(said), 1e-10)

    def test_rows_that_stay_on_disk_are_divided_too(self):
        rng, narrow = random.Random(3), values(1500).splitlines()
        wide = [",".join(f"n{k}" for k in range(300))]
        wide += [",".join(f"{rng.random():.3f}" for _ in range(300)) for _ in narrow[1:]]
        self.file("big.csv", "\n".join(f"{a},{b}" for a, b in zip(wide, narrow)) + "\n")
        words = ["fit", "big.csv", "--target", "t", "--kernel", "linear", "--lambda", "100", "--basis", "20"]
        self.ok(*words, "--loo", "cpu.csv")
        for ranks in RANKS:
            done = self.on_ranks(ranks, *words, "--loo", "ranks.csv", "--memory", "5M")
            self.assertIn("in a cache", done.stderr.decode())
            self.close(self.numbers("ranks.csv"), self.numbers("cpu.csv"), 1e-10)

    def test_a_search_ends_at_the_same_parameters(self):
        # Two overlapping clouds, so that the optimum is inside its box and no matrix is nearly singular.
        self.file("train.csv", two_classes(37))
        for basis in ("none", "6"):
            words = ["fit", "train.csv", "--target", "label", "--model", "ls-svm", "--basis", basis, "--json"]
            here = json.loads(self.ok(*words))
            for ranks in RANKS:
                there = json.loads(self.on_ranks(ranks, *words).stdout)  # one object: only rank 0 prints
                self.assertAlmostEqual(there["lambda"] / here["lambda"], 1.0, delta=1e-6)
                self.assertAlmostEqual(there["kernel"]["theta"] / here["kernel"]["theta"], 1.0, delta=1e-6)
                self.assertAlmostEqual(there["criterion"]["value"] / here["criterion"]["value"], 1.0, delta=1e-9)

    def test_only_rank_0_reads(self):
        done = self.on_ranks(2, "fit", "-", "--target", "t", *FIXED, "--json", stdin=values(21).encode())
        self.assertEqual(json.loads(done.stdout)["rows"], 21)

    def test_evaluate_and_predict_take_it(self):
        self.file("train.csv", two_classes(31))
        self.on_ranks(2, "evaluate", "train.csv", "--target", "label", *FIXED, "--splits", "folds:3", "--json")
        self.ok("fit", "train.csv", "--target", "label", *FIXED, "-o", "m.lacuna")
        done = self.on_ranks(2, "predict", "m.lacuna", "train.csv")
        self.assertEqual(done.stdout.decode(), self.ok("predict", "m.lacuna", "train.csv"))

    def test_a_refusal_is_said_once_and_leaves_no_file(self):
        self.file("train.csv", values(21))
        for words, code in ((["fit", "train.csv", "--target", "nobody"], 2), (["fit", "gone.csv", "--target", "t"], 3),
                            (["fit", "train.csv", "--target", "t", "--lambda", "-1"], 2)):
            done = self.on_ranks(2, *words, "-o", "m.lacuna", succeeds=False)
            here = self.run_program(*words, "-o", "m.lacuna")
            said = [line for line in done.stderr.decode().splitlines() if line.startswith("lacuna:")]
            self.assertEqual(said, here.stderr.decode().splitlines())
            self.assertEqual(done.returncode, here.returncode)
            self.assertFalse(os.path.exists(self.path("m.lacuna")))


class WithoutThePlugIn(ProgramTest):
    def test_what_to_do_is_said(self):
        # A copy of the program and its library alone.
        for folder, name in (("bin", PROGRAM), ("lib", None)):
            os.mkdir(self.path(folder))
            if name:
                shutil.copy(name, self.path(folder))
        library = pathlib.Path(PROGRAM).parent.parent / "lib"
        for file in library.glob("liblacuna.so*"):
            shutil.copy(file, self.path("lib"))
        self.file("train.csv", values(21))
        done = subprocess.run([self.path("bin/lacuna"), "fit", "train.csv", "--target", "t", "--backend", "mpi"],
                              cwd=self.folder, capture_output=True, timeout=60,
                              env={**os.environ, "LD_LIBRARY_PATH": self.path("lib")})
        self.assert_one_line(done, 2, "mpi is a plug-in that is not installed here", "make mpi", "--backend cpu")


if __name__ == "__main__":
    unittest.main()
