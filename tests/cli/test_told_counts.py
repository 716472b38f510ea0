"""Counts of rows by weight: sums without a unit for programs, per cent of all rows for people, in fit, loo and
evaluate; rows of one weight count one each."""

import json
import random
import re
import unittest

from program import ProgramTest


class ToldCounts(ProgramTest):
    def table_in(self, unit, weights):
        """Three classes on two sites; what each class weighs, in hundredths."""
        rng = random.Random(8)
        lines, of_class = ["x,y,kind,w,site"], dict.fromkeys("pqr", 0)
        for i in range(45):
            c, w = i % 3, rng.choice(weights)
            of_class["pqr"[c]] += round(100 * w)
            lines.append(f"{rng.gauss(c, 1):.6f},{rng.gauss(0, 1):.6f},{'pqr'[c]},{unit * w!r},{'st'[i % 2]}")
        self.file("d.csv", "\n".join(lines) + "\n")
        return of_class

    words = ["d.csv", "--target", "kind", "--weights", "w", "--ignore", "site", "--model", "klr", "--kernel",
             "rbf:theta=0.3"]
    fixed = ["--search", "none", "--splits", "folds:3", "--journal", "none"]

    def check(self, report, of_class):
        for c, of, row in zip("pqr", report["by_class"], report["confusion"], strict=True):
            self.assertAlmostEqual(of["rows"] / of_class[c], 1, delta=1e-9)
            self.assertAlmostEqual(sum(row) / of_class[c], 1, delta=1e-9)

    def evaluated(self, unit):
        return json.loads(self.ok("evaluate", *self.words, "--lambda", repr(0.3 * unit), *self.fixed, "--json",
                                  "--quiet"))["models"][0]

    def test_counts_for_programs_have_no_unit(self):
        for unit in (1, 0.01, 0.3, 1e-6, 1e6):
            of_class = self.table_in(unit, [1, 1.38, 2.57, 3])
            self.check(self.fit_json(*self.words)["held_out"], of_class)
            self.check(self.evaluated(unit), of_class)

    def test_rows_of_one_weight_count_one_each(self):
        for unit in (1e-6, 0.5, 2):
            self.table_in(unit, [1])
            self.check(self.fit_json(*self.words)["held_out"], dict.fromkeys("pqr", 15))
            self.check(self.evaluated(unit), dict.fromkeys("pqr", 15))
            text = self.ok("fit", *self.words)
            text += self.ok("evaluate", *self.words, "--lambda", repr(0.3 * unit), *self.fixed)
            self.assertNotIn("by weight", text)
            self.assertRegex(text, r"\(held-out rows\):\n +p +q +r +recall\n    p +\d+ +\d+ +\d+ ")
            self.assertRegex(text, r"\(rows of all splits\):\n +p +q +r +recall\n    p +\d+ +\d+ +\d+ ")

    def shares_of(self, text, heading):
        """The table below this heading, as shares of all."""
        self.assertIn(heading, text)
        lines = text.split(heading, 1)[1].splitlines()[2:5]
        return [[float(cell) / 100 for cell in re.findall(r"([-.\de]+) %", line)[:3]] for line in lines]

    def check_shares(self, shares, confusion):
        all_rows = sum(map(sum, confusion))
        for said, true in zip(sum(shares, []), sum(confusion, []), strict=True):
            self.assertAlmostEqual(said, true / all_rows, delta=5e-3 * said + 1e-12)  # three digits

    def test_people_read_per_cent_of_all_rows(self):
        heading = "predicted ({}; per cent of all rows, by weight):"
        texts = set()
        for unit in (1, 1e-6, 1e6):
            self.table_in(unit, [1, 1.38, 2.57, 3])
            confusion = self.fit_json(*self.words, "-o", "m")["held_out"]["confusion"]
            text = self.ok("fit", *self.words)
            self.check_shares(self.shares_of(text, heading.format("held-out rows")), confusion)
            words = [*self.words, "--lambda", repr(0.3 * unit), *self.fixed, "--by", "site"]
            text = self.ok("evaluate", *words)
            self.check_shares(self.shares_of(text, heading.format("rows of all splits")),
                              self.evaluated(unit)["confusion"])
            stated = text.split("how often it was right (rows of all splits; per cent of all rows, by weight):")[1]
            bins = [float(x) for x in re.findall(r"\.\.\. \d\.\d +([-.\de]+) %  stated", stated)]
            self.assertAlmostEqual(sum(bins), 100, delta=0.5)
            levels = text.split("by site (rows of all splits; per cent of all rows, by weight):")[1]
            self.assertAlmostEqual(sum(float(x) for x in re.findall(r"^    [st] +([.\d]+) %", levels, re.M)), 100,
                                   delta=0.5)
            self.assertNotRegex(text, r"\d rows  stated")
            texts.add(re.sub(r"lambda .*", "", text))
        self.assertEqual(len(texts), 1, texts)


if __name__ == "__main__":
    unittest.main()
