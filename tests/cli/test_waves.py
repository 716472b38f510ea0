"""A fast wave on a trend: the search finds the hollow that only a far narrower kernel sees, as a full grid does."""

import math
import random
import unittest

from program import ProgramTest


class FastWaves(ProgramTest):
    def test_the_default_search_is_as_good_as_a_grid(self):
        for seed in (5, 6, 8):
            rng = random.Random(seed)
            lines = ["x,y"]
            for _ in range(60):
                x = rng.uniform(0, 10)
                lines.append(f"{x!r},{0.3 * x + math.sin(12 * x) + 0.2 * rng.gauss(0, 1)!r}")
            self.file("wave.csv", "\n".join(lines) + "\n")
            words = ["wave.csv", "-t", "y", "--interval", "0.9:constant"]
            found = self.fit_json(*words)
            best = self.fit_json(*words, "--search", "grid", "--max-evaluations", "400")["criterion"]["value"]
            with self.subTest(seed=seed):
                self.assertLess(found["criterion"]["value"], 1.01 * best)
                self.assertLessEqual(found["search"]["evaluations"], 60)


if __name__ == "__main__":
    unittest.main()
