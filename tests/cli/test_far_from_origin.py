"""Columns far from the origin, not standardised: linear kernels and kernels of differences do not notice, others say so."""

import math
import random
import unittest

from program import ProgramTest

FAR = 100_000_000


def table(rows, shift, seed=7):
    """Inputs are multiples of 1/1024, so that they are exact beside 1e8."""
    rng = random.Random(seed)
    lines = ["u,v,t"]
    for _ in range(rows):
        u, v = rng.randrange(-2048, 2048) / 1024, rng.randrange(-1024, 1024) / 1024
        lines.append(f"{u + shift!r},{v + shift!r},{2 * u - v + math.sin(3 * u) + rng.gauss(0, 0.1):.6f}")
    return "\n".join(lines) + "\n"


class FarFromOrigin(ProgramTest):
    def test_held_out_outputs_and_predictions_do_not_depend_on_the_origin(self):
        for name, shift in (("near", 0), ("far", FAR)):
            self.file(f"{name}.csv", table(60, shift))
            self.file(f"{name}_new.csv", table(20, shift, seed=8))
        for words in (("--kernel", "linear"), ("--kernel", "linear", "--basis", "20"), ("--kernel", "rbf"),
                      ("--kernel", "sum(linear,rbf)"), ("--kernel", "linear", "--cv", "5"), ("--kernel", "poly:degree=1,c=1")):
            with self.subTest(words=words):
                said = {}
                for name in ("near", "far"):
                    self.ok("fit", f"{name}.csv", "--target", "t", "--no-standardise", *words, "--loo", f"{name}.loo",
                            "-o", f"{name}.lacuna", "--quiet")
                    held_out = [float(row["output"]) for row in self.table(self.contents(f"{name}.loo", "r"))]
                    answers = self.ok("predict", f"{name}.lacuna", f"{name}_new.csv")
                    said[name] = held_out + [float(row["prediction"]) for row in self.table(answers)]
                for a, b in zip(said["near"], said["far"], strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-6)

    def test_a_polynomial_kernel_says_what_it_loses(self):
        self.file("far.csv", table(60, FAR))
        done = self.run_program("fit", "far.csv", "--target", "t", "--no-standardise", "--kernel", "poly2")
        self.assertIn("times as far from the origin as they differ", done.stderr.decode())
        self.assertIn("--no-standardise", done.stderr.decode())
        self.ok("fit", "far.csv", "--target", "t", "--kernel", "poly2")
        self.assertNotIn("origin", self.stderr)

    def test_a_kernel_whose_values_overflow_is_refused_by_name(self):
        self.file("off.csv", table(60, 100))
        for words in ((), ("--lambda", "1"), ("--basis", "20"), ("--basis", "20", "--lambda", "1")):
            with self.subTest(words=words):
                self.refused(3, ["kernel boolean:eta=10", "too large to compute with", "--no-standardise"], "fit", "off.csv",
                             "--target", "t", "--no-standardise", "--kernel", "boolean:eta=10", *words)


if __name__ == "__main__":
    unittest.main()
