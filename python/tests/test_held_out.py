"""What leave-one-out leaves behind."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

import lacuna


def test_leverage_and_held_out_outputs_of_a_linear_machine(values):
    X, y = values
    model = lacuna.LSSVMRegressor("linear", alpha=2.0, standardise=False).fit(X, y)
    centred = X - X.mean(axis=0)
    hat = centred @ np.linalg.solve(centred.T @ centred + 2.0 * np.eye(4), centred.T) + 1 / len(y)
    np.testing.assert_allclose(model.leverage_, np.diag(hat), rtol=1e-8)
    residual = (y - hat @ y) / (1 - np.diag(hat))
    np.testing.assert_allclose(y - model.loo_predictions_, residual, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("cls", [lacuna.LSSVMClassifier, lacuna.KernelLogisticRegression, lacuna.EPGPClassifier])
def test_verify_loo_finds_them_near_refits(cls, two_classes):
    X, y = two_classes
    model = cls().fit(X, y)
    found = lacuna.verify_loo(model, X, y, k=8)
    assert found.rows == 8
    assert 0 <= found.row < len(y)
    # Exact for the squared loss; followed to 1e-4 for the logistic one; approximate for Gaussian processes.
    assert (
        found.largest < {"LSSVMClassifier": 1e-8, "KernelLogisticRegression": 1e-2, "EPGPClassifier": 0.5}[cls.__name__]
    )
    assert not hasattr(model, "_verify")


@pytest.mark.parametrize(
    "model",
    [
        lacuna.LSSVMRegressor(),
        lacuna.HuberKernelRegressor(),
        lacuna.KernelGammaRegressor(),
        lacuna.KernelPoissonRegressor(),
        lacuna.LacunaRegressor(),
    ],
)
def test_verify_loo_of_values_and_rates(model):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(50, 2))
    rate = np.exp(0.5 * X[:, 0] + 1)
    y = rng.poisson(rate) if isinstance(model, lacuna.KernelPoissonRegressor) else rate * rng.gamma(5, 0.2, size=50)
    found = lacuna.verify_loo(model.fit(X, y), X, y, k=6)
    assert found.rows == 6
    assert found.largest < (1e-8 if type(model) in (lacuna.LSSVMRegressor, lacuna.LacunaRegressor) else 1e-2)


def test_verify_loo_is_of_the_same_probabilities(two_classes):
    X, y = two_classes
    model = lacuna.LacunaClassifier().fit(X, y)
    assert model.report_["decision"]["recalibrated"]
    found = lacuna.verify_loo(model, X, y, k=len(y))
    assert abs(found.mean_loss - model.report_["held_out"]["xent"]) < 1e-9


def test_a_linear_kernel_has_its_intercept_at_zero():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)) * [1, 10, 0.1] + [5, 1e4, -3], rng.normal(size=40)
    model = lacuna.LSSVMRegressor("linear", alpha=0.3, standardise=False).fit(X, y)
    # X' a loses digits far from 0: its terms of 1e4 add up to weights of 0.02.
    np.testing.assert_allclose(X @ (X.T @ model.dual_coef_) + model.intercept_, model.predict(X), rtol=0, atol=1e-5)
    np.testing.assert_allclose(model.intercept_, Ridge(0.3).fit(X, y).intercept_, rtol=1e-9)


def test_suspect_labels_finds_a_label_that_was_changed():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(100, 2))
    y = np.where(X[:, 0] > 0, "right", "left")
    wrong = int(np.argmax(X[:, 0]))
    y[wrong] = "left"
    for cls in (lacuna.KernelLogisticRegression, lacuna.LSSVMClassifier):
        found = lacuna.suspect_labels(cls(gamma=0.5, alpha=0.1).fit(X, y))
        assert found["row"][0] == wrong
        assert (found["label"][0], found["predicted"][0]) == ("left", "right")
        assert (np.diff(found["loss"]) <= 0).all()
    with pytest.raises(ValueError, match="classifiers"):
        lacuna.suspect_labels(lacuna.LSSVMRegressor().fit(X, X[:, 0]))


def test_intervals_hold_nine_tenths_of_new_values():
    rng = np.random.default_rng(6)
    X = rng.uniform(-3, 3, size=(600, 1))
    y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=600)
    model = lacuna.LSSVMRegressor().fit(X[:150], y[:150])
    value, lower, upper = model.predict(X[150:], interval=0.9)
    covered = ((lower <= y[150:]) & (y[150:] <= upper)).mean()
    assert 0.85 < covered < 0.97
    np.testing.assert_array_equal(value, model.predict(X[150:]))


def test_intervals_of_any_level_are_ranks_of_held_out_residuals():
    rng = np.random.default_rng(7)
    X = rng.uniform(-3, 3, size=(60, 1))
    y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=60)
    model = lacuna.LSSVMRegressor(gamma=0.5, alpha=0.1).fit(X, y)  # nothing is selected again
    residual = np.sort(np.abs(y - model.loo_predictions_))
    for level in (0.05, 0.5, 0.9, 0.98):
        value, lower, upper = model.predict(X, interval=level)
        width = residual[int(np.ceil(round(level * 61, 9))) - 1]
        np.testing.assert_allclose(upper - value, width, rtol=1e-12)
        np.testing.assert_allclose(value - lower, width, rtol=1e-12)
    with pytest.raises(lacuna.UsageError, match="above 0.98"):  # 60 / 61
        model.predict(X, interval=0.99)
    for level in (0, 1, 95, -0.5):
        with pytest.raises(ValueError, match="between 0 and 1"):
            model.predict(X, interval=level)
    with pytest.raises(ValueError, match="number between 0 and 1"):
        model.predict(X, interval="90 %")


def test_intervals_cover_what_they_say_at_other_levels():
    rng = np.random.default_rng(9)
    X = rng.uniform(-3, 3, size=(2200, 1))
    y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=2200)
    model = lacuna.LSSVMRegressor().fit(X[:200], y[:200])
    for level in (0.5, 0.8, 0.95):
        _, lower, upper = model.predict(X[200:], interval=level)
        covered = ((lower <= y[200:]) & (y[200:] <= upper)).mean()
        # Two standard errors of the quantile of 200 residuals, and of the share of 2,000 rows.
        assert abs(covered - level) < 2 * (level * (1 - level)) ** 0.5 * (1 / 200 + 1 / 2000) ** 0.5 + 0.01


def test_best_params_have_all_that_was_selected(two_classes, values):
    X, y = values
    robust = lacuna.HuberKernelRegressor().fit(X, y)
    assert robust.best_params_["delta"] == robust.report_["loss"]["delta"] > 0
    X, y = two_classes
    for cls in (lacuna.LaplaceGPClassifier, lacuna.EPGPClassifier):
        process = cls(mean=None).fit(X, y)
        assert process.best_params_["mean"] == process.intercept_ != 0
        again = cls(**process.best_params_).fit(X, y)
        np.testing.assert_array_equal(again.decision_function(X), process.decision_function(X))


def test_report_is_that_of_the_program(two_classes):
    X, y = two_classes
    model = lacuna.LacunaClassifier().fit(X, y)
    report = model.report_
    assert report["model"] == "klr" and report["rows"] == len(y) and report["criterion"]["name"] == "xent"
    assert report["decision"]["recalibrated"]
    np.testing.assert_allclose(report["held_out"]["error"], (model.loo_predictions_ != y).mean(), rtol=1e-12)
    own = model.loo_proba_[np.arange(len(y)), (y == "yes").astype(int)]
    np.testing.assert_allclose(report["held_out"]["xent"], -np.log(own).mean(), rtol=1e-9)


def test_probabilities_and_decisions_agree(two_classes):
    X, y = two_classes
    for cls in (
        lacuna.LaplaceGPClassifier,
        lacuna.EPGPClassifier,
        lacuna.LacunaClassifier,
        lacuna.KernelProbitRegression,
    ):
        model = cls().fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X)[:, 1] > 0.5, model.decision_function(X) > 0)
        np.testing.assert_array_equal(model.loo_proba_[:, 1] > 0.5, model.loo_decision_ > 0)
    laplace = lacuna.LaplaceGPClassifier().fit(X, y)
    z = laplace.decision_function(X)
    np.testing.assert_allclose(1 / (1 + np.exp(-z)), laplace.predict_proba(X)[:, 1], rtol=1e-9)


def test_least_squares_has_probabilities_when_recalibrated(two_classes):
    X, y = two_classes
    assert not hasattr(lacuna.LSSVMClassifier().fit(X, y), "predict_proba")
    model = lacuna.LSSVMClassifier(recalibrate=True).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1] >= 0.5, model.predict(X) == "yes")


def test_a_threshold_moves_the_decision(two_classes):
    X, y = two_classes
    careful = lacuna.KernelLogisticRegression(threshold="cost:10,1").fit(X, y)
    plain = lacuna.KernelLogisticRegression().fit(X, y)
    assert (careful.predict(X) == "yes").sum() < (plain.predict(X) == "yes").sum()
    np.testing.assert_array_equal(careful.decision_function(X) >= 0, careful.predict(X) == "yes")


def test_the_search_path_ends_where_the_parameters_are(values):
    X, y = values
    model = lacuna.LSSVMRegressor().fit(X, y)
    assert len(model.search_path_) == model.report_["search"]["evaluations"]
    best = min(model.search_path_, key=lambda point: point["value"])
    np.testing.assert_allclose(best["alpha"], model.best_params_["alpha"], rtol=1e-3)
    np.testing.assert_allclose(best["gamma"], model.best_params_["gamma"], rtol=1e-3)
    np.testing.assert_allclose(best["value"], -model.best_score_, rtol=1e-5)
    assert lacuna.LSSVMRegressor(alpha=1.0, gamma=0.1).fit(X, y).search_path_ == []


def test_verify_loo_refuses_what_the_estimator_was_not_fitted_on(two_classes):
    X, y = two_classes
    model = lacuna.LSSVMClassifier().fit(X, y)
    for other in ((X[::-1], y), (X[:30], y[:30])):
        with pytest.raises(ValueError, match="fitted on other rows"):
            lacuna.verify_loo(model, *other)
    with pytest.raises(ValueError, match="k = 0"):
        lacuna.verify_loo(model, X, y, k=0)
