"""Counts: how they scatter, and the negative binomial."""

import numpy as np
import pytest

import lacuna


@pytest.fixture(scope="module")
def scattered():
    """Counts whose variance is m + 0.8 m²."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(200, 2))
    m = np.exp(0.8 + 0.6 * X[:, 0])
    return X, rng.poisson(m * rng.gamma(1 / 0.8, 0.8, size=200))


def test_poisson_is_contradicted_and_says_by_what(scattered):
    X, y = scattered
    with pytest.warns(lacuna.SelectionWarning, match="KernelNegativeBinomialRegressor learns the excess") as seen:
        model = lacuna.KernelPoissonRegressor(gamma=0.1).fit(X, y)
    assert "overdispersed" in [w.message.code for w in seen]
    counts = model.report_["counts"]
    assert counts["score_test"]["rejected"] and counts["score_test"]["p"] < 0.01
    m = model.loo_predictions_
    assert counts["dispersion"] == pytest.approx(np.mean((y - m) ** 2 / m), rel=1e-9)
    assert counts["zeros"] == pytest.approx({"observed": np.mean(y == 0), "expected": np.mean(np.exp(-m))}, rel=1e-9)
    assert [r["observed"] for r in counts["rootogram"]][:5] == [np.sum(y == k) for k in range(5)]


def test_the_overdispersion_is_learned_with_its_standard_error(scattered):
    X, y = scattered
    model = lacuna.KernelNegativeBinomialRegressor(gamma=0.1).fit(X, y)
    a, error = model.best_params_["overdispersion"], model.report_["counts"]["overdispersion_error"]
    assert abs(a - 0.8) < 2 * error
    given = lacuna.KernelNegativeBinomialRegressor(gamma=0.1, overdispersion=a).fit(X, y)
    np.testing.assert_allclose(given.predict(X), model.predict(X), rtol=1e-3)
    poisson = lacuna.KernelPoissonRegressor(gamma=0.1)
    with pytest.warns(lacuna.SelectionWarning):
        poisson.fit(X, y)
    assert model.report_["held_out"]["nll"] < poisson.report_["held_out"]["nll"]


def test_exposure_multiplies_expected_counts(scattered):
    X, y = scattered
    exposure = np.linspace(0.5, 2.0, len(y))
    model = lacuna.KernelNegativeBinomialRegressor(gamma=0.1, alpha=1.0).fit(X, y, exposure=exposure)
    np.testing.assert_allclose(model.predict(X, exposure=exposure), exposure * model.predict(X), rtol=1e-12)


@pytest.mark.parametrize("value", [0, -1.0, "much"])
def test_an_overdispersion_that_cannot_be(scattered, value):
    with pytest.raises(ValueError, match="overdispersion"):
        lacuna.KernelNegativeBinomialRegressor(overdispersion=value).fit(*scattered)
