"""What the size of the data decides where nothing was said about it, and what is said before long work."""

import math
import os
import random
import re
import unittest

from program import FIXED, PROGRAM, ProgramTest, two_classes, values


def sloping(rows, seed=11):
    """a, b, c, t with t linear in a and b."""
    rng = random.Random(seed)
    lines = ["a,b,c,t"]
    for _ in range(rows):
        a, b, c = (rng.gauss(0, 1) for _ in range(3))
        lines.append(f"{a:.6f},{b:.6f},{c:.6f},{2 * a - b + rng.gauss(0, 0.5):.6f}")
    return "\n".join(lines) + "\n"


class Size(ProgramTest):
    def test_rows_that_are_too_many_for_the_memory_get_a_basis(self):
        self.file("v.csv", values(rows=1500))  # four matrices of that order are 72 MB
        how = ("v.csv", "--target", "t", "--memory", "50M", *FIXED)
        report = self.fit_json(*how)
        self.assertTrue(report["basis"]["by_size"] and report["basis"]["automatic"])
        self.assertLess(report["basis"]["size"], 1500)
        text = self.ok("fit", *how)
        self.assertRegex(text, r"basis +\d+ rows")
        self.assertIn("chosen by size: a machine of all 1500 rows takes", text)
        self.refused(3, ["1500 rows need", "--basis"], "fit", *how, "--basis", "none")
        self.assertFalse(self.fit_json(*how, "--basis", "auto")["basis"]["by_size"])

    def peak(self, *words):
        """Bytes that the program had at most, less those of itself; it must succeed."""
        def of(*all_words):
            child = os.fork()
            if child == 0:
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, 1)
                os.dup2(nowhere, 2)
                os.chdir(self.folder)
                os.execv(PROGRAM, [PROGRAM, *all_words])
            _, status, used = os.wait4(child, 0)
            self.assertEqual(os.waitstatus_to_exitcode(status), 0, all_words)
            return 1024 * used.ru_maxrss

        return of(*words) - of("--version")

    def test_what_a_refusal_asks_for_is_enough(self):
        self.file("c.csv", two_classes(rows=1500))
        self.file("many.csv", two_classes(rows=6000))
        self.file("v.csv", values(rows=1500))
        for data, target, words in (("c.csv", "label", ("--model", "klr", "--basis", "none")),
                                    ("v.csv", "t", ("--model", "ls-svm", "--basis", "none")),
                                    ("many.csv", "label", ("--model", "klr", "--basis", "100"))):
            how = ("fit", data, "--target", target, *words, *FIXED, "--threads", "1")
            need = re.search(r"need (?:about )?([\d.]+) (GB|MB)", self.refused(3, ["need"], *how, "--memory", "2M"))
            megabytes = float(need[1]) * (1000 if need[2] == "GB" else 1)
            # Beside what is counted there are the rows themselves, and a little of everything.
            self.assertLess(self.peak(*how, "--memory", f"{megabytes + 1:.0f}M"), 1e6 * megabytes + 4e6, how)

    def test_a_basis_that_grows_stays_within_the_memory_allowed(self):
        rng = random.Random(7)
        rows = []
        for _ in range(12000):
            x = [rng.gauss(0, 1) for _ in range(5)]
            z = 1.5 * x[0] + x[1] * x[2] + 0.6 * math.sin(2 * x[3]) - 0.5 * x[4] ** 2 + 0.5
            rows.append(",".join(f"{v:.5f}" for v in x) + f",{int(rng.random() < 1 / (1 + math.exp(-z)))}")
        self.file("big.csv", "a,b,c,d,e,y\n" + "\n".join(rows) + "\n")
        for megabytes in (180, 300):
            how = ("fit", "big.csv", "--target", "y", "--threads", "1", "--memory", f"{megabytes}M")
            self.assertLess(self.peak(*how), 1e6 * megabytes + 4e6, how)

    def test_advice_on_memory_works(self):
        self.file("c.csv", two_classes(rows=1500))
        how = ("fit", "c.csv", "--target", "label", "--model", "klr", "--threads", "1", *FIXED)
        for memory in ("15M", "20M", "25M", "40M"):
            said = self.refused(3, ["need"], *how, "--basis", "none", "--memory", memory)
            advised = re.search(r"--basis (\w+)", said)
            if advised:
                self.ok(*how, "--basis", advised[1], "--memory", memory)
            else:
                self.assertIn("raise --memory", said)

    def test_rows_that_fit_do_not(self):
        self.file("v.csv", values(rows=100))
        self.assertIsNone(self.fit_json("v.csv", "--target", "t", *FIXED)["basis"])
        self.assertIsNone(self.fit_json("v.csv", "--target", "t", "--basis", "none", *FIXED)["basis"])

    def test_machines_without_a_basis_are_refused_as_before(self):
        self.file("v.csv", values(rows=1500))
        self.refused(3, ["1500 rows need"], "fit", "v.csv", "--target", "t", "--memory", "50M", "--criterion", "evidence")

    def test_a_linear_kernel_is_solved_by_its_columns(self):
        self.file("s.csv", sloping(1500))
        how = ("s.csv", "--target", "t", "--kernel", "linear", "--lambda", "1", "--search", "none", "--interval",
               "0.9:constant")
        report = self.fit_json(*how, "--memory", "50M")
        self.assertIsNone(report["basis"])
        dual = self.fit_json(*how, "--basis", "none")
        self.assertAlmostEqual(report["criterion"]["value"], dual["criterion"]["value"], delta=1e-9)
        self.refused(3, ["1500 rows need"], "fit", *how, "--memory", "50M", "--basis", "none")

    def test_short_work_is_not_announced(self):
        self.file("v.csv", values(rows=60))
        self.ok("fit", "v.csv", "--target", "t", *FIXED)
        self.assertEqual(self.stderr, "")


if __name__ == "__main__":
    unittest.main()
