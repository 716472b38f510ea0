"""Counts, exposures, positive values and robust regression: poisson, gamma, huber."""

import json
import math
import unittest

from program import FIXED, ProgramTest, counts, values


def positive_values(rows=60):
    """values() moved above 0."""
    lines = [line.split(",") for line in values(rows).splitlines()]
    return "\n".join(",".join(r[:2] + ["t" if i == 0 else repr(math.exp(float(r[2])))]) for i, r in enumerate(lines)) + "\n"


def poisson_deviance(t, mean):
    return 2 * (mean - t + (t * math.log(t / mean) if t > 0 else 0))


def gamma_deviance(t, mean):
    return 2 * (t / mean - 1 - math.log(t / mean))


class Counts(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("c.csv", counts())
        self.file("new.csv", counts(40, seed=6))
        self.exposure = [float(line.split(",")[2]) for line in counts().splitlines()[1:]]

    FIT = ("c.csv", "-t", "n", "--task", "counts", *FIXED)

    def changed(self, name, change):
        """The counts with every row, a list of texts u, v, e, n, changed."""
        rows = [line.split(",") for line in counts().splitlines()]
        return self.file(name, "\n".join(",".join(change(i, r) if i else r) for i, r in enumerate(rows)) + "\n")

    def cell(self, row, column, value):
        return lambda i, r: r[:column] + [value] + r[column + 1:] if i == row else r

    def test_counts_go_to_poisson(self):
        for words in (["--task", "counts"], ["--model", "poisson"]):
            report = self.fit_json("c.csv", "-t", "n", "--exposure", "e", *FIXED, *words)
            self.assertEqual((report["model"], report["task"], report["classes"]), ("poisson", "counts", []))
            self.assertEqual((report["features"], report["loss"], report["decision"]), (2, {"name": "poisson"}, None))
            self.assertEqual(list(report["held_out"]), ["approximate", "flagged", "refitted", "deviance", "d2", "rmse",
                                                        "nll", "baseline"])

    def test_a_note_on_small_whole_numbers(self):
        self.ok("fit", "c.csv", "-t", "n", *FIXED)
        self.assertIn("--task", self.stderr)

    def test_held_out_rows_add_up(self):
        for words in (["--exposure", "e"], ["--ignore", "e"]):
            rows, report = self.loo(*self.FIT, *words), self.fit_json(*self.FIT, *words)
            loss = square = 0.0
            for r, exposure in zip(rows, self.exposure):
                t, mean = float(r["target"]), float(r["prediction"])
                self.assertAlmostEqual(mean, math.exp(float(r["output"])) * (exposure if words[0] == "--exposure" else 1),
                                       delta=1e-9)
                self.assertAlmostEqual(float(r["residual"]), t - mean, delta=1e-9)
                self.assertAlmostEqual(float(r["loss"]), poisson_deviance(t, mean), delta=1e-9)
                self.assertTrue(0 < float(r["trust"]) <= 1)
                self.assertEqual(r["probability"], "")
                loss += float(r["loss"])
                square += float(r["residual"]) ** 2
            self.criterion_is(report, loss / 60)
            self.assertAlmostEqual(report["held_out"]["deviance"], loss / 60, delta=1e-9)
            self.assertAlmostEqual(report["held_out"]["rmse"], math.sqrt(square / 60), delta=1e-9)
            # d2: against one rate for all.
            e = self.exposure if words[0] == "--exposure" else [1.0] * 60
            t = [float(r["target"]) for r in rows]
            null = sum(poisson_deviance(n, sum(t) / sum(e) * x) for n, x in zip(t, e)) / 60
            self.assertAlmostEqual(report["held_out"]["d2"], 1 - loss / 60 / null, delta=1e-9)

    def test_predictions_are_rate_times_exposure(self):
        self.ok("fit", *self.FIT, "--exposure", "e", "-o", "m.lacuna")
        rows = self.table(self.ok("predict", "m.lacuna", "new.csv"))
        self.assertEqual(list(rows[0]), ["row", "prediction", "rate"])
        total = 0.0
        for r, line in zip(rows, self.contents("new.csv", "r").splitlines()[1:]):
            exposure, n = (float(x) for x in line.split(",")[2:])
            self.assertAlmostEqual(float(r["prediction"]), float(r["rate"]) * exposure, delta=1e-9)
            total += poisson_deviance(n, float(r["prediction"]))
        self.ok("predict", "m.lacuna", "new.csv")
        self.assertIn(f"deviance {total / 40:.4g} on 40 rows", self.stderr)

    def test_rows_that_cannot_be_counts_are_not_judged(self):
        for words in (["--task", "counts"], ["--model", "poisson", "--task", "regression"]):
            self.ok("fit", "c.csv", "-t", "n", *words, "--ignore", "e", *FIXED, "-o", "m.lacuna")
            self.changed("bad.csv", self.cell(4, 3, "-2"))
            rows = self.table(self.ok("predict", "m.lacuna", "bad.csv"))
            truth = [float(line.rsplit(",", 1)[1]) for line in self.contents("bad.csv", "r").splitlines()[1:]]
            losses = [poisson_deviance(t, float(r["prediction"])) for t, r in zip(truth, rows) if t >= 0]
            self.assertIn(f"deviance {sum(losses) / 59:.4g} on 59 rows", self.stderr)

    def test_offset_is_the_logarithm_of_exposure(self):
        self.changed("log.csv", lambda i, r: r[:2] + [repr(math.log(float(r[2]))), r[3]])
        one = self.loo(*self.FIT, "--exposure", "e")
        other = self.loo("log.csv", *self.FIT[1:], "--offset", "e")
        for r, s in zip(one, other):
            self.assertAlmostEqual(float(r["output"]), float(s["output"]), delta=1e-9)

    def test_twice_the_exposure_is_half_the_rate(self):
        self.changed("twice.csv", lambda i, r: r[:2] + [repr(2 * float(r[2])), r[3]])
        for name in ("c", "twice"):
            self.ok("fit", name + ".csv", *self.FIT[1:], "--exposure", "e", "-o", name)
        one, other = (self.table(self.ok("predict", n, n + ".csv")) for n in ("c", "twice"))
        for r, s in zip(one, other):
            self.assertAlmostEqual(float(s["rate"]), float(r["rate"]) / 2, delta=1e-9)
            self.assertAlmostEqual(float(s["prediction"]), float(r["prediction"]), delta=1e-9)

    def test_exposures_that_cannot_be(self):
        for bad in ("0", "-1"):
            self.changed("bad.csv", self.cell(4, 2, bad))
            self.refused(3, ["bad.csv line 5", "column 3 (e)", f"exposure {bad} is not positive"], "fit", "bad.csv", *self.FIT[1:],
                         "--exposure", "e")
            self.ok("fit", *self.FIT, "--exposure", "e", "-o", "m.lacuna")
            self.refused(3, ["bad.csv line 5", "column 3 (e)"], "predict", "m.lacuna", "bad.csv")
        self.changed("bad.csv", self.cell(4, 2, "long"))
        self.refused(3, ["bad.csv line 5", "column 3 (e)", '"long"'], "fit", "bad.csv", *self.FIT[1:], "--exposure", "e")
        self.changed("bad.csv", self.cell(4, 2, ""))
        self.refused(3, ["bad.csv line 5", "column 3 (e)", "missing"], "fit", "bad.csv", *self.FIT[1:], "--exposure", "e")
        self.refused(2, ["exposure", '"f"'], "fit", *self.FIT, "--exposure", "f")
        self.refused(2, ["--offset", "--exposure"], "fit", *self.FIT, "--exposure", "e", "--offset", "u")
        self.file("short.csv", "u,v\n1,2\n")
        self.refused(3, ["short.csv", '"e"'], "predict", "m.lacuna", "short.csv")

    def test_counts_that_are_none(self):
        for bad in ("-2", "1.5"):
            self.changed("bad.csv", self.cell(4, 3, bad))
            for words in (["--task", "counts"], ["--model", "poisson"]):
                self.refused(3, ["bad.csv line 5", "column 4 (n)", bad, "count"], "fit", "bad.csv", "-t", "n", *FIXED, *words)
        self.changed("bad.csv", lambda i, r: r[:3] + ["none" if i % 2 else "many"])
        self.refused(3, ["bad.csv line 2", "column 4 (n)", '"none"', "number"], "fit", "bad.csv", "-t", "n", "--model", "poisson")
        self.changed("bad.csv", lambda i, r: r[:3] + ["0"])
        for words in (["--exposure", "e"], []):
            self.refused(3, ["bad.csv", "column 4 (n)", "every count is 0"], "fit", "bad.csv", *self.FIT[1:], *words)

    def test_offsets_belong_to_rates(self):
        self.file("v.csv", values())
        for model in ("auto", "ls-svm", "huber"):
            self.refused(2, ["offset", "poisson"], "fit", "v.csv", "-t", "t", "--offset", "v", "--model", model)

    def test_criteria_of_counts(self):
        for criterion in ("press", "error", "wmw"):
            self.refused(2, [criterion, "xent"], "fit", *self.FIT, "--criterion", criterion)
        self.refused(2, ["threshold", "two classes"], "fit", *self.FIT, "--threshold", "error")
        self.refused(2, ["recalibration", "classes"], "fit", *self.FIT, "--recalibrate")

    def test_search_finds_something_better(self):
        fixed = self.fit_json(*self.FIT, "--exposure", "e")["criterion"]["value"]
        chosen = self.fit_json("c.csv", "-t", "n", "--task", "counts", "--exposure", "e")
        self.assertLess(chosen["criterion"]["value"], fixed)
        self.assertIn(chosen["search"]["stop"], ("converged", "at-bound"))
        self.assertGreater(chosen["held_out"]["d2"], 0.1)

    def test_extreme_counts_give_finite_numbers(self):
        cases = {"one": lambda i, r: r[:3] + ["3" if i == 7 else "0"],
                 "large": lambda i, r: r[:3] + [str(10 ** (i % 7))],
                 "twins": lambda i, r: ["0.5", str(i // 2), "1", r[3]]}
        for name, change in cases.items():
            self.changed("d.csv", change)
            for words in (FIXED, ("--max-evaluations", "15")):
                report = self.ok("fit", "d.csv", "-t", "n", "--model", "poisson", "--exposure", "e", *words, "--json", "-o", "m",
                                 "--loo", "l.csv")
                self.all_finite(self.contents("l.csv", "r"), self.ok("predict", "m", "d.csv"))
                self.assertNotIn(None, json.loads(report)["held_out"].values(), name)


class Values(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("v.csv", positive_values())

    FIT = ("v.csv", "-t", "t", *FIXED)

    def test_gamma(self):
        rows, report = self.loo(*self.FIT, "--model", "gamma"), self.fit_json(*self.FIT, "--model", "gamma", "-o", "m.lacuna")
        loss = 0.0
        for r in rows:
            t, mean = float(r["target"]), float(r["prediction"])
            self.assertAlmostEqual(mean, math.exp(float(r["output"])), delta=1e-9 * mean)
            self.assertAlmostEqual(float(r["loss"]), gamma_deviance(t, mean), delta=1e-9)
            self.assertTrue(0 < float(r["trust"]) <= 1)
            loss += float(r["loss"])
        self.assertAlmostEqual(report["held_out"]["deviance"], loss / 60, delta=1e-9)
        self.criterion_is(report, loss / 60)
        for r in self.table(self.ok("predict", "m.lacuna", "v.csv")):
            self.assertGreater(float(r["prediction"]), 0)
        self.assertRegex(self.stderr, r"deviance 0\.\d+ on 60 rows")

    def test_gamma_needs_values_above_zero(self):
        for bad in ("0", "-3"):
            rows = self.contents("v.csv", "r").splitlines()
            rows[4] = rows[4].rsplit(",", 1)[0] + "," + bad
            self.file("bad.csv", "\n".join(rows))
            self.refused(3, ["row 4", bad, "above 0"], "fit", "bad.csv", *self.FIT[1:], "--model", "gamma")

    def test_huber_resists_an_outlier(self):
        """Of any size: one that bends least squares must not make what remains of the signal pass for noise."""
        clean = values(60)
        self.file("clean.csv", clean)
        targets = [float(line.rsplit(",", 1)[1]) for line in clean.splitlines()[1:]]
        spread = math.sqrt(sum((t - sum(targets) / 60) ** 2 for t in targets) / 60)
        for outlier in ("80", "1e4", "1e6"):
            rows = clean.splitlines()
            rows[10] = rows[10].rsplit(",", 1)[0] + "," + outlier
            self.file("spoilt.csv", "\n".join(rows))

            def error(model):
                self.ok("fit", "spoilt.csv", "-t", "t", "--model", model, "-o", "m", "--quiet")
                said = [float(r["prediction"]) for r in self.table(self.ok("predict", "m", "clean.csv"))]
                return math.sqrt(sum((a - t) ** 2 for a, t in zip(said, targets)) / 60)
            self.assertLess(error("huber"), 0.5 * error("ls-svm"))
            self.assertLess(error("huber"), 0.5 * spread, outlier)

    def test_huber_with_a_delta_that_is_given_and_one_that_is_not(self):
        for model in ("huber", "huber:delta=0.25"):
            rows, report = self.loo(*self.FIT, "--model", model), self.fit_json(*self.FIT, "--model", model, "-o", "m.lacuna")
            delta = report["loss"]["delta"]
            self.assertGreater(delta, 0)
            if model != "huber":
                self.assertEqual(delta, 0.25)
            loss = 0.0
            for r in rows:
                self.assertEqual(r["prediction"], r["output"])
                residual = float(r["target"]) - float(r["output"])
                self.assertAlmostEqual(float(r["residual"]), residual, delta=1e-9)
                self.assertAlmostEqual(float(r["loss"]), delta ** 2 * (math.sqrt(1 + (residual / delta) ** 2) - 1), delta=1e-9)
                loss += float(r["loss"])
            self.criterion_is(report, loss / 60)
            self.assertIn("delta", self.ok("inspect", "m.lacuna"))
            self.assertEqual(list(self.table(self.ok("predict", "m.lacuna", "v.csv"))[0]), ["row", "prediction", "lower", "upper"])
        for bad in ("huber:delta=0", "huber:delta=", "huber:d=1", "gamma:delta=1"):
            self.refused(2, [bad], "fit", *self.FIT, "--model", bad)

    def test_a_saved_model_is_the_one_that_was_fitted(self):
        self.file("c.csv", counts())
        for words in ((*self.FIT, "--model", "gamma"), (*self.FIT, "--model", "huber"),
                      ("c.csv", "-t", "n", "--model", "poisson", "--exposure", "e", *FIXED)):
            fitted = self.fit_json(*words, "-o", "one", "--loo", "beside.csv")
            self.ok("fit", *words, "-o", "two")
            stored = json.loads(self.ok("inspect", "one", "--json"))
            for key in fitted:
                self.assertEqual(stored[key], fitted[key], key)
            self.assertEqual(self.ok("loo", "one"), self.contents("beside.csv", "r"))
            self.assertEqual(self.ok("predict", "one", words[0]), self.ok("predict", "two", words[0]))

    def test_models_of_values_refuse_classes(self):
        self.file("d.csv", "x,y,kind\n" + "".join(f"{i},{i * i % 7},{'pqr'[i % 3]}\n" for i in range(30)))
        for model in ("gamma", "huber"):
            self.refused(2, [model, "numbers"], "fit", "d.csv", "-t", "kind", "--model", model)


if __name__ == "__main__":
    unittest.main()
