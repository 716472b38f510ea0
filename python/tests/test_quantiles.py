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
