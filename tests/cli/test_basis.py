"""Machines on a basis: every form of --basis through fit, predict, loo and inspect, and what is refused."""

import json
import unittest

from program import FIXED, ProgramTest, counts, three_classes, two_classes, values


class Basis(ProgramTest):
    def test_the_warning_counts_the_evaluations_that_the_report_counts(self):
        self.file("d.csv", two_classes(rows=60))
        report = json.loads(self.ok("fit", "d.csv", "-t", "label", "--basis", "20", "--max-evaluations", "4", "--json"))
        self.assertEqual(report["search"]["stop"], "max-evaluations")
        self.assertGreater(report["search"]["evaluations"], 4)  # several rounds of four
        self.assertIn(f"stopped after {report['search']['evaluations']} evaluations", self.stderr)

    def test_every_form(self):
        self.file("d.csv", two_classes(rows=120))
        for form, method in (("greedy:20", "greedy"), ("stochastic:20", "stochastic"),
                             ("pivoted:20", "pivoted"), ("random:20", "random"), ("kmeans:20", "kmeans")):
            report = self.fit_json("d.csv", "--target", "label", "--basis", form, *FIXED)
            basis = report["basis"]
            self.assertEqual((basis["method"], basis["asked"], basis["size"]), (method, 20, 20), form)
            self.assertLessEqual(basis["kept"], 20)
            self.assertEqual((basis["automatic"], basis["selected_on"]), (False, 120))
            self.assertLess(report["held_out"]["error"], 0.25)
        # A bare number takes random or stochastic rows, whichever held-out rows prefer.
        both = self.fit_json("d.csv", "--target", "label", "--basis", "20", *FIXED)
        each = [self.fit_json("d.csv", "--target", "label", "--basis", f"{m}:20", *FIXED) for m in ("random", "stochastic")]
        best = min(each, key=lambda r: r["criterion"]["value"])
        self.assertEqual(both["basis"]["method"], best["basis"]["method"])
        self.assertEqual(both["criterion"]["value"], best["criterion"]["value"])
        self.assertIsNone(self.fit_json("d.csv", "--target", "label", *FIXED)["basis"])

    def test_auto_says_what_it_tried(self):
        self.file("v.csv", values(rows=150))
        basis = self.fit_json("v.csv", "--target", "t", "--basis", "auto", *FIXED)["basis"]
        self.assertTrue(basis["automatic"])
        self.assertEqual(basis["sizes"][0]["size"], min(100, basis["size"]))
        text = self.ok("fit", "v.csv", "--target", "t", "--basis", "auto", *FIXED)
        self.assertIn("sizes tried", text)

    def test_text_names_the_basis(self):
        self.file("d.csv", two_classes(rows=60))
        text = self.ok("fit", "d.csv", "--target", "label", "--basis", "pivoted:15", *FIXED)
        self.assertRegex(text, r"\n +basis +15 rows, pivoted")

    def test_model_file_predict_loo_and_inspect(self):
        for name, data, target, extra in (("two", two_classes(rows=60), "label", ()),
                                          ("three", three_classes(rows=60), "kind", ()),
                                          ("values", values(rows=60), "t", ()),
                                          ("counts", counts(rows=60), "n", ("--task", "counts", "--exposure", "e"))):
            self.file(f"{name}.csv", data)
            report = self.fit_json(f"{name}.csv", "--target", target, "--basis", "12", *FIXED, *extra,
                                   "-o", f"{name}.lacuna", "--loo", f"{name}.loo")
            inspected = json.loads(self.ok("inspect", f"{name}.lacuna", "--json"))
            self.assertEqual(inspected["basis"], report["basis"])
            self.assertEqual(inspected["expansion_rows"], report["basis"]["kept"])
            self.assertIn("12 rows, ", self.ok("inspect", f"{name}.lacuna"))
            self.assertEqual(self.ok("loo", f"{name}.lacuna", "--quiet"), self.contents(f"{name}.loo", "r"))
            predicted = self.table(self.ok("predict", f"{name}.lacuna", f"{name}.csv"))
            self.assertEqual(len(predicted), 60)
            self.all_finite(self.contents(f"{name}.loo", "r"))

    def test_rows_of_a_file(self):
        data = values(rows=60)
        self.file("v.csv", data)
        lines = data.split()
        # Other columns, in another order; the target is not needed.
        rows = ["note,v,u"] + [f"n{i},{line.split(',')[1]},{line.split(',')[0]}" for i, line in enumerate(lines[1:])]
        self.file("all.csv", "\n".join(rows) + "\n")
        whole = self.loo("v.csv", "--target", "t", "--basis", "all.csv", *FIXED)
        dense = self.loo("v.csv", "--target", "t", *FIXED)
        for a, b in zip(whole, dense):
            self.assertAlmostEqual(float(a["output"]), float(b["output"]), places=7)
        report = self.fit_json("v.csv", "--target", "t", "--basis", "all.csv", *FIXED)
        self.assertEqual((report["basis"]["method"], report["basis"]["size"]), ("given", 60))
        self.file("few.csv", "u\n0.5\n")
        self.refused(3, ["few.csv", "v"], "fit", "v.csv", "--target", "t", "--basis", "few.csv")
        self.file("none.csv", "u,v\n")
        self.refused(3, ["none.csv"], "fit", "v.csv", "--target", "t", "--basis", "none.csv")

    def test_exposure_is_no_column_of_a_basis(self):
        self.file("c.csv", counts(rows=60))
        self.file("b.csv", "u,v\n0.1,0.2\n-0.5,0.3\n0.8,-0.4\n")
        report = self.fit_json("c.csv", "--target", "n", "--task", "counts", "--exposure", "e", "--basis", "b.csv",
                               *FIXED)
        self.assertEqual(report["basis"]["kept"], 3)

    def test_leave_one_out_is_refitting(self):
        self.file("v.csv", values(rows=40))
        how = ("v.csv", "--target", "t", "--basis", "pivoted:10", *FIXED)
        for a, b in zip(self.loo(*how), self.loo(*how, "--cv", "explicit:loo")):
            self.assertAlmostEqual(float(a["output"]), float(b["output"]), places=8)

    def test_search_on_a_basis_is_reproducible(self):
        self.file("d.csv", two_classes(rows=120))
        first, second = (self.fit_json("d.csv", "--target", "label", "--basis", "15", "--seed", "4") for _ in range(2))
        self.assertEqual(first["criterion"], second["criterion"])
        self.assertEqual(first["basis"], second["basis"])
        self.assertEqual(first["search"]["method"], "lbfgs")

    def test_mistakes(self):
        self.file("d.csv", two_classes())
        fit = ("fit", "d.csv", "--target", "label")
        self.refused(2, ["0", "from 1"], *fit, "--basis", "0")
        self.refused(2, ["-5", "from 1"], *fit, "--basis", "pivoted:-5")
        self.refused(2, ["41", "40"], *fit, "--basis", "41")
        self.refused(2, ["pivotted", "pivoted"], *fit, "--basis", "pivotted:5")
        self.refused(2, ["--basis absent.csv", "no such file", "METHOD:N"], *fit, "--basis", "absent.csv")
        self.refused(2, ["kfd", "ls-svm"], *fit, "--basis", "5", "--model", "kfd")
        self.refused(3, ["raise --memory"], *fit, "--memory", "1K")
        self.refused(3, ["raise --memory"], *fit, "--memory", "1K", "--basis", "5")
        self.file("k.csv", "a,b,c,y\n1,0.1,0,1\n0.1,1,0,2\n0,0,1,3.5\n")
        self.refused(2, ["precomputed", "--basis"], "fit", "k.csv", "--target", "y", "--kernel", "precomputed",
                     "--basis", "2")

    def test_help_and_completion_know_it(self):
        self.assertIn("--basis", self.ok("fit", "--help"))
        self.assertIn("pivoted:", self.ok("completion", "bash"))


if __name__ == "__main__":
    unittest.main()
