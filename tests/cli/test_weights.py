"""Weight k equals k copies at fixed hyper-parameters under folds that keep the copies together; weight 0 equals a row
removed, always."""

import random
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
