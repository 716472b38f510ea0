"""The same data through the command line and Python gives the same model, and each reads the other's files."""

import csv
import io
import json
import math

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


def write_csv(path, X, y, **more):
    """`more`: further columns, after the target."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{j + 1}" for j in range(X.shape[1])), "target", *more])
        for row, t, *others in zip(X, y, *more.values()):
            target = t if isinstance(t, str) else repr(float(t))
            writer.writerow([*map(repr, row.tolist()), target, *map(float, others)])


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


RATES = {
    "poisson": (lacuna.KernelPoissonRegressor, "counts"),
    "negbin": (lacuna.KernelNegativeBinomialRegressor, "counts"),
    "gamma": (lacuna.KernelGammaRegressor, "regression"),
}


def exposures(n):
    """First of all those whose logarithm numpy computes with another last bit than the C library, where there are any:
    a search that begins with another bit ends elsewhere."""
    drawn = np.random.default_rng(5).uniform(0.5, 3.0, 20_000)
    other = np.log(drawn) != np.array([math.log(e) for e in drawn])
    return np.concatenate([drawn[other], drawn[~other]])[:n]


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("machine", RATES)
def test_rates_with_exposures_equal_the_command_line(machine, kernel, values, program, tmp_path):
    X, y = values
    rng = np.random.default_rng(5)
    exposure, weight = exposures(len(y)), rng.integers(1, 4, len(y)).astype(float)
    y = rng.poisson(exposure * np.exp(0.3 * y)) + (machine == "gamma")
    data, model_file, loo_file = tmp_path / "data.csv", tmp_path / "m.lacuna", tmp_path / "loo.csv"
    write_csv(data, X, y, e=exposure, w=weight)
    cls, task = RATES[machine]
    options = ["--model", machine, "--task", task, "--kernel", kernel, "--exposure", "e", "--weights", "w"]
    said = program(
        "fit", data, "--target", "target", *options, "-o", model_file, "--loo", loo_file, "--json", "--quiet"
    )
    report = json.loads(said)
    ours = cls(kernel).fit(X, y, weight, exposure=exposure)
    same(ours.best_params_["alpha"], report["lambda"])
    if kernel == "rbf":
        same(ours.best_params_["gamma"], report["kernel"]["theta"])
    if machine == "negbin":
        same(ours.best_params_["overdispersion"], report["loss"]["overdispersion"])
    same(ours._held_out["output"][:, 0], numbers(columns_of(loo_file.read_text())["output"]))
    predicted = numbers(columns_of(program("predict", model_file, data, "--quiet"))["prediction"])
    same(ours.predict(X, exposure=exposure), predicted)
    same(lacuna.load(model_file).predict(X, exposure=exposure), predicted)
