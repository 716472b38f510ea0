"""Prices of mistakes that are each row's own: columns of the data in place of numbers in --cost."""

import json
import math
import random
import unittest

from program import FIXED, ProgramTest, three_classes


def loans(rows=160, seed=31):
    """A quarter of the loans go bad; what one costs is its amount, what a refusal costs is its interest."""
    rng = random.Random(seed)
    lines = ["x,y,amount,interest,label"]
    for i in range(rows):
        bad = i % 4 == 0
        amount = math.exp(rng.gauss(1.0, 1.0))
        lines.append(f"{rng.gauss(1.2 * bad, 1):.6f},{rng.gauss(bad, 1):.6f},{amount:.4f},{0.1 * amount + 0.2:.4f},"
                     f"{'bad' if bad else 'a-good'}")
    return "\n".join(lines) + "\n"


def cost_of(truth, decided, price):
    """`price`: of a false positive and of a false negative."""
    return 0.0 if truth == decided else price[0] if decided == "bad" else price[1]


def mean_and_error(values, weights=None):
    weights = weights or [1.0] * len(values)
    total = sum(weights)
    mean = sum(w * v for w, v in zip(weights, values)) / total
    variance = sum(w * (v - mean) ** 2 for w, v in zip(weights, values)) / total
    return mean, math.sqrt(variance * sum(w * w for w in weights)) / total


class RowCosts(ProgramTest):
    COST = ("--cost", "col:interest,col:amount")
    FIT = ("-t", "label", "--positive", "bad", "--ignore", "interest", *FIXED)

    def setUp(self):
        super().setUp()
        self.file("d.csv", loans())
        self.file("new.csv", loans(120, seed=32))

    def prices(self, name):
        return [(float(r["interest"]), float(r["amount"])) for r in self.table(self.contents(name, "r"))]

    def decided_rightly(self, rows, prices):
        """Every decision is the cheaper one in expectation."""
        calls = set()
        for r, (fp, fn) in zip(rows, prices, strict=True):
            p = float(r["probability:bad"] if "probability:bad" in r else r["probability"])
            self.assertEqual(r["prediction"] == "bad", (1 - p) * fp < p * fn, r)
            calls.add((r["prediction"] == "bad", p > 0.5))
        self.assertGreaterEqual(len(calls), 3)  # it is not the cut at one half

    def test_fit_decides_and_counts_by_the_prices_of_each_row(self):
        report = self.fit_json("d.csv", *self.FIT, *self.COST, "--loo", "h.csv", "-o", "m.lacuna")
        rows, prices = self.table(self.contents("h.csv", "r")), self.prices("d.csv")
        self.decided_rightly(rows, prices)
        mean, error = mean_and_error([cost_of(r["target"], r["prediction"], p) for r, p in zip(rows, prices)])
        held_out = report["held_out"]
        self.assertAlmostEqual(held_out["cost"], mean, delta=1e-12)
        self.assertAlmostEqual(held_out["cost_error"], error, delta=1e-12)
        always = {c: sum(cost_of(r["target"], c, p) for r, p in zip(rows, prices)) / len(rows)
                  for c in ("a-good", "bad")}
        self.assertAlmostEqual(held_out["baseline"]["cost"], min(always.values()), delta=1e-12)
        self.assertEqual(held_out["cheapest"], min(always, key=always.get))
        self.assertEqual((report["decision"]["costs"], report["decision"]["rule"]), (self.COST[1], None))
        self.assertIn(f"by the prices of each row: {self.COST[1]}", self.ok("inspect", "m.lacuna"))
        self.assertEqual(self.ok("loo", "m.lacuna", "--quiet"), self.contents("h.csv", "r"))

    def test_numbers_and_columns_can_be_mixed(self):
        rows = self.loo("d.csv", *self.FIT, "--cost", "2,col:amount")
        prices = [(2.0, fn) for _, fn in self.prices("d.csv")]
        self.decided_rightly(rows, prices)
        # It costs less than with the mean of the prices for all.
        same = self.loo("d.csv", *self.FIT, "--cost", f"2,{sum(fn for _, fn in prices) / len(prices)}")
        mean, one_for_all = (mean_and_error([cost_of(r["target"], r["prediction"], p) for r, p in zip(some, prices)])[0]
                             for some in (rows, same))
        self.assertLess(mean, one_for_all)
        swapped = self.loo("d.csv", "-t", "label", "--positive", "a-good", *self.FIT[4:], "--cost", "col:amount,2")
        self.assertEqual([r["prediction"] for r in swapped], [r["prediction"] for r in rows])

    def test_columns_of_prices_stay_features_unless_they_are_ignored(self):
        names = [f["name"] for f in self.inspected("--cost", "1,col:amount")["encoding"]]
        self.assertEqual(names, ["x", "y", "amount"])
        names = [f["name"] for f in self.inspected("--cost", "1,col:amount", "--ignore", "amount")["encoding"]]
        self.assertEqual(names, ["x", "y"])

    def inspected(self, *words):
        self.ok("fit", "d.csv", *self.FIT, *words, "-o", "m.lacuna", "--quiet")
        return json.loads(self.ok("inspect", "m.lacuna", "--json"))

    def test_predict_decides_and_counts_by_the_prices_of_new_rows(self):
        self.ok("fit", "d.csv", *self.FIT, *self.COST, "-o", "m.lacuna", "--quiet")
        rows, prices = self.table(self.ok("predict", "m.lacuna", "new.csv", "--json", "s.json")), self.prices("new.csv")
        self.decided_rightly(rows, prices)
        truth = [r["label"] for r in self.table(self.contents("new.csv", "r"))]
        mean, error = mean_and_error([cost_of(t, r["prediction"], p) for t, r, p in zip(truth, rows, prices)])
        self.assertIn(f"cost {mean:.4g} a row (s.e. {error:.2g}; always", self.stderr)
        scores = json.loads(self.contents("s.json"))
        self.assertAlmostEqual(scores["scores"]["cost"], mean, delta=1e-12)
        self.assertAlmostEqual(scores["cost_error"], error, delta=1e-12)
        # A finished model takes them too, and others.
        self.ok("fit", "d.csv", *self.FIT, "-o", "plain.lacuna", "--quiet")
        later = self.table(self.ok("predict", "plain.lacuna", "new.csv", *self.COST, "--quiet"))
        self.assertEqual([r["prediction"] for r in later], [r["prediction"] for r in rows])
        half = self.table(self.ok("predict", "m.lacuna", "new.csv", "--threshold", "0.5"))
        self.assertIn("cost", self.stderr)  # the cut is another, what it costs is still known
        self.assertEqual([r["prediction"] == "bad" for r in half], [float(r["probability:bad"]) >= 0.5 for r in half])

    def test_predict_needs_the_prices_unless_something_else_decides(self):
        self.ok("fit", "d.csv", *self.FIT, *self.COST, "-o", "m.lacuna", "--quiet")
        self.file("bare.csv", "x,y,amount\n1,2,3\n0,0,1\n")
        self.refused(3, ['no column "interest"', "--cost FP,FN", "--threshold P"], "predict", "m.lacuna", "bare.csv")
        self.assertEqual(len(self.table(self.ok("predict", "m.lacuna", "bare.csv", "--cost", "1,5"))), 2)
        self.assertEqual(len(self.table(self.ok("predict", "m.lacuna", "bare.csv", "--threshold", "0.5"))), 2)
        self.file("gap.csv", "x,y,amount,interest\n1,2,3,1\n0,0,1,\n")
        self.refused(3, ["gap.csv line 3, column 4 (interest)", "missing"], "predict", "m.lacuna", "gap.csv")
        self.file("less.csv", "x,y,amount,interest\n1,2,3,1\n0,0,1,-1\n")
        self.refused(3, ["less.csv line 3, column 4 (interest)", "-1 is negative"], "predict", "m.lacuna", "less.csv")
        self.refused(2, ["prices of single rows", "ONNX"], "export", "m.lacuna", "--onnx", "m.onnx")

    def test_loo_of_a_model_knows_the_columns_that_it_was_fitted_with(self):
        self.ok("fit", "d.csv", *self.FIT, *self.COST, "--cv", "5x2", "-o", "m.lacuna", "--quiet")
        words = ("--cost", "1,col:amount")
        self.assertEqual(self.ok("loo", "m.lacuna", *words, "--quiet"),
                         self.ok("loo", "d.csv", *self.FIT, *words, "--cv", "5x2", "--quiet"))
        self.refused(2, ["col:x", "does not keep these columns"], "loo", "m.lacuna", "--cost", "1,col:x")
        self.assertEqual(self.ok("loo", "m.lacuna", "--cost", "1,5", "--quiet"),
                         self.ok("loo", "d.csv", *self.FIT, "--cost", "1,5", "--cv", "5x2", "--quiet"))

    def test_weights_count(self):
        lines = self.contents("d.csv", "r").splitlines()
        weights = [1 + i % 3 for i in range(len(lines) - 1)]
        self.file("w.csv", "\n".join([lines[0] + ",w", *(f"{line},{w}" for line, w in zip(lines[1:], weights))]) + "\n")
        report = self.fit_json("w.csv", *self.FIT, *self.COST, "--weights", "w", "--loo", "h.csv")
        rows, prices = self.table(self.contents("h.csv", "r")), self.prices("d.csv")
        self.decided_rightly(rows, prices)
        mean, _ = mean_and_error([cost_of(r["target"], r["prediction"], p) for r, p in zip(rows, prices)], weights)
        self.assertAlmostEqual(report["held_out"]["cost"], mean, delta=1e-12)

    def test_copies_that_differ_in_price_are_not_one_row(self):
        """Twins are held out together; each keeps its price."""
        lines = self.contents("d.csv", "r").splitlines()
        twins = [lines[0] + ",id"]
        for i, line in enumerate(lines[1:]):
            x, y, amount, interest, label = line.split(",")
            twins += [f"{line},{i}", f"{x},{y},{float(amount) * 3:.4f},{interest},{label},{i}"]
        self.file("twins.csv", "\n".join(twins) + "\n")
        report = self.fit_json("twins.csv", *self.FIT, "--ignore", "amount", *self.COST, "--group", "id",
                               "--loo", "h.csv")
        rows, prices = self.table(self.contents("h.csv", "r")), self.prices("twins.csv")
        self.assertEqual(len(rows), len(prices))
        self.decided_rightly(rows, prices)
        mean, _ = mean_and_error([cost_of(r["target"], r["prediction"], p) for r, p in zip(rows, prices)])
        self.assertAlmostEqual(report["held_out"]["cost"], mean, delta=1e-12)

    def test_several_classes_have_columns_in_their_matrix(self):
        rng = random.Random(5)
        lines = three_classes(90).splitlines()
        stakes = [rng.choice((0.5, 1.0, 20.0)) for _ in lines[1:]]
        self.file("k.csv", "\n".join([lines[0] + ",s", *(f"{line},{s}" for line, s in zip(lines[1:], stakes))]) + "\n")
        report = self.fit_json("k.csv", "-t", "kind", "--ignore", "s", "--cost", "0,1,col:s;1,0,1;2,2,0",
                               "--loo", "h.csv", "-o", "m.lacuna")
        rows, total = self.table(self.contents("h.csv", "r")), 0.0
        for r, s in zip(rows, stakes):
            price = [[0, 1, s], [1, 0, 1], [2, 2, 0]]
            p = [float(r[f"probability:{c}"]) for c in "pqr"]
            expected = [sum(p[t] * price[t][k] for t in range(3)) for k in range(3)]
            self.assertEqual(r["prediction"], "pqr"[min(range(3), key=lambda k: expected[k])])
            total += price["pqr".index(r["target"])]["pqr".index(r["prediction"])]
        self.assertAlmostEqual(report["held_out"]["cost"], total / len(rows), delta=1e-12)
        self.ok("predict", "m.lacuna", "k.csv")
        self.assertIn("cost", self.stderr)

    def test_evaluate_counts_and_compares_costs_of_rows(self):
        report = json.loads(self.ok("evaluate", "d.csv", *self.FIT, *self.COST, "--splits", "folds:4", "--baseline",
                                    "--compare", "--threshold error", "--json", "--quiet", "--journal", "none",
                                    "--predictions", "oof.csv"))
        prices, means = self.prices("d.csv"), []
        said = self.table(self.contents("oof.csv", "r"))
        for model in report["models"]:
            rows = [r for r in said if r["model"] == model["name"]]
            self.assertEqual(len(rows), len(prices))
            costs = [cost_of(r["target"], r["prediction"], prices[int(r["row"]) - 1]) for r in rows]
            means.append(sum(costs) / len(costs))
            self.assertAlmostEqual(model["scores"]["cost"]["mean"], means[-1], delta=1e-12)
            self.assertGreater(model["scores"]["cost"]["se"], 0)
        self.assertEqual(len(means), 3)
        self.assertLess(means[0], means[1])
        difference = report["comparisons"][0]["differences"]["cost"]["mean"]
        self.assertAlmostEqual(difference, means[0] - means[1], delta=1e-9)

    def test_a_choice_and_a_stack_decide_by_rows_too(self):
        for effort in ("normal", "best"):
            report = self.fit_json("d.csv", *self.FIT[:6], *self.COST, "--effort", effort, "--loo", "h.csv",
                                   "-o", "m.lacuna")
            rows, prices = self.table(self.contents("h.csv", "r")), self.prices("d.csv")
            self.decided_rightly(rows, prices)
            mean, _ = mean_and_error([cost_of(r["target"], r["prediction"], p) for r, p in zip(rows, prices)])
            self.assertAlmostEqual(report["held_out"]["cost"], mean, delta=1e-12)
            said = self.table(self.ok("predict", "m.lacuna", "new.csv", "--quiet"))
            self.decided_rightly(said, self.prices("new.csv"))

    def test_rows_on_disk_have_prices_too(self):
        rng, wide = random.Random(34), loans(1500, seed=33).splitlines()
        more = [",".join(f"n{k}" for k in range(900))]  # so many that the rows need more than the fit
        more += [",".join(f"{rng.random():.3f}" for _ in range(900)) for _ in wide[1:]]
        self.file("big.csv", "\n".join(f"{a},{b}" for a, b in zip(more, wide)) + "\n")
        words = (*self.FIT[:6], *self.COST, "--kernel", "linear", "--lambda", "20", "--basis", "20")
        whole = self.fit_json("big.csv", *words, "--loo", "whole.csv")
        report = self.fit_json("big.csv", *words, "--memory", "19M", "--loo", "disk.csv")
        self.assertIn("in a cache", self.stderr)
        self.assertEqual(report["held_out"]["cost"], whole["held_out"]["cost"])
        self.decided_rightly(self.table(self.contents("disk.csv", "r")), self.prices("big.csv"))

    def test_refusals(self):
        fit = ("fit", "d.csv", *self.FIT)
        self.refused(2, ['no column "amont"', "'amount'"], *fit, "--cost", "1,col:amont")
        self.refused(2, ["not understood", "col:amount"], *fit, "--cost", "1,amount")
        self.refused(2, ["not understood"], *fit, "--cost", "1,col:")
        self.refused(2, ["given as target and as cost"], *fit, "--cost", "1,col:label")
        self.refused(2, ["prices of single rows", "ls-svm has none", "recalibrate"], *fit, "--cost", "1,col:amount",
                     "--model", "ls-svm")
        self.file("k.csv", "x,kind\n1,a\n2,b\n4,c\n3,a\n2,b\n5,c\n")
        self.refused(2, ["for 2 classes, and there are 3"], "fit", "k.csv", "-t", "kind", "--cost", "1,col:x")
        for name, cell, rule in (("gap.csv", "", "cannot be filled in"), ("less.csv", "-2", "-2 is negative")):
            text = loans(30).replace("\n", ",w\n", 1).replace("bad\n", f"bad,{cell}\n")
            self.file(name, text.replace("good\n", "good,1\n"))
            self.refused(3, [f"{name} line 2, column 6 (w)", rule], "fit", name, *self.FIT, "--cost", "1,col:w")
        self.file("bare.csv", "1,2,a\n2,1,b\n3,5,a\n4,4,b\n")
        self.refused(3, ["has no column names"], "fit", "bare.csv", "-t", "3", "--cost", "1,col:1")


if __name__ == "__main__":
    unittest.main()
