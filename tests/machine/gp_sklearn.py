"""Makes gp_sklearn.csv, which gp_reference_test.cpp reads: log marginal likelihood of scikit-learn's
GaussianProcessClassifier (Laplace, logistic likelihood) on the 120 rows of glm_data.csv, and its derivatives. Needs numpy
and scikit-learn; run by hand, from anywhere:

    python gp_sklearn.py
"""

import csv
import pathlib

import numpy as np
import sklearn
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

HERE = pathlib.Path(__file__).parent


def main():
    with open(HERE / "glm_data.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    x = np.array([[float(row[name]) for name in ("x1", "x2", "x3")] for row in rows])
    label = np.array([int(row["label"]) for row in rows])
    with open(HERE / "gp_sklearn.csv", "w", newline="") as file:
        file.write(f"# scikit-learn {sklearn.__version__}: covariance variance * exp(-|x-x'|^2 / (2 length^2)); gp_sklearn.py made this\n")
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["variance", "length", "log_evidence", "d_log_variance", "d_log_length"])
        for variance in (0.25, 1.0, 10.0, 400.0):
            for length in (0.5, 1.5, 5.0):
                kernel = ConstantKernel(variance) * RBF(length)
                fit = GaussianProcessClassifier(kernel, optimizer=None, max_iter_predict=1000).fit(x, label)
                value, gradient = fit.log_marginal_likelihood(kernel.theta, eval_gradient=True, clone_kernel=False)
                out.writerow([variance, length, f"{value:.14g}", *(f"{g:.12g}" for g in gradient)])


if __name__ == "__main__":
    main()
