"""Makes glm_data.csv (synthetic, seeded) and glm_reference.csv (coefficients of unpenalised generalised linear models),
the two files that glm_test.cpp reads. Needs numpy and statsmodels; run by hand, from anywhere:

    python glm_reference.py

The data are rounded to four decimals *before* fitting, so that both sides fit the same numbers.
"""

import csv
import pathlib

import numpy as np
import statsmodels.api as sm

HERE = pathlib.Path(__file__).parent
ROWS, COLUMNS = 120, 3


def data():
    random = np.random.default_rng(20240611)
    x = random.normal(size=(ROWS, COLUMNS)) * [1.0, 2.0, 0.5] + [0.3, -1.0, 2.0]
    x[:, 2] += 0.4 * x[:, 0]  # correlated columns of different scales and means
    x = x.round(4)
    exposure = random.uniform(0.5, 4.0, ROWS)
    offset = np.log(exposure).round(4)
    weight = random.uniform(0.2, 3.0, ROWS).round(2)
    line = -1.2 + x @ [0.8, -0.4, 0.3]
    label = (random.uniform(size=ROWS) < 1 / (1 + np.exp(-line))).astype(int)
    count = random.poisson(np.exp(0.2 + x @ [0.3, -0.2, 0.1] + offset))
    positive = (np.exp(0.5 + x @ [0.2, 0.1, -0.4]) * random.gamma(2.0, 0.5, ROWS)).round(4)
    return x, offset, weight, label, count, positive


def models(x, offset, weight, label, count, positive):
    """name, target column, weighted, with offset, coefficients: b first."""
    family = {
        "logistic": (label, sm.families.Binomial()),
        "probit": (label, sm.families.Binomial(link=sm.families.links.Probit())),
        "poisson": (count, sm.families.Poisson()),
        "negative-binomial": (count, sm.families.NegativeBinomial(link=sm.families.links.Log(), alpha=0.7)),
        "gamma": (positive, sm.families.Gamma(link=sm.families.links.Log())),
    }
    for name, (target, f) in family.items():
        for weighted in (0, 1):
            for shifted in (0, 1):
                model = sm.GLM(target, sm.add_constant(x), family=f, offset=offset if shifted else None,
                               var_weights=weight if weighted else None)
                # observed = expected information for the canonical links; for the others scoring converges
                # linearly, so it is given the iterations to reach rounding
                fit = model.fit(maxiter=500, tol=1e-14, tol_criterion="params")
                assert np.abs(model.score(fit.params, scale=1.0)).max() < 1e-8, (name, weighted, shifted)
                yield name, weighted, shifted, fit.params


def main():
    x, offset, weight, label, count, positive = table = data()
    with open(HERE / "glm_data.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["x1", "x2", "x3", "offset", "weight", "label", "count", "positive"])
        out.writerows([*map(float, row), o, w, t, c, p] for row, o, w, t, c, p in zip(*table))
    with open(HERE / "glm_reference.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["model", "weighted", "with_offset", "b", "w1", "w2", "w3"])
        for name, weighted, shifted, params in models(*table):
            out.writerow([name, weighted, shifted, *(f"{p:.12g}" for p in params)])


if __name__ == "__main__":
    main()
