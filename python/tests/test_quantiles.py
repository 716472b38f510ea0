"""Quantiles and standard deviations of LSSVMRegressor and HuberKernelRegressor."""

import numpy as np
import pytest

import lacuna


def noisy(rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(rows, 1))
    return X, np.sin(X[:, 0]) + (0.1 + 0.1 * (X[:, 0] + 3)) * rng.normal(size=rows)


def test_quantiles_are_the_ends_of_intervals():
    X, y = noisy(150, 1)
    model = lacuna.LSSVMRegressor().fit(X, y)
    value, lower, upper = model.predict(X, interval=0.9)
    found = model.predict(X, quantiles=[0.05, 0.5, 0.95])
    assert found.shape == (150, 3)
    np.testing.assert_array_equal(found, np.stack([lower, value, upper], axis=1))
    both = lacuna.LSSVMRegressor(gamma=0.5, alpha=0.1).fit(X, np.stack([y, -2 * y], axis=1))
    assert both.predict(X[:7], quantiles=(0.1, 0.9)).shape == (7, 2, 2)


def test_standard_deviations_are_those_of_new_values():
    X, y = noisy(200, 2)
    fresh, truth = noisy(3000, 3)
    for estimator in (lacuna.LSSVMRegressor(), lacuna.HuberKernelRegressor()):
        value, std = estimator.fit(X, y).predict(fresh, return_std=True)
        assert std.shape == value.shape
        # 200 rows give a variance to a tenth.
        assert 0.75 < np.mean(((truth - value) / std) ** 2) < 1.35
        assert std[fresh[:, 0] > 2].mean() > 1.5 * std[fresh[:, 0] < -2].mean()


def test_intervals_of_the_machines_without_each_row(program, tmp_path):
    X, y = noisy(40, 5)
    model = lacuna.LSSVMRegressor(gamma=0.5, alpha=0.1, interval_method="jackknife+").fit(X, y)
    value, lower, upper = model.predict(X, interval=0.9)
    plain = lacuna.LSSVMRegressor(gamma=0.5, alpha=0.1).fit(X, y).predict(X, interval=0.9)
    np.testing.assert_array_equal(value, plain[0])
    assert (lower < value).all() and (value < upper).all() and (lower != plain[1]).any()
    assert model.report_["intervals"]["method"] == "jackknife+"
    np.savetxt(tmp_path / "d.csv", np.column_stack([X, y]), delimiter=",", header="x,y", comments="", fmt="%.17g")
    words = ("--kernel", "rbf:theta=0.5", "--lambda", "0.1", "--interval", "0.9:jackknife+", "--quiet")
    program("fit", tmp_path / "d.csv", "-t", "y", *words, "-o", tmp_path / "m.lacuna")
    said = program("predict", tmp_path / "m.lacuna", tmp_path / "d.csv", "--quiet").splitlines()[1:]
    ends = np.array([[float(cell) for cell in line.split(",")[2:4]] for line in said])
    np.testing.assert_allclose(np.column_stack([lower, upper]), ends, rtol=1e-9)
    assert lacuna.load(tmp_path / "m.lacuna").get_params()["interval_method"] == "jackknife+"
    constant = lacuna.LSSVMRegressor(gamma=0.5, alpha=0.1, interval_method="constant").fit(X, y)
    widths = np.subtract(*constant.predict(X, interval=0.9)[1:])
    np.testing.assert_allclose(widths, widths[0])
    with pytest.raises(ValueError, match="interval_method"):
        lacuna.LSSVMRegressor(interval_method="jackknife").fit(X, y)


def test_the_variance_of_the_function_is_that_of_a_gaussian_process():
    """Against the formula, with the bias integrated out (docs/math/gaussian-process-regression.md)."""
    X, y = noisy(30, 6)
    fresh = np.array([[0.0], [2.5], [40.0]])
    alpha, gamma = 0.3, 0.7
    model = lacuna.LSSVMRegressor(gamma=gamma, alpha=alpha, standardise=False).fit(X, y)
    value, variance = model.predict(fresh, return_variance=True)
    np.testing.assert_array_equal(value, model.predict(fresh))

    def kernel(a, b):
        return np.exp(-gamma * (a - b.T) ** 2)

    M = np.linalg.inv(kernel(X, X) + alpha * np.eye(30))
    xi, k = M.sum(axis=1), kernel(fresh, X)
    scale = y @ (M @ y - xi * (xi @ y) / xi.sum()) / 29
    expected = scale * (1 - np.einsum("ij,jk,ik->i", k, M, k) + (1 - k @ xi) ** 2 / xi.sum())
    np.testing.assert_allclose(variance, expected, rtol=1e-9)
    assert variance[2] > 5 * variance[0]
    with pytest.raises(ValueError, match="ask one at a time"):
        model.predict(fresh, return_std=True, return_variance=True)
    with pytest.raises(ValueError, match="variances"):
        lacuna.LSSVMRegressor(gamma=gamma, alpha=alpha, n_basis=10).fit(X, y).predict(fresh, return_variance=True)


def test_what_cannot_be_answered_is_refused():
    X, y = noisy(60, 4)
    model = lacuna.LSSVMRegressor(gamma=0.5, alpha=0.1).fit(X, y)
    with pytest.raises(ValueError, match="one at a time"):
        model.predict(X, interval=0.9, return_std=True)
    with pytest.raises(ValueError, match="list of numbers"):
        model.predict(X, quantiles=0.5)
    for p in (0.0, 1.5):
        with pytest.raises(ValueError, match="between 0 and 1"):
            model.predict(X, quantiles=[0.5, p])
    few = lacuna.LSSVMRegressor(gamma=0.5, alpha=0.1).fit(X[:8], y[:8])
    with pytest.raises(ValueError, match="ten held-out rows"):
        few.predict(X, return_std=True)
