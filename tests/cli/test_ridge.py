"""With a linear kernel, squared leave-one-out residuals equal those of scikit-learn's RidgeCV, which has its own closed form.

Runs where scikit-learn is installed; skips with a message elsewhere.
"""
import csv
import io
import os
import random
import subprocess
import tempfile
import unittest
from fractions import Fraction

try:
    import numpy as np
    from sklearn.linear_model import RidgeCV
except ImportError:
    np = None

PROGRAM = os.environ.get("LACUNA_PROGRAM", "lacuna")


@unittest.skipIf(np is None, "scikit-learn is not installed")
class Ridge(unittest.TestCase):
    def test_squared_leave_one_out_residuals_equal_ridge_cv(self):
        rng = np.random.default_rng(1)
        X = rng.normal(size=(60, 4)) + [0.0, 3.0, -2.0, 10.0]
        t = X @ [1.0, -0.5, 0.0, 2.0] + rng.normal(size=60)
        for alpha in (1e-3, 0.1, 1.0, 30.0):
            with self.subTest(alpha=alpha), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "ridge.csv")
                with open(path, "w", newline="") as f:
                    writer = csv.writer(f)
                    writer.writerow(["a", "b", "c", "d", "t"])
                    writer.writerows([[repr(float(v)) for v in row] for row in np.column_stack([X, t])])
                out = subprocess.run(
                    [PROGRAM, "loo", path, "--target", "t", "--kernel", "linear", "--lambda", repr(alpha), "--no-standardise"],
                    check=True, capture_output=True, text=True)
                ours = np.array([float(row["residual"]) ** 2 for row in csv.DictReader(io.StringIO(out.stdout))])
                ridge = RidgeCV(alphas=[alpha], store_cv_results=True).fit(X, t)
                theirs = ridge.cv_results_.reshape(-1)
                np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-9 * theirs.max())


class SmallLambda(unittest.TestCase):
    """What a model says is the ridge solution in exact fractions, however small lambda is."""

    def test_predictions_of_a_written_model_keep_their_digits(self):
        rng = random.Random(5)
        rows = [(round(rng.gauss(0, 1), 3), round(rng.gauss(3, 2), 3), round(rng.gauss(0, 1), 3)) for _ in range(80)]
        exact = [[Fraction(str(v)) for v in row] for row in rows]
        means = [sum(column) / len(rows) for column in zip(*exact)]
        centred = [[v - m for v, m in zip(row, means)] for row in exact]
        aa, ab, bb, at, bt = (sum(row[i] * row[j] for row in centred)
                              for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2)))
        for lam in ("1e-8", "1e-10", "1e-12", "1e-14"):
            p, q = aa + Fraction(lam), bb + Fraction(lam)
            det = p * q - ab * ab
            w = (q * at - ab * bt) / det, (p * bt - ab * at) / det
            wanted = [float(means[2] + w[0] * row[0] + w[1] * row[1]) for row in centred]
            with self.subTest(lam=lam), tempfile.TemporaryDirectory() as folder:
                path, model = os.path.join(folder, "r.csv"), os.path.join(folder, "r.lacuna")
                with open(path, "w", newline="") as f:
                    csv.writer(f).writerows([["a", "b", "t"], *rows])
                subprocess.run([PROGRAM, "fit", path, "--target", "t", "--kernel", "linear", "--lambda", lam,
                                "--no-standardise", "-o", model], check=True, capture_output=True)
                out = subprocess.run([PROGRAM, "predict", model, path], check=True, capture_output=True, text=True)
                said = [float(row["prediction"]) for row in csv.DictReader(io.StringIO(out.stdout))]
                self.assertLess(max(abs(a - b) for a, b in zip(said, wanted)), 1e-12)


if __name__ == "__main__":
    unittest.main()
