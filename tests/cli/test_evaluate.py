"""Nested validation: splits, scores, comparison, and going on after an interruption."""

import glob
import json
import os
import random
import signal
import subprocess
import time
import unittest

from program import FIXED, PROGRAM, ProgramTest, counts, three_classes, two_classes, values

QUICK = ("--kernel", "linear", "--splits", "4")


class Evaluate(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["XDG_CACHE_HOME"] = self.path("cache")

    def evaluate(self, *words):
        return json.loads(self.ok("evaluate", *words, "--json"))

    def values_of(self, report):
        return [(m["name"], {s: v["values"] for s, v in m["scores"].items()}, m["parameters"], m["confusion"])
                for m in report["models"]]

    def test_reports_means_errors_and_every_split(self):
        self.file("d.csv", two_classes(rows=60))
        report = self.evaluate("d.csv", "--target", "label", *QUICK)
        model = report["models"][0]
        self.assertEqual(set(model["scores"]), {"error", "ber", "auc", "xent", "bits", "calibration"})
        self.assertEqual(report["splits"]["test"], [6, 6, 6, 6])
        for name, score in model["scores"].items():
            self.assertEqual(len(score["values"]), 4)
            self.assertGreaterEqual(score["se"], 0)
            if name in ("error", "xent", "bits"):  # means over rows; the others are of all rows together
                self.assertAlmostEqual(score["mean"], sum(score["values"]) / 4, places=12)
                spread = sum((v - score["mean"]) ** 2 for v in score["values"]) / 3
                self.assertAlmostEqual(score["se"], (spread * (1 / 4 + 6 / 54)) ** 0.5, places=10)
        self.assertIn("Nadeau", report["splits"]["se"])
        self.assertIn("Nadeau", self.ok("evaluate", "d.csv", "--target", "label", *QUICK))
        self.assertEqual(sum(map(sum, model["confusion"])), 24)
        self.assertTrue(model["criterion"]["optimistic"])
        text = self.ok("evaluate", "d.csv", "--target", "label", *QUICK)
        self.assertIn("optimistic", text)
        self.assertEqual(os.listdir(self.path("cache/lacuna")), [])  # done: nothing is kept

    def test_values_and_counts(self):
        self.file("v.csv", values())
        report = self.evaluate("v.csv", "--target", "t", *QUICK)
        self.assertEqual(set(report["models"][0]["scores"]), {"rmse", "r2"})
        for folds in ("folds:20", "folds:2"):  # a root mean square of all rows, however small the parts
            of = self.evaluate("v.csv", "--target", "t", *FIXED, "--splits", folds)
            rmse, sizes = of["models"][0]["scores"]["rmse"], of["splits"]["test"]
            squares = sum(n * v * v for n, v in zip(sizes, rmse["values"])) / sum(sizes)
            self.assertAlmostEqual(rmse["mean"], squares ** 0.5, places=12)
        self.file("n.csv", counts())
        report = self.evaluate("n.csv", "--target", "n", "--task", "counts", "--exposure", "e", *QUICK)
        self.assertEqual(set(report["models"][0]["scores"]), {"deviance", "d2", "rmse", "nll"})
        self.file("k.csv", three_classes())
        report = self.evaluate("k.csv", "--target", "kind", *QUICK)
        self.assertEqual(len(report["models"][0]["confusion"]), 3)

    def test_contenders_share_the_splits(self):
        self.file("d.csv", two_classes(rows=60))
        report = self.evaluate("d.csv", "--target", "label", *QUICK, "--model", "klr,ls-svm", "--compare", "--model kfd --cv 5")
        self.assertEqual([m["name"] for m in report["models"]], ["klr, linear", "ls-svm, linear", "kfd, linear --cv 5"])
        self.assertEqual(len(report["comparisons"]), 3)
        first = report["comparisons"][0]["differences"]["error"]
        a, b = (m["scores"]["error"]["values"] for m in report["models"][:2])
        self.assertAlmostEqual(first["mean"], sum(x - y for x, y in zip(a, b)) / 4, places=12)
        alone = self.evaluate("d.csv", "--target", "label", *QUICK, "--model", "ls-svm")
        self.assertEqual(alone["models"][0]["scores"], report["models"][1]["scores"])
        self.assertIn("optimistic", self.ok("evaluate", "d.csv", "--target", "label", *QUICK, "--model", "klr,kfd"))
        report = self.evaluate("d.csv", "--target", "label", *QUICK, "--model", "gp-laplace:probit,mean=0.5,ls-svm")
        self.assertEqual(len(report["models"]), 2)
        self.refused(2, ["twice"], "evaluate", "d.csv", "--target", "label", *QUICK, "--model", "klr,klr")
        self.refused(2, ["--kernal"], "evaluate", "d.csv", "--target", "label", "--compare", "--kernal rbf")

    def test_groups_and_files(self):
        lines = two_classes(rows=60).split()
        self.file("g.csv", "\n".join([lines[0] + ",g"] + [f"{l},{i // 6}" for i, l in enumerate(lines[1:])]) + "\n")
        report = self.evaluate("g.csv", "--target", "label", "--kernel", "linear", "--splits", "groups", "--group", "g")
        self.assertEqual(report["splits"]["test"], [6] * 10)
        self.file("s.train.csv", "1," + ",".join(map(str, range(40))) + "\n")
        self.file("s.test.csv", "1," + ",".join(map(str, range(40, 60))) + "\n")
        report = self.evaluate("g.csv", "--target", "label", "--ignore", "g", "--kernel", "linear", "--splits", "files:s")
        self.assertEqual((report["splits"]["train"], report["splits"]["test"]), ([40], [20]))
        self.refused(2, ["one group"], "evaluate", "g.csv", "--target", "label", "--group", "g", "--cv", "group:x")
        self.refused(3, ["none.train.csv"], "evaluate", "g.csv", "--target", "label", "--splits", "files:none")
        self.refused(2, ["folds"], "evaluate", "g.csv", "--target", "label", "--splits", "fold:3")

    def test_split_files_may_not_divide_groups(self):
        lines = two_classes(rows=12).split()
        self.file("g.csv", "\n".join([lines[0] + ",g"] + [f"{line},g{i // 2}" for i, line in enumerate(lines[1:])]) + "\n")
        words = ("evaluate", "g.csv", "-t", "label", *FIXED, "--group", "g", "--splits", "files:s", "--journal", "none")
        self.file("s.train.csv", "1, 0, 1, 2, 3, 4, 5, 6, 7\n")
        self.file("s.test.csv", "1, 8, 9, 10, 11\n")
        self.ok(*words)
        self.file("s.train.csv", "1,0,1,2,3,4,5,6,8\n")
        self.file("s.test.csv", "1,7,9,10,11\n")
        self.refused(3, ["split 1", "group g3", "both parts"], *words)

    def test_thetas_are_told_apart_by_feature(self):
        rng = random.Random(4)
        rows = [(rng.choice("ab") if i else "rare", rng.gauss(0, 1)) for i in range(40)]  # a category of the first row only
        self.file("d.csv", "\n".join(["k,x,y"] + [f"{k},{x:.5f},{'pq'[x + rng.gauss(0, 0.7) > 0]}" for k, x in rows]) + "\n")
        self.file("s.train.csv", "".join(f"{k},{','.join(map(str, part))}\n" for k, part in ((1, range(30)), (2, range(10, 40)))))
        self.file("s.test.csv", "".join(f"{k},{','.join(map(str, part))}\n" for k, part in ((1, range(30, 40)), (2, range(10)))))
        words = ("d.csv", "-t", "y", "--model", "klr", "--kernel", "ard", "--splits", "files:s")
        chosen = self.evaluate(*words)["models"][0]["parameters"]
        self.assertEqual(set(chosen), {"lambda", "theta(k=a)", "theta(k=b)", "theta(k=rare)", "theta(x)"})
        self.assertIsNone(chosen["theta(k=rare)"][1])
        for split in (0, 1):  # only x tells something; what a category of one row has does not show
            of_categories = [chosen[f"theta(k={name})"][split] for name in "ab"]
            self.assertGreater(chosen["theta(x)"][split], max(of_categories), chosen)
        self.assertIn("theta(x)", self.ok("evaluate", *words, "--journal", "none"))

    def test_gaussian_processes_with_every_parameter_given(self):
        self.file("d.csv", two_classes(rows=40))
        for model, mean in (("gp-ep", 0), ("gp-laplace:mean=0.5", 0.5)):
            words = ("d.csv", "-t", "label", "--model", model, *FIXED, "--splits", "folds:2")
            self.assertEqual(self.evaluate(*words)["models"][0]["parameters"]["mean"], [mean, mean])
            self.assertRegex(self.ok("evaluate", *words, "--journal", "none"), rf"mean +{mean} ")

    def test_machines_on_a_basis(self):
        self.file("d.csv", two_classes(rows=60))
        self.file("b.csv", "\n".join(two_classes(rows=60).split()[:9]) + "\n")
        report = self.evaluate("d.csv", "--target", "label", "--splits", "3", "--basis", "pivoted:8", "--compare",
                               "--basis b.csv")
        for model in report["models"]:
            self.assertLess(model["scores"]["error"]["mean"], 0.5)

    def test_killed_anywhere_it_goes_on_and_ends_the_same(self):
        self.file("d.csv", two_classes(rows=100))
        words = ("evaluate", "d.csv", "--target", "label", "--splits", "20", "--model", "klr,ls-svm", "--json")
        whole = self.values_of(json.loads(self.ok(*words)))
        for blow in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
            size = lambda: sum(os.path.getsize(j) for j in glob.glob(self.path("cache/lacuna/*.journal")))
            before = size()
            process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(5000):  # until a few results more are kept
                if size() > before + 2500 or process.poll() is not None:
                    break
                time.sleep(0.002)
            process.send_signal(blow)
            out, err = process.communicate()
            if process.returncode == 0:
                continue  # too quick to be caught
            self.assertEqual(out, b"")
            if blow == signal.SIGINT:
                self.assertEqual(process.returncode, 130)
                self.assertIn(b"goes on", err)
        done = self.run_program(*words)
        self.assertEqual(self.values_of(json.loads(done.stdout)), whole)

    def test_a_journal_that_was_named_stays_and_belongs_to_its_work(self):
        self.file("d.csv", two_classes(rows=60))
        words = ("evaluate", "d.csv", "--target", "label", *QUICK, "--journal", "j", "--json")
        first = json.loads(self.ok(*words))
        text = self.contents("j")
        for cut in (0, 10, len(text) // 3, len(text) // 2, len(text) - 1):
            self.file("j", text[:cut])
            again = json.loads(self.ok(*words))
            self.assertEqual(self.values_of(again), self.values_of(first))
        self.ok(*words)
        self.assertIn("going on", self.stderr)
        self.file("e.csv", two_classes(rows=60, seed=9))
        self.refused(3, ["j", "other data"], "evaluate", "e.csv", "--target", "label", *QUICK, "--journal", "j")
        self.refused(3, ["j", "other data"], *words, "--seed", "5")
        self.file("t.txt", "mine\n")
        self.refused(3, ["not a journal"], "evaluate", "d.csv", "--target", "label", *QUICK, "--journal", "t.txt")
        self.assertEqual(self.contents("t.txt"), b"mine\n")


    def test_split_files_that_changed_are_read_again_and_may_not_overlap(self):
        self.file("d.csv", two_classes(rows=60))
        words = ("d.csv", "--target", "label", "--kernel", "linear", "--splits", "files:s", "--journal", "j")
        write = lambda name, rows: self.file(f"s.{name}.csv", "1," + ",".join(map(str, rows)) + "\n")
        write("train", range(40)), write("test", range(40, 60))
        self.assertEqual(self.evaluate(*words)["splits"]["train"], [40])
        write("train", range(30))
        self.assertEqual(self.evaluate(*words)["splits"]["train"], [30])
        write("test", range(29, 60))
        self.refused(3, ["s.test.csv line 1", "row 29", "training part"], "evaluate", *words)
        write("test", range(40, 61))
        self.refused(3, ["s.test.csv line 1", "no row 60"], "evaluate", *words)
        for text, wrong in (("\n1,40,x\n", ["line 2", '"x" is not a number']), ("1,40,41.5\n", ["line 1", '"41.5" is not a number']),
                            ("1,40,41,40\n", ["line 1", "row 40 is there twice"])):
            self.file("s.test.csv", text)
            self.refused(3, ["s.test.csv", *wrong], "evaluate", *words)
        self.file("s.test.csv", "1,40\n1,41\n")
        self.refused(3, ["s.test.csv lines 1 and 2", "split 1"], "evaluate", *words)

    def test_what_is_compared_differs_in_what_was_said_only(self):
        self.file("d.csv", two_classes(rows=60))
        base = ("d.csv", "--target", "label", *QUICK)
        report = self.evaluate(*base, "--recalibrate", "--compare", "--no-recalibrate")
        a, b = (m["scores"]["xent"]["values"] for m in report["models"])
        self.assertNotEqual(a, b)
        back = self.evaluate(*base, "--no-recalibrate", "--compare", "--recalibrate")
        self.assertEqual([b, a], [m["scores"]["xent"]["values"] for m in back["models"]])
        for shared in ("--positive a", "--delimiter ;", "--task regression", "--target x1", "--seed 4"):
            self.refused(2, ["--compare", shared.split()[0], "same for all"], "evaluate", *base, "--compare", shared)
        lines = two_classes(rows=60).split()
        self.file("g.csv", "\n".join([lines[0] + ",g"] + [f"{l},{l.split(',')[-1]}{i % 3}" for i, l in enumerate(lines[1:])]) + "\n")
        report = self.evaluate("g.csv", "--target", "label", *QUICK, "--no-recalibrate", "--compare", "--cv group:g")
        grouped = self.evaluate("g.csv", "--target", "label", "--group", "g", *QUICK, "--no-recalibrate")
        self.assertEqual(report["splits"]["group"], "g")  # what one of them keeps together stays together for all
        for model in report["models"]:
            self.assertEqual(model["scores"], grouped["models"][0]["scores"])
        self.refused(2, ["--compare", "same for all"], "evaluate", "g.csv", "-t", "label", "--compare", "--group g")

    def test_each_command_has_a_journal_of_its_own(self):
        self.file("d.csv", two_classes(rows=100))
        words = ("evaluate", "d.csv", "--target", "label", "--splits", "2000", "--model", "klr")
        process = subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not any(os.path.getsize(j) > 2000 for j in glob.glob(self.path("cache/lacuna/*.journal"))):
            time.sleep(0.002)
        kept = glob.glob(self.path("cache/lacuna/*.journal"))
        self.refused(3, ["another run has it open", "--journal"], *words)
        self.ok("evaluate", "d.csv", "--target", "label", "--splits", "2", "--model", "ls-svm")
        self.assertNotIn("going on", self.stderr)
        process.kill()
        process.communicate()
        self.assertEqual(glob.glob(self.path("cache/lacuna/*.journal")), kept)

    def test_a_number_that_cannot_be_is_not_printed(self):
        self.file("d.csv", two_classes(rows=60))
        text = self.ok("evaluate", "d.csv", "--target", "label", "--splits", "2", "--lambda", "1e12", "--model", "klr,ls-svm")
        self.assertNotIn("nan", text)
        self.refused(2, ["--splits", "more than once"], "evaluate", "d.csv", "--target", "label", "--splits", "2", "--splits", "3")
        self.refused(2, ["100000"], "evaluate", "d.csv", "--target", "label", "--splits", "5000000")


if __name__ == "__main__":
    unittest.main()
