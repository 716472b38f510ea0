"""--effort, --kernel auto and --stack: a chosen machine and a stack are models like any other in every command."""

import csv
import io
import json
import math
import os
import random
import unittest

from program import ProgramTest, counts, three_classes, two_classes, values


def coded(rows=90, seed=4):
    """Values that depend on three codes whose numbers mean nothing."""
    rng = random.Random(seed)
    of = [2.0, -1.0, 1.5, -2.5, 0.5]
    lines = ["a,b,c,x,t"]
    for _ in range(rows):
        a, b, c, x = rng.randrange(5), rng.randrange(5), rng.randrange(5), rng.gauss(0, 1)
        t = of[a] + of[(b + 2) % 5] - of[c] + 0.3 * x + rng.gauss(0, 0.2)
        lines.append(f"{a},{b},{c},{x:.5f},{t:.5f}")
    return "\n".join(lines) + "\n"


def skewed(rows, seed=3):
    """Two classes that overlap much; skewed columns, one of them a code."""
    rng = random.Random(seed)
    lines = ["a,b,c,label"]
    for _ in range(rows):
        a, b, c = rng.lognormvariate(0, 1), rng.gauss(0, 1), rng.randrange(4)
        p = 1 / (1 + math.exp(1.5 - 0.5 * a - b * (1 if c % 2 else -1)))
        lines.append(f"{a:.4f},{b:.4f},{c},{'ny'[rng.random() < p]}")
    return "\n".join(lines) + "\n"


class Effort(ProgramTest):
    def fit(self, *words):
        return json.loads(self.ok("fit", *words, "--json"))

    def rows(self, *words):
        return list(csv.DictReader(io.StringIO(self.ok(*words))))

    def test_the_three_words_are_two_things(self):
        self.file("v.csv", values())
        auto = self.fit("v.csv", "-t", "t", "--kernel", "auto")
        normal = self.fit("v.csv", "-t", "t", "--effort", "normal")
        for report in (auto, normal):
            for c in report["choice"]["candidates"]:
                del c["seconds"]
        self.assertEqual(auto["choice"], normal["choice"])
        self.assertEqual(self.fit("v.csv", "-t", "t", "--stack")["choice"]["effort"], "best")
        self.assertNotIn("choice", self.fit("v.csv", "-t", "t", "--effort", "quick"))

    def test_the_report_lists_candidates_and_says_that_its_estimate_is_honest(self):
        self.file("c.csv", coded())
        report = self.fit("c.csv", "-t", "t", "--effort", "normal")
        choice = report["choice"]
        self.assertEqual(sum(c["weight"] for c in choice["candidates"]), 1.0)
        chosen = next(c for c in choice["candidates"] if c["weight"] == 1.0)
        self.assertIn("codes", chosen["name"])
        self.assertEqual((chosen["loss"], chosen["difference"]), (choice["loss"], 0.0))
        self.assertEqual([s["feature"] for s in report["seen"]], [1, 2, 3])
        self.assertTrue(report["held_out"]["honest"])
        # Chosen by machines without a fold; printed as with the rest of it, which is a little better.
        self.assertTrue(0.7 * choice["loss"] < report["held_out"]["rmse"] ** 2 < choice["loss"])
        text = self.ok("fit", "c.csv", "-t", "t", "--effort", "normal")
        for words in ("held-out rows, honest", "chosen by the loss of rows left out", "a, b, c: a feature for each"):
            self.assertIn(words, text)

    def test_a_stack_is_a_model_like_any_other(self):
        for name, text, words in (("two", two_classes(60), ["-t", "label"]), ("three", three_classes(60), ["-t", "kind"]),
                                  ("values", coded(), ["-t", "t"]),
                                  ("counts", counts(), ["-t", "n", "--task", "counts", "--exposure", "e"])):
            self.file(f"{name}.csv", text)
            model = f"{name}.lacuna"
            report = self.fit(f"{name}.csv", *words, "--stack", "-o", model, "--loo", f"{name}.loo.csv")
            inspected = json.loads(self.ok("inspect", model, "--json"))
            self.assertEqual(inspected["choice"], report["choice"])
            held_out = self.rows("loo", model)
            with open(self.path(f"{name}.loo.csv"), newline="") as written:
                self.assertEqual(held_out, list(csv.DictReader(written)))
            predicted = self.rows("predict", model, f"{name}.csv")
            self.assertEqual(len(predicted), len(held_out))
            if "label" in words:
                p = [float(r["probability:b"]) for r in predicted]
                self.assertTrue(all(0 < x < 1 for x in p))
                loss = [-math.log(float(r["probability"]) if r["target"] == "b" else 1 - float(r["probability"]))
                        for r in held_out]
                self.assertAlmostEqual(sum(loss) / len(loss), report["held_out"]["xent"], places=6)
            if name == "values":
                self.assertEqual(inspected["kernel"]["name"], "stack")
                self.assertAlmostEqual(sum(m["weight"] for m in inspected["members"]), 1.0)
                self.assertTrue(all(float(r["lower"]) < float(r["prediction"]) < float(r["upper"]) for r in predicted))
                self.assertIn("outputs are added up", self.ok("inspect", model))
                self.ok("export", model, "--onnx", "m.onnx")  # what it computes is tested in tests/onnx

    def test_evaluate_chooses_in_every_split(self):
        os.environ["XDG_CACHE_HOME"] = self.path("cache")
        self.file("c.csv", coded())
        report = json.loads(self.ok("evaluate", "c.csv", "-t", "t", "--splits", "3:0.3", "--compare", "--effort normal",
                                    "--compare", "--stack", "--json"))
        quick, normal, best = (m["scores"]["rmse"]["mean"] for m in report["models"])
        self.assertLess(normal, quick)
        self.assertLess(best, quick)
        self.assertEqual([m["name"].split(",")[1].split()[0] for m in report["models"]], ["rbf", "auto", "stack"])

    def test_what_leaves_nothing_to_choose_is_refused(self):
        self.file("v.csv", values())
        for words in (["--kernel", "linear"], ["--kernel", "rbf:theta=1"], ["--lambda", "1"], ["--basis", "10"],
                      ["--search", "none"], ["--refit-flagged"]):
            self.refused(2, ["effort normal"], "fit", "v.csv", "-t", "t", "--effort", "normal", *words)
        self.refused(2, ["--kernel auto", "quick"], "fit", "v.csv", "-t", "t", "--effort", "quick", "--kernel", "auto")
        self.refused(2, ["--stack", "normal"], "fit", "v.csv", "-t", "t", "--effort", "normal", "--stack")
        self.refused(2, ["best"], "fit", "v.csv", "-t", "t", "--effort", "bst")
        self.file("d.csv", two_classes())
        self.refused(2, ["Gaussian process"], "fit", "d.csv", "-t", "label", "--stack", "--model", "gp-ep")

    def test_prices_cut_alike_in_fit_and_afterwards(self):
        self.file("d.csv", skewed(150))
        for effort in ("normal", "best"):
            self.fit("d.csv", "-t", "label", "--effort", effort, "--cost", "1,8", "-o", "priced.lacuna")
            self.fit("d.csv", "-t", "label", "--effort", effort, "-o", "plain.lacuna")
            said = [self.ok("predict", "priced.lacuna", "d.csv", "--quiet"),
                    self.ok("predict", "priced.lacuna", "d.csv", "--quiet", "--cost", "1,8"),
                    self.ok("predict", "plain.lacuna", "d.csv", "--quiet", "--cost", "1,8")]
            self.assertEqual(said[0], said[1], effort)
            self.assertEqual(said[0], said[2], effort)
            self.assertEqual(self.ok("loo", "priced.lacuna", "--quiet"),
                             self.ok("loo", "plain.lacuna", "--quiet", "--cost", "1,8"), effort)

    def test_no_advice_to_take_a_kernel_that_was_a_candidate(self):
        rng = random.Random(1)
        rows = [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(60)]
        self.file("l.csv", "u,v,t\n" + "".join(f"{u:.5f},{v:.5f},{u - v + rng.gauss(0, 1):.5f}\n" for u, v in rows))
        self.assertIn("plainer-kernel", self.fit("l.csv", "-t", "t")["warning_codes"])
        for effort in ("normal", "best"):
            codes = self.fit("l.csv", "-t", "t", "--effort", effort)["warning_codes"]
            self.assertNotIn("plainer-kernel", codes, effort)

    def test_a_class_too_small_for_folds_is_the_plain_machine_with_a_warning(self):
        self.file("d.csv", two_classes(40) + "9,9,rare\n")
        report = self.fit("d.csv", "-t", "label", "--effort", "normal", "--model", "klr")
        self.assertNotIn("choice", report)
        self.assertTrue(any("plain machine" in w for w in report["warnings"]), report["warnings"])

    def test_a_time_limit_is_the_best_so_far(self):
        self.file("c.csv", coded(400))
        report = self.fit("c.csv", "-t", "t", "--stack", "--time-limit", "0.5", "-o", "m.lacuna")
        cut_short = "choice" not in report or report["choice"]["stop"] in ("none", "time-limit")
        self.assertTrue(cut_short)
        self.assertEqual(len(self.rows("predict", "m.lacuna", "c.csv")), 400)


if __name__ == "__main__":
    unittest.main()
