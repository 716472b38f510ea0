"""to_onnx(): what ONNX Runtime answers is what predict() answers."""

import numpy as np
import onnx
import onnxruntime
import pytest

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
    # Coefficients on a basis may be large: both sides round each term of the sum.
    scale = max(1, np.abs(model.dual_coef_).sum())
    np.testing.assert_allclose(run(written, fresh)["prediction"].ravel(), model.predict(fresh), rtol=0, atol=1e-12 * scale)


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
