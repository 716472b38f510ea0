"""The same data through the command line and Python gives the same model, and each reads the other's files."""

import csv
import io
import json

import numpy as np
import pytest

import lacuna

CLASSIFIERS = {
    "ls-svm": lacuna.LSSVMClassifier,
    "kfd": lacuna.KernelFisherDiscriminant,
    "klr": lacuna.KernelLogisticRegression,
    "kpr": lacuna.KernelProbitRegression,
    "l2-svm": lacuna.L2SVMClassifier,
    "gp-laplace": lacuna.LaplaceGPClassifier,
    "gp-ep": lacuna.EPGPClassifier,
}


def write_csv(path, X, y):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"x{j + 1}" for j in range(X.shape[1])] + ["target"])
        for row, t in zip(X, y):
            writer.writerow([repr(float(v)) for v in row] + [t if isinstance(t, str) else repr(float(t))])


def columns_of(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: [row[name] for row in rows] for name in rows[0]}


def numbers(column):
    return np.array([float(cell) for cell in column])


# The file holds the same doubles, so that both do the same arithmetic; 1e-12 leaves room for sums in another order.
def same(a, b):
    np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("machine", CLASSIFIERS)
def test_classifier_equals_the_command_line(machine, two_classes, program, tmp_path):
    X, y = two_classes
    data, model_file, loo_file = tmp_path / "data.csv", tmp_path / "m.lacuna", tmp_path / "loo.csv"
    write_csv(data, X, y)
    report = json.loads(
        program(
            "fit",
            data,
            "--target",
            "target",
            "--model",
            machine,
            "-o",
            model_file,
            "--loo",
            loo_file,
            "--no-recalibrate",
            "--json",
            "--quiet",
        )
    )
    ours = CLASSIFIERS[machine]().fit(X, y)
    same(ours.best_params_["gamma"], report["kernel"]["theta"])
    same(ours.best_params_["alpha"], report["mu" if machine == "kfd" else "lambda"])
    same(-ours.best_score_, report["criterion"]["value"])
    held_out = columns_of(loo_file.read_text())
    same(ours._held_out["output"][:, 0], numbers(held_out["output"]))
    assert list(ours.loo_predictions_) == held_out["prediction"]
    said = columns_of(program("predict", model_file, data, "--quiet"))
    same(ours.model_.predict(X)["output"][:, 0], numbers(said["output"]))
    assert list(ours.predict(X)) == said["prediction"]
    if ours.model_.has_probabilities:
        same(ours.predict_proba(X)[:, 1], numbers(said["probability:yes"]))


def test_command_line_reads_a_model_of_python(two_classes, program, tmp_path):
    X, y = two_classes
    data, model_file = tmp_path / "data.csv", tmp_path / "m.lacuna"
    write_csv(data, X, y)
    ours = lacuna.KernelLogisticRegression().fit(X, y)
    ours.save(model_file)
    said = columns_of(program("predict", model_file, data, "--quiet"))
    same(ours.predict_proba(X)[:, 1], numbers(said["probability:yes"]))


def test_regressor_equals_the_command_line(values, program, tmp_path):
    X, y = values
    data, model_file = tmp_path / "data.csv", tmp_path / "m.lacuna"
    write_csv(data, X, y)
    report = json.loads(program("fit", data, "--target", "target", "-o", model_file, "--json", "--quiet"))
    ours = lacuna.LSSVMRegressor().fit(X, y)
    same(ours.best_params_["gamma"], report["kernel"]["theta"])
    said = columns_of(program("predict", model_file, data, "--quiet"))
    value, lower, upper = ours.predict(X, interval=0.9)
    same(value, numbers(said["prediction"]))
    same(lower, numbers(said["lower"]))
    same(upper, numbers(said["upper"]))
