"""What is decided on held-out rows: thresholds, recalibration, refits of doubtful rows; weights; data at the edge."""

import json
import math
import random
import unittest

from program import FIXED, ProgramTest, counts, three_classes, two_classes, values


def held_out_error(rows):
    return sum(r["prediction"] != r["target"] for r in rows) / len(rows)


class Thresholds(ProgramTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(21)
        rare = ["x,y,label"]  # a fifth of the rows are of class b
        for i in range(100):
            c = i % 5 == 0
            rare.append(f"{rng.gauss(1.5 * c, 1):.6f},{rng.gauss(c, 1):.6f},{'ab'[c]}")
        self.file("d.csv", "\n".join(rare) + "\n")

    FIT = ("d.csv", "-t", "label", *FIXED)

    def cost(self, rows, false_positive, false_negative):
        return sum(false_positive * (r["target"] == "a" and r["prediction"] == "b") +
                   false_negative * (r["target"] == "b" and r["prediction"] == "a") for r in rows)

    def ber(self, rows):
        return 0.5 * sum(held_out_error([r for r in rows if r["target"] == c]) for c in "ab")

    def test_each_rule_does_what_it_is_for(self):
        for model in ("klr", "kpr", "ls-svm", "l2-svm"):
            words = (*self.FIT, "--model", model)
            plain = self.loo(*words)
            self.assertLessEqual(held_out_error(self.loo(*words, "--threshold", "error")), held_out_error(plain))
            self.assertLessEqual(self.ber(self.loo(*words, "--threshold", "ber")), self.ber(plain))
            for prices in ((1, 10), (10, 1), (0.5, 2.5)):
                chosen = self.loo(*words, "--threshold", f"cost:{prices[0]},{prices[1]}")
                self.assertLessEqual(self.cost(chosen, *prices), self.cost(plain, *prices))

    def test_dear_false_negatives_make_more_positives(self):
        def positives(*words):
            self.ok("fit", *self.FIT, *words, "-o", "m.lacuna", "--quiet")
            return sum(r["prediction"] == "b" for r in self.table(self.ok("predict", "m.lacuna", "d.csv")))
        self.assertGreater(positives("--threshold", "cost:1,10"), positives())
        self.assertLess(positives("--threshold", "cost:10,1"), positives())

    def test_where_held_out_rows_gain_nothing_the_probabilities_decide(self):
        self.file("far.csv", "x,label\n" + "".join(f"{i % 2 * 6 + 0.1 * (i // 2)},{'ab'[i % 2]}\n" for i in range(20)))
        for model in ("klr", "kpr", "kpr:paper", "gp-ep", "gp-laplace:probit", "gp-laplace"):
            decision = self.fit_json("far.csv", "-t", "label", "--model", model, *FIXED, "--threshold", "cost:1,3")["decision"]
            self.assertAlmostEqual(decision["probability"], 0.25, delta=1e-9, msg=model)

    def test_the_threshold_is_reported_kept_and_used(self):
        report = self.fit_json(*self.FIT, "--threshold", "cost:1,10", "-o", "m.lacuna")
        decision = report["decision"]
        self.assertEqual((decision["rule"], decision["recalibrated"]), ("cost:1,10", False))
        self.assertAlmostEqual(decision["probability"], 1 / (1 + math.exp(-decision["threshold"])), delta=1e-12)
        for r in self.table(self.ok("predict", "m.lacuna", "d.csv")):
            self.assertEqual(r["prediction"], "b" if float(r["output"]) >= decision["threshold"] else "a")
        self.assertAlmostEqual(report["held_out"]["error"], held_out_error(self.table(self.ok("loo", "m.lacuna"))), delta=1e-12)
        for text in (self.ok("inspect", "m.lacuna"), self.ok("fit", *self.FIT, "--threshold", "cost:1,10")):
            self.assertRegex(text, r"threshold +output -?\d.*probability.*cost:1,10")

    def test_refusals(self):
        for bad in ("eror", "cost", "cost:", "cost:1", "cost:1,0", "cost:-1,2", "cost:1,2,3", "cost:a,b", "cost:inf,1", "ber,"):
            self.refused(2, ["threshold", f'"{bad}"', "cost:FP,FN"], "fit", *self.FIT, "--threshold", bad)
        self.file("three.csv", three_classes())
        self.file("v.csv", values())
        self.refused(2, ["threshold", "two classes", "3"], "fit", "three.csv", "-t", "kind", *FIXED, "--threshold", "error")
        self.refused(2, ["threshold", "two classes"], "fit", "v.csv", "-t", "t", *FIXED, "--threshold", "error")
        self.refused(2, ["recalibration", "classes"], "fit", "v.csv", "-t", "t", *FIXED, "--recalibrate")

    def test_recalibration_of_probabilities_does_not_hurt(self):
        """A prior that is worth about a row draws towards even chances."""
        for model in ("klr", "kpr"):
            words = (*self.FIT, "--model", model)
            before, after = self.fit_json(*words), self.fit_json(*words, "--recalibrate")
            self.assertLess(after["held_out"]["xent"], before["held_out"]["xent"] + 2 / 100)
            self.assertEqual(after["held_out"]["auc"], before["held_out"]["auc"])
            self.assertTrue(after["decision"]["recalibrated"])
            self.assertGreater(after["decision"]["scale"], 0)

    def test_recalibration_is_the_default_where_nothing_is_given(self):
        """A model that is named, or told its regulariser, criterion or weights, is the papers'."""
        said = lambda *words: self.fit_json("d.csv", "-t", "label", "--max-evaluations", "20", *words)["decision"]["recalibrated"]
        self.assertTrue(said())
        self.assertTrue(said("--cv", "5"))
        for words in (("--no-recalibrate",), ("--model", "klr"), ("--lambda", "0.1"), ("--criterion", "xent"),
                      ("--train-weights", "balanced")):
            self.assertFalse(said(*words), words)

    def test_what_recalibration_chose_is_what_it_reports(self):
        report = self.fit_json("d.csv", "-t", "label", "--loo", "l.csv")
        rows = self.table(self.contents("l.csv", "r"))
        mean = sum(float(r["loss"]) for r in rows) / len(rows)
        self.assertAlmostEqual(report["held_out"]["xent"], mean, delta=1e-12)
        # The criterion is what was minimised, the prior of one row included: the search and the report give one number.
        best = report["search"]["optima"][0]["value"]
        self.assertAlmostEqual(report["criterion"]["value"], best, delta=1e-6 * best)
        self.assertGreater(report["criterion"]["value"], mean)
        self.assertLess(report["criterion"]["value"], mean + math.log(len(rows)) / len(rows))
        plain = self.fit_json("d.csv", "-t", "label", "--no-recalibrate")
        self.assertLess(report["criterion"]["value"], plain["criterion"]["value"] + 1 / len(rows))

    def test_recalibration_gives_probabilities_to_machines_without(self):
        for model in ("ls-svm", "l2-svm"):
            report = self.fit_json(*self.FIT, "--model", model, "--recalibrate", "-o", "m.lacuna", "--loo", "l.csv")
            scale, shift = report["decision"]["scale"], report["decision"]["shift"]
            for r in self.table(self.ok("predict", "m.lacuna", "d.csv")):
                b = float(r["probability:b"])
                self.assertAlmostEqual(b, 1 / (1 + math.exp(-scale * float(r["output"]) - shift)), delta=1e-12)
                self.assertAlmostEqual(float(r["probability:a"]) + b, 1.0, delta=1e-14)
                self.assertEqual(r["prediction"], "b" if b >= 0.5 else "a")
            rows = self.table(self.contents("l.csv", "r"))
            self.assertAlmostEqual(report["held_out"]["xent"], sum(float(r["loss"]) for r in rows) / 100, delta=1e-12)
            base = -(0.2 * math.log(0.2) + 0.8 * math.log(0.8))  # what the shares of the classes alone would give
            self.assertLess(report["held_out"]["xent"], base)

    def test_recalibration_of_three_classes(self):
        self.file("three.csv", three_classes(60))
        for model in ("klr", "ls-svm"):
            report = self.fit_json("three.csv", "-t", "kind", *FIXED, "--model", model, "--recalibrate", "-o", "m.lacuna")
            self.assertTrue(report["decision"]["recalibrated"])
            for r in self.table(self.ok("predict", "m.lacuna", "three.csv")):
                p = {c: float(r["probability:" + c]) for c in "pqr"}
                self.assertAlmostEqual(sum(p.values()), 1.0, delta=1e-14)
                self.assertEqual(r["prediction"], max("pqr", key=p.get))
            self.assertEqual(self.ok("loo", "m.lacuna"), self.ok("loo", "three.csv", "-t", "kind", *FIXED, "--model", model,
                                                                 "--recalibrate", "--quiet"))


class Refits(ProgramTest):
    """Small theta and lambda, so that single rows matter and one Newton step is not enough for some."""

    SHARP = ("--kernel", "rbf:theta=1", "--lambda", "0.02")
    ONE_STEP = ("--cv", "loo:one-step")

    def check(self, *words):
        one_step = words + self.ONE_STEP
        report = self.fit_json(*one_step, "--refit-flagged")
        rows = len(self.loo(*one_step))
        held_out = report["held_out"]
        self.assertTrue(0 < held_out["refitted"] <= rows // 10)
        self.assertLessEqual(held_out["refitted"], held_out["flagged"])
        refitted = self.loo(*one_step, "--refit-flagged")
        truth, plain = self.loo(*words, "--cv", "explicit:loo"), self.loo(*one_step)
        # Standard scores are relative to the dispersion of all rows.
        own = [name for name in plain[0] if name != "score"]
        changed = [i for i in range(rows) if any(refitted[i][name] != plain[i][name] for name in own)]
        self.assertEqual(len(changed), held_out["refitted"])
        outputs = [name for name in plain[0] if name.startswith("output")]
        for i in changed:
            self.assertEqual(float(refitted[i]["trust"]), 1.0)
            for name in outputs:
                self.assertAlmostEqual(float(refitted[i][name]), float(truth[i][name]), delta=1e-6 * (1 + abs(float(truth[i][name]))))

        def distance(rows_of):
            return abs(sum(float(r["loss"]) for r in rows_of) - sum(float(r["loss"]) for r in truth))
        self.assertLess(distance(refitted), distance(plain))
        # The least trusted rows are the ones that are furthest off.
        off = [max(abs(float(r[n]) - float(t[n])) for n in outputs) for r, t in zip(plain, truth)]
        doubt = sorted(range(rows), key=lambda i: float(plain[i]["trust"]))
        third = rows // 3
        self.assertGreater(sum(off[i] for i in doubt[:third]), sum(off[i] for i in doubt[third:]))
        # By default outputs are where refits end, and there is nothing to doubt.
        for r, t in zip(self.loo(*words), truth):
            self.assertGreater(float(r["trust"]), 0.99)
            for name in outputs:
                self.assertAlmostEqual(float(r[name]), float(t[name]), delta=1e-3 * (1 + abs(float(t[name]))))

    def test_klr_and_kpr(self):
        self.file("d.csv", two_classes(60))
        for model in ("klr", "kpr"):
            self.check("d.csv", "-t", "label", *self.SHARP, "--model", model)

    def test_three_classes(self):
        self.file("d.csv", three_classes(60))
        self.check("d.csv", "-t", "kind", "--model", "klr", *self.SHARP)

    def test_poisson(self):
        self.file("d.csv", counts())
        self.check("d.csv", "-t", "n", "--model", "poisson", "--exposure", "e", *self.SHARP)

    def test_the_report_says_how_many(self):
        self.file("d.csv", two_classes(60))
        words = ("d.csv", "-t", "label", *self.SHARP)
        self.assertIn("each followed to its optimum", self.ok("fit", *words))
        self.assertIn("one Newton step each", self.ok("fit", *words, *self.ONE_STEP))
        self.assertIn("--refit-flagged", self.stderr)
        self.assertRegex(self.ok("fit", *words, *self.ONE_STEP, "--refit-flagged"), r"\d+ doubtful rows? refitted")
        self.assertNotIn("Newton", self.ok("fit", *words, "--cv", "explicit:loo"))
        self.assertFalse(self.fit_json(*words, "--cv", "explicit:loo")["held_out"]["approximate"])

    def test_verify_says_how_far_refits_are(self):
        self.file("d.csv", two_classes(60))
        words = ("d.csv", "-t", "label", *self.SHARP)
        said = self.ok("loo", *words, "--verify", "60", "-o", "l.csv")
        rows, truth = self.table(self.contents("l.csv", "r")), self.loo(*words, "--cv", "explicit:loo")
        off = [abs(float(r["output"]) - float(t["output"])) for r, t in zip(rows, truth)]
        worst = max(range(60), key=off.__getitem__)
        self.assertIn(f"60 rows refitted without them: held-out outputs differ by {off[worst]:.3g} at most (row {worst + 1})", said)
        self.assertIn("suspected wrong labels", said)
        self.assertIn("most influential", said)
        self.ok("fit", *words, "-o", "m.lacuna")
        self.refused(2, ["--verify", "data"], "loo", "m.lacuna", "--verify", "3")
        for bad in ("0", "-1", "some"):
            self.refused(2, ["--verify", bad], "loo", *words, "--verify", bad)

    def test_refusals(self):
        self.file("d.csv", two_classes())
        self.refused(2, ["ls-svm", "exact"], "fit", "d.csv", "-t", "label", *FIXED, "--model", "ls-svm", "--refit-flagged")
        for cv in ("5", "4x2", "explicit:loo"):
            self.refused(2, ["leave-one-out only", "explicit"], "fit", "d.csv", "-t", "label", *FIXED, "--refit-flagged", "--cv", cv)


class Weights(ProgramTest):
    """As in test_weights.py, for losses that are not squares."""

    def write(self, name, rows):
        return self.file(name, "\n".join(["x,y,t,w,g"] + [",".join(map(str, r)) for r in rows]) + "\n")

    def rows(self, weights, target):
        rng = random.Random(4)
        return [(f"{rng.gauss(i % 2, 1):.6f}", f"{rng.gauss(0, 1):.6f}", target(i, rng), w, f"g{i}")
                for i, w in enumerate(weights)]

    CASES = (("klr", lambda i, rng: "ab"[i % 2]), ("kpr", lambda i, rng: "ab"[i % 2]), ("l2-svm", lambda i, rng: "ab"[i % 2]),
             ("klr", lambda i, rng: "abc"[i % 3]), ("poisson", lambda i, rng: rng.randrange(4)))

    def test_weight_k_equals_k_copies(self):
        for model, target in self.CASES:
            rows = self.rows([1, 3, 2, 1, 1, 4, 2, 1, 3, 1, 1, 2, 1, 1, 2, 3], target)
            self.write("weighted.csv", rows)
            self.write("copies.csv", [r for r in rows for _ in range(r[3])])
            words = ("-t", "t", "--model", model, *FIXED, "--cv", "group:g")
            one = self.loo("weighted.csv", *words, "--weights", "w")
            other = self.loo("copies.csv", *words, "--ignore", "w")
            outputs = [name for name in one[0] if name.startswith("output")]
            for r, s in zip((r for r, given in zip(one, rows) for _ in range(given[3])), other):
                for name in outputs:
                    self.assertAlmostEqual(float(r[name]), float(s[name]), delta=1e-7, msg=model)
            one = self.fit_json("weighted.csv", *words, "--weights", "w")["held_out"]
            other = self.fit_json("copies.csv", *words, "--ignore", "w")["held_out"]
            for name in one:
                if isinstance(one[name], float):
                    self.assertAlmostEqual(one[name], other[name], delta=1e-7, msg=name)
            for name in one["baseline"]:
                self.assertAlmostEqual(one["baseline"][name], other["baseline"][name], delta=1e-7, msg=name)

    def test_weight_zero_equals_a_row_removed(self):
        for model, target in self.CASES:
            rows = self.rows([1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0] * 2, target)
            self.write("weighted.csv", rows)
            self.write("removed.csv", [r for r in rows if r[3]])
            for words in (FIXED, ("--max-evaluations", "10")):
                one = self.fit_json("weighted.csv", "-t", "t", "--model", model, *words, "--weights", "w", "--ignore", "g")
                other = self.fit_json("removed.csv", "-t", "t", "--model", model, *words, "--ignore", "w,g")
                for part in ("rows", "kernel", "lambda", "criterion", "held_out"):
                    self.assertEqual(one[part], other[part], (model, part))


class Edges(ProgramTest):
    """Data where a logistic or probit machine could run away: finite numbers everywhere."""

    def data(self):
        rng = random.Random(3)
        point = lambda c: f"{rng.gauss(c, 1):.4f},{rng.gauss(0, 1):.4f}"
        head = "x,y,label\n"
        some = [point(i % 2) for i in range(20)]
        return {
            "separable": head + "".join(f"{(3, -3)[i % 2] + rng.gauss(0, 0.3):.4f},{rng.gauss(0, 1):.4f},{'ab'[i % 2]}\n" for i in range(40)),
            "single row": head + "".join(f"{point(0)},{'b' if i == 7 else 'a'}\n" for i in range(30)),
            "single row of three": head + "".join(f"{point(i % 2)},{'c' if i == 7 else 'ab'[i % 2]}\n" for i in range(30)),
            "twins": head + "".join(f"{p},{'ab'[i % 2]}\n" for i, p in enumerate(some)) * 3,
            "twins that disagree": head + "".join(f"{p},a\n{p},b\n" for p in some),
        }

    def test_finite_everywhere(self):
        for name, contents in self.data().items():
            self.file("d.csv", contents)
            for model in ("klr", "kpr", "l2-svm"):
                for words in (FIXED, ("--max-evaluations", "15"), ("--recalibrate", *FIXED), ("--cv", "5", *FIXED)):
                    report = self.ok("fit", "d.csv", "-t", "label", "--model", model, *words, "--json", "-o", "m", "--loo", "l.csv")
                    self.all_finite(self.contents("l.csv", "r"), self.ok("predict", "m", "d.csv"))
                    for key, value in json.loads(report)["held_out"].items():
                        self.assertIsNotNone(value, (name, model, words, key))
                    for r in self.table(self.contents("l.csv", "r")):
                        for column, cell in r.items():
                            if column.startswith("probability") and cell:
                                self.assertTrue(0 <= float(cell) <= 1)

    def test_hardly_any_regulariser_gives_finite_numbers_or_a_refusal(self):
        for name, contents in self.data().items():
            self.file("d.csv", contents)
            for model in ("klr", "kpr", "l2-svm"):
                done = self.run_program("loo", "d.csv", "-t", "label", "--model", model, "--kernel", "rbf:theta=2", "--lambda", "1e-8")
                self.assertIn(done.returncode, (0, 4), (name, model))
                self.assertEqual(done.stdout == b"", done.returncode == 4)
                self.all_finite(done.stdout.decode())

    def test_a_single_row_of_a_class_is_warned_about(self):
        self.file("d.csv", self.data()["single row"])
        self.ok("fit", "d.csv", "-t", "label", *FIXED)
        self.assertIn('class "b" has a single row', self.stderr)


if __name__ == "__main__":
    unittest.main()
