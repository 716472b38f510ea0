"""lacuna explain: effects, importance, coefficients, curves and neighbours, against predictions of changed tables."""

import csv
import io
import json
import math
import os
import random
import unittest
from datetime import date, timedelta

from program import FIXED, ProgramTest, counts, three_classes, values


def mixed(rows=80, seed=9):
    """A number, a category and a column of noise; y is a value, label a class."""
    rng = random.Random(seed)
    lines = ["size,colour,noise,y,label"]
    for _ in range(rows):
        size, colour, noise = rng.uniform(10, 50), rng.choice(["red", "green", "blue"]), rng.gauss(0, 1)
        y = 0.1 * size + 3 * (colour == "red") + rng.gauss(0, 0.3)
        lines.append(f"{size:.4f},{colour},{noise:.4f},{y:.4f},{'high' if y + rng.gauss(0, 0.5) > 4 else 'low'}")
    return "\n".join(lines) + "\n"


def with_column(text, column, value):
    rows = list(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys())
    writer.writeheader()
    writer.writerows({**row, column: value} for row in rows)
    return out.getvalue()


class Explain(ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = mixed()
        self.file("d.csv", self.data)
        self.file("new.csv", mixed(seed=10))

    def fit(self, target="y", *words):
        other = "label" if target == "y" else "y"
        self.ok("fit", "d.csv", "-t", target, "--ignore", other, *words, "-o", "m.lacuna", "--quiet")

    def explain(self, *words):
        return json.loads(self.ok("explain", "m.lacuna", *words, "--json"))

    def mean_prediction(self, text, column):
        self.file("changed.csv", text)
        rows = self.table(self.ok("predict", "m.lacuna", "changed.csv", "--quiet"))
        return sum(float(r[column]) for r in rows) / len(rows)

    def test_effects_are_mean_predictions_of_changed_tables(self):
        for target, column, output in (("y", "prediction", "y"), ("label", "probability:low", "low")):
            self.fit(target)
            for effect in self.explain("d.csv", "--no-importance")["effects"]:
                low = self.mean_prediction(with_column(self.data, effect["column"], effect["from"]), column)
                high = self.mean_prediction(with_column(self.data, effect["column"], effect["to"]), column)
                self.assertAlmostEqual(effect["at_from"][output], low, delta=1e-9)
                self.assertAlmostEqual(effect["change"][output], high - low, delta=1e-9)
                self.assertEqual(effect["standard_error"][output], 0.0)

    def test_without_data_the_training_rows_are_explained(self):
        self.fit()
        own, same = self.explain("--no-importance"), self.explain("d.csv", "--no-importance")
        self.assertTrue(own["trained_on"])
        for a, b in zip(own["effects"], same["effects"]):
            self.assertEqual((a["column"], a["from"], a["to"]), (b["column"], b["from"], b["to"]))
            self.assertAlmostEqual(a["change"]["y"], b["change"]["y"], delta=1e-9)

    def test_importance_is_of_held_out_rows_or_of_new_ones(self):
        self.fit("y", "--lambda", "0.001")
        held_out, new = self.explain()["importance"], self.explain("new.csv")["importance"]
        self.assertEqual((held_out["of"], held_out["folds"], new["of"]), ("held-out", 10, "new"))
        for report in (held_out, new):
            by_column = {c["column"]: c for c in report["columns"]}
            self.assertGreater(by_column["size"]["increase"], 5 * by_column["size"]["standard_error"])
            self.assertLess(abs(by_column["noise"]["increase"]), 0.3 * by_column["size"]["increase"])
        # Held-out and new rows agree on how good the model is; its own answers to its own rows would not.
        self.assertLess(held_out["as_it_is"], 2 * new["as_it_is"])
        self.assertGreater(held_out["as_it_is"], 0.5 * new["as_it_is"])

    def test_training_rows_given_as_data_are_noticed(self):
        self.fit()
        self.ok("explain", "m.lacuna", "d.csv")
        self.assertIn("training rows", self.stderr)
        self.ok("explain", "m.lacuna", "new.csv")
        self.assertEqual(self.stderr, "")

    def test_a_linear_kernel_has_coefficients_in_the_units_of_the_data(self):
        self.fit("y", "--kernel", "linear")
        report = self.explain()
        of = {(c["column"], c.get("level")): c["coefficient"] for c in report["coefficients"]["columns"]}
        self.assertAlmostEqual(of["size", None], 0.1, delta=0.01)
        self.assertAlmostEqual(of["colour", "red"] - of["colour", "blue"], 3.0, delta=0.5)
        rows = self.table(self.ok("predict", "m.lacuna", "new.csv", "--quiet"))
        for row, given in zip(rows, csv.DictReader(io.StringIO(mixed(seed=10)))):
            sum_of = report["coefficients"]["intercept"] + of["size", None] * float(given["size"]) + \
                of["noise", None] * float(given["noise"]) + of["colour", given["colour"]]
            self.assertAlmostEqual(sum_of, float(row["prediction"]), delta=1e-9)
        effect = next(e for e in report["effects"] if e["column"] == "size")
        self.assertAlmostEqual(effect["change"]["y"], of["size", None] * (float(effect["to"]) - float(effect["from"])),
                               delta=1e-9)
        self.fit()
        self.assertIsNone(self.explain()["coefficients"])

    def test_targets_of_other_units_matter_alike(self):
        rng = random.Random(5)
        rows = [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(120)]
        for name, unit in (("one", 1), ("other", 1000)):
            self.file("d.csv", "a,b,s,t\n" + "".join(f"{a},{b},{a + 0.1 * b ** 2},{unit * b}\n" for a, b in rows))
            told = self.ok("fit", "d.csv", "--target", "s,t", "--kernel", "rbf:theta=0.2", "--lambda", "0.1", "--search",
                           "none", "-o", "m.lacuna", "--json", "--quiet")
            of = {t["target"]: t for t in json.loads(told)["held_out"]["by_target"]}
            matters = {c["column"]: c["increase"] for c in self.explain("--quiet")["importance"]["columns"]}
            if name == "one":
                before, scores = matters, of
        for column, increase in matters.items():
            self.assertAlmostEqual(increase, before[column], delta=1e-6)
        self.assertGreater(matters["a"], 0.5)  # it decides one of two targets
        self.assertAlmostEqual(of["t"]["rmse"] / scores["t"]["rmse"], 1000, delta=1e-3)
        self.assertAlmostEqual(of["t"]["r2"], scores["t"]["r2"], delta=1e-9)

    def test_dates_are_told_as_dates(self):
        days = [date(2021, 1, 1) + timedelta(5 * i) for i in range(90)]
        rows = [f"{d},{i % 7},{math.sin(i / 15) + i % 7}\n" for i, d in enumerate(days)]
        self.file("d.csv", "day,u,t\n" + "".join(rows))
        self.ok("fit", "d.csv", "--target", "t", "-o", "m.lacuna", "--quiet")
        effect = next(e for e in self.explain("--curves", "c.csv")["effects"] if e["column"] == "day")
        self.assertLess(effect["from"], effect["to"])
        with open(os.path.join(self.folder, "c.csv"), newline="") as f:
            shown = {row["value"] for row in csv.DictReader(f) if row["column"] == "day"}
        self.assertLessEqual({effect["from"], effect["to"], *shown}, set(map(str, days)))
        self.assertIn(f"{effect['from']} -> {effect['to']}", self.ok("explain", "m.lacuna"))

    def test_curves_are_a_table(self):
        self.fit("label")
        self.ok("explain", "m.lacuna", "d.csv", "--curves", "c.csv", "--columns", "size,colour", "-q")
        rows = self.table(self.contents("c.csv", "r"))
        self.assertEqual({r["column"] for r in rows}, {"size", "colour"})
        self.assertEqual({r["value"] for r in rows if r["column"] == "colour"}, {"red", "green", "blue"})
        for row in (rows[0], rows[10], rows[-1]):
            mean = self.mean_prediction(with_column(self.data, row["column"], row["value"]), "probability:low")
            self.assertAlmostEqual(float(row["mean"]), mean, delta=1e-9)
            self.assertLessEqual(float(row["lower"]), float(row["upper"]))

    def test_pairs_and_rows(self):
        self.fit()
        report = self.explain("--pairs", "--row", "7", "--no-importance")
        self.assertEqual(len(report["pairs"]), 3)
        near = report["neighbours"]
        self.assertEqual(near["row"], 7)
        self.assertNotIn(7, [n["row"] for n in near["nearest"]])
        self.assertEqual([n["distance"] for n in near["nearest"]], sorted(n["distance"] for n in near["nearest"]))
        text = self.ok("explain", "m.lacuna", "new.csv", "--row", "3", "--pairs")
        for words in ("effects on y", "importance", "pairs", "row 3", "nearest training rows"):
            self.assertIn(words, text)

    def test_every_kind_of_model_is_explained(self):
        self.file("k.csv", three_classes(90))
        self.file("n.csv", counts(90))
        self.file("v.csv", values(90))
        for data, target, words in (("k.csv", "kind", ()), ("k.csv", "kind", ("--model", "klr")),
                                    ("k.csv", "kind", ("--model", "gp-laplace", *FIXED)),
                                    ("n.csv", "n", ("--task", "counts", "--exposure", "e")),
                                    ("v.csv", "t", ("--kernel", "relevance(rbf)")), ("v.csv", "t", ("--model", "huber")),
                                    ("k.csv", "kind", ("--model", "kfd")), ("v.csv", "t", ("--stack",)),
                                    ("v.csv", "t", ("--cv", "5x2"))):
            self.ok("fit", data, "-t", target, *words, "-o", "any.lacuna", "--quiet")
            report = json.loads(self.ok("explain", "any.lacuna", "--json", "--row", "1"))
            if report["effects"] is None:  # a stack none of whose machines sees the columns as they are
                self.assertIn("--stack", words)
                report = json.loads(self.ok("explain", "any.lacuna", data, "--json", "--row", "1", "-q"))
            self.assertEqual(len(report["effects"]), 2, words)
            self.assertEqual(len(report["importance"]["columns"]), 2, words)
            self.assertEqual(report["relevance"] is None, "relevance(rbf)" not in words)
            self.assertEqual(len(report["neighbours"]["nearest"]), 10)

    def test_what_a_model_does_not_hold_is_said(self):
        self.fit("label", "--basis", "20")
        text = self.ok("explain", "m.lacuna")
        self.assertIn("no importance: it is a machine on a basis", text)
        self.assertNotIn("no importance", self.ok("explain", "m.lacuna", "new.csv"))
        self.fit("label", "--model", "l2-svm")
        self.ok("explain", "m.lacuna")

    def test_refusals(self):
        self.fit()
        self.refused(2, ["no model"], "explain")
        self.refused(2, ["no column", "colour"], "explain", "m.lacuna", "--columns", "color")
        self.refused(2, ['"size"', "twice"], "explain", "m.lacuna", "--columns", "size,size")
        self.refused(2, ["pairs", "two columns", "--columns"], "explain", "m.lacuna", "--pairs", "--columns", "size")
        self.refused(2, ["no row 81"], "explain", "m.lacuna", "--row", "81")
        self.refused(2, ["--rows"], "explain", "m.lacuna", "--rows", "3")
        self.refused(3, ["nowhere.csv"], "explain", "m.lacuna", "nowhere.csv")
        self.file("few.csv", "size,noise\n1,2\n")
        self.refused(3, ["colour"], "explain", "m.lacuna", "few.csv")


if __name__ == "__main__":
    unittest.main()
