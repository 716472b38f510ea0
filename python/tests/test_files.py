"""Model files: what Python writes the command line reads, and the other way round."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold

import lacuna


def test_saved_models_come_back_as_they_were(two_classes, values, tmp_path):
    path = tmp_path / "m.lacuna"
    for name in lacuna.__all__:
        cls = getattr(lacuna, name)
        if not hasattr(cls, "fit"):
            continue
        classes = hasattr(cls, "predict_proba")
        X, y = two_classes if classes else (values[0], 1 + np.abs(values[1]).round())
        model = cls(gamma=0.2, alpha=0.5).fit(X, y)
        model.save(path)
        back = lacuna.load(path)
        assert type(back) is cls
        np.testing.assert_array_equal(back.predict(X), model.predict(X))
        np.testing.assert_array_equal(back.loo_predictions_, model.loo_predictions_)
        if classes:
            np.testing.assert_array_equal(back.decision_function(X), model.decision_function(X))
        else:
            assert back.predict(X).shape == y.shape


LABELS = [
    np.array([0, 1]),
    np.array([False, True]),
    np.array(["1", "2"]),
    np.array(["10", "9"]),
    np.array([1.0, 2.0]),
    np.array(["1", "b"], dtype=object),
    np.array([1, 2, 3], dtype=np.uint8),
    np.array([2**62, 2**62 + 1]),
]


@pytest.mark.parametrize("labels", LABELS, ids=lambda labels: f"{labels.dtype} {labels[0]}")
def test_labels_keep_their_type(labels, values, tmp_path):
    X, y = values
    given = labels[np.digitize(y, np.quantile(y, np.arange(1, len(labels)) / len(labels)))]
    model = lacuna.LSSVMClassifier(gamma=0.2, alpha=0.5).fit(X, given)
    model.save(tmp_path / "m.lacuna")
    back = lacuna.load(tmp_path / "m.lacuna")
    assert back.classes_.dtype == model.classes_.dtype
    assert [type(label) for label in back.classes_] == [type(label) for label in model.classes_]
    np.testing.assert_array_equal(back.predict(X), model.predict(X))
    assert back.score(X, given) == model.score(X, given)


# Parameters that change what is fitted, none at its default.
FITTED_WITH = [
    lacuna.LSSVMClassifier("matern52", criterion="hinge", cv=5, class_weight={"no": 3.0, "yes": 1}, recalibrate=True),
    lacuna.LSSVMClassifier(n_basis="random:30", random_state=7, threshold="ber"),
    lacuna.KernelLogisticRegression("ard", gamma=np.array([0.1, 0.2, 0.05]), class_weight="balanced"),
    lacuna.KernelProbitRegression("poly", degree=2, standardise=False, alpha=np.float64(0.3)),
    lacuna.KernelFisherDiscriminant(cv="10x2", n_jobs=1),
    lacuna.LaplaceGPClassifier(likelihood="probit", mean=None),
    lacuna.EPGPClassifier(mean=0.2, criterion="xent", gamma=0.2, alpha=0.4),
    lacuna.LacunaClassifier(refit_flagged=False, max_evaluations=np.int64(20)),
    lacuna.HuberKernelRegressor(delta=0.4, gamma=0.1),
    lacuna.HuberKernelRegressor(gamma=0.1, alpha=0.1),
    lacuna.KernelNegativeBinomialRegressor(overdispersion=0.4, gamma=0.1),
    lacuna.KernelNegativeBinomialRegressor(gamma=0.1, alpha=0.1),
    lacuna.KernelPoissonRegressor("linear", criterion="xent", cv="loo:one-step"),
    lacuna.LacunaRegressor(n_basis=25, missing="mean"),
]


def same_parameters(a, b):
    for name, value in a.get_params().items():
        np.testing.assert_equal(np.asarray(b.get_params()[name]), np.asarray(value), err_msg=name)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("estimator", FITTED_WITH, ids=lambda estimator: type(estimator).__name__)
def test_a_clone_of_a_loaded_estimator_fits_the_same_model(estimator, two_classes, values, tmp_path):
    X, y = two_classes if hasattr(estimator, "threshold") else (values[0], np.abs(values[1]).round())
    model = clone(estimator).fit(X, y)
    model.save(tmp_path / "m.lacuna")
    back = lacuna.load(tmp_path / "m.lacuna")
    assert type(back) is type(estimator)
    same_parameters(estimator, back)
    again = clone(back).fit(X, y)
    for key in ("alpha", *again.best_params_):
        np.testing.assert_array_equal(again.best_params_[key], model.best_params_[key])
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.loo_predictions_, model.loo_predictions_)


def test_what_no_file_can_hold_comes_back_as_a_default(two_classes, tmp_path):
    X, y = two_classes
    given = {"cv": KFold(4), "random_state": np.random.RandomState(3), "n_basis": X[:20]}
    model = lacuna.LSSVMClassifier(gamma=0.3, alpha=0.2, **given).fit(X, y)
    model.save(tmp_path / "m.lacuna")
    back = lacuna.load(tmp_path / "m.lacuna")
    assert (back.gamma, back.alpha, back.cv, back.random_state, back.n_basis) == (0.3, 0.2, None, None, None)
    np.testing.assert_array_equal(back.predict(X), model.predict(X))


COMMANDS = {
    "ls-svm": ("--criterion", "hinge", "--cv", "5", "--recalibrate", "--kernel", "matern52"),
    "klr": ("--basis", "random:30", "--threshold", "ber"),
    "l2-svm": ("--no-standardise", "--cv", "explicit:4"),
    "gp-laplace:probit,mean=auto": (),
    "kpr": ("--kernel", "poly:degree=2"),
    "kfd": ("--kernel", "linear"),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("machine", COMMANDS)
def test_a_clone_of_a_model_of_the_command_line_fits_the_same_model(machine, program, two_classes, tmp_path):
    X, y = two_classes
    data, path = tmp_path / "d.csv", tmp_path / "m.lacuna"
    pd.DataFrame(X, columns=list("abc")).assign(label=y).to_csv(data, index=False)
    program("fit", data, "--target", "label", "--model", machine, *COMMANDS[machine], "-o", path, "--quiet")
    model = lacuna.load(path)
    again = clone(model).fit(pd.DataFrame(X, columns=list("abc")), y)
    new = pd.DataFrame(X[::-1] * 1.1, columns=list("abc"))
    # The hyper-parameters are those that were selected; a fit from elsewhere ends within its tolerance, 1e-8.
    scale = np.abs(model.decision_function(new)).max()
    np.testing.assert_allclose(again.decision_function(new), model.decision_function(new), atol=1e-6 * scale)
    assert again.report_["criterion"]["name"] == model.report_["criterion"]["name"]
    assert again.report_["criterion"]["cv"] == model.report_["criterion"]["cv"]
    assert again.report_["decision"]["recalibrated"] == model.report_["decision"]["recalibrated"]


def test_metadata_of_others_is_left_alone(two_classes, tmp_path):
    X, y = two_classes
    model = lacuna.LSSVMClassifier(gamma=0.3, alpha=0.2).fit(X, y)
    for text in ("", "{}", "[1]", '{"estimator": "os", "parameters": {}}', '{"estimator": "load", "parameters": {}}'):
        model.model_.metadata = {"lacuna.python": text}
        model.model_.save(str(tmp_path / "m.lacuna"))
        back = lacuna.load(tmp_path / "m.lacuna")
        assert type(back) is lacuna.LSSVMClassifier and list(back.classes_) == ["no", "yes"]


def test_reads_a_model_of_the_command_line(program, tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=60), "kind": rng.choice(["a", "b"], size=60)})
    X["label"] = np.where(X["size"] + (X["kind"] == "b") > 0.5, "10", "9")
    data, path = tmp_path / "d.csv", tmp_path / "m.lacuna"
    X.to_csv(data, index=False)
    program("fit", data, "--target", "label", "-o", path, "--quiet")
    said = list(csv.DictReader(io.StringIO(program("predict", path, data, "--quiet"))))
    model = lacuna.load(path)
    assert isinstance(model, lacuna.LacunaClassifier)
    np.testing.assert_array_equal(model.classes_, [9, 10])
    features = X[["size", "kind"]]
    np.testing.assert_allclose(
        model.predict_proba(features)[:, 1], [float(r["probability:10"]) for r in said], rtol=1e-12
    )
    assert [str(label) for label in model.predict(features)] == [r["prediction"] for r in said]


def test_bad_files_are_refused(tmp_path):
    path = tmp_path / "m.lacuna"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(lacuna.DataError):
        lacuna.load(path)
    with pytest.raises(lacuna.DataError):
        lacuna.load(tmp_path / "not there")


def test_a_model_of_a_table_whose_target_comes_first(values, program, tmp_path):
    X, y = values
    with open(tmp_path / "data.csv", "w", newline="") as file:
        csv.writer(file).writerows([["y", "a", "b", "c", "d"], *np.column_stack([y, X]).tolist()])
    program("fit", tmp_path / "data.csv", "--target", "y", "-o", tmp_path / "m.lacuna", "--quiet")
    said = program("predict", tmp_path / "m.lacuna", tmp_path / "data.csv", "--quiet")
    said = list(csv.DictReader(io.StringIO(said)))
    value = lacuna.load(tmp_path / "m.lacuna").predict(X)
    np.testing.assert_allclose(value, [float(row["prediction"]) for row in said], rtol=1e-12)
