"""Rows given to a finished model count by the column that was --weights of fit: weight k is k copies, weight 0 a row
removed, in scores, costs, importance and effects. Every row is predicted all the same."""

import json
import random
import unittest

from program import FIXED, ProgramTest, counts, two_classes, values

TABLES = (
    ("values", values, ("--target", "t")),
    ("classes", two_classes, ("--target", "label", "--cost", "1,3")),
    ("counts", counts, ("--target", "n", "--task", "counts", "--exposure", "e")),
)


class CountedBy(ProgramTest):
    def write(self, name, text, weights):
        """weighted.csv with a column w; copies.csv with each row w times, and no such column; all.csv without either."""
        head, *rows = text.splitlines()
        self.file("weighted.csv", "\n".join([f"{head},w", *(f"{r},{w}" for r, w in zip(rows, weights))]) + "\n")
        self.file("copies.csv", "\n".join([head, *(r for r, w in zip(rows, weights) for _ in range(w))]) + "\n")
        self.file("all.csv", text)

    def fit(self, make, words, rows=60):
        self.write("train", make(rows, seed=7), [1 + i % 2 for i in range(rows)])
        self.ok("fit", "weighted.csv", *words, *FIXED, "--weights", "w", "-q", "-o", "m.lacuna")

    def weigh(self, make, most, rows=60):
        rng = random.Random(9)
        self.write("new", make(rows, seed=8), [rng.randint(0, most) for _ in range(rows)])

    def near(self, one, other, path=""):
        self.assertEqual(type(one), type(other), path)
        if isinstance(one, dict):
            self.assertEqual(one.keys(), other.keys(), path)
            for key in one:
                self.near(one[key], other[key], f"{path}.{key}")
        elif isinstance(one, list):
            self.assertEqual(len(one), len(other), path)
            for k, (a, b) in enumerate(zip(one, other)):
                self.near(a, b, f"{path}[{k}]")
        elif isinstance(one, float):
            self.assertAlmostEqual(one, other, delta=1e-9 * max(1.0, abs(one)), msg=path)
        else:
            self.assertEqual(one, other, path)

    def scores(self, table):
        text = self.ok("predict", "m.lacuna", table, "--json", "scores.json")
        return text, self.stderr, json.loads(self.contents("scores.json"))

    def test_scores_and_costs_of_predictions(self):
        for name, make, words in TABLES:
            with self.subTest(name):
                self.fit(make, words)
                self.weigh(make, 3)
                lines, said, one = self.scores("weighted.csv")
                self.assertIn("counted by w", said)
                self.assertEqual(one.pop("counted_by"), "w")
                _, said, other = self.scores("copies.csv")
                self.assertNotIn("counted by", said)
                for of in (one, other):  # as if rows were independent, which copies are not
                    of.pop("cost_error", None)
                self.near(one, other)
                plain, _, alike = self.scores("all.csv")
                self.assertEqual(lines, plain)  # a line for every row, weight 0 or not
                self.assertEqual(alike["rows"], 60)
                self.assertNotEqual(alike["scores"], one["scores"])

    def test_the_unit_of_weights_does_not_matter(self):
        for name, make, words in TABLES:
            with self.subTest(name):
                self.fit(make, words)
                self.weigh(make, 3)
                one = self.scores("weighted.csv")
                head, *rows = self.contents("weighted.csv").decode().splitlines()
                scaled = [",".join([*r.split(",")[:-1], repr(0.3 * float(r.split(",")[-1]))]) for r in rows]
                self.file("scaled.csv", "\n".join([head, *scaled]) + "\n")
                self.assertEqual(one, self.scores("scaled.csv"))
                self.assertEqual(self.ok("explain", "m.lacuna", "weighted.csv"), self.ok("explain", "m.lacuna", "scaled.csv"))

    def test_effects(self):
        for name, make, words in TABLES:
            with self.subTest(name):
                self.fit(make, words)
                self.weigh(make, 3)
                words = ("--json", "--no-importance", "--pairs")
                one = json.loads(self.ok("explain", "m.lacuna", "weighted.csv", *words))
                other = json.loads(self.ok("explain", "m.lacuna", "copies.csv", *words))
                self.assertEqual(one["counted_by"], "w")
                self.near(one["effects"], other["effects"])
                self.near(one["pairs"], other["pairs"])
                self.assertIn("counted by w", self.ok("explain", "m.lacuna", "weighted.csv", "--no-importance"))

    def test_weight_zero_is_a_row_removed_from_importance_and_curves(self):
        for name, make, words in TABLES:
            with self.subTest(name):
                self.fit(make, words)
                self.weigh(make, 1)
                told = []
                for table in ("weighted.csv", "copies.csv"):
                    told.append(json.loads(self.ok("explain", "m.lacuna", table, "--json", "--curves", f"{table}.curves")))
                for of in told:
                    of.pop("counted_by", None), of.pop("weighted")
                self.near(*told)
                self.assertEqual(self.contents("weighted.csv.curves"), self.contents("copies.csv.curves"))

    def test_a_model_says_what_its_rows_count_by(self):
        self.fit(values, ("--target", "t"))
        self.assertIn("rows count by w", self.ok("inspect", "m.lacuna"))
        self.assertEqual(json.loads(self.ok("inspect", "m.lacuna", "--json"))["weights"], "w")
        self.ok("fit", "all.csv", "--target", "t", *FIXED, "-q", "-o", "plain.lacuna")
        self.assertNotIn("rows count by", self.ok("inspect", "plain.lacuna"))
        self.assertNotIn("weights", json.loads(self.ok("inspect", "plain.lacuna", "--json")))
        self.ok("predict", "plain.lacuna", "weighted.csv")
        self.assertIn("60 rows", self.stderr)  # nobody said that this column is weights
        self.assertNotIn("counted by", self.stderr)

    def test_weights_that_are_none_are_refused(self):
        self.fit(values, ("--target", "t"))
        head, *rows = values(20).splitlines()
        for cell, why in (("-1", "negative"), ("", "missing"), ("many", "not a number")):
            self.file("new.csv", "\n".join([f"{head},w", *(f"{r},{cell if i == 4 else 1}" for i, r in enumerate(rows))]))
            for verb in ("predict", "explain"):
                self.refused(3, ["line 6", why], verb, "m.lacuna", "new.csv")
        self.file("new.csv", "\n".join([f"{head},w", *(f"{r},0" for r in rows)]))
        self.refused(3, ["weight 0", "w"], "explain", "m.lacuna", "new.csv")
        self.assertEqual(len(self.table(self.ok("predict", "m.lacuna", "new.csv"))), 20)
        self.assertNotIn("rmse", self.stderr)

    def test_without_names_the_column_is_where_it_was(self):
        self.write("train", values(60, seed=7), [1 + i % 2 for i in range(60)])
        bare = self.contents("weighted.csv").decode().split("\n", 1)[1]
        self.file("bare.csv", bare)
        self.ok("fit", "bare.csv", "--target", "3", "--weights", "4", *FIXED, "-q", "-o", "m.lacuna")
        _, said, scores = self.scores("bare.csv")
        self.assertEqual(scores["rows"], 90)
        self.assertIn("60 rows, counted by", said)


if __name__ == "__main__":
    unittest.main()
