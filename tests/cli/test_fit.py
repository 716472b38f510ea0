"""fit, loo, predict, inspect and generate on good data: the contract of what they print and write."""

import gzip
import json
import math
import unittest

from program import FIXED, ProgramTest, three_classes, two_classes, values

KEYS = ["model", "task", "rows", "features", "classes", "kernel", "lambda", "basis", "criterion", "held_out", "search",
        "seconds", "warnings", "warning_codes", "loss", "decision", "intervals"]
LOO = ["row", "target", "output", "probability", "prediction", "residual", "leverage", "loss", "trust"]


class Fit(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("two.csv", two_classes())
        self.file("three.csv", three_classes())
        self.file("values.csv", values())

    def test_json_has_the_keys_of_the_contract(self):
        report = self.fit_json("two.csv", "--target", "label")
        self.assertEqual(list(report), KEYS)
        self.assertEqual(report["model"], "klr")
        self.assertEqual(report["task"], "binary")
        self.assertEqual(report["classes"], ["a", "b"])
        self.assertEqual((report["rows"], report["features"], report["basis"]), (40, 2, None))
        self.assertEqual(list(report["kernel"]), ["name", "theta"])
        self.assertEqual(list(report["criterion"]), ["name", "cv", "value", "optimistic", "weighted"])
        self.assertEqual(report["criterion"]["optimistic"], True)
        self.assertEqual(list(report["held_out"]), ["approximate", "flagged", "refitted", "error", "ber", "auc", "xent", "bits",
                                                    "calibration", "baseline", "confusion", "by_class",
                                                    "auc_pairs"])
        self.assertEqual(report["held_out"]["auc_pairs"], "left-out")
        self.assertEqual(report["held_out"]["approximate"], False)
        search = report["search"]
        self.assertEqual(list(search), ["method", "evaluations", "gradients", "factorisations", "seconds", "stop", "optima"])
        self.assertIn(search["stop"], ("converged", "at-bound", "max-evaluations"))
        self.assertEqual(list(search["optima"][0]), ["lambda", "theta", "value"])
        self.assertAlmostEqual(search["optima"][0]["lambda"], report["lambda"], delta=1e-9 * report["lambda"])
        self.assertTrue(0 < report["held_out"]["error"] < 0.4)

    def test_json_of_values_and_of_several_classes(self):
        report = self.fit_json("values.csv", "--target", "t")
        self.assertEqual((report["task"], report["classes"]), ("regression", []))
        self.assertEqual(list(report["held_out"])[:3], ["approximate", "rmse", "r2"])
        self.assertGreater(report["held_out"]["r2"], 0.8)
        report = self.fit_json("three.csv", "--target", "kind")
        self.assertEqual((report["task"], report["classes"]), ("multiclass", ["p", "q", "r"]))

    def test_text_says_what_was_chosen(self):
        text = self.ok("fit", "two.csv", "--target", "label")
        for part in ("klr: binary, 40 rows, 2 features", "theta = ", "lambda", "xent", "optimistic", "error", "%", "bits"):
            self.assertIn(part, text)
        self.assertNotIn("\033", text)

    def test_what_is_given_is_kept(self):
        report = self.fit_json("two.csv", "--target", "label", *FIXED, "--search", "none")
        self.assertEqual((report["kernel"]["theta"], report["lambda"]), (0.5, 0.1))
        self.assertEqual((report["search"]["method"], report["search"]["stop"]), ("none", "none"))
        self.assertEqual(report["criterion"]["optimistic"], False)
        report = self.fit_json("two.csv", "--target", "label", "--lambda", "0.1")
        self.assertEqual(report["lambda"], 0.1)
        self.assertNotEqual(report["kernel"]["theta"], 0.5)

    def test_same_seed_same_answer(self):
        def run():
            report = self.fit_json("two.csv", "--target", "label", "--cv", "5", "--seed", "7")
            report["seconds"] = report["search"]["seconds"] = 0
            return report
        self.assertEqual(run(), run())

    def test_options_of_selection(self):
        for words in (["--criterion", "error"], ["--criterion", "hinge"], ["--criterion", "wmw"], ["--criterion", "ber"],
                      ["--criterion", "smooth-error", "--cv", "5"], ["--cv", "4x2"], ["--cv", "explicit:5", "--max-evaluations", "9"],
                      ["--search", "scg"], ["--search", "nelder-mead"], ["--search", "grid"], ["--kernel", "ard"],
                      ["--kernel", "sum(rbf,linear)", "--penalty", "0.1"], ["--threads", "1", "--memory", "1G"],
                      ["--train-weights", "balanced", "--select-weights", "balanced"], ["--time-limit", "1m"]):
            report = self.fit_json("two.csv", "--target", "label", "--max-evaluations", "12",
                                   *words) if "--max-evaluations" not in words else self.fit_json(
                                       "two.csv", "--target", "label", *words)
            self.assertTrue(math.isfinite(report["criterion"]["value"]), words)
            if words[0] == "--cv":
                self.assertEqual(report["criterion"]["cv"], words[1])

    def test_explicit_refits_equal_the_closed_form(self):
        def outputs(cv):
            rows = self.table(self.ok("loo", "two.csv", "--target", "label", "--model", "ls-svm", *FIXED, "--cv", cv, "--seed", "3"))
            return [float(r["output"]) for r in rows]
        for cv in ("loo", "5"):
            for a, b in zip(outputs(cv), outputs("explicit:" + cv)):
                self.assertAlmostEqual(a, b, delta=1e-9)

    def test_positive_label(self):
        self.assertEqual(self.fit_json("two.csv", "--target", "label", *FIXED, "--positive", "a")["classes"], ["b", "a"])

    def test_target_by_number_and_lists_of_columns(self):
        self.assertEqual(self.fit_json("two.csv", "--target", "3", *FIXED)["features"], 2)
        self.assertEqual(self.fit_json("two.csv", "--target", "label", "--ignore", "x", *FIXED)["features"], 1)
        self.file("wide.csv", "a,b,c,d,label\n" + "".join(f"{i},{i * i % 7},{i % 3},{i % 2},{'pq'[i % 2]}\n" for i in range(20)))
        self.assertEqual(self.fit_json("wide.csv", "-t", "label", "--ignore", "a,b", *FIXED)["features"], 2)
        self.assertEqual(self.fit_json("wide.csv", "-t", "label", "--ignore", "a", "--ignore", "b", *FIXED)["features"], 2)
        self.assertEqual(self.fit_json("wide.csv", "-t", "label", "--ignore", "a,b,d", "--categorical", "c", *FIXED)["features"], 3)

    def test_standard_input_gzip_delimiters_and_sparse_text(self):
        text = two_classes()
        plain = self.fit_json("two.csv", "--target", "label", *FIXED)["held_out"]
        self.assertEqual(self.fit_json("-", "--target", "label", *FIXED, stdin=text)["held_out"], plain)
        self.file("two.csv.gz", gzip.compress(text.encode()))
        self.assertEqual(self.fit_json("two.csv.gz", "--target", "label", *FIXED)["held_out"], plain)
        self.assertEqual(self.fit_json("-", "--target", "label", *FIXED, stdin=gzip.compress(text.encode()))["held_out"], plain)
        self.file("two.tsv", text.replace(",", "\t").replace("\n", "\r\n"))
        self.assertEqual(self.fit_json("two.tsv", "--target", "label", *FIXED)["held_out"], plain)
        self.file("odd.txt", text.replace(",", ":"))
        self.assertEqual(self.fit_json("odd.txt", "--delimiter", ":", "--format", "csv", "--target", "label", *FIXED)["held_out"], plain)
        self.file("bare.csv", text.split("\n", 1)[1])
        self.assertEqual(self.fit_json("bare.csv", "--no-header", "--target", "3", *FIXED)["held_out"], plain)
        sparse = "".join("{2} 1:{0} 2:{1}\n".format(*line.split(",")) for line in text.splitlines()[1:])
        self.file("two.svm", sparse)
        dense = self.fit_json("two.csv", "--target", "label", *FIXED, "--no-standardise")["held_out"]
        for name, value in self.fit_json("two.svm", *FIXED, "--no-standardise")["held_out"].items():
            self.assertAlmostEqual(value, dense[name], delta=1e-9)

    def test_loo_columns_and_arithmetic(self):
        words = ("two.csv", "--target", "label", "--model", "ls-svm", *FIXED)
        rows = self.table(self.ok("loo", *words))
        self.assertEqual(list(rows[0]), LOO)
        self.assertEqual([int(r["row"]) for r in rows], list(range(1, 41)))
        wrong = 0
        for r in rows:
            y, z = (1 if r["target"] == "b" else -1), float(r["output"])
            self.assertAlmostEqual(float(r["residual"]), y - z, delta=1e-12)
            self.assertAlmostEqual(float(r["loss"]), (1 - y * z) ** 2, delta=1e-12)
            self.assertTrue(0 <= float(r["leverage"]) <= 1)
            self.assertEqual((r["probability"], r["trust"]), ("", ""))
            self.assertEqual(r["prediction"], "b" if z >= 0 else "a")
            wrong += r["prediction"] != r["target"]
        report = self.fit_json(*words)
        self.assertAlmostEqual(report["held_out"]["error"], wrong / 40, delta=1e-12)
        self.assertAlmostEqual(report["criterion"]["value"], sum(float(r["loss"]) for r in rows) / 40, delta=1e-12)

    def test_loo_of_several_classes_and_targets(self):
        rows = self.table(self.ok("loo", "three.csv", "--target", "kind", *FIXED))
        self.assertEqual(list(rows[0]), ["row", "target", "output:p", "output:q", "output:r", "probability:p",
                                         "probability:q", "probability:r", "prediction", "residual", "leverage", "loss",
                                         "trust"])
        self.file("both.csv", "u,s,t\n" + "".join(f"{i / 10},{math.sin(i / 3):.6f},{math.cos(i / 3):.6f}\n" for i in range(30)))
        for words in (["--target", "s,t"], ["--target", "s", "--target", "t"]):
            rows = self.table(self.ok("loo", "both.csv", *words, *FIXED))
            self.assertEqual(list(rows[0]), ["row", "target:s", "target:t", "output:s", "output:t", "probability",
                                             "prediction:s", "prediction:t", "residual:s", "residual:t", "leverage", "loss",
                                             "trust"])

    def test_loo_from_data_from_the_model_and_beside_fit_agree(self):
        self.ok("fit", "values.csv", "--target", "t", "-o", "m.lacuna", "--loo", "beside.csv")
        beside = self.contents("beside.csv", "r")
        self.assertEqual(self.ok("loo", "m.lacuna"), beside)
        self.assertEqual(self.ok("loo", "values.csv", "--target", "t"), beside)
        self.ok("loo", "m.lacuna", "-o", "again.csv")
        self.assertEqual(self.contents("again.csv", "r"), beside)
        self.refused(2, ["m.lacuna", "model"], "loo", "m.lacuna", "--target", "t")

    def test_inspect(self):
        self.ok("fit", "two.csv", "--target", "label", *FIXED, "-o", "m.lacuna")
        text = self.ok("inspect", "m.lacuna")
        for part in ("rbf theta = 0.5", "lambda", "0.1", "x ", "y ", "a (negative)", "b (positive)", "40 rows"):
            self.assertIn(part, text)
        report = json.loads(self.ok("inspect", "m.lacuna", "--json"))
        self.assertEqual(list(report)[:len(KEYS)], KEYS)
        self.assertEqual([f["name"] for f in report["encoding"]], ["x", "y"])
        self.assertEqual(report["targets"], ["label"])

    def test_generate(self):
        for name in ("ripley", "annulus", "twonorm", "ringnorm", "waveform", "friedman1", "sinc", "counts"):
            one = self.ok("generate", name, "--rows", "30", "--seed", "5")
            self.assertEqual(len(one.splitlines()), 31)
            self.ok("generate", name, "--rows", "30", "--seed", "5", "-o", "g.csv")
            self.assertEqual(self.contents("g.csv", "r"), one)
            self.assertNotEqual(self.ok("generate", name, "--rows", "30", "--seed", "6"), one)
        self.refused(2, ["--rows"], "generate", "ripley", "--rows", "-3")

    def test_a_generated_problem_is_learned(self):
        self.ok("generate", "ripley", "--rows", "250", "--seed", "1", "-o", "train.csv")
        self.ok("generate", "ripley", "--rows", "1000", "--seed", "2", "-o", "test.csv")
        header = self.contents("train.csv", "r").splitlines()[0]
        self.ok("fit", "train.csv", "--target", header.split(",")[-1], "-o", "m.lacuna")
        self.ok("predict", "m.lacuna", "test.csv", "-o", "p.csv")
        error = float(self.stderr.split("error ")[1].split(" %")[0])
        self.assertLess(error, 14.0)  # the best possible is 8 %


if __name__ == "__main__":
    unittest.main()
