"""Counts that scatter more than Poisson's: what fit says of it, and negbin through all commands."""

import json
import math
import random
import unittest

from program import FIXED, ProgramTest


def scattered(rows=150, overdispersion=0.8, seed=3):
    """u, v, exposure e, weight w, and counts n of mean e exp(0.8 + u) and variance m + a m²; a = 0: Poisson's."""
    r = random.Random(seed)
    lines = ["u,v,e,w,n"]
    for _ in range(rows):
        u, v, e = r.gauss(0, 0.7), r.gauss(0, 1), r.uniform(0.5, 2)
        m = e * math.exp(0.8 + u)
        if overdispersion > 0:
            m *= r.gammavariate(1 / overdispersion, overdispersion)
        n, gap = -1, 0.0
        while gap < m:
            n, gap = n + 1, gap + r.expovariate(1)
        lines.append(f"{u:.4f},{v:.4f},{e:.4f},{r.choice([1, 2])},{max(n, 0)}")
    return "\n".join(lines) + "\n"


def probability(k, m, a):
    p = math.exp(-m) if a == 0 else (1 + a * m) ** (-1 / a)
    for j in range(k):
        p *= (m if a == 0 else (1 + a * j) * m / (1 + a * m)) / (j + 1)
    return p


class Overdispersion(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("c.csv", scattered())

    ROLES = ("-t", "n", "--exposure", "e", "--ignore", "w")
    FIT = ("c.csv", *ROLES, "--task", "counts")

    def test_poisson_is_contradicted(self):
        report = self.fit_json(*self.FIT, *FIXED)
        self.assertIn("--model negbin learns the excess", self.stderr)
        self.assertIn("overdispersed", report["warning_codes"])
        test = report["counts"]["score_test"]
        self.assertTrue(test["rejected"])
        self.assertAlmostEqual(test["p"], 0.5 * math.erfc(test["z"] / math.sqrt(2)), delta=1e-12)
        self.file("p.csv", scattered(overdispersion=0, seed=4))
        calm = self.fit_json("p.csv", *self.FIT[1:], *FIXED)
        self.assertNotIn("overdispersed", calm["warning_codes"])
        self.assertFalse(calm["counts"]["score_test"]["rejected"])

    def test_figures_are_those_of_the_held_out_rows(self):
        for model, a in (("poisson", 0), ("negbin:overdispersion=0.5", 0.5)):
            words = (*self.FIT, *FIXED, "--model", model)
            counts, rows = self.fit_json(*words)["counts"], self.loo(*words)
            t, m = ([float(r[name]) for r in rows] for name in ("target", "prediction"))
            variance = [x + a * x * x for x in m]
            dispersion = sum((n - x) ** 2 / v for n, x, v in zip(t, m, variance)) / len(t)
            self.assertAlmostEqual(counts["dispersion"], dispersion, delta=1e-9)
            self.assertAlmostEqual(counts["zeros"]["observed"], t.count(0) / len(t), delta=1e-12)
            expected = sum(probability(0, x, a) for x in m) / len(t)
            self.assertAlmostEqual(counts["zeros"]["expected"], expected, delta=1e-9)
            for k, bar in enumerate(counts["rootogram"][:-1]):
                self.assertEqual(bar["count"], k)
                self.assertAlmostEqual(bar["observed"], t.count(k), delta=1e-9)
                self.assertAlmostEqual(bar["expected"], sum(probability(k, x, a) for x in m), delta=1e-9)
            self.assertTrue(counts["rootogram"][-1]["or_more"])
            self.assertAlmostEqual(sum(bar["expected"] for bar in counts["rootogram"]), len(t), delta=1e-6)
            for r, n, x, v in zip(rows, t, m, variance):
                self.assertAlmostEqual(float(r["score"]), (n - x) / math.sqrt(dispersion * v), delta=1e-9)
            text = self.ok("fit", *words)
            self.assertRegex(text, r"dispersion +[\d.]+ +Pearson's")
            self.assertRegex(text, r"zeros +[\d.]+ % +of the rows; the model expects [\d.]+ %")

    def test_models_keep_the_figures(self):
        fit = self.fit_json(*self.FIT, *FIXED, "-o", "m.lacuna")
        self.assertEqual(json.loads(self.ok("inspect", "m.lacuna", "--json"))["counts"], fit["counts"])

    def test_the_overdispersion_is_found_with_its_error(self):
        report = self.fit_json(*self.FIT, "--model", "negbin", "--kernel", "linear")
        a, error = report["loss"]["overdispersion"], report["counts"]["overdispersion_error"]
        self.assertLess(abs(a - 0.8), 2 * error)
        self.assertEqual(report["counts"]["overdispersion"], a)
        self.assertIsNone(report["counts"]["score_test"])
        poisson = self.fit_json(*self.FIT, "--kernel", "linear")
        self.assertLess(report["held_out"]["nll"], poisson["held_out"]["nll"])
        self.assertLess(abs(report["counts"]["dispersion"] - 1), abs(poisson["counts"]["dispersion"] - 1))
        text = self.ok("fit", *self.FIT, "--model", "negbin", "--kernel", "linear")
        self.assertRegex(text, r"variance +mean \+ [\d.]+ mean\^2: the overdispersion is [\d.]+, s\.e\. [\d.]+")
        given = self.fit_json(*self.FIT, "--model", f"negbin:overdispersion={a!r}", "--kernel", "linear")
        self.assertIsNone(given["counts"]["overdispersion_error"])
        self.assertAlmostEqual(given["held_out"]["nll"], report["held_out"]["nll"], delta=1e-4)

    def test_a_choice_knows_its_error_too(self):
        self.file("few.csv", scattered(rows=70))
        for effort in ("normal", "best"):
            report = self.fit_json("few.csv", *self.FIT[1:], "--model", "negbin", "--effort", effort)
            self.assertGreater(report["counts"]["overdispersion_error"], 0)
            self.assertGreater(report["counts"]["dispersion"], 0)

    def test_words_about_it(self):
        for wrong in ("overdispersion=0", "overdispersion=-1", "shape=2"):
            self.refused(2, ["negbin", "overdispersion=NUMBER"], "fit", *self.FIT, "--model", "negbin:" + wrong)
        self.refused(2, ["negbin", "deviance"], "fit", *self.FIT, "--model", "negbin", "--criterion", "press")
        self.assertIn("negbin:overdispersion=NUMBER", self.ok("fit", "--help"))

    def test_every_command_takes_it(self):
        fixed = (*self.FIT, "--model", "negbin:overdispersion=0.6", *FIXED)
        self.ok("fit", *fixed, "-o", "m.lacuna")
        predicted = self.table(self.ok("predict", "m.lacuna", "c.csv", "--json", "s.json"))
        for r, line in zip(predicted, self.contents("c.csv", "r").splitlines()[1:]):
            self.assertAlmostEqual(float(r["prediction"]), float(r["rate"]) * float(line.split(",")[2]), delta=1e-9)
        self.assertIn("nll", json.loads(self.contents("s.json", "r"))["scores"])
        self.assertEqual(self.loo(*fixed), self.table(self.ok("loo", "m.lacuna")))
        self.ok("explain", "m.lacuna")
        self.ok("export", "m.lacuna", "--onnx", "m.onnx")
        # Held-out outputs are those of refits, in folds and on a basis.
        weighted = [w for w in fixed if w not in ("--ignore", "w")] + ["--weights", "w"]
        for words, cv in ((fixed, "5"), ((*fixed, "--basis", "random:30"), "loo"), (weighted, "loo")):
            fast, slow = self.loo(*words, "--cv", cv), self.loo(*words, "--cv", "explicit:" + cv)
            for r, s in zip(fast, slow):
                self.assertAlmostEqual(float(r["output"]), float(s["output"]), delta=2e-4)

    def test_contenders_compare_by_the_probability_of_counts(self):
        words = (*self.FIT, "--kernel", "linear", "--model", "poisson,negbin", "--splits", "folds:4", "--json",
                 "--journal", "none")
        report = json.loads(self.ok("evaluate", *words))
        poisson, negbin = (m["scores"]["nll"]["mean"] for m in report["models"])
        self.assertLess(negbin, poisson)
        self.assertIn("nll", report["comparisons"][0]["differences"])


if __name__ == "__main__":
    unittest.main()
