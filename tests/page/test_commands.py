"""The commands that a page prints, run as printed: they make the same model, with the same numbers."""

import csv
import io
import json
import math
import os
import random
import shlex
import shutil
import subprocess
import unittest

import make_pages
from pages import PROGRAM, WithProgram, blocks, page_json

TIMES = ("seconds", "cpu_seconds")


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def decimal_weights():
    rng = random.Random(3)
    rows = [[rng.gauss(i % 2, 1), rng.gauss(0, 1), f"{rng.uniform(0.5, 4):.2f}", "ab"[i % 2]] for i in range(90)]
    return make_pages.table(["x1", "x2", "how many", "label"], [[*r[:2], float(r[2]), r[3]] for r in rows])


def priced_rows():
    rng = random.Random(4)
    rows = [[rng.gauss(1.2 * (i % 2), 1), rng.uniform(1, 9), ["it's no", "yes"][i % 2]] for i in range(80)]
    return make_pages.table(["x", "amount", "a label"], rows)


# What each prints beside the pages' own kinds.
CASES = {
    "binary with costs": (make_pages.data_of("binary")[0], ["--target", "label", "--cost", "1,4", "--positive", "no"]),
    "prices in a column": (priced_rows(), ["--target", "a label", "--cost", "1,col:amount", "--seed", "7"]),
    "weights": (decimal_weights(), ["--target", "label", "--weights", "how many", "--select-weights", "balanced"]),
    "several classes": make_pages.data_of("multi-class"),
    "classes with costs": make_pages.data_of("costs"),
    "regression": (make_pages.data_of("regression")[0], ["--target", "price", "--ignore", "w"]),
    "relevance": make_pages.data_of("regression"),
    "counts": (make_pages.data_of("counts")[0], ["--target", "n", "--task", "counts", "--model", "negbin"]),
    "exposure": (make_pages.data_of("counts")[0].replace('"v"', '"years"').replace(",-", ","),
                 ["--target", "n", "--task", "counts", "--exposure", "years"]),
    "balanced": (make_pages.data_of("binary")[0], ["--target", "label", "--train-weights", "balanced", "--seed", "3"]),
    "a column of training": (decimal_weights(), ["--target", "label", "--train-weights", "how many", "--cv", "4",
                                                 "--seed", "4"]),
    "basis": (make_pages.data_of("binary")[0], ["--target", "label", "--basis", "stochastic:12", "--seed", "5"]),
    "groups": make_pages.data_of("groups"),
    "folds": (make_pages.data_of("two-columns")[0], ["--target", "label", "--cv", "5x2", "--seed", "11"]),
    "stack": make_pages.data_of("stack"),
    "kfd": (make_pages.data_of("binary")[0], ["--target", "label", "--model", "kfd", "--threshold", "ber"]),
    "gp": (make_pages.data_of("binary")[0], ["--target", "label", "--model", "gp-laplace:probit,mean=auto"]),
    "gp-ep": (make_pages.data_of("two-columns")[0], ["--target", "label", "--model", "gp-ep", "--criterion", "xent"]),
    "huber": (make_pages.data_of("one-column")[0], ["--target", "t", "--model", "huber"]),
}
# No command can give what these chose.
NO_SECOND = ("basis", "stack")


class Commands(WithProgram):
    def path(self, name):
        return os.path.join(self.folder, name)

    def printed(self, page):
        return {b["label"]: b["text"] for s, b in blocks(page) if s == "reproduce" and b["kind"] == "code"}

    def run_printed(self, text, *more):
        words = shlex.split(text)
        self.assertEqual(words[:2], ["lacuna", "fit"])
        return json.loads(self.run_program(*words[1:], *more))

    def made(self, name):
        """Fitted once for all tests: d.csv, m.lacuna and p.html are those of the name."""
        data, options = CASES[name]
        with open(self.path("d.csv"), "w", encoding="utf-8", newline="") as f:
            f.write(data)
        kept = self.path(name.replace(" ", "-"))
        if not os.path.exists(kept):
            said = self.run_program("fit", "d.csv", *options, "-o", "m.lacuna", "--report", "p.html", "--json", "-q")
            os.mkdir(kept)
            for file in ("m.lacuna", "p.html"):
                shutil.copy(self.path(file), kept)
            with open(os.path.join(kept, "fit.json"), "w", encoding="utf-8") as f:
                f.write(said)
        for file in ("m.lacuna", "p.html"):
            shutil.copy(os.path.join(kept, file), self.folder)
        with open(os.path.join(kept, "fit.json"), encoding="utf-8") as f:
            return json.load(f), page_json(self.path("p.html"))

    def predictions(self, model):
        return list(csv.reader(io.StringIO(self.run_program("predict", model, "d.csv", "-q"))))

    def expect_same_predictions(self, model, other):
        """But for intervals, which a search is repeated for."""
        names, *rows = self.predictions(model)
        same_names, *same_rows = self.predictions(other)
        self.assertEqual(names, same_names)
        for row, same in zip(rows, same_rows, strict=True):
            for name, a, b in zip(names, row, same, strict=True):
                if name in ("lower", "upper"):
                    continue
                try:
                    x, y = float(a), float(b)
                except ValueError:
                    self.assertEqual(a, b)
                    continue
                self.assertAlmostEqual(x, y, delta=1e-6 * (1 + abs(x)))

    def expect_same_scores(self, fit, again):
        for name, value in fit["held_out"].items():
            if isinstance(value, float) and not math.isnan(value):
                self.assertAlmostEqual(again["held_out"][name], value, delta=1e-6 * (1 + abs(value)), msg=name)
        self.assertEqual(again["held_out"].get("confusion"), fit["held_out"].get("confusion"))
        self.assertEqual(again["decision"] is None, fit["decision"] is None)
        if fit["decision"] and "threshold" in fit["decision"]:
            self.assertAlmostEqual(again["decision"]["threshold"], fit["decision"]["threshold"], delta=1e-5)

    def test_the_command_makes_the_same_model_bit_for_bit(self):
        for name in CASES:
            with self.subTest(name=name):
                fit, page = self.made(name)
                said = self.predictions("m.lacuna")
                again = self.run_printed(self.printed(page)["Command"])
                self.assertEqual(without_times(again), without_times(fit))
                self.assertEqual(self.predictions("m.lacuna"), said)
                self.assertEqual(page_json(self.path("p.html"))["fit"]["held_out"], fit["held_out"])

    def test_the_command_without_a_search_makes_the_same_machine_with_the_same_figures(self):
        for name in CASES:
            with self.subTest(name=name):
                fit, page = self.made(name)
                second = self.printed(page).get("Command without a search")
                self.assertEqual(second is None, name in NO_SECOND)
                if second is None:
                    continue
                again = self.run_printed(second, "-o", "again.lacuna", "--json", "-q")
                self.assertEqual(again["search"]["method"], "none")
                self.expect_same_scores(fit, again)
                self.assertAlmostEqual(again["criterion"]["value"], fit["criterion"]["value"],
                                       delta=1e-6 * (1 + abs(fit["criterion"]["value"])))
                self.expect_same_predictions("m.lacuna", "again.lacuna")

    def test_the_page_of_a_model_alone_says_what_the_model_knows(self):
        for name in ("binary with costs", "prices in a column", "weights", "several classes", "classes with costs",
                     "regression", "counts", "exposure", "groups", "folds", "balanced", "a column of training", "kfd",
                     "gp", "huber"):
            with self.subTest(name=name):
                fit, _ = self.made(name)
                self.run_program("report", "m.lacuna", "-o", "alone.html", "-q")
                printed = self.printed(page_json(self.path("alone.html")))
                self.assertEqual(list(printed), ["Command without a search"])
                again = self.run_printed(printed["Command without a search"].replace("fit DATA", "fit d.csv"), "--json",
                                         "-q")
                self.expect_same_scores(fit, again)

    def test_seed_and_prices_are_on_the_page(self):
        _, page = self.made("prices in a column")
        facts = dict(f for s, b in blocks(page) if s == "reproduce" and b["kind"] == "facts" for f in b["items"])
        self.assertEqual(facts["seed"], "7")
        for text in self.printed(page).values():
            self.assertIn("--cost 1,col:amount", text)
            self.assertIn("--seed 7", text)
        self.assertEqual(subprocess.run(["sh", "-n", "-c", text], check=False).returncode, 0)


if __name__ == "__main__":
    unittest.main()
