"""Classes with probabilities: klr and kpr, two classes and three. What the program writes adds up."""

import json
import math
import unittest

from program import FIXED, ProgramTest, three_classes, two_classes


def logistic(z):
    return 1 / (1 + math.exp(-z))


def normal(z):
    return 0.5 * math.erfc(-z / math.sqrt(2))


LINKS = {"klr": logistic, "kpr": normal, "kpr:paper": lambda z: normal(math.sqrt(2) * z), "kpr:s=0.5": lambda z: normal(z / 2)}


class Probabilities(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("two.csv", two_classes(60))
        self.file("three.csv", three_classes(60))
        self.file("new2.csv", two_classes(50, seed=11))
        self.file("new3.csv", three_classes(51, seed=12))

    def predictions(self, new, *words):
        self.ok("fit", *words, "-o", "m.lacuna", "--quiet")
        return self.table(self.ok("predict", "m.lacuna", new))

    def test_two_classes_sum_to_one_and_follow_the_output(self):
        for model, link in LINKS.items():
            for r in self.predictions("new2.csv", "two.csv", "-t", "label", *FIXED, "--model", model):
                a, b = float(r["probability:a"]), float(r["probability:b"])
                self.assertAlmostEqual(a + b, 1.0, delta=1e-14)
                self.assertAlmostEqual(b, link(float(r["output"])), delta=1e-12)
                self.assertEqual(r["prediction"], "b" if float(r["output"]) >= 0 else "a")
                self.assertEqual(r["prediction"], "b" if b >= a else "a")

    def test_three_classes_are_the_machines_own_probabilities_normalised(self):
        for model, link in LINKS.items():
            for r in self.predictions("new3.csv", "three.csv", "-t", "kind", *FIXED, "--model", model):
                p = {c: float(r["probability:" + c]) for c in "pqr"}
                own = {c: link(float(r["output:" + c])) for c in "pqr"}
                self.assertAlmostEqual(sum(p.values()), 1.0, delta=1e-14)
                for c in "pqr":
                    self.assertAlmostEqual(p[c], own[c] / sum(own.values()), delta=1e-12)
                self.assertEqual(r["prediction"], max("pqr", key=p.get))

    def test_the_positive_label_moves_the_probability_along(self):
        one = self.predictions("new2.csv", "two.csv", "-t", "label", *FIXED)
        other = self.predictions("new2.csv", "two.csv", "-t", "label", *FIXED, "--positive", "a")
        self.assertEqual(list(other[0])[-2:], ["probability:b", "probability:a"])
        for r, s in zip(one, other):
            self.assertEqual(r["prediction"], s["prediction"])
            self.assertAlmostEqual(float(r["probability:a"]), float(s["probability:a"]), delta=1e-8)

    def test_held_out_rows_of_two_classes_add_up(self):
        for model, link in LINKS.items():
            words = ("two.csv", "-t", "label", *FIXED, "--model", model)
            rows, report = self.loo(*words), self.fit_json(*words)
            total = wrong = 0.0
            for r in rows:
                p, t = float(r["probability"]), float(r["target"] == "b")
                self.assertAlmostEqual(p, link(float(r["output"])), delta=1e-12)
                self.assertAlmostEqual(float(r["loss"]), -math.log(p if t else 1 - p), delta=1e-9)
                self.assertAlmostEqual(float(r["residual"]), t - p, delta=1e-12)
                self.assertTrue(0 < float(r["trust"]) <= 1)
                self.assertTrue(0 <= float(r["leverage"]) <= 1)
                self.assertEqual(r["prediction"], "b" if p >= 0.5 else "a")
                total += float(r["loss"])
                wrong += r["prediction"] != r["target"]
            held_out = report["held_out"]
            self.assertEqual(report["criterion"]["name"], "xent")
            self.criterion_is(report, total / 60)
            self.assertAlmostEqual(held_out["xent"], total / 60, delta=1e-12)
            self.assertAlmostEqual(held_out["bits"], 1 - held_out["xent"] / math.log(2), delta=1e-12)
            self.assertAlmostEqual(held_out["error"], wrong / 60, delta=1e-12)
            self.assertTrue(0 <= held_out["calibration"] <= 1)

    def test_held_out_rows_of_three_classes_add_up(self):
        for model, link in LINKS.items():
            words = ("three.csv", "-t", "kind", *FIXED, "--model", model)
            rows, report = self.loo(*words), self.fit_json(*words)
            total = machines = wrong = 0.0
            for r in rows:
                p = {c: float(r["probability:" + c]) for c in "pqr"}
                self.assertAlmostEqual(sum(p.values()), 1.0, delta=1e-14)
                self.assertEqual(r["prediction"], max("pqr", key=p.get))
                self.assertAlmostEqual(float(r["loss"]), -math.log(p[r["target"]]), delta=1e-9)
                self.assertTrue(0 < float(r["trust"]) <= 1)
                self.assertEqual(r["residual"], "")
                total += float(r["loss"])
                wrong += r["prediction"] != r["target"]
                for c in "pqr":
                    machines -= math.log(link(float(r["output:" + c]) * (1 if r["target"] == c else -1)))
            self.assertAlmostEqual(report["held_out"]["xent"], total / 60, delta=1e-12)
            self.assertAlmostEqual(report["held_out"]["error"], wrong / 60, delta=1e-12)
            self.assertAlmostEqual(report["held_out"]["bits"], math.log2(3) - total / 60 / math.log(2), delta=1e-12)
            # What is minimised is the mean over the machines, one class against the rest.
            self.criterion_is(report, machines / 180)

    def test_the_text_says_what_the_criterion_of_several_classes_is(self):
        self.assertIn("mean over 3 machines", self.ok("fit", "three.csv", "-t", "kind", "--model", "klr", *FIXED))
        recalibrated = self.ok("fit", "three.csv", "-t", "kind", *FIXED)
        self.assertIn("of the recalibrated probabilities", recalibrated)
        self.assertNotIn("machines", recalibrated)
        self.assertNotIn("machines", self.ok("fit", "two.csv", "-t", "label", *FIXED))

    def test_a_saved_model_is_the_one_that_was_fitted(self):
        for data, target in (("two.csv", "label"), ("three.csv", "kind")):
            for model in ("klr", "kpr:paper", "l2-svm"):
                words = (data, "-t", target, *FIXED, "--model", model)
                fitted = self.fit_json(*words, "-o", "one", "--loo", "beside.csv")
                self.ok("fit", *words, "-o", "two")
                stored = json.loads(self.ok("inspect", "one", "--json"))
                for key in fitted:
                    self.assertEqual(stored[key], fitted[key], key)
                self.assertEqual(self.ok("loo", "one"), self.contents("beside.csv", "r"))
                new = "new2.csv" if target == "label" else "new3.csv"
                first = self.ok("predict", "one", new)
                self.assertEqual(self.ok("predict", "one", new), first)
                self.assertEqual(self.ok("predict", "two", new), first)
                self.assertIn(f"{model.split(':')[0]}: ", self.ok("inspect", "one"))

    def test_performance_on_new_rows_is_that_of_the_csv(self):
        for data, new, target, classes in (("two.csv", "new2.csv", "label", 2), ("three.csv", "new3.csv", "kind", 3)):
            rows = self.predictions(new, data, "-t", target)
            said = self.stderr
            truth = [line.rsplit(",", 1)[1] for line in self.contents(new, "r").splitlines()[1:]]
            error = sum(r["prediction"] != t for r, t in zip(rows, truth)) / len(rows)
            bits = math.log2(classes) + sum(math.log2(float(r["probability:" + t])) for r, t in zip(rows, truth)) / len(rows)
            self.assertIn(f"error {100 * error:.4g} %, {bits:.4g} bits on {len(rows)} rows", said)

    def test_json_says_which_loss(self):
        for model, loss in (("klr", {"name": "logistic"}), ("kpr", {"name": "probit", "s": 1.0}),
                            ("kpr:paper", {"name": "probit", "s": math.sqrt(2)}), ("l2-svm", {"name": "squared-hinge"})):
            report = self.fit_json("two.csv", "-t", "label", *FIXED, "--model", model)
            self.assertEqual((report["model"], report["loss"]), (model.split(":")[0], loss))
            self.assertEqual(report["decision"]["threshold"], 0)
            self.assertEqual(report["decision"]["rule"], None)
            self.assertEqual(report["held_out"]["approximate"], False)
            one_step = self.fit_json("two.csv", "-t", "label", *FIXED, "--model", model, "--cv", "loo:one-step")
            self.assertEqual(one_step["held_out"]["approximate"], True)

    def test_l2_svm_has_outputs_and_no_probabilities(self):
        rows = self.predictions("new2.csv", "two.csv", "-t", "label", *FIXED, "--model", "l2-svm")
        for r in rows:
            self.assertEqual((r["probability:a"], r["probability:b"]), ("", ""))
            self.assertEqual(r["prediction"], "b" if float(r["output"]) >= 0 else "a")
        words = ("two.csv", "-t", "label", *FIXED, "--model", "l2-svm")
        total = 0.0
        for r in self.loo(*words):
            y, z = (1 if r["target"] == "b" else -1), float(r["output"])
            self.assertEqual(r["probability"], "")
            self.assertAlmostEqual(float(r["residual"]), y - z, delta=1e-12)
            total += max(0.0, 1 - y * z) ** 2
        report = self.fit_json(*words)
        self.assertEqual(report["criterion"]["name"], "hinge2")
        self.criterion_is(report, total / 60)
        self.assertNotIn("xent", report["held_out"])

    def test_numbers_as_classes(self):
        self.file("d.csv", three_classes(60).replace(",p", ",1").replace(",q", ",2").replace(",r", ",10"))
        self.refused(2, ["klr", "--task classification"], "fit", "d.csv", "-t", "kind", "--model", "klr")
        rows = self.predictions("d.csv", "d.csv", "-t", "kind", "--model", "klr", "--task", "classification", *FIXED)
        self.assertEqual(list(rows[0])[-3:], ["probability:1", "probability:2", "probability:10"])

    def test_xent_is_refused_where_there_are_no_probabilities(self):
        self.refused(2, ["xent", "ls-svm", "press"], "fit", "two.csv", "-t", "label", "--model", "ls-svm", "--criterion", "xent")
        for bad in ("kpr:s=0", "kpr:s=x", "kpr:pepar", "kpr:", "klr:s=1"):
            self.refused(2, [bad], "fit", "two.csv", "-t", "label", "--model", bad)


if __name__ == "__main__":
    unittest.main()
