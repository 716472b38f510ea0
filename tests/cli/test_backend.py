"""--backend: what does the arithmetic does not change the numbers, and unknown names are refused."""

import unittest

from program import FIXED, ProgramTest, two_classes, values


class Backend(ProgramTest):
    def numbers(self, text):
        words = ("prediction", "target")
        return [[float(v) for k, v in row.items() if k not in words and v] for row in self.table(text)]

    def close(self, a, b, tolerance=1e-7):
        self.assertEqual(len(a), len(b))
        for x, y in zip(a, b):
            for u, v in zip(x, y):
                self.assertLessEqual(abs(u - v), tolerance * (1.0 + abs(v)))

    def test_reference_and_cpu_fit_and_predict_the_same(self):
        for contents, target, words in (
            (two_classes(), "label", ["--model", "klr"]),
            (two_classes(), "label", ["--model", "gp-laplace"]),
            (values(40), "t", ["--basis", "8"]),
        ):
            self.file("train.csv", contents)
            said = {}
            for name in ("auto", "cpu", "reference"):
                self.ok("fit", "train.csv", "--target", target, *FIXED, *words, "--backend", name, "-o", "m.lacuna")
                held_out = self.numbers(self.ok("loo", "m.lacuna"))
                fresh = self.numbers(self.ok("predict", "m.lacuna", "train.csv", "--backend", name))
                said[name] = (held_out, fresh)
            self.assertEqual(said["auto"], said["cpu"])
            for one, other in zip(said["cpu"], said["reference"]):
                self.close(one, other)

    def test_evaluate_takes_it(self):
        self.file("train.csv", two_classes())
        words = ["evaluate", "train.csv", "--target", "label", *FIXED, "--splits", "folds:3", "--json"]
        one, other = (self.ok(*words, "--backend", name) for name in ("cpu", "reference"))
        self.assertIn('"error"', one)
        self.assertIn('"error"', other)

    def test_an_unknown_name_is_refused_with_the_nearest(self):
        self.file("train.csv", two_classes())
        self.ok("fit", "train.csv", "--target", "label", *FIXED, "-o", "m.lacuna")
        for words in (["fit", "train.csv", "--target", "label"], ["predict", "m.lacuna", "train.csv"]):
            self.refused(2, ["refrence", "did you mean 'reference'?"], *words, "--backend", "refrence")


if __name__ == "__main__":
    unittest.main()
