"""Quantiles, standard deviations and variances of predictions; jackknife+ intervals; the evidence of values."""

import json
import unittest

from program import FIXED, ProgramTest, counts, two_classes, values


class Quantiles(ProgramTest):
    def model(self, contents, target, *words):
        self.file("train.csv", contents)
        self.ok("fit", "train.csv", "--target", target, *words, "-o", "m.lacuna")

    def predicted(self, *words):
        return self.table(self.ok("predict", "m.lacuna", "new.csv", "-q", *words))

    def test_columns_follow_those_of_intervals_and_are_their_ends(self):
        self.model(values(60), "t")
        self.file("new.csv", values(20, seed=7))
        rows = self.predicted("--quantiles", "0.05,0.5,0.95", "--sd", "--variance")
        self.assertEqual(
            list(rows[0]), ["row", "prediction", "lower", "upper", "q0.05", "q0.5", "q0.95", "sd", "variance"])
        for r in rows:
            self.assertEqual((r["q0.05"], r["q0.5"], r["q0.95"]), (r["lower"], r["prediction"], r["upper"]))
            self.assertTrue(0 < float(r["sd"]) < 0.5 and 0 < float(r["variance"]) < float(r["sd"]) ** 2)
        plain = self.predicted()
        self.assertEqual(list(plain[0]), ["row", "prediction", "lower", "upper"])
        self.assertEqual([r["prediction"] for r in plain], [r["prediction"] for r in rows])

    def test_several_targets_have_columns_each_and_dropped_rows_are_empty(self):
        lines = values(60).splitlines()
        both = [lines[0] + ",s"] + [f"{line},{2 * float(line.split(',')[2])}" for line in lines[1:]]
        self.file("train.csv", "\n".join(both) + "\n")
        self.ok("fit", "train.csv", "--target", "t,s", "--missing", "drop", "-o", "m.lacuna")
        self.file("new.csv", "u,v\n0.1,0.2\n,0.3\n")
        rows = self.predicted("--quantiles", "0.1", "--sd")
        self.assertEqual(list(rows[0])[-4:], ["q0.1:t", "q0.1:s", "sd:t", "sd:s"])
        self.assertEqual(set(list(rows[1].values())[1:]), {""})

    def test_what_has_none_is_refused(self):
        predict = ("predict", "m.lacuna", "train.csv")
        self.model(values(30), "t", *FIXED)
        self.refused(2, ["between 0 and 1"], *predict, "--quantiles", "0.5,1")
        self.refused(2, ["--quantiles", "x"], *predict, "--quantiles", "0.5,x")
        self.refused(2, ["level 0.98", "above 0.96"], *predict, "--quantiles", "0.01")
        self.model(two_classes(), "label", *FIXED)
        self.refused(2, ["classes"], *predict, "--quantiles", "0.5")
        self.refused(2, ["Gaussian processes"], *predict, "--variance")
        self.model(counts(), "n", "--task", "counts", *FIXED)
        self.refused(2, ["poisson knows the mean"], *predict, "--sd")

    def test_jackknife_plus_and_one_width(self):
        self.file("new.csv", values(30, seed=7))
        self.file("train.csv", values(25))
        widths = {}
        for interval in ("0.9", "0.9:constant", "0.9:jackknife+"):
            fit = ("fit", "train.csv", "-t", "t", "--interval", interval, "-o", "m.lacuna", "--json")
            report = json.loads(self.ok(*fit))
            self.assertEqual(report["intervals"]["method"], "jackknife+" if "+" in interval else "width")
            widths[interval] = {round(float(r["upper"]) - float(r["lower"]), 9) for r in self.predicted()}
        self.assertEqual(len(widths["0.9:constant"]), 1)
        self.assertGreater(len(widths["0.9:jackknife+"]), 1)
        self.assertIn("jackknife+", self.ok("inspect", "m.lacuna"))
        self.refused(2, ["jackknife+", "ONNX"], "export", "m.lacuna", "--onnx", "m.onnx")
        self.refused(2, ["interval", "0.9:jackknife+"], "fit", "train.csv", "-t", "t", "--interval", "0.9:jack")
        stack = ("fit", "train.csv", "-t", "t", "--stack", "--interval", "0.9:jackknife+")
        self.refused(2, ["jackknife+", "effort best"], *stack)

    def test_evidence_selects_ls_svm_for_values(self):
        self.model(values(60), "t", "--criterion", "evidence")
        report = json.loads(self.ok("inspect", "m.lacuna", "--json"))
        self.assertEqual(report["criterion"]["name"], "evidence")
        self.assertIn("minus the log marginal likelihood of the values", self.ok("inspect", "m.lacuna"))


if __name__ == "__main__":
    unittest.main()
