"""evaluate: predictions of the test rows, scores by a column, coverage, a constant contender, shared fits."""

import csv
import json
import math
import os
import unittest

from program import FIXED, ProgramTest, counts, three_classes, two_classes, values

FOLDS = (*FIXED, "--splits", "folds:4", "--journal", "none")


class TestRows(ProgramTest):
    def evaluate(self, *words):
        return json.loads(self.ok("evaluate", *words, "--json"))

    def rows(self, name):
        with open(self.path(name), newline="") as f:
            return list(csv.DictReader(f))

    def test_predictions_give_the_scores_again(self):
        self.file("d.csv", two_classes(rows=60))
        report = self.evaluate("d.csv", "-t", "label", *FOLDS, "--predictions", "oof.csv")
        rows = self.rows("oof.csv")
        self.assertEqual(list(rows[0]), ["split", "row", "target", "prediction", "output", "probability:a",
                                         "probability:b"])
        self.assertEqual(sorted(int(r["row"]) for r in rows), list(range(1, 61)))
        self.assertEqual({r["split"] for r in rows}, {"1", "2", "3", "4"})
        scores = report["models"][0]["scores"]
        self.assertAlmostEqual(scores["error"]["mean"], sum(r["target"] != r["prediction"] for r in rows) / 60)
        self.assertAlmostEqual(scores["xent"]["mean"],
                               -sum(math.log(float(r["probability:" + r["target"]])) for r in rows) / 60)
        table = self.table(self.contents("d.csv", "r"))
        for r in rows:
            self.assertEqual(r["target"], table[int(r["row"]) - 1]["label"])

    def test_several_classes_and_contenders(self):
        self.file("k.csv", three_classes())
        self.evaluate("k.csv", "-t", "kind", *FOLDS, "--model", "ls-svm,klr", "--baseline", "--predictions", "oof.csv")
        rows = self.rows("oof.csv")
        labels = sorted({r["target"] for r in rows})
        self.assertEqual(list(rows[0]), ["model", "split", "row", "target", "prediction",
                                         *("output:" + c for c in labels), *("probability:" + c for c in labels)])
        self.assertEqual([r["model"] for r in rows[::45]], ["ls-svm, rbf:theta=0.5", "klr, rbf:theta=0.5", "constant"])
        for r in rows[45:]:
            self.assertAlmostEqual(sum(float(r["probability:" + c]) for c in labels), 1)

    def test_values_have_intervals_and_their_coverage(self):
        self.file("v.csv", values(rows=80))
        report = self.evaluate("v.csv", "-t", "t", *FOLDS, "--predictions", "oof.csv", "--interval", "0.8")
        rows = self.rows("oof.csv")
        inside = sum(float(r["lower"]) <= float(r["target"]) <= float(r["upper"]) for r in rows) / 80
        self.assertAlmostEqual(report["models"][0]["coverage"]["inside"], inside)
        self.assertEqual(report["models"][0]["coverage"]["level"], 0.8)
        square = sum((float(r["target"]) - float(r["prediction"])) ** 2 for r in rows) / 80
        self.assertAlmostEqual(report["models"][0]["scores"]["rmse"]["mean"], math.sqrt(square))
        self.assertIn("80 % intervals", self.ok("evaluate", "v.csv", "-t", "t", *FOLDS, "--interval", "0.8"))
        self.assertNotIn("intervals", self.ok("evaluate", "v.csv", "-t", "t", *FOLDS))

    def test_scores_by_a_column(self):
        lines = counts(rows=80).splitlines()
        self.file("c.csv", "\n".join(line + ("," + ("site" if i == 0 else "north" if i % 3 else "south"))
                                     for i, line in enumerate(lines)) + "\n")
        words = ("c.csv", "-t", "n", "--task", "counts", "--exposure", "e", "--ignore", "site", *FOLDS, "--by", "site")
        report = self.evaluate(*words, "--predictions", "oof.csv")
        rows, table = self.rows("oof.csv"), self.table(self.contents("c.csv", "r"))
        by = report["models"][0]["by"]
        self.assertEqual([level["level"] for level in by["levels"]], ["north", "south"])
        for level in by["levels"]:
            own = [r for r in rows if table[int(r["row"]) - 1]["site"] == level["level"]]
            self.assertEqual(level["rows"], len(own))
            square = sum((float(r["target"]) - float(r["prediction"])) ** 2 for r in own) / len(own)
            self.assertAlmostEqual(level["scores"]["rmse"]["mean"], math.sqrt(square))
        self.assertRegex(self.ok("evaluate", *words), r"north +\d+ +")
        self.refused(2, ["by", '"sitte"', "site"], "evaluate", *words[:-1], "sitte")

    def test_a_constant_contender_has_the_baseline(self):
        self.file("d.csv", two_classes(rows=60))
        report = self.evaluate("d.csv", "-t", "label", *FOLDS, "--baseline")
        model, constant = report["models"]
        self.assertEqual(constant["name"], "constant")
        # The commonest class of the training rows may be the rarer one of the test rows.
        self.assertGreaterEqual(constant["scores"]["error"]["mean"], model["scores"]["error"]["baseline"])
        self.assertEqual(constant["scores"]["auc"]["mean"], 0.5)
        self.assertNotIn("criterion", constant)
        self.assertLess(report["comparisons"][0]["differences"]["error"]["mean"], 0)
        self.assertIn("less constant", self.ok("evaluate", "d.csv", "-t", "label", *FOLDS, "--baseline"))

    def test_thresholds_and_costs_share_their_fits(self):
        self.file("d.csv", two_classes(rows=60))
        words = ("d.csv", "-t", "label", "--splits", "folds:3", "--journal", "none")
        ways = ("--cost 1,5", "--threshold ber")
        together = self.evaluate(*words, *(x for way in ways for x in ("--compare", way)))
        for way, model in zip(("", *ways), together["models"]):
            alone = self.evaluate(*words, *way.split())["models"][0]
            self.assertEqual(alone["scores"], model["scores"])
            self.assertEqual(alone["parameters"], model["parameters"])
            self.assertEqual(alone["confusion"], model["confusion"])
        seconds = [m["seconds"]["values"] for m in together["models"]]
        self.assertEqual(seconds[0], seconds[1])  # of one fit

    def test_files_are_not_mixed_up(self):
        self.file("d.csv", two_classes())
        self.refused(2, ["d.csv"], "evaluate", "d.csv", "-t", "label", *FOLDS, "--predictions", "d.csv")
        self.refused(2, ["o.csv"], "evaluate", "d.csv", "-t", "label", *FOLDS, "--predictions", "o.csv", "-o", "o.csv")
        self.assertFalse(os.path.exists(self.path("o.csv")))


if __name__ == "__main__":
    unittest.main()
