"""That a page claims no more than its numbers bear: one ranking for one question, the folds of the model itself, errors
that have a width, samples that are called samples; and that it is written whatever the data hold. No browser."""

import csv
import json
import math
import os
import random
import subprocess
import unittest

import make_pages
from pages import WithPages, blocks, chart, lines_of, page_json, records

FIXED = ("--kernel", "rbf:theta=0.3", "--lambda", "0.1", "--search", "none")


def texts(page, section=None):
    """All sentences, of blocks and of charts."""
    return " ".join(b.get("text", "") + " " + b.get("description", "") for s, b in blocks(page) if section in (None, s))


class Honest(WithPages):
    def written(self, name, data, *options):
        """A page of these data; what fit --json said is its own."""
        path = os.path.join(self.folder, name)
        with open(path + ".csv", "w", encoding="utf-8", newline="") as f:
            f.write(data)
        fit = json.loads(self.run_program("fit", name + ".csv", *options, "-o", name + ".lacuna", "--json", "-q",
                                          "--report", name + ".html"))
        return page_json(path + ".html"), fit

    def evaluated(self, name, data, *options):
        """A page of an evaluation of these data."""
        with open(os.path.join(self.folder, name + ".csv"), "w", encoding="utf-8", newline="") as f:
            f.write(data)
        self.run_program("evaluate", name + ".csv", *options, "--journal", "none", "-q", "--report", name + ".html")
        return page_json(os.path.join(self.folder, name + ".html"))

    def test_curves_around_the_choice_are_of_the_folds_of_the_model(self):
        data, options = make_pages.data_of("two-columns")
        page, fit = self.written("folds", data, *options, "--cv", "5x2", "--seed", "11")
        self.run_program("report", "folds.lacuna", "-o", "alone.html", "-q")
        for one in (page, page_json(os.path.join(self.folder, "alone.html"))):
            for _, b in blocks(one):
                if b.get("chart") != "slice":
                    continue
                chosen = lines_of(b["data"]["chosen"], "x", "y")[0]
                nearest = min(lines_of(b["data"]["curve"], "x", "y"), key=lambda p: abs(math.log(p[0] / chosen[0])))
                self.nearly(nearest[1], fit["criterion"]["value"], 1e-4)
            facts = dict(f for s, b in blocks(one) if b["kind"] == "facts" for f in b["items"])
            self.assertEqual(facts["seed"], "11")
            self.assertNotIn("computed anew", texts(one))

    def test_the_slider_begins_at_the_models_own_cut_with_its_own_counts(self):
        page, fit = self.made("binary")
        block = next(b for _, b in blocks(page) if b["kind"] == "threshold")
        at = {name: block["cuts"][name][block["start"]] for name in ("cut", "tp", "fp", "fn", "tn")}
        self.nearly(at["cut"], fit["decision"]["probability"])
        (tn, fp), (fn, tp) = fit["held_out"]["confusion"]
        self.assertEqual([at[n] for n in ("tn", "fp", "fn", "tp")], [tn, fp, fn, tp])
        self.assertEqual(block["cuts"]["cut"], sorted(block["cuts"]["cut"]))

    def test_prices_of_rows_have_no_line_for_a_cut_that_is_not_there(self):
        rng = random.Random(4)
        rows = [[rng.gauss(1.2 * (i % 2), 1), rng.uniform(1, 9), "ab"[i % 2]] for i in range(60)]
        page, _ = self.written("prices", make_pages.table(["x", "amount", "label"], rows), "--target", "label",
                               "--cost", "2,col:amount", "--lambda", "0.1", "--kernel", "rbf:theta=0.3",
                               "--search", "none")
        self.assertEqual(chart(page, "cuts")["chosen"]["cut"], [])
        self.assertNotIn("dashed one is the model", texts(page))
        self.assertIn("a cut of its own", texts(page))

    def test_areas_of_several_classes_are_of_the_outputs_that_the_score_ranks_by(self):
        page, fit = self.made("multi-class")
        with open(os.path.join(self.folder, "multi-class.csv"), encoding="utf-8") as f:
            truth = [row["kind"] for row in csv.DictReader(f)]
        rows = self.loo("multi-class")
        stated = {name.split(": ")[0]: float(name.split(": ")[1])
                  for name in chart(page, "rocs")["curve"]["class"]}
        for label in fit["classes"]:
            output = [float(r[f"output:{label}"]) for r in rows]
            own = [z for z, t in zip(output, truth) if t == label]
            others = [z for z, t in zip(output, truth) if t != label]
            area = sum((a > b) + 0.5 * (a == b) for a in own for b in others) / (len(own) * len(others))
            self.assertAlmostEqual(stated[label], area, delta=6e-4)
        self.assertIn("by the output of each class", texts(page, "trust"))

    def test_long_names_and_labels_leave_a_page_of_two_megabytes(self):
        rng = random.Random(2)
        long = "n" * 10_000
        rows = [[rng.gauss(i % 30, 1), rng.gauss(0, 1), f"{long}{i % 30}"] for i in range(300)]
        wide = [[rng.gauss(0, 1) for _ in range(120)] + [i % 2] for i in range(60)]
        fixed = ("--kernel", "rbf:theta=0.1", "--lambda", "0.1", "--search", "none")
        for name, data in (("labels", make_pages.table(["a", "b", "t"], rows)),
                           ("names", make_pages.table([f"{k}{long}{k}" for k in range(120)] + ["t"], wide))):
            with self.subTest(name=name):
                page, _ = self.written(name, data, "--target", "t", "--task", "classification", *fixed)
                self.assertLess(os.path.getsize(os.path.join(self.folder, name + ".html")), 2_000_000)
                for _, b in blocks(page):
                    for source in b.get("data", {}).values():
                        for column, values in source.items():
                            if column in ("name", "class", "of", "true"):
                                self.assertLess(max(map(len, map(str, values)), default=0), 80)
        classes = set(chart(page_json(os.path.join(self.folder, "labels.html")), "confusion")["cells"]["true"])
        self.assertEqual(len(classes), 30)  # that end differently, and are told apart

    def test_the_learning_curve_says_what_its_numbers_bear(self):
        page, fit = self.made("regression")
        sizes = lines_of(chart(page, "learning")["sizes"], "rows", "loss", "lower", "upper")
        rows = self.loo("regression")
        squares = [float(r["residual"]) ** 2 for r in rows]
        mean = sum(squares) / len(squares)
        over_rows = math.sqrt(sum((s - mean) ** 2 for s in squares) / (len(squares) - 1) / len(squares))
        over_rows /= 2 * math.sqrt(mean)
        for _, loss, lower, upper in sizes[:-1]:  # as sure as the rows that were judged allow, at most
            self.assertGreater(0.5 * (upper - lower), 0.8 * over_rows)
            self.nearly(0.5 * (upper + lower), loss, 1e-4)
        self.assertIn("on the same rows", texts(page, "more-rows"))
        self.assertNotIn("within chance", texts(page))
        page, _ = self.made("stack")
        drawn = [b["data"] for _, b in blocks(page) if b.get("chart") == "learning"]
        for data in drawn:
            self.assertLess(max(data["line"]["rows"]), max(data["sizes"]["rows"]))

    def test_intervals_that_follow_the_noise_have_their_coverage_by_its_size(self):
        rng = random.Random(6)
        rows = []
        for _ in range(160):
            u = rng.uniform(0, 3)
            rows.append([u, math.sin(u) + rng.gauss(0, 0.03 + 0.5 * u)])
        page, fit = self.written("growing", make_pages.table(["u", "t"], rows), "--target", "t")
        self.assertTrue(fit["intervals"]["varies"])
        levels = chart(page, "coverage-thirds")["levels"]
        thirds = sorted(set(levels["of"]), key=levels["of"].index)
        self.assertEqual(len(thirds), 3)
        widths = [float(name.split("\u00b1")[1]) for name in thirds]
        self.assertEqual(widths, sorted(widths))
        for level in (0.5, 0.9):
            inside = [i for of, at, i in lines_of(levels, "of", "level", "inside") if abs(at - level) < 1e-9]
            self.assertAlmostEqual(sum(inside) / 3, level, delta=0.02)
            for one in inside:
                self.assertAlmostEqual(one, level, delta=4 * math.sqrt(level * (1 - level) / 53))

    def test_of_several_targets_the_table_names_the_one_that_a_row_misses(self):
        rng = random.Random(9)
        rows = [[rng.uniform(-2, 2), rng.uniform(-2, 2)] for _ in range(80)]
        data = [[u, v, 100 * (u + rng.gauss(0, 0.1)), v + rng.gauss(0, 0.1) + (3 if i == 41 else 0)]
                for i, (u, v) in enumerate(rows)]
        page, _ = self.written("targets", make_pages.table(["u", "v", "p", "q"], data), "--target", "p,q")
        table = next(b for s, b in blocks(page) if s == "rows" and b["kind"] == "table")
        first = records(table)[0]
        self.assertEqual((first["row"], first["target it misses most"]), (42, "q"))
        self.nearly(first["observed"], float(f"{data[41][3]:.6g}"), 1e-4)
        captions = [b["title"] for _, b in blocks(page) if b["kind"] == "chart"]
        self.assertEqual(len(captions), len(set(captions)))

    def test_deviances_of_two_likelihoods_are_not_compared(self):
        data, _ = make_pages.data_of("counts")
        with open(os.path.join(self.folder, "c.csv"), "w", encoding="utf-8") as f:
            f.write(data)
        fixed = ("--task", "counts", "--kernel", "rbf:theta=0.3", "--lambda", "0.3", "--search", "none", "--splits",
                 "6:0.2", "--journal", "none", "-q", "--target", "n")
        for others, compared in ((("poisson,negbin",), {"nll", "rmse"}),
                                 (("poisson", "--compare", "--kernel linear"), {"nll", "rmse", "deviance", "d2"})):
            self.run_program("evaluate", "c.csv", *fixed, "--report", "c.html", "--model", *others)
            page = page_json(os.path.join(self.folder, "c.html"))
            table = next(b for s, b in blocks(page) if s == "differences" and b["kind"] == "table")
            self.assertEqual({r["score"] for r in records(table)}, compared)
            printed = json.loads(self.run_program("evaluate", "c.csv", *fixed, "--json", "--model", *others))
            self.assertEqual(set(printed["comparisons"][0]["differences"]), compared)
            text = self.run_program("evaluate", "c.csv", *fixed, "--model", *others)
            self.assertEqual("deviances of different likelihoods do not compare" in text, "deviance" not in compared)

    def test_what_groups_leave_unsure_is_as_unsure_on_the_page(self):
        rng = random.Random(8)
        rows = []
        for g in range(16):
            middle, label = rng.gauss(0, 2), "ab"[g % 2]
            rows += [[middle + rng.gauss(0, 0.3) + (g % 2), f"g{g}", label] for _ in range(10)]
        data, fixed = make_pages.table(["x", "family", "label"], rows), ("--target", "label", "--model", "klr")
        alone, _ = self.written("alone", data, *fixed, "--ignore", "family")
        grouped, _ = self.written("grouped", data, *fixed, "--group", "family")
        widths = []
        for page in (alone, grouped):
            bins = chart(page, "reliability")["bins"]
            widths.append(max(u - l for l, u, n in lines_of(bins, "lower", "upper", "rows") if n >= 20))
            spread = next(i["spread"] for _, b in blocks(page) if b["kind"] == "figures" for i in b["items"]
                          if i["name"] == "auc")
            widths.append(float(spread.split()[1]))
        self.assertGreater(widths[2], 1.5 * widths[0])
        self.assertGreater(widths[3], 1.5 * widths[1])
        self.assertIn("over groups", texts(grouped))
        self.assertIn("over rows", texts(alone))

    def test_a_better_point_than_the_choice_is_told(self):
        data, options = make_pages.data_of("two-columns")
        page, _ = self.written("off", data, *options, "--model", "klr", "--kernel", "rbf:theta=0.2", "--lambda", "30",
                               "--search", "none")
        self.assertIn("is better than the choice", texts(page, "chosen"))
        page, _ = self.made("two-columns")
        self.assertNotIn("is better than the choice", texts(page, "chosen"))

    def test_a_sample_of_many_rows_is_called_one(self):
        page, _ = self.made("many-rows")
        said = texts(page, "rows")
        self.assertIn("an even sample of", said)
        self.assertIn("look at the first 100", said)
        rows = chart(page, "leverage")["rows"]
        self.assertEqual(len(rows["y"]), 1500)
        losses = sorted(rows["y"])
        self.assertLess(losses[len(losses) // 2], 0.7)  # most rows are right

    def test_what_no_row_contradicts_is_not_certain(self):
        rows = [[i if i < 30 else i + 100, "a" if i < 30 else "b"] for i in range(60)]
        page, fit = self.written("apart", make_pages.table(["x", "label"], rows), "--target", "label")
        self.assertEqual(fit["held_out"]["error"], 0)
        items = {i["name"]: i for _, b in blocks(page) if b["kind"] == "figures" for i in b["items"]}
        # A 95 % interval of 60 rows, none of them wrong, ends at 1.96^2/(60 + 1.96^2).
        self.assertEqual(items["error"]["spread"], f"\u00b1 {100 * 0.5 * 1.96 / (60 + 1.96 ** 2):.2g} %")

    def test_a_name_that_turns_the_writing_is_in_a_command_that_runs(self):
        name = "turned \u202ename\u202c it's"
        rng = random.Random(3)
        rows = [[rng.gauss(i % 2, 1), "ab"[i % 2]] for i in range(40)]
        page, _ = self.written("turned", make_pages.table(["x", name], rows), "--target", name, "--kernel",
                               "rbf:theta=0.3", "--lambda", "0.1", "--search", "none")
        for _, b in blocks(page):
            if b["kind"] != "code":
                continue
            self.assertNotIn("\u202e", b["text"])
            said = subprocess.run(["bash", "-c", "printf '%s\\n' " + b["text"]], capture_output=True, text=True,
                                  check=True).stdout
            self.assertIn(name, said.splitlines())

    def test_names_that_every_object_of_javascript_has_are_shown_as_names_that_none_has(self):
        rng = random.Random(5)
        names = ("__proto__", "constructor", "toString")
        rows = [[rng.gauss(2 * (i % 3), 1), rng.gauss(0, 1), names[i % 3]] for i in range(60)]
        page, _ = self.written("magic", make_pages.table(["x", "constructor", "t"], rows), "--target", "t", *FIXED)
        cells = chart(page, "confusion")["cells"]["true"]
        self.assertEqual([name.replace("\u2060", "") for name in dict.fromkeys(cells)], list(names))
        for _, b in blocks(page):
            for source in b.get("data", {}).values():
                for values in source.values():
                    self.assertFalse(set(names) & {v for v in values if isinstance(v, str)}, b.get("title"))

    def test_numbers_of_six_digits_are_written_out_and_the_datas_own_are_as_in_the_data(self):
        page, fit = self.written("houses", make_pages.houses(), "--target", "price")
        for _, b in blocks(page):
            if b["kind"] == "code" or b.get("tone") == "warning":  # of the program
                continue
            said = [b.get("text", ""), b.get("description", "")]
            said += [t for i in b.get("items", []) for t in (i.values() if isinstance(i, dict) else i)]
            for text in said:
                self.assertNotRegex(str(text), r"\de\+")
        items = {i["name"]: i for _, b in blocks(page) if b["kind"] == "figures" for i in b["items"]}
        self.assertEqual(items["rmse"]["value"], f"{fit['held_out']['rmse']:.0f}")
        self.assertRegex(items["rmse"]["spread"], r"^± \d+$")
        data = self.data("houses")
        table = next(b for s, b in blocks(page) if s == "rows" and b["kind"] == "table")
        for said in records(table):
            of = data[said["row"] - 1]
            for shown, name in (("observed", "price"), ("id", "id"), ("year", "year")):
                self.assertEqual(said[shown], float(of[name]))

    def test_shares_of_one_section_have_as_many_decimals(self):
        page, _ = self.made("multi-class")
        for _, b in blocks(page):
            for item in b.get("items", []) if b["kind"] == "figures" else []:
                self.assertNotRegex(item["value"] + item["note"], r"\.\d\d+ %")

    def test_warnings_have_the_words_of_the_program(self):
        page, _ = self.made("one-column")
        said = [b["text"] for _, b in blocks(page) if b.get("tone") == "warning"]
        self.assertTrue([text for text in said if text.startswith("dates were taken as days")], said)

    def test_importance_has_its_standard_errors_in_numbers_too(self):
        page, _ = self.made("regression")
        block = next(b for _, b in blocks(page) if b.get("title") == "How much each column matters")
        self.assertIn("s.e.", [c["title"] for c in block["table"]["columns"]])
        for value, upper, error in lines_of(block["data"]["bars"], "value", "upper", "se"):
            self.nearly(upper - value, error, 1e-3)

    def test_an_evaluation_says_what_it_leaves_out_of_a_chart_and_tells_contenders_apart(self):
        data, _ = make_pages.data_of("binary")
        kernels = [("--compare", f"--kernel rbf:theta=0.1234567890123456{k}") for k in range(8)]
        # Nine that state probabilities, and one that does not.
        page = self.evaluated("many", data, "--target", "label", "--model", "klr", "--kernel", "rbf:theta=0.05",
                              "--lambda", "0.1", "--search", "none", "--splits", "3:0.3", "--compare",
                              "--model ls-svm", *(word for k in kernels for word in k))
        differences = next(b for s, b in blocks(page) if s == "differences" and b.get("chart") == "dots")
        pairs = differences["data"]["dots"]["name"]
        self.assertEqual((len(pairs), len(set(pairs))), (40, 40))
        self.assertIn("the first 40 of 45 pairs", differences["description"])
        for name in pairs:
            for line in name.split("\n"):
                self.assertLessEqual(len(line), 40)
        every = next(b for s, b in blocks(page) if s == "differences" and b["kind"] == "table")
        self.assertTrue(every["searchable"])  # so many rows
        calibration = next(b for s, b in blocks(page) if b.get("chart") == "calibrations")
        self.assertEqual(len(set(calibration["data"]["bins"]["model"])), 8)
        self.assertIn("9 of the 10 models state probabilities", calibration["description"])
        self.assertIn("the first 8 of 9 models", calibration["description"])

    def test_an_evaluation_says_that_rows_have_weights_and_groups(self):
        for kind, said in (("weights", "Rows count by their weights"), ("groups", "Rows of one family are never")):
            data, options = make_pages.data_of(kind)
            page = self.evaluated(f"said-{kind}", data, *options, *FIXED, "--model", "klr", "--splits", "folds:3")
            self.assertIn(said, texts(page, "how-good"))
            other = self.evaluated(f"plain-{kind}", data, *options[:2], *FIXED, "--model", "klr", "--splits",
                                   "folds:3")
            self.assertNotIn(said, texts(other))

    def test_scores_that_cannot_be_negative_are_drawn_from_0_on(self):
        rng = random.Random(2)  # with these the mean less its standard error is below 0
        rows = [[4 * (i % 2) + rng.gauss(0, 1.1), "ab"[i % 2]] for i in range(60)]
        page = self.evaluated("apart", make_pages.table(["x", "t"], rows), "--target", "t", "--model", "klr", *FIXED,
                              "--splits", "folds:3")
        for _, b in blocks(page):
            if b.get("chart") == "dots" and b["signals"]["xname"] in ("calibration", "error", "ber"):
                self.assertGreaterEqual(b["data"]["dots"]["lower"][0], 0, b["title"])


if __name__ == "__main__":
    unittest.main()
