"""With a linear kernel, squared leave-one-out residuals equal those of scikit-learn's RidgeCV, which has its own closed form.

Runs where scikit-learn is installed; skips with a message elsewhere.
"""
import csv
import io
import os
import subprocess
import tempfile
import unittest

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


if __name__ == "__main__":
    unittest.main()
