"""The kernel Fisher discriminant: fit, predict, loo and inspect, and the name of its regulariser."""

import unittest

from program import ProgramTest, three_classes, two_classes, values

FIXED = ("--model", "kfd", "--kernel", "rbf:theta=0.5", "--mu", "0.1")


class Fisher(ProgramTest):
    def test_mu_takes_the_place_of_lambda(self):
        self.file("d.csv", two_classes())
        report = self.fit_json("d.csv", "--target", "label", *FIXED)
        self.assertEqual(report["model"], "kfd")
        self.assertEqual(report["mu"], 0.1)
        self.assertNotIn("lambda", report)
        self.assertEqual(report["criterion"]["name"], "press")
        self.assertFalse(report["held_out"]["approximate"])
        text = self.ok("fit", "d.csv", "--target", "label", *FIXED)
        self.assertRegex(text, r"\n +mu +0\.1\n")

    def test_selects_mu(self):
        self.file("d.csv", two_classes())
        report = self.fit_json("d.csv", "--target", "label", "--model", "kfd")
        self.assertEqual(report["search"]["stop"], "converged")
        self.assertEqual(set(report["search"]["optima"][0]), {"mu", "theta", "value"})
        self.assertLess(report["held_out"]["error"], 0.35)

    def test_each_regulariser_has_its_models(self):
        self.file("d.csv", two_classes())
        fit = ("fit", "d.csv", "--target", "label")
        self.refused(2, ["--lambda", "--mu"], *fit, "--model", "kfd", "--lambda", "0.1")
        self.refused(2, ["--mu", "klr", "--lambda"], *fit, "--model", "klr", "--mu", "0.1")
        self.refused(2, ["--mu", "kfd", "--lambda"], *fit, "--mu", "0.1")
        self.refused(2, ["--mu", "-1"], *fit, "--model", "kfd", "--mu", "-1")
        self.refused(2, ["none", "mu"], *fit, "--model", "kfd", "--search", "none")

    def test_needs_classes(self):
        self.file("v.csv", values())
        self.refused(2, ["kfd", "classes"], "fit", "v.csv", "--target", "t", "--model", "kfd")

    def test_held_out_outputs_are_in_the_scale_of_its_targets(self):
        self.file("d.csv", two_classes(rows=41))  # 21 of a, 20 of b
        rows = self.loo("d.csv", "--target", "label", *FIXED)
        for row in rows:
            own = 41 / 20 if row["target"] == "b" else -41 / 21
            self.assertAlmostEqual(float(row["residual"]), own - float(row["output"]), places=9)
            self.assertAlmostEqual(float(row["loss"]), float(row["residual"]) ** 2, places=9)
            self.assertEqual((row["probability"], row["trust"]), ("", ""))
        refitted = self.loo("d.csv", "--target", "label", *FIXED, "--cv", "explicit:loo")
        for a, b in zip(rows, refitted):
            self.assertAlmostEqual(float(a["output"]), float(b["output"]), places=8)

    def test_model_file(self):
        for name, data, target in (("two", two_classes(), "label"), ("three", three_classes(), "kind")):
            self.file(f"{name}.csv", data)
            report = self.fit_json(f"{name}.csv", "--target", target, *FIXED, "-o", f"{name}.lacuna")
            predictions = self.table(self.ok("predict", f"{name}.lacuna", f"{name}.csv"))
            self.assertIn("error", self.stderr)
            known = [line.split(",")[-1] for line in data.split()[1:]]
            wrong = sum(p["prediction"] != k for p, k in zip(predictions, known)) / len(known)
            self.assertLessEqual(wrong, report["held_out"]["error"] + 0.05)
            self.assertEqual(len(self.loo(f"{name}.lacuna")), len(known))
            self.assertRegex(self.ok("inspect", f"{name}.lacuna"), r"kfd(.|\n)* mu ")
        self.assertIn("output:p", self.ok("predict", "three.lacuna", "three.csv").splitlines()[0])


if __name__ == "__main__":
    unittest.main()
