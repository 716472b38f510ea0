"""Counts of rows are sums of weights as the data say them, in fit and in evaluate; rows of one weight count one each."""

import json
import random
import unittest

from program import ProgramTest


class ToldCounts(ProgramTest):
    def table_in(self, unit, weights):
        """Three classes; what each of them weighs."""
        rng = random.Random(8)
        lines, of_class = ["x,y,kind,w"], dict.fromkeys("pqr", 0.0)
        for i in range(45):
            c, w = i % 3, unit * rng.choice(weights)
            of_class["pqr"[c]] += w
            lines.append(f"{rng.gauss(c, 1):.6f},{rng.gauss(0, 1):.6f},{'pqr'[c]},{w!r}")
        self.file("d.csv", "\n".join(lines) + "\n")
        return of_class

    words = ["d.csv", "--target", "kind", "--weights", "w", "--model", "klr", "--kernel", "rbf:theta=0.3"]

    def check(self, report, of_class):
        for c, of, row in zip("pqr", report["by_class"], report["confusion"], strict=True):
            self.assertAlmostEqual(of["rows"] / of_class[c], 1, delta=1e-9)
            self.assertAlmostEqual(sum(row) / of_class[c], 1, delta=1e-9)

    def evaluated(self):
        return json.loads(self.ok("evaluate", *self.words, "--lambda", "0.3", "--search", "none", "--splits", "folds:3",
                                  "--journal", "none", "--json", "--quiet"))["models"][0]

    def test_a_row_counts_its_weight(self):
        for unit in (1, 0.01, 0.3, 1e-6, 1e6):
            of_class = self.table_in(unit, [1, 1.38, 2.57, 3])
            self.check(self.fit_json(*self.words)["held_out"], of_class)
            self.check(self.evaluated(), of_class)

    def test_rows_of_one_weight_count_one_each(self):
        for unit in (1e-6, 0.5, 2):
            self.table_in(unit, [1])
            self.check(self.fit_json(*self.words)["held_out"], dict.fromkeys("pqr", 15))
            self.check(self.evaluated(), dict.fromkeys("pqr", 15))


if __name__ == "__main__":
    unittest.main()
