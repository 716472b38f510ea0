"""The page's JSON against the program's other outputs and against calculations of the tests' own; no browser."""

import collections
import csv
import io
import json
import math
import os
import random
import subprocess
import unittest

import make_pages
from pages import PROGRAM, WithPages, blocks, chart, lines_of, page_json, percent, records


class Numbers(WithPages):
    """Of pages of the kinds against other outputs of the program."""

    def test_figures_equal_those_of_fit_and_loo(self):
        for kind in ("binary", "multi-class", "regression", "counts", "stack", "weights", "three-rows", "groups",
                     "costs"):
            with self.subTest(kind=kind):
                page, fit = self.made(kind)
                self.assertEqual(page["fit"], fit)
                items = {i["name"]: i for _, b in blocks(page) if b["kind"] == "figures" for i in b["items"]}
                for name, value in fit["held_out"].items():
                    if name in items and isinstance(value, float):
                        self.assertEqual(items[name]["number"], value)
                        share = name in ("error", "ber")
                        self.assertEqual(items[name]["value"], percent(value) if share else f"{value:.4g}")
                by_row = {row["row"]: row for row in self.loo(kind)}
                table = next(b for s, b in blocks(page) if s == "rows" and b["kind"] == "table")
                self.assertEqual(len(table["rows"]), len(by_row))
                for said in records(table):
                    for name in ("loss", "leverage"):
                        if by_row[str(said["row"])][name]:
                            self.assertAlmostEqual(said[name], float(by_row[str(said["row"])][name]),
                                                   delta=1e-5 * abs(said[name]) + 1e-12)

    def test_an_evaluation_counts_rows_by_weights_without_a_unit_and_tells_shares(self):
        self.made("weights")
        said = json.loads(self.run_program("evaluate", "weights.csv", "--target", "label", "--weights", "w", "--model",
                                           "klr", "--kernel", "rbf:theta=0.3", "--lambda", "0.2", "--search", "none",
                                           "--splits", "folds:4", "--json", "-q", "--journal", "none", "--report",
                                           "w.html"))
        weight = {label: sum(round(100 * float(r["w"])) for r in self.data("weights") if r["label"] == label)
                  for label in "ab"}
        model = said["models"][0]
        for of in model["by_class"]:
            self.nearly(of["rows"], weight[of["class"]])
        self.nearly(sum(b["rows"] for b in model["calibration"]), sum(weight.values()))
        page = page_json(os.path.join(self.folder, "w.html"))
        cells = chart(page, "confusion")["cells"]
        self.nearly(sum(cells["rows"]), sum(weight.values()))
        for rows, share, text in lines_of(cells, "rows", "of_all", "text"):
            self.nearly(share, rows / sum(weight.values()))
            self.assertEqual(text, percent(share) if rows else "")
        bins = chart(page, "calibrations")["bins"]
        for rows, share in lines_of(bins, "rows", "of_all"):
            self.nearly(share, rows / sum(weight.values()))
        for _, b in blocks(page):
            if b["kind"] == "table" and b.get("title") == "Class by class":
                for row in records(b):
                    self.nearly(row["of all rows, by weight"], weight[row["class"]] / sum(weight.values()))
            titles = [c["title"] for c in b.get("columns", b.get("table", {}).get("columns", []))]
            self.assertNotIn("rows", titles)

    def test_weights_are_listed_against_their_mean(self):
        page, _ = self.made("weights")
        weight = {i + 1: float(r["w"]) for i, r in enumerate(self.data("weights"))}
        table = next(b for s, b in blocks(page) if s == "rows" and b["kind"] == "table")
        mean = sum(weight[r["row"]] for r in records(table)) / len(table["rows"])
        for row in records(table):
            self.nearly(row["weight (1 is the mean)"], weight[row["row"]] / mean)

    def test_a_rootogram_of_weighted_rows_has_as_many_rows_as_there_are(self):
        self.made("counts")
        head, *lines = self.contents_of("counts.csv").splitlines()
        with open(os.path.join(self.folder, "wc.csv"), "w", encoding="utf-8") as f:
            f.write("\n".join([head + ",w"] + [f"{line},{0.01 * (i % 3 + 101)!r}" for i, line in enumerate(lines)]))
        fit = json.loads(self.run_program("fit", "wc.csv", "--target", "n", "--task", "counts", "--weights", "w",
                                          "--model", "poisson", "--json", "-q", "--report", "wc.html"))
        counts = chart(page_json(os.path.join(self.folder, "wc.html")), "rootogram")["counts"]
        self.nearly(sum(counts["observed"]), len(lines))
        raw = fit["counts"]["rootogram"]
        for seen, expected, of in zip(counts["observed"], counts["expected"], raw, strict=True):
            self.nearly(seen * sum(r["observed"] for r in raw), of["observed"] * len(lines))
            self.nearly(expected * sum(r["observed"] for r in raw), of["expected"] * len(lines))

    def test_an_evaluation_page_has_the_numbers_of_evaluate(self):
        data, options = make_pages.data_of("two-columns")
        with open(os.path.join(self.folder, "e.csv"), "w", encoding="utf-8") as f:
            f.write(data)
        said = self.run_program("evaluate", "e.csv", *options, "--model", "klr,ls-svm", "--splits", "6:0.2", "--json",
                                "-q", "--journal", "none", "--report", "e.html")
        page = page_json(os.path.join(self.folder, "e.html"))
        evaluation = json.loads(said)
        self.assertEqual(page["evaluation"], evaluation)
        table = next(b for s, b in blocks(page) if s == "how-good" and b["kind"] == "table")
        for values, model in zip(records(table), evaluation["models"]):
            for name, score in model["scores"].items():
                self.assertAlmostEqual(values[name], score["mean"], delta=1e-5 * abs(score["mean"]))
        self.assertTrue([b for s, b in blocks(page) if s == "differences" and b["kind"] == "chart"])

    def test_reliability_cuts_and_ranks_are_sums_over_the_rows_of_loo_by_their_weights(self):
        for kind in ("binary", "weights"):
            page, fit = self.made(kind)
            rows, data = self.loo(kind), self.data(kind)
            positive = fit["classes"][1]
            # Without a unit: 37, 101 and 257 have no common factor.
            weight = [round(100 * float(data[int(r["row"]) - 1].get("w", 0.01))) for r in rows]
            self.assertEqual(fit["criterion"]["weighted"], kind == "weights")
            p, hit = [float(r["probability"]) for r in rows], [r["target"] == positive for r in rows]
            bins = lines_of(chart(page, "reliability")["bins"], "rows", "stated", "was")
            for k, some in enumerate(sorted({min(9, int(10 * x)) for x in p})):
                inside = [i for i, x in enumerate(p) if min(9, int(10 * x)) == some]
                all_of = sum(weight[i] for i in inside)
                self.nearly(bins[k][0], all_of)
                self.nearly(bins[k][1], sum(weight[i] * p[i] for i in inside) / all_of)
                self.nearly(bins[k][2], sum(weight[i] * hit[i] for i in inside) / all_of)
                if kind == "weights":
                    self.nearly(chart(page, "reliability")["bins"]["of_all"][k], all_of / sum(weight))
            slider = next(b for _, b in blocks(page) if b["kind"] == "threshold")
            self.assertEqual(slider.get("weighted", False), kind == "weights")
            for at, tp, fp, fn, tn in lines_of(slider["cuts"], "cut", "tp", "fp", "fn", "tn"):
                is_at = [sum(w for w, x, h in zip(weight, p, hit) if h == true and (x >= at) == called)
                         for true, called in ((True, True), (False, True), (True, False), (False, False))]
                for count, true in zip((tp, fp, fn, tn), is_at, strict=True):
                    self.nearly(count, true)
            decided = [r["prediction"] == positive for r in rows]
            for true, of_class in enumerate(fit["held_out"]["confusion"]):
                for said, count in enumerate(of_class):
                    self.nearly(count, sum(w for w, h, d in zip(weight, hit, decided) if (h, d) == (true, said)))
            won = sum(v * w * ((a > b) + 0.5 * (a == b)) for v, a, h in zip(weight, p, hit) if h
                      for w, b, g in zip(weight, p, hit) if not g)
            pairs = sum(w for w, h in zip(weight, hit) if h) * sum(w for w, h in zip(weight, hit) if not h)
            corners = lines_of(chart(page, "roc")["curve"], "x", "y")
            area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in zip(corners, corners[1:]))
            self.nearly(area, won / pairs, 1e-4)
            called = [r["prediction"] == positive for r in rows]
            found = sum(w for w, h, c in zip(weight, hit, called) if h and c) / sum(
                w for w, h in zip(weight, hit) if h)
            self.nearly(chart(page, "roc")["chosen"]["y"][0], found)
            if kind == "binary":
                self.assertEqual(slider["prices"], [1, 3])
                self.nearly(slider["chosen"], fit["decision"]["probability"])
                self.nearly(sum((c and not h) + 3 * (h and not c) for h, c in zip(hit, called)) / len(rows),
                            fit["held_out"]["cost"])

    def test_a_page_of_weights_is_that_of_copies_held_out_together_and_rows_of_weight_0_are_not_there(self):
        rng = random.Random(5)
        rows = [[rng.gauss(1.2 * (i % 2), 1), rng.gauss(0, 1), f"g{i // 3}", i % 4, "ab"[i % 2]] for i in range(96)]
        names = ["x1", "x2", "family", "w", "label"]
        tables = {"weighted": rows, "copies": [r[:3] + [1] + r[4:] for r in rows for _ in range(r[3])],
                  "counted": [r for r in rows if r[3] > 0]}
        pages = {}
        for name, some in tables.items():
            with open(os.path.join(self.folder, name + ".csv"), "w", encoding="utf-8") as f:
                f.write(make_pages.table(names, some))
            self.run_program("fit", name + ".csv", "--target", "label", "--group", "family", "--weights", "w", "--model",
                             "klr", "--kernel", "rbf:theta=0.3", "--lambda", "0.2", "--search", "none", "--recalibrate",
                             "--threshold", "cost:1,2", "-q", "--report", name + ".html")
            pages[name] = page_json(os.path.join(self.folder, name + ".html"))
        charts = {name: [(b["chart"], b["data"]) for s, b in blocks(page) if b["kind"] == "chart" and s != "rows"]
                  for name, page in pages.items()}
        figures = {name: [(i["name"], i["value"], i["spread"]) for _, b in blocks(page) if b["kind"] == "figures"
                          for i in b["items"]] for name, page in pages.items()}
        self.assertEqual([c for c, _ in charts["weighted"]][:4], ["reliability", "roc", "precision", "cuts"])
        for other in ("copies", "counted"):
            self.assertEqual(figures["weighted"], figures[other])
            for (name, a), (same, b) in zip(charts["weighted"], charts[other], strict=True):
                self.assertEqual(name, same)
                for source in a:
                    for column, values in a[source].items():
                        if column == "of_all" and other == "copies":
                            continue  # copies are rows, and counted as such
                        for x, y in zip(values, b[source][column], strict=True):
                            if isinstance(x, (int, float)) and not isinstance(x, bool):
                                self.assertAlmostEqual(x, y, delta=1e-4 * abs(x) + 1e-7, msg=(name, source, column))
                            else:
                                self.assertEqual(x, y)

    def test_confusion_of_several_classes_is_that_of_fit_and_of_the_rows_of_loo(self):
        page, fit = self.made("multi-class")
        cells = {(t, s): n for t, s, n in lines_of(chart(page, "confusion")["cells"], "true", "said", "rows")}
        rows = self.loo("multi-class")
        for i, true in enumerate(fit["classes"]):
            for j, said in enumerate(fit["classes"]):
                self.assertEqual(cells[true, said], fit["held_out"]["confusion"][i][j])
                self.assertEqual(cells[true, said],
                                 sum(r["target"] == true and r["prediction"] == said for r in rows))
        table = next(b for _, b in blocks(page) if b["kind"] == "table" and b.get("title") == "Class by class")
        for row, of in zip(records(table), fit["held_out"]["by_class"]):
            self.assertEqual(row["class"], of["class"])
            self.nearly(row["found (recall)"], of["recall"])
            self.nearly(row["right of those called so (precision)"], of["precision"])

    def test_the_cost_of_decisions_is_the_mean_price_of_the_rows_of_loo(self):
        page, fit = self.made("costs")
        price = {"p": {"q": 1, "r": 5}, "q": {"p": 1, "r": 1}, "r": {"p": 9, "q": 9}}
        rows = self.loo("costs")
        paid = [price[r["target"]].get(r["prediction"], 0) for r in rows]
        items = {i["name"]: i for _, b in blocks(page) if b["kind"] == "figures" for i in b["items"]}
        self.assertEqual(items["cost"]["number"], fit["held_out"]["cost"])
        self.nearly(items["cost"]["number"], sum(paid) / len(rows))
        self.assertEqual(items["cost"]["spread"], f"\u00b1 {fit['held_out']['cost_error']:.2g}")

    def test_standard_errors_of_grouped_rows_are_over_groups(self):
        page, fit = self.made("groups")
        rows, data = self.loo("groups"), self.data("groups")
        mean = sum(float(r["loss"]) for r in rows) / len(rows)
        self.nearly(mean, fit["held_out"]["xent"])
        sums = collections.Counter()
        for r in rows:
            sums[data[int(r["row"]) - 1]["family"]] += float(r["loss"]) - mean
        error = math.sqrt(sum(s * s for s in sums.values()) * len(sums) / (len(sums) - 1)) / len(rows)
        items = {i["name"]: i for _, b in blocks(page) if b["kind"] == "figures" for i in b["items"]}
        self.assertEqual(items["xent"]["spread"], f"\u00b1 {error:.2g}")
        self.assertTrue([b for s, b in blocks(page) if s == "more-rows" and b["kind"] == "chart"])

    def test_counts_are_those_of_fit_and_the_rootogram_is_that_of_the_rows(self):
        page, fit = self.made("counts")
        for (observed, expected), of in zip(lines_of(chart(page, "rootogram")["counts"], "observed", "expected"),
                                            fit["counts"]["rootogram"], strict=True):
            self.nearly(observed, of["observed"])
            self.nearly(expected, of["expected"])
        rows = self.loo("counts")
        for k, poisson in ((0, lambda m: math.exp(-m)), (1, lambda m: m * math.exp(-m))):
            counts = chart(page, "rootogram")["counts"]
            self.assertEqual(counts["observed"][k], sum(float(r["target"]) == k for r in rows))
            self.nearly(counts["expected"][k], sum(poisson(float(r["prediction"])) for r in rows))
        items = {i["name"]: i["number"] for _, b in blocks(page) if b["kind"] == "figures" for i in b["items"]}
        self.assertEqual(items["dispersion"], fit["counts"]["dispersion"])
        self.assertEqual(items["zeros"], fit["counts"]["zeros"]["observed"])
        self.nearly(items["dispersion"], sum((float(r["target"]) - float(r["prediction"])) ** 2 / float(r["prediction"])
                                             for r in rows) / len(rows))

    def test_coverage_of_intervals_is_the_share_of_the_residuals_of_loo(self):
        page, fit = self.made("regression")
        residuals = [abs(float(r["residual"])) for r in self.loo("regression")]
        levels = lines_of(chart(page, "coverage")["levels"], "level", "inside", "width")
        self.assertGreater(len(levels), 15)
        for level, inside, width in levels:
            if level == 0.9:
                self.nearly(width, fit["intervals"]["half_width"][0])
            near = sum(abs(r - width) < 1e-5 * width for r in residuals)  # the page has six digits of the width
            self.assertLessEqual(abs(inside - sum(r <= width for r in residuals) / len(residuals)),
                                 near / len(residuals) + 1e-5)

    def test_slices_and_contours_are_the_criterion_of_fits_at_their_points(self):
        page, fit = self.made("two-columns")
        theta, regulariser = fit["kernel"]["theta"], fit["lambda"]

        def criterion(at, width):
            words = ["--model", "klr", "--recalibrate", "--kernel", f"rbf:theta={width!r}", "--lambda", repr(at)]
            return json.loads(self.run_program("fit", "two-columns.csv", "--target", "label", *words, "--search", "none",
                                               "--json", "-q"))["criterion"]["value"]

        self.nearly(criterion(regulariser, theta), fit["criterion"]["value"], 1e-6)
        slices = [b["data"] for _, b in blocks(page) if b["kind"] == "chart" and b["chart"] == "slice"]
        for of, at in zip(slices, (lambda x: (x, theta), lambda x: (regulariser, x)), strict=True):
            self.nearly(of["chosen"]["y"][0], fit["criterion"]["value"])
            points = lines_of(of["curve"], "x", "y")
            for x, y in points[:: len(points) // 3]:
                self.nearly(y, criterion(*at(x)), 1e-4)
        surface = chart(page, "surface")
        lines = lines_of(surface["lines"], "x", "y", "criterion", "level")
        for x, y, value, level in lines[:: len(lines) // 8]:
            self.assertAlmostEqual(criterion(x, y), value, delta=0.25 * level + 1e-4)
        optima = lines_of(surface["optima"], "x", "y")
        self.assertEqual(len(optima), len(fit["search"]["optima"]))
        for (x, y), of in zip(optima, fit["search"]["optima"]):
            self.nearly(x, of["lambda"])
            self.nearly(y, of["theta"])
        self.assertGreaterEqual(len(surface["path"]["x"]), 5)
        for x, y in optima[:1]:  # where the search ended it has looked
            self.assertLess(min(abs(math.log(a / x)) + abs(math.log(b / y))
                                for a, b in lines_of(surface["path"], "x", "y")), 0.05)

    def test_the_learning_curve_ends_at_the_held_out_loss_and_relevance_is_the_spread_of_weighed_columns(self):
        page, fit = self.made("regression")
        sizes = lines_of(chart(page, "learning")["sizes"], "rows", "loss")
        self.assertEqual(sizes[-1][0], fit["rows"])
        self.nearly(sizes[-1][1], fit["held_out"]["rmse"])
        weights = fit["kernel"]["weights"]  # of standardised columns: each spreads by its weight's square
        bars = dict(lines_of(chart(page, "bars", "chosen")["bars"], "name", "value"))
        for name, weight in zip("uvw", weights):
            self.nearly(bars[name], weight ** 2 / sum(w ** 2 for w in weights), 1e-3)

    def test_candidates_and_members_of_a_stack_have_their_weights(self):
        page, fit = self.made("stack")
        table = next(b for _, b in blocks(page) if b["kind"] == "table" and b.get("title") == "Candidates")
        members = {m["name"]: m["weight"] for m in fit["members"]}
        self.nearly(sum(members.values()), 1.0)
        for row, of in zip(records(table), fit["choice"]["candidates"], strict=True):
            self.assertEqual(row["candidate"], of["name"])
            self.nearly(row["weight"], members.get(of["name"], 0.0))
            self.nearly(row["honest loss"], of["loss"])
        marked = [n for n, m in lines_of(chart(page, "dots")["dots"], "name", "marked") if m]
        self.assertEqual(sorted(marked), sorted(members))

    def test_levels_and_coverage_of_an_evaluation_are_those_of_evaluate(self):
        page, evaluation = self.made("evaluation")
        self.assertEqual(page["evaluation"], evaluation)
        table = next(b for s, b in blocks(page) if s == "levels" and b["kind"] == "table")
        said = {(r["model"], r["region"]): r for r in records(table)}
        self.assertEqual(len(said), 8)
        for model in evaluation["models"]:
            for level in model["by"]["levels"]:
                row = said[model["name"], level["level"]]
                self.assertEqual(row["rows"], level["rows"])
                self.nearly(row["rmse"], level["scores"]["rmse"]["mean"])
        shares = next(b for s, b in blocks(page) if s == "intervals" and b["kind"] == "table")
        for row, model in zip(records(shares), evaluation["models"], strict=True):
            self.nearly(row["inside"], model["coverage"]["inside"])
            self.nearly(row["mean width"], model["coverage"]["width"])

    def test_a_report_without_a_file_or_model_says_what_to_do(self):
        for words in (["report"], ["report", "m.lacuna"], ["fit", "x.csv", "--report", "-"]):
            done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertNotEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
