"""Weight k equals k copies under folds that keep the copies together; weight 0 equals a row removed, always; and the unit of
weights is nobody's business."""

import json
import math
import random
import re
import unittest

from program import FIXED, ProgramTest


def weighted_rows(weights, seed=4):
    rng = random.Random(seed)
    rows = []
    for i, w in enumerate(weights):
        c = i % 2
        rows.append((f"{rng.gauss(2 * c, 1):.6f}", f"{rng.gauss(c, 1):.6f}", "ab"[c], w, f"g{i}"))
    return rows


HEAD = "x,y,label,w,g"


class Weights(ProgramTest):
    def write(self, name, rows):
        return self.file(name, "\n".join([HEAD] + [",".join(map(str, r)) for r in rows]) + "\n")

    def held_out(self, *words):
        rows = self.table(self.ok("loo", *words, "--target", "label", "--quiet"))
        return [(r["target"], float(r["output"])) for r in rows]

    def test_weight_k_equals_k_copies(self):
        weights = [1, 3, 2, 1, 1, 4, 2, 1, 3, 1, 1, 2, 1, 1, 2, 3]
        rows = weighted_rows(weights)
        self.write("weighted.csv", rows)
        self.write("copies.csv", [r for r in rows for _ in range(r[3])])
        weighted = self.held_out("weighted.csv", *FIXED, "--weights", "w", "--cv", "group:g")
        copies = self.held_out("copies.csv", *FIXED, "--ignore", "w", "--cv", "group:g")
        at = 0
        for (target, output), r in zip(weighted, rows):
            for _ in range(r[3]):
                self.assertEqual(copies[at][0], target)
                self.assertAlmostEqual(copies[at][1], output, delta=1e-9)
                at += 1
        one = self.fit_json("weighted.csv", "--target", "label", *FIXED, "--weights", "w", "--cv", "group:g")
        other = self.fit_json("copies.csv", "--target", "label", *FIXED, "--ignore", "w", "--cv", "group:g")
        self.assertAlmostEqual(one["criterion"]["value"], other["criterion"]["value"], delta=1e-9)
        for name in ("error", "ber", "xent"):
            self.assertAlmostEqual(one["held_out"][name], other["held_out"][name], delta=1e-9)

    def test_a_finished_model_explains_weights_as_copies(self):
        """Effects, curves and importance by held-out machines, with copies that are held out together."""
        rows = weighted_rows([1 + i % 3 for i in range(40)])
        self.write("weighted.csv", rows)
        self.write("copies.csv", [r for r in rows for _ in range(r[3])])
        explained, curves = [], []
        for data, weights in (("weighted.csv", ("--weights", "w")), ("copies.csv", ("--ignore", "w"))):
            self.ok("fit", data, "--target", "label", *FIXED, *weights, "--group", "g", "-q", "-o", "m.lacuna")
            explained.append(json.loads(self.ok("explain", "m.lacuna", "--json", "--curves", "curves.csv")))
            curves.append(self.table(self.contents("curves.csv").decode()))
            self.assertIn("by weight", self.ok("explain", "m.lacuna"))
        one, other = explained
        self.assertEqual([e["column"] for e in one["effects"]], [e["column"] for e in other["effects"]])
        for mine, its in zip(one["effects"], other["effects"], strict=True):
            self.assertAlmostEqual(mine["change"]["b"], its["change"]["b"], delta=1e-8)
        self.assertTrue(one["importance"]["grouped"])
        for mine, its in zip(one["importance"]["columns"], other["importance"]["columns"], strict=True):
            for name in ("increase", "standard_error", "error_increase"):
                self.assertAlmostEqual(mine[name], its[name], delta=1e-8)
        for mine, its in zip(*curves, strict=True):
            for name in ("mean", "lower", "upper"):
                self.assertAlmostEqual(float(mine[name]), float(its[name]), delta=1e-8)

    def seen_otherwise(self, rows=70, seed=5):
        """Rows with a code, a heavy tail and weights of 0 to 3: in other units, as copies, without those of weight 0."""
        rng = random.Random(seed)
        out = []
        for i in range(rows):
            x, heavy, code = rng.gauss(0, 1), math.exp(1.5 * rng.gauss(0, 1)), rng.randrange(5)
            signal = 0.8 * x + [1.0, -1.0, 0.6, -1.2, 0.3][code] + 0.7 * math.log(heavy)
            label, kind = "ab"[signal + rng.gauss(0, 1) > 0], "pqr"[sum(signal + 0.7 * rng.gauss(0, 1) > c for c in (-1, 1))]
            value, count = signal + 0.3 * rng.gauss(0, 1), int(math.exp(min(2, 0.5 * signal)) + rng.random())
            out.append([f"{x:.6f}", f"{heavy:.6f}", code, label, kind, f"{value:.6f}", count, rng.choice([0, 1, 1, 2, 3]),
                        f"g{i % 40 if i % 3 else i}"])
        head = "x,heavy,code,label,kind,value,count,w,g\n"
        text = lambda rows: head + "\n".join(",".join(map(str, r)) for r in rows) + "\n"
        self.file("w.csv", text(out))
        for name, unit in (("small.csv", 1e-6), ("odd.csv", 0.3)):
            self.file(name, text([r[:7] + [repr(unit * r[7])] + r[8:] for r in out]))
        self.file("copies.csv", text([r for r in out for _ in range(r[7])]))
        self.file("removed.csv", text([r for r in out if r[7]]))

    def everything_of_a_choice(self, table, *words):
        """All that is printed but times and regularisers, and predictions."""
        report = self.fit_json(table, *words, "--threads", "1", "-o", "m")
        report.pop("lambda", None)
        report.pop("rows")  # copies are more of them, without weights
        report["criterion"].pop("weighted")
        left_out = "rows-without-weight"
        report["warnings"] = [w for w, c in zip(report["warnings"], report["warning_codes"]) if c != left_out]
        report["warning_codes"] = [c for c in report["warning_codes"] if c != left_out]
        for part in (report, report["search"], *report["choice"]["candidates"], *report.get("members", [])):
            part.pop("seconds", None), part.pop("lambda", None)
        for optimum in report["search"]["optima"]:
            optimum.pop("lambda")
        report["predictions"] = self.table(self.ok("predict", "m", "w.csv", "--quiet"))
        return report

    def test_a_choice_sees_weights_as_copies_in_any_unit(self):
        """To the last digit: candidates, where they are left, losses, standard errors, weights of a stack, honest scores."""
        self.seen_otherwise()
        for effort, target, words in (("best", "value", []), ("normal", "label", []), ("normal", "kind", []),
                                      ("normal", "count", ["--task", "counts"])):
            with self.subTest(effort=effort, target=target):
                others = ",".join({"label", "kind", "value", "count"} - {target})
                asked = ["--target", target, "--ignore", others, "--effort", effort, *words]
                groups, weights = ["--group", "g"], ["--weights", "w"]
                one = self.everything_of_a_choice("w.csv", *asked, *groups, *weights)
                names = [c["name"] for c in one["choice"]["candidates"]]
                self.assertIn("rbf, codes and scores", names)
                self.assertEqual(one, self.everything_of_a_choice("copies.csv", *asked, *groups, "--ignore", "w"))
                for table in ("small.csv", "odd.csv", "removed.csv"):
                    self.assertEqual(one, self.everything_of_a_choice(table, *asked, *groups, *weights), table)
                if target != "value":
                    continue
                alone = self.everything_of_a_choice("w.csv", *asked, "--ignore", "g", *weights)
                for table in ("odd.csv", "removed.csv"):
                    self.assertEqual(alone, self.everything_of_a_choice(table, *asked, "--ignore", "g", *weights), table)

    def test_weight_zero_equals_a_row_removed_also_in_selection(self):
        weights = [1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0] * 3
        rows = weighted_rows(weights)
        self.write("weighted.csv", rows)
        self.write("removed.csv", [r for r in rows if r[3]])
        for words in ([], ["--cv", "5"], ["--kernel", "ard"]):
            one = self.fit_json("weighted.csv", "--target", "label", "--weights", "w", "--ignore", "g", *words)
            other = self.fit_json("removed.csv", "--target", "label", "--ignore", "w,g", *words)
            for part in ("rows", "kernel", "lambda", "criterion", "held_out"):
                self.assertEqual(one[part], other[part], (words, part))
            rows_one = self.held_out("weighted.csv", "--weights", "w", "--ignore", "g", *words)
            self.assertEqual(rows_one, self.held_out("removed.csv", "--ignore", "w,g", *words))

    # Which model, criterion, cut, basis or interval.
    WAYS = [("label", []), ("label", ["--model", "klr", "--recalibrate", "--threshold", "ber"]),
            ("label", ["--model", "ls-svm", "--recalibrate", "--threshold", "error", "--criterion", "hinge"]),
            ("label", ["--model", "kpr"]), ("label", ["--model", "l2-svm", "--criterion", "wmw"]),
            ("label", ["--model", "kfd", "--threshold", "cost:1,5"]), ("kind", ["--model", "klr"]),
            ("kind", ["--model", "ls-svm", "--recalibrate"]), ("value", []), ("value", ["--model", "huber"]),
            ("value", ["--basis", "greedy:8"]), ("value", ["--basis", "stochastic:8"]), ("value", ["--basis", "random:8"]),
            ("value", ["--basis", "kmeans:8"]), ("value", ["--basis", "pivoted:8"]), ("count", ["--task", "counts"])]

    def tables(self, rows=40, seed=8):
        """The same rows with weights 1, 2 and 3, in other units, and as copies."""
        rng = random.Random(seed)
        out = []
        for i in range(rows):
            x, y = rng.gauss(0, 1), rng.gauss(0, 1)
            label, kind = "ab"[x + 0.7 * rng.gauss(0, 1) > 0], "pqr"[(x > 0.4) + (x + 0.5 * rng.gauss(0, 1) > -0.4)]
            value, count = math.sin(2 * x) + 0.3 * rng.gauss(0, 1), int(math.exp(0.5 * x + 0.5) + rng.random())
            out.append([f"{x:.6f}", f"{y:.6f}", label, kind, f"{value:.6f}", count, rng.choice([1, 1, 2, 3]), f"g{i}"])
        head = "x,y,label,kind,value,count,w,g\n"
        text = lambda rows: head + "\n".join(",".join(map(str, r)) for r in rows) + "\n"
        self.file("w.csv", text(out))
        for name, unit in (("small.csv", 1e-6), ("odd.csv", 0.3), ("large.csv", 1e6)):
            self.file(name, text([r[:6] + [repr(unit * r[6])] + r[7:] for r in out]))
        self.file("copies.csv", text([r for r in out for _ in range(r[6])]))

    def columns(self, target, words):
        return ["--target", target, "--ignore", ",".join({"label", "kind", "value", "count"} - {target}), *words]

    def answers(self, table, *words):
        """All numbers of the report and of predictions, by name."""
        report = self.fit_json(table, *words, "-o", "m")
        out = {name: report[name] for name in ("loss", "decision", "intervals", "held_out", "kernel")}
        out["value"] = report["criterion"]["value"]
        out["basis"] = (report["basis"] or {}).get("kept")
        out["predictions"] = self.table(self.ok("predict", "m", "w.csv", "--quiet"))
        return report.get("lambda", report.get("mu")), out

    def assert_near(self, a, b, share, where=""):
        if isinstance(a, dict):
            self.assertEqual(a.keys(), b.keys(), where)
            for k in a:
                self.assert_near(a[k], b[k], share, f"{where}.{k}")
        elif isinstance(a, list):
            self.assertEqual(len(a), len(b), where)
            for i, (x, y) in enumerate(zip(a, b)):
                self.assert_near(x, y, share, f"{where}[{i}]")
        else:
            try:
                x, y = float(a), float(b)
            except (TypeError, ValueError):
                return self.assertEqual(a, b, where)
            self.assertAlmostEqual(x, y, delta=share * max(1, abs(x)), msg=where)

    def test_the_unit_of_weights_does_not_matter(self):
        self.tables()
        for target, words in self.WAYS:
            with self.subTest(target=target, words=words):
                regulariser, power = ("--mu", 2) if "kfd" in words else ("--lambda", 1)
                def fixed(unit):
                    return [*self.columns(target, words), "--weights", "w", "--ignore", "g", "--kernel", "rbf:theta=0.3",
                            regulariser, repr(0.5 * unit ** power)]
                _, one = self.answers("w.csv", *fixed(1))
                for table, unit in (("small.csv", 1e-6), ("large.csv", 1e6)):
                    self.assert_near(one, self.answers(table, *fixed(unit))[1], 1e-8)

    def test_the_unit_of_weights_does_not_matter_in_selection(self):
        """To the last digit: weights are numbers without a unit inside."""
        self.tables()
        for target, words in self.WAYS:
            with self.subTest(target=target, words=words):
                words = [*self.columns(target, words), "--weights", "w", "--ignore", "g"]
                regulariser, one = self.answers("w.csv", *words)
                for table, unit in (("small.csv", 1e-6), ("odd.csv", 0.3), ("large.csv", 1e6)):
                    scaled, other = self.answers(table, *words)
                    self.assertEqual(one, other)
                    power = 2 if "kfd" in words else 1
                    self.assertAlmostEqual(scaled / unit ** power / regulariser, 1, delta=1e-12)

    def test_weight_k_equals_k_copies_everywhere(self):
        self.tables()
        for target, words in self.WAYS:
            with self.subTest(target=target, words=words):
                regulariser = "--mu" if "kfd" in words else "--lambda"
                words = [*self.columns(target, words), "--cv", "group:g", "--kernel", "rbf:theta=0.3", regulariser, "0.5"]
                _, one = self.answers("w.csv", *words, "--weights", "w")
                _, other = self.answers("copies.csv", *words, "--ignore", "w")
                self.assert_near(one, other, 1e-8)

    def test_weight_k_equals_k_copies_in_selection(self):
        """To the last digit: copies that are held out together are joined first. So also where the optimum has next to
        no regulariser and sums have no digits to spare (hinge; three classes calibrated together)."""
        self.tables()
        for target, words in self.WAYS + [("kind", []), ("label", ["--kernel", "ard", "--effort", "quick"])]:
            with self.subTest(target=target, words=words):
                for cv in (["--cv", "group:g"], ["--group", "g", "--cv", "4"]):
                    asked = [*self.columns(target, words), *cv]
                    one = self.answers("w.csv", *asked, "--weights", "w")
                    self.assertEqual(one, self.answers("copies.csv", *asked, "--ignore", "w"))

    def test_joined_copies_are_told_as_the_rows_they_are(self):
        self.tables()
        words = [*self.columns("label", ["--model", "klr"]), "--cv", "group:g"]
        self.ok("fit", "copies.csv", *words, "--ignore", "w", "-o", "m")
        copies = self.table(self.ok("loo", "m", "--quiet"))
        rows = self.contents("copies.csv", "r").splitlines()[1:]
        self.assertEqual([r["row"] for r in copies], [str(i + 1) for i in range(len(rows))])
        self.assertEqual([r["target"] for r in copies], [row.split(",")[2] for row in rows])
        self.ok("fit", "w.csv", *words, "--weights", "w", "-o", "m")
        weighted = dict(zip(range(len(rows)), self.table(self.ok("loo", "m", "--quiet"))))
        weight = [int(row.split(",")[6]) for row in self.contents("w.csv", "r").splitlines()[1:]]
        at = [i for i, w in enumerate(weight) for _ in range(w)]
        for i, row in zip(at, copies):
            self.assertEqual(row["output"], weighted[i]["output"])
            self.assertAlmostEqual(weight[i] * float(row["leverage"]), float(weighted[i]["leverage"]), delta=1e-12)

    def test_weight_k_equals_k_copies_over_kinks_and_in_folds_of_groups(self):
        """A search sees six digits, so sums in another order lead it the same way; folds are dealt by weight."""
        for seed in (1, 2, 3):
            rows = self.ok("generate", "ripley", "--rows", "60", "--seed", str(seed)).splitlines()
            weights = [1 + (7 * i + seed) % 3 for i in range(60)]
            numbered = [(f"{line},g{i}", w) for i, (line, w) in enumerate(zip(rows[1:], weights))]
            self.file("w.csv", "\n".join([rows[0] + ",g,w"] + [f"{line},{w}" for line, w in numbered]))
            self.file("copies.csv", "\n".join([rows[0] + ",g"] + [line for line, w in numbered for _ in range(w)]))
            for criterion, cv in (("hinge", ["--cv", "group:g"]), ("press", ["--group", "g", "--cv", "5"])):
                words = ["--target", "label", "--model", "ls-svm", "--criterion", criterion, *cv]
                regulariser, one = self.answers("w.csv", *words, "--weights", "w")
                other_regulariser, other = self.answers("copies.csv", *words)
                self.assertEqual(regulariser, other_regulariser)
                self.assert_near(one, other, 1e-8)

    def evaluated(self, table, *words):
        """All that evaluate says of a model but times and regularisers, which have the unit of weights."""
        model = json.loads(self.ok("evaluate", table, *words, "--journal", "none", "--json", "--quiet"))["models"][0]
        return {name: part for name, part in model.items() if name not in ("seconds", "cpu_seconds", "parameters")}

    def test_evaluate_counts_weight_k_as_k_copies_in_any_unit(self):
        self.tables(rows=18)
        for target, words in (("label", ["--model", "klr"]), ("label", ["--model", "ls-svm", "--cost", "1,3"]),
                              ("kind", ["--model", "klr"]), ("value", []), ("count", ["--task", "counts"])):
            with self.subTest(target=target, words=words):
                words = [*self.columns(target, words), "--group", "g", "--splits", "groups", "--cv", "4", "--kernel",
                         "rbf:theta=0.3"]
                one = self.evaluated("w.csv", *words, "--weights", "w")
                for table in ("small.csv", "odd.csv", "large.csv"):
                    self.assertEqual(one, self.evaluated(table, *words, "--weights", "w"), table)
                self.assert_near(one, self.evaluated("copies.csv", *words, "--ignore", "w"), 1e-8)
                if "confusion" in one:
                    rows = len(self.contents("copies.csv", "r").splitlines()) - 1
                    self.assertAlmostEqual(sum(map(sum, one["confusion"])), rows, delta=1e-9 * rows)
                    self.assertAlmostEqual(sum(c["rows"] for c in one["by_class"]), rows, delta=1e-9 * rows)

    def test_recalibrated_information_does_not_depend_on_the_unit(self):
        self.ok("generate", "ripley", "--rows", "200", "--seed", "3", "-o", "train.csv")
        self.ok("generate", "ripley", "--rows", "2000", "--seed", "4", "-o", "fresh.csv")
        lines = self.contents("train.csv", "r").splitlines()
        bits = []
        for weight in ("1", "0.005", "1e-6", "1e6"):
            self.file("t.csv", "\n".join([lines[0] + ",w"] + [f"{line},{weight}" for line in lines[1:]]) + "\n")
            self.ok("fit", "t.csv", "--target", "label", "--weights", "w", "-o", "m")
            self.ok("predict", "m", "fresh.csv", "-o", "p.csv")
            bits.append(float(re.search(r"([-.\d]+) bits", self.stderr).group(1)))
        self.assertGreater(bits[0], 0.6)
        for other in bits[1:]:
            self.assertAlmostEqual(other, bits[0], delta=1e-3)

    def test_junk_of_next_to_no_weight_does_not_widen_intervals(self):
        rng = random.Random(6)
        good = []
        for i in range(41):  # odd: the median of an even number lies on an edge, where any weight tells
            x = rng.uniform(-2, 2)
            good.append((f"{x:.6f}", f"{math.sin(2 * x) + 0.1 * rng.gauss(0, 1):.6f}", "1"))
        junk = [(f"{rng.uniform(-2, 2):.6f}", f"{10 * rng.choice([-1, 1])}", "1e-9") for _ in range(30)]
        text = lambda rows: "x,t,w\n" + "\n".join(map(",".join, rows)) + "\n"
        self.file("good.csv", text(good))
        self.file("both.csv", text(good + junk))
        for model in ("ls-svm", "huber"):
            words = ["--target", "t", "--weights", "w", "--model", model, "--kernel", "rbf:theta=1", "--lambda", "0.1"]
            one, other = self.fit_json("good.csv", *words), self.fit_json("both.csv", *words)
            self.assertAlmostEqual(one["intervals"]["half_width"][0], other["intervals"]["half_width"][0], delta=1e-4)
            self.assertLess(one["intervals"]["half_width"][0], 0.4)
            if model == "huber":
                self.assertAlmostEqual(one["loss"]["delta"], other["loss"]["delta"], delta=1e-4)

    def test_weighted_scores_say_that_they_are(self):
        self.write("d.csv", weighted_rows([1, 2, 3, 4, 5] * 6))
        words = ["d.csv", "--target", "label", "--ignore", "g", *FIXED]
        for weights, told in (([], False), (["--select-weights", "w"], True), (["--weights", "w"], True),
                              (["--train-weights", "w"], False)):
            text = self.ok("fit", *words, *weights)
            self.assertEqual("of the rows get a wrong class" in text, not told, weights)
            self.assertEqual("of the rows' weight gets a wrong class" in text, told, weights)
            self.assertEqual(self.fit_json(*words, *weights)["criterion"]["weighted"], told)

    def test_row_numbers_are_those_of_the_data(self):
        self.write("weighted.csv", weighted_rows([1, 0, 1, 1, 1, 1, 0, 1]))
        rows = self.table(self.ok("loo", "weighted.csv", "--target", "label", "--weights", "w", "--ignore", "g", *FIXED))
        self.assertEqual([r["row"] for r in rows], ["1", "3", "4", "5", "6", "8"])

    def test_train_and_select_weights_are_independent(self):
        self.write("d.csv", weighted_rows([1, 2, 3, 4, 5] * 6))
        words = ["d.csv", "--target", "label", "--ignore", "g", *FIXED]
        plain = self.held_out("d.csv", "--ignore", "g,w", *FIXED)
        select = self.held_out("d.csv", "--ignore", "g", *FIXED, "--select-weights", "w")
        train = self.held_out("d.csv", "--ignore", "g", *FIXED, "--train-weights", "w")
        self.assertEqual(plain, select)  # selection weights judge, they do not train
        self.assertNotEqual(plain, train)
        self.assertNotEqual(self.fit_json(*words, "--select-weights", "w")["criterion"]["value"],
                            self.fit_json("d.csv", "--target", "label", "--ignore", "g,w", *FIXED)["criterion"]["value"])

    def test_balanced_weights_help_the_rare_class(self):
        rng = random.Random(9)
        rows = [(f"{rng.gauss(1.5 * (i % 8 == 0), 1):.6f}", f"{rng.gauss(0, 1):.6f}", "ab"[i % 8 == 0], 1, "g")
                for i in range(160)]
        self.write("d.csv", rows)
        words = ["d.csv", "--target", "label", "--ignore", "w,g", "--kernel", "linear"]
        self.assertLess(self.fit_json(*words, "--train-weights", "balanced")["held_out"]["ber"],
                        self.fit_json(*words)["held_out"]["ber"])


if __name__ == "__main__":
    unittest.main()
