"""What decisions cost: as a score of fit, loo, predict and evaluate, beside the best constant answer; thresholds."""

import json
import math
import random
import unittest

from program import FIXED, ProgramTest, counts, three_classes, values


def rare(rows=200, seed=21):
    rng = random.Random(seed)
    lines = ["x,y,label"]  # a quarter of the rows are of class b
    for i in range(rows):
        c = i % 4 == 0
        lines.append(f"{rng.gauss(1.5 * c, 1):.6f},{rng.gauss(c, 1):.6f},{'ab'[c]}")
    return "\n".join(lines) + "\n"


def costs_of(rows, prices):
    return [prices.get((r["target"], r["prediction"]), 0.0) for r in rows]


def mean_and_error(values):
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / len(values) / len(values))


class Cost(ProgramTest):
    PRICES = {("a", "b"): 1.0, ("b", "a"): 5.0}

    def setUp(self):
        super().setUp()
        self.file("d.csv", rare())
        self.file("new.csv", rare(seed=22))
        self.file("k.csv", three_classes(90))

    def test_fit_reports_the_cost_of_its_held_out_decisions(self):
        report = self.fit_json("d.csv", "-t", "label", "--cost", "1,5", "--loo", "h.csv", "-o", "m.lacuna")
        rows = self.table(self.contents("h.csv", "r"))
        mean, error = mean_and_error(costs_of(rows, self.PRICES))
        held_out = report["held_out"]
        self.assertAlmostEqual(held_out["cost"], mean, delta=1e-12)
        self.assertAlmostEqual(held_out["cost_error"], error, delta=1e-12)
        self.assertAlmostEqual(held_out["baseline"]["cost"], min(0.75 * 1, 0.25 * 5), delta=1e-12)
        self.assertEqual(held_out["cheapest"], "b")
        self.assertEqual((report["decision"]["rule"], report["decision"]["costs"]), ("cost:1,5", "1,5"))
        text = self.ok("inspect", "m.lacuna")
        self.assertIn("cost", text)
        self.assertIn("always b: 0.75", text)
        self.assertIn("always b: 0.75", self.ok("loo", "m.lacuna", "-o", "again.csv"))
        # The rule for the threshold and the price of mistakes are one thing.
        same = self.fit_json("d.csv", "-t", "label", "--threshold", "cost:1,5")
        self.assertEqual(same["held_out"]["cost"], held_out["cost"])
        self.assertEqual(same["decision"]["threshold"], report["decision"]["threshold"])

    def test_several_classes_have_a_matrix_and_decide_for_the_least_expected_cost(self):
        matrix = "0,1,9;1,0,1;2,2,0"
        price = [[0, 1, 9], [1, 0, 1], [2, 2, 0]]
        report = self.fit_json("k.csv", "-t", "kind", "--cost", matrix, "-o", "m.lacuna", "--loo", "h.csv")
        rows = self.table(self.contents("h.csv", "r"))
        for r in rows:
            p = [float(r[f"probability:{c}"]) for c in "pqr"]
            expected = [sum(p[t] * price[t][k] for t in range(3)) for k in range(3)]
            self.assertEqual(r["prediction"], "pqr"[min(range(3), key=lambda k: expected[k])])
        prices = {(t, k): price[i][j] for i, t in enumerate("pqr") for j, k in enumerate("pqr")}
        mean, error = mean_and_error(costs_of(rows, prices))
        self.assertAlmostEqual(report["held_out"]["cost"], mean, delta=1e-12)
        self.assertAlmostEqual(report["held_out"]["cost_error"], error, delta=1e-12)
        self.ok("predict", "m.lacuna", "k.csv")
        self.assertIn("cost", self.stderr)

    def test_loo_takes_prices_for_a_finished_model(self):
        for data, target, cost in (("d.csv", "label", "1,5"), ("k.csv", "kind", "0,1,9;1,0,1;2,2,0")):
            for cv in ("loo", "5x2"):
                words = (data, "-t", target, *FIXED, "--cv", cv)
                self.ok("fit", *words, "-o", "m.lacuna", "--quiet")
                fresh = self.ok("loo", *words, "--cost", cost, "-o", "fresh.csv", "--quiet")
                later = self.ok("loo", "m.lacuna", "--cost", cost, "-o", "later.csv")
                self.assertEqual(self.contents("later.csv"), self.contents("fresh.csv"))
                self.assertEqual(later.splitlines()[:2], fresh.splitlines()[:2])
                self.assertIn("cost", later.splitlines()[1])
        self.ok("fit", "d.csv", "-t", "label", *FIXED, "-o", "m.lacuna", "--quiet")
        self.assertEqual(self.ok("loo", "m.lacuna", "--threshold", "cost:1,5", "--quiet"),
                         self.ok("loo", "m.lacuna", "--cost", "1,5", "--quiet"))
        self.refused(2, ["--kernel", "fitted already"], "loo", "m.lacuna", "--cost", "1,5", "--kernel", "linear")
        self.refused(2, ["cost"], "loo", "m.lacuna", "--cost", "0,1,9;1,0,1;2,2,0")

    def test_a_model_keeps_the_weights_of_its_rows(self):
        """Moved, the cut and the cost are those of a fit with the same prices."""
        lines = self.contents("d.csv").decode().splitlines()
        self.file("w.csv", "\n".join([lines[0] + ",w", *(f"{line},{1 + i % 3}" for i, line in enumerate(lines[1:]))]) + "\n")
        for weights in (("--weights", "w"), ("--ignore", "w", "--select-weights", "balanced")):
            words = ("w.csv", "-t", "label", *FIXED, *weights)
            self.ok("fit", *words, "-o", "w.lacuna", "--quiet")
            for cut in (("--cost", "1,5"), ("--threshold", "ber"), ("--threshold", "error")):
                later = self.ok("loo", "w.lacuna", *cut, "-o", "later.csv")
                fresh = self.ok("loo", *words, *cut, "-o", "fresh.csv")
                self.assertEqual(self.contents("later.csv"), self.contents("fresh.csv"))
                self.assertEqual(later.splitlines()[:2], fresh.splitlines()[:2])
                self.ok("fit", *words, *cut, "-o", "cut.lacuna", "--quiet")
                self.assertEqual(self.ok("predict", "w.lacuna", "new.csv", *cut, "--quiet"),
                                 self.ok("predict", "cut.lacuna", "new.csv", "--quiet"))

    def test_predict_moves_the_cut_of_a_finished_model(self):
        self.ok("fit", "d.csv", "-t", "label", "-o", "m.lacuna", "--quiet")
        rows = self.table(self.ok("predict", "m.lacuna", "new.csv", "--threshold", "0.1667", "--quiet"))
        for r in rows:
            self.assertEqual(r["prediction"] == "b", float(r["probability:b"]) >= 0.1667)
        self.ok("fit", "d.csv", "-t", "label", "--threshold", "cost:1,5", "-o", "c.lacuna", "--quiet")
        self.assertEqual(self.ok("predict", "m.lacuna", "new.csv", "--threshold", "cost:1,5"),
                         self.ok("predict", "c.lacuna", "new.csv"))
        self.assertEqual(self.ok("predict", "m.lacuna", "new.csv", "--cost", "1,5"),
                         self.ok("predict", "c.lacuna", "new.csv"))
        self.assertIn("always b: 0.75", self.stderr)
        self.ok("fit", "d.csv", "-t", "label", "--model", "ls-svm", "-o", "l.lacuna", "--quiet")
        self.ok("predict", "l.lacuna", "new.csv", "--threshold", "cost:1,5")
        self.refused(2, ["probability", "ls-svm"], "predict", "l.lacuna", "new.csv", "--threshold", "0.2")

    def test_fit_cuts_at_a_probability(self):
        report = self.fit_json("d.csv", "-t", "label", "--threshold", "0.2", "-o", "m.lacuna")
        self.assertAlmostEqual(report["decision"]["probability"], 0.2, delta=1e-9)
        self.assertEqual(report["decision"]["rule"], "0.2")
        for r in self.table(self.ok("predict", "m.lacuna", "new.csv", "--quiet")):
            self.assertEqual(r["prediction"] == "b", float(r["probability:b"]) >= 0.2)

    def test_predict_reports_the_cost_of_its_decisions(self):
        self.ok("fit", "d.csv", "-t", "label", "--cost", "1,5", "-o", "m.lacuna", "--quiet")
        rows = self.table(self.ok("predict", "m.lacuna", "new.csv"))
        truth = [line.split(",")[2] for line in rare(seed=22).split()[1:]]
        mean, error = mean_and_error([self.PRICES.get((t, r["prediction"]), 0.0) for t, r in zip(truth, rows)])
        self.assertIn(f"cost {mean:.4g} a row (s.e. {error:.2g}; always b: 0.75)", self.stderr)

    def test_evaluate_compares_costs(self):
        report = json.loads(self.ok("evaluate", "d.csv", "-t", "label", "--cost", "1,5", "--splits", "4", *FIXED,
                                    "--compare", "--threshold error", "--json", "--quiet", "--journal", "none"))
        first, second = report["models"]
        for model in (first, second):
            confusion, rows = model["confusion"], sum(map(sum, model["confusion"]))
            self.assertAlmostEqual(model["scores"]["cost"]["mean"],
                                   (confusion[0][1] + 5 * confusion[1][0]) / rows, delta=1e-12)
            self.assertAlmostEqual(model["scores"]["cost"]["baseline"],
                                   min(sum(confusion[0]), 5 * sum(confusion[1])) / rows, delta=1e-12)
            self.assertGreater(model["scores"]["cost"]["se"], 0)
        difference = report["comparisons"][0]["differences"]["cost"]["mean"]
        self.assertAlmostEqual(difference, first["scores"]["cost"]["mean"] - second["scores"]["cost"]["mean"], delta=1e-9)
        text = self.ok("evaluate", "d.csv", "-t", "label", "--cost", "1,5", "--splits", "3", *FIXED, "--quiet",
                       "--journal", "none")
        self.assertIn("baseline", text)
        self.assertIn("cheapest constant answer", text)

    def test_refusals(self):
        self.refused(2, ["prices are for 2 classes", "3"], "fit", "k.csv", "-t", "kind", "--cost", "1,5")
        self.refused(2, ["cost", "not understood"], "fit", "d.csv", "-t", "label", "--cost", "1;5")
        self.file("v.csv", values())
        self.refused(2, ["no classes"], "fit", "v.csv", "-t", "t", "--cost", "1,5")
        self.ok("fit", "k.csv", "-t", "kind", "-o", "k.lacuna", "--quiet")
        self.refused(2, ["two classes"], "predict", "k.lacuna", "k.csv", "--threshold", "0.3")
        self.refused(2, ["prices"], "predict", "k.lacuna", "k.csv", "--cost", "1,2")


class Baselines(ProgramTest):
    def test_of_classes(self):
        self.file("d.csv", rare())
        held_out = self.fit_json("d.csv", "-t", "label", *FIXED)["held_out"]
        self.assertAlmostEqual(held_out["baseline"]["error"], 0.25)
        entropy = -0.25 * math.log(0.25) - 0.75 * math.log(0.75)
        self.assertAlmostEqual(held_out["baseline"]["xent"], entropy)
        self.assertAlmostEqual(held_out["baseline"]["bits"], 1 - entropy / math.log(2))
        confusion = held_out["confusion"]
        self.assertEqual([sum(row) for row in confusion], [150, 50])
        b = held_out["by_class"][1]
        self.assertEqual((b["class"], b["rows"]), ("b", 50))
        self.assertAlmostEqual(b["recall"], confusion[1][1] / 50)
        self.assertAlmostEqual(b["precision"], confusion[1][1] / (confusion[0][1] + confusion[1][1]))
        self.assertAlmostEqual(held_out["error"], (confusion[0][1] + confusion[1][0]) / 200)
        text = self.ok("fit", "d.csv", "-t", "label", *FIXED)
        for words in ("the commonest class: 25 %", "class shares: 0.5623", "recall", "precision"):
            self.assertIn(words, text)

    def test_of_repeated_folds_count_rows_once(self):
        self.file("d.csv", rare())
        held_out = self.fit_json("d.csv", "-t", "label", *FIXED, "--cv", "5x3", "--cost", "1,5")["held_out"]
        self.assertAlmostEqual(sum(map(sum, held_out["confusion"])), 200)
        once = self.fit_json("d.csv", "-t", "label", *FIXED, "--cv", "5", "--cost", "1,5")["held_out"]
        self.assertAlmostEqual(held_out["cost_error"], once["cost_error"], delta=0.3 * once["cost_error"])

    def test_of_values_and_counts(self):
        self.file("v.csv", values())
        held_out = self.fit_json("v.csv", "-t", "t", *FIXED)["held_out"]
        t = [float(line.split(",")[2]) for line in values().split()[1:]]
        mean = sum(t) / len(t)
        self.assertAlmostEqual(held_out["baseline"]["rmse"], math.sqrt(sum((x - mean) ** 2 for x in t) / len(t)))
        self.file("n.csv", counts())
        held_out = self.fit_json("n.csv", "-t", "n", "--task", "counts", *FIXED)["held_out"]
        self.assertAlmostEqual(held_out["d2"], 1 - held_out["deviance"] / held_out["baseline"]["deviance"])
        self.assertIn("the mean:", self.ok("fit", "v.csv", "-t", "t", *FIXED))
        self.assertIn("one rate:", self.ok("fit", "n.csv", "-t", "n", "--task", "counts", *FIXED))

    def test_several_classes_have_a_table_in_fit(self):
        self.file("k.csv", three_classes(90))
        text = self.ok("fit", "k.csv", "-t", "kind", *FIXED)
        self.assertIn("true class, and what was predicted (held-out rows)", text)
        self.assertIn("precision", text)


if __name__ == "__main__":
    unittest.main()
