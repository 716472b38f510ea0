"""Experiments: the benchmark table on a small folder in the published layout, and where data are missing."""

import json
import os
import random
import unittest

from program import ProgramTest, two_classes


class Experiment(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["XDG_CACHE_HOME"] = self.path("cache")

    def folder_of_two_sets(self):
        os.mkdir(self.path("sets"))
        rng = random.Random(1)
        for name, seed in (("heart", 1), ("small", 2)):
            lines = two_classes(rows=240 if name == "heart" else 60, seed=seed, labels=("-1", "1"))
            self.file(f"sets/{name}.csv", lines)
            n = lines.count("\n") - 1
            train, test = "", ""
            for k in (1, 2):
                rows = rng.sample(range(n), n)
                train += f"{k}," + ",".join(map(str, rows[:40])) + "\n"
                test += f"{k}," + ",".join(map(str, rows[40:])) + "\n"
            self.file(f"sets/{name}.train.csv", train)
            self.file(f"sets/{name}.test.csv", test)

    def test_ida(self):
        self.folder_of_two_sets()
        words = ("experiment", "ida", "--data", "sets", "--model", "klr,kfd", "--cv", "loo,explicit:3", "--splits", "6")
        text = self.ok(*words, "-o", "out")
        for name in ("ida.md", "ida.json", "ida-error.csv", "ida-bits.csv", "ida-splits.csv", "ida-selection.csv"):
            self.assertTrue(os.path.exists(self.path(f"out/{name}")), name)
        self.assertEqual(self.contents("out/ida.md").decode(), text)
        report = json.loads(self.contents("out/ida.json"))
        splits = report["sheets"]["splits"]
        self.assertEqual(len(splits), 2 * 2 * 2 * 6)
        self.assertEqual(sum(s["published"] == "yes" for s in splits), 2 * 2 * 2 * 2)
        medians = {(s["theta"], s["lambda"]) for s in splits
                   if (s["data"], s["model"], s["selection"]) == ("small", "kfd", "loo")}
        self.assertEqual(len(medians), 1)  # selected on five splits, one median for all
        chosen = {s["lambda"] for s in splits if (s["data"], s["model"], s["selection"]) == ("small", "klr", "loo")}
        self.assertGreater(len(chosen), 1)  # afresh in every split
        row = next(r for r in report["sheets"]["error"] if r["data"] == "heart" and r["paper's method"] == "LOO-KLR")
        self.assertEqual(row["paper"], {"mean": 16.6, "se": 0.31})
        self.assertIn("| 16.60 ± 0.31 |", text)
        errors = [100 * s["error"] for s in splits if (s["data"], s["model"], s["selection"]) == ("heart", "klr", "loo")]
        self.assertAlmostEqual(row["error"]["mean"], sum(errors) / 6, places=10)
        self.assertEqual(row["error"]["splits"], 6)
        heading, first, *_ = self.contents("out/ida-error.csv").decode().split("\n")
        self.assertEqual(len(heading.split(",")), len(first.split(",")))
        self.assertIn("error,error s.e.,error count,", heading)

        # Again, from a journal that lost its end: the same figures.
        journal = self.contents("out/ida.journal")
        self.file("out/ida.journal", journal[: 2 * len(journal) // 3])
        self.ok(*words, "-o", "out")
        again = json.loads(self.contents("out/ida.json"))["sheets"]["splits"]
        strip = lambda rows: [{k: v for k, v in r.items() if k != "seconds"} for r in rows]
        self.assertEqual(strip(again), strip(splits))

    def test_ida_knows_when_data_changed_and_says_what_failed(self):
        self.folder_of_two_sets()
        words = ("experiment", "ida", "--data", "sets", "--sets", "small", "--model", "ls-svm", "--splits", "4", "--json")
        error = lambda *more: json.loads(self.ok(*words, "-o", "out", *more))["sheets"]["error"][0]["error"]
        first = error()
        self.assertEqual(error(), first)
        self.assertNotEqual(error("--seed", "9"), first)
        head, *lines = self.contents("sets/small.csv").decode().split()
        rng = random.Random(5)
        self.file("sets/small.csv", "\n".join([head] + [l[: l.rindex(",")] + rng.choice((",1", ",-1")) for l in lines]) + "\n")
        self.assertGreater(error()["mean"], first["mean"])
        negative = [i for i, l in enumerate(lines) if l.endswith(",-1")]
        self.file("sets/small.csv", "\n".join([head] + lines) + "\n")
        self.file("sets/small.train.csv", "1," + ",".join(map(str, negative[:20])) + "\n")
        self.file("sets/small.test.csv", "1," + ",".join(map(str, negative[20:])) + "\n")
        text = self.ok(*words[:-1])
        self.assertIn("ls-svm (loo) could not be fitted in 1 of 4 splits of small", text)

    def test_options_that_an_experiment_does_not_take_are_refused(self):
        self.refused(2, ["motorcycle does not take --model", "--data"], "experiment", "motorcycle", "--model", "klr")
        self.refused(2, ["complexity does not take --splits"], "experiment", "complexity", "--splits", "3")
        self.folder_of_two_sets()
        self.refused(2, ["small is there twice"], "experiment", "ida", "--data", "sets", "--sets", "small,small")
        os.mkdir(self.path("few"))
        self.file("few/rare.csv", "a,b,label\n" + "".join(f"{i % 7},{i % 5},{1 if i < 4 else -1}\n" for i in range(60)))
        self.refused(3, ["RARE has 4 rows of a class"], "experiment", "wcci", "--data", "few")
        os.mkdir(self.path("none"))
        self.refused(3, ["none has no CSV"], "experiment", "wcci", "--data", "none")

    def test_wcci_has_no_cut_below_the_best(self):
        os.mkdir(self.path("sets"))
        self.file("sets/two.csv", two_classes(rows=80, labels=("-1", "1")))
        rows = json.loads(self.ok("experiment", "wcci", "--data", "sets", "--splits", "3", "--journal", "none", "--json"))
        rows = rows["sheets"]["splits"]
        self.assertEqual(len(rows), 3 * 4 * 3)
        for r in rows:
            for part in ("loo", "test"):
                self.assertLessEqual(r[f"{part} ber at best"], min(r[f"{part} ber"], r[f"{part} ber at zero"]) + 1e-12, r)
                self.assertLess(r[f"{part} ber at best"], 0.5)

    def test_motorcycle_is_beside_the_paper_in_numbers_of_one_size_of_the_basis(self):
        os.mkdir(self.path("mass"))
        self.file("mass/mcycle.csv", "times,accel\n" + "".join(f"{k / 3},{(k * 37) % 101 - 50}\n" for k in range(133)))
        sheets = json.loads(self.ok("experiment", "motorcycle", "--data", "mass", "--journal", "none", "--json"))["sheets"]
        ours = [row["ours"] for row in sheets["published"]]
        names = ("basis vectors", "explicit", "fast", "explicit/fast", "E_r")
        self.assertIn(ours, [[row[name] for name in names] for row in sheets["sizes"]])

    def test_what_is_missing_is_named(self):
        self.refused(2, ["ida", "--data"], "experiment", "ida")
        self.refused(3, ["nowhere", "--data"], "experiment", "ida", "--data", "nowhere", "-o", "results")
        self.assertFalse(os.path.exists(self.path("results")), "a folder for nothing")
        self.refused(2, ["idda", "did you mean 'ida'?"], "experiment", "idda")
        self.refused(2, ["boston.csv"], "experiment", "boston")
        os.mkdir(self.path("empty"))
        self.refused(3, ["empty"], "experiment", "ida", "--data", "empty")
        self.refused(3, ["mcycle.csv"], "experiment", "motorcycle", "--data", "empty")
        self.refused(2, ["protocol"], "experiment", "ida", "--data", "empty", "--protocol", "x")


if __name__ == "__main__":
    unittest.main()
