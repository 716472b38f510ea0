"""to_onnx(): what ONNX Runtime answers is what predict() answers."""

import numpy as np
import onnx
import onnxruntime
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

import lacuna


def run(model, X):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    answers = session.run(None, {session.get_inputs()[0].name: X})
    return {output.name: answer for output, answer in zip(session.get_outputs(), answers)}


@pytest.fixture
def rows():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 3))
    return X, X[:, 0] + np.sin(2 * X[:, 1]) + 0.3 * rng.normal(size=80), rng.normal(size=(200, 3)) * 3


@pytest.mark.parametrize("labels", [np.array([0, 1]), np.array(["no", "yes"])])
def test_classifier(rows, labels):
    X, z, fresh = rows
    model = lacuna.KernelLogisticRegression().fit(X, labels[(z > 0).astype(int)])
    found = run(model.to_onnx(), fresh)
    np.testing.assert_allclose(found["probabilities"], model.predict_proba(fresh), rtol=0, atol=1e-12)
    assert (found["label"].ravel() == model.predict(fresh)).all()


def test_regressor_with_a_basis(rows, tmp_path):
    X, z, fresh = rows
    model = lacuna.LSSVMRegressor(kernel="matern52", n_basis=15).fit(X, z)
    written = model.to_onnx(tmp_path / "model.onnx")
    assert (tmp_path / "model.onnx").read_bytes() == written
    found = run(written, fresh)["prediction"].ravel()
    np.testing.assert_allclose(found, model.predict(fresh), rtol=1e-12, atol=1e-12)


def with_extremes(X):
    """Near twins of rows, rows between and around them, and rows with one value far out."""
    rng = np.random.default_rng(0)
    X = X[rng.integers(len(X), size=1000)].copy()
    X[:200] *= 1 + 1e-9 * rng.normal(size=(200, X.shape[1]))
    X[200:600] += X.std(axis=0) * rng.normal(size=(400, X.shape[1]))
    X[np.arange(600, 1000), rng.integers(X.shape[1], size=400)] *= 10.0 ** rng.uniform(0, 4, size=400)
    return X


# Ordinary data at the parameters that are selected for them; of the first three the terms are 1e5 times the outputs and
# more, so that sums in doubles would agree to 1e-7 or so.
@pytest.mark.parametrize(
    ("estimator", "data", "columns"),
    [
        (lacuna.KernelLogisticRegression(), load_breast_cancer, 6),
        (lacuna.LacunaClassifier("matern32"), load_iris, 4),
        (lacuna.LSSVMRegressor("ard"), load_diabetes, 10),
        (lacuna.LSSVMClassifier("poly", recalibrate=True), load_iris, 4),
        (lacuna.HuberKernelRegressor("linear"), load_diabetes, 10),
        (lacuna.EPGPClassifier(), load_iris, 4),
    ],
)
def test_selected_models_agree_on_the_scale_of_their_outputs(estimator, data, columns):
    X, y = data(return_X_y=True)
    X, y = X[::3, :columns], y[::3]
    model = clone(estimator).fit(X, y)
    fresh = with_extremes(X)
    found, said = run(model.to_onnx(), fresh), model.model_.predict(fresh)
    for ours, theirs in {"output": "output", "probability": "probabilities", "value": "prediction"}.items():
        if theirs in found:
            np.testing.assert_allclose(found[theirs], said[ours], rtol=1e-12, atol=1e-12)
    if "label" in found:
        assert (found["label"].ravel() == model.predict(fresh)).all()


def fast_wave(rng):
    """Over a long series: the kernel is as narrow as its gaps."""
    x = np.sort(rng.uniform(0, 1000, 250))
    fresh = np.concatenate([x * (1 + 1e-9), rng.uniform(-500, 1500, 750)])
    return x[:, None], np.sin(0.5 * x) + 0.1 * rng.normal(size=250), fresh[:, None]


def columns_nearly_the_same(rng):
    """It is their difference that counts, so that their weights cancel."""
    x, difference, z, fresh_difference = (rng.normal(size=n) for n in (120, 120, 1000, 1000))
    X, fresh = (np.column_stack([a, a + 1e-4 * b]) for a, b in ((x, difference), (z, fresh_difference)))
    return X, difference + 0.3 * rng.normal(size=120), fresh


@pytest.mark.parametrize(
    ("estimator", "data"),
    [
        (lacuna.LSSVMRegressor(), fast_wave),
        (lacuna.LacunaClassifier("matern12"), fast_wave),
        (lacuna.LaplaceGPClassifier("matern52"), fast_wave),
        (lacuna.LSSVMRegressor("linear"), columns_nearly_the_same),
        (lacuna.KernelLogisticRegression("linear"), columns_nearly_the_same),
    ],
)
def test_narrow_kernels_and_weights_that_cancel_agree(estimator, data):
    X, y, fresh = data(np.random.default_rng(1))
    model = clone(estimator).fit(X, y if isinstance(estimator, lacuna.LSSVMRegressor) else y > 0)
    found, said = run(model.to_onnx(), fresh), model.model_.predict(fresh)
    assert model.best_params_.get("gamma", np.inf) > 100
    for ours, theirs in {"output": "output", "probability": "probabilities", "value": "prediction"}.items():
        if theirs in found:
            np.testing.assert_allclose(found[theirs], said[ours], rtol=1e-12, atol=1e-12)


def test_intervals_of_a_wide_machine_of_the_noise_agree():
    """Its coefficients are of the size of 1e9 and cancel."""
    t = np.arange(400.0)
    model = lacuna.LSSVMRegressor("matern32").fit(t[:, None], 100 * np.sin(2 * np.pi * t / 7.3) + 1e3)
    found, (_, lower, upper) = run(model.to_onnx(), t[:, None]), model.predict(t[:, None], interval=0.9)
    assert np.ptp(upper - lower) > 0.1 * np.mean(upper - lower)  # they follow the noise
    np.testing.assert_allclose(found["lower"].ravel(), lower, rtol=1e-12, atol=1e-12 * 1e3)
    np.testing.assert_allclose(found["upper"].ravel(), upper, rtol=1e-12, atol=1e-12 * 1e3)


def names_in(graph):
    """Names that nodes or outputs ask for, and names of constants, bodies of loops included."""
    used, constants = {output.name for output in graph.output}, {c.name for c in graph.initializer}
    for node in graph.node:
        used.update(node.input)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                more_used, more_constants = names_in(attribute.g)
                used, constants = used | more_used, constants | more_constants
    return used, constants


@pytest.mark.parametrize("estimator", [lacuna.KernelLogisticRegression(), lacuna.EPGPClassifier("matern12")])
def test_every_constant_is_used(rows, estimator):
    X, z, _ = rows
    used, constants = names_in(onnx.load_from_string(estimator.fit(X, np.digitize(z, [-0.5, 0.5])).to_onnx()).graph)
    assert constants and constants <= used


def test_kernels_without_operators_are_refused(rows):
    X, z, _ = rows
    with pytest.raises(ValueError):
        lacuna.LSSVMRegressor(kernel=lambda A, B: A @ B.T).fit(X, z).to_onnx()
    with pytest.raises(ValueError):
        lacuna.LSSVMRegressor(kernel="precomputed").fit(X @ X.T, z).to_onnx()
