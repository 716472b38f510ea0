"""Training in steps over parts of the rows is what the command line fits on all of them."""

import csv
import io
import json
import operator
import pickle
from functools import reduce

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import lacuna
from lacuna import steps


def frame(n=400, seed=0):
    """Numbers of several units, a category whose levels are not everywhere, a rare class."""
    rng = np.random.default_rng(seed)
    kind = np.where(np.arange(n) < 150, "p", rng.choice(["q", "r"], n))
    X = pd.DataFrame({"a": rng.normal(size=n), "b": 100 + 20 * rng.normal(size=n), "kind": kind})
    z = np.sin(2 * X["a"]) + (X["b"] - 100) / 20 + (kind == "r")
    X["label"] = np.where(z + 0.5 * rng.normal(size=n) > 0.3, "yes", "no")
    X["three"] = np.where(np.arange(n) > 340, "late", X["label"])
    X["value"] = z + 0.1 * rng.normal(size=n)
    X["time"] = rng.uniform(0.5, 2, n)
    X["count"] = rng.poisson(X["time"] * np.exp(0.5 * z))
    X["w"] = rng.integers(0, 4, n)
    return X


def parts_of(X, sizes=(150, 1, 0, 190)):
    at = np.cumsum([0, *sizes, len(X) - sum(sizes)])
    return [X.iloc[i:j] for i, j in zip(at[:-1], at[1:])]


def sum_of(values):
    return reduce(operator.add, reversed([pickle.loads(pickle.dumps(value)) for value in values]))


def in_steps(parts, columns, estimator, size=50_000):
    described = [steps.describe(part, columns) for part in parts]
    first = np.cumsum([0, *(one.rows_read for one in described)]).tolist()
    sample = sum_of(steps.draw(part, columns, row, size) for part, row in zip(parts, first))
    plan = steps.plan(sample, estimator, columns, sum_of(described))
    while not plan.done:
        sent = pickle.dumps(plan)
        plan = steps.solve(plan, sum_of(steps.statistics(part, pickle.loads(sent)) for part in parts))
    sent = pickle.dumps(plan)
    held_out = [steps.loo(part, pickle.loads(sent), row) for part, row in zip(parts, first)]
    return steps.finish(plan, [pickle.loads(pickle.dumps(one)) for one in held_out])


def columns_of(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def same(a, b):
    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=1e-10, atol=1e-10)


def compare(ours, program, tmp_path, X, used, *options):
    """With a model of the command line, and its held-out outputs."""
    data, model_file, loo_file = tmp_path / "data.csv", tmp_path / "m.lacuna", tmp_path / "loo.csv"
    X[used].to_csv(data, index=False, float_format="%.17g")
    common = ("-o", model_file, "--loo", loo_file, "--json", "--quiet", "--threads", 1)
    report = json.loads(program("fit", data, *options, *common))
    same(ours.best_params_["gamma"], report["kernel"]["theta"])
    same(ours.best_params_["alpha"], report["lambda"])
    held_out = columns_of(loo_file.read_text())
    outputs = [name for name in held_out if name == "output" or name.startswith("output:")]
    rows = held_out["row"].astype(int) - 1
    same(ours._held_out["output"][rows], np.stack([held_out[name] for name in outputs], axis=1))
    ours.save(tmp_path / "ours.lacuna")
    a, b = (columns_of(program("predict", file, data, "--quiet")) for file in (model_file, tmp_path / "ours.lacuna"))
    for name in set(a) - {"lower", "upper"}:  # intervals of one machine are chosen without some of the rows
        if name == "prediction" and ours.model_.classes:
            assert list(a[name]) == list(b[name])
        else:  # rows that are left out have no value
            same(*(np.where(one[name] == "", "nan", one[name]) for one in (a, b)))


CASES = {
    "klr": (lacuna.KernelLogisticRegression(), "label", ["--task", "classification", "--model", "klr"]),
    "klr of three classes": (lacuna.KernelLogisticRegression(), "three", ["--model", "klr"]),
    "kpr balanced": (
        lacuna.KernelProbitRegression(class_weight="balanced"),
        "label",
        ["--model", "kpr", "--train-weights", "balanced"],
    ),
    "ls-svm": (lacuna.LSSVMClassifier(), "label", ["--model", "ls-svm"]),
    "l2-svm": (lacuna.L2SVMClassifier(), "label", ["--model", "l2-svm"]),
    "automatic": (lacuna.LacunaClassifier(), "label", []),
    "values": (lacuna.LSSVMRegressor(), "value", ["--model", "ls-svm"]),
    "huber": (lacuna.HuberKernelRegressor(), "value", ["--model", "huber"]),
    "poisson": (lacuna.KernelPoissonRegressor(), "count", ["--model", "poisson", "--task", "counts"]),
}


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weights"])
@pytest.mark.parametrize("name", CASES)
def test_equals_the_command_line(name, weighted, program, tmp_path):
    estimator, target, options = CASES[name]
    estimator = estimator.set_params(n_basis="random:40", n_jobs=1)
    X = frame()
    counts = target == "count"
    used = ["a", "b", "kind", target] + ["w"] * weighted + ["time"] * counts
    columns = steps.Columns(
        target,
        task="counts" if counts else "regression" if target == "value" else "auto",
        weights="w" if weighted else None,
        exposure="time" if counts else None,
    )
    ours = in_steps(parts_of(X[used]), columns, estimator)
    least_squares = name in ("ls-svm", "values")
    options = ["--target", target, "--basis", "random:40", *options]
    options += [] if least_squares else ["--cv", "loo:one-step"]
    options += ["--weights", "w"] if weighted else []
    options += ["--exposure", "time"] if counts else []
    options += ["--no-recalibrate"] if name != "automatic" and not counts and target != "value" else []
    compare(ours, program, tmp_path, X, used, *options)


def test_arrays_of_numbers_give_the_estimator_itself():
    X = frame()
    ours = in_steps(
        parts_of(X[["a", "b", "label"]]), steps.Columns("label"), lacuna.KernelLogisticRegression(n_basis="random:30")
    )
    assert type(ours) is lacuna.KernelLogisticRegression
    assert ours.predict_proba(X[["a", "b"]]).shape == (400, 2)
    assert ours.loo_decision_.shape == (400,)
    assert "passes made" not in repr(ours)


def test_a_sample_decides_and_all_rows_fit():
    X = frame(900)[["a", "b", "kind", "value"]]
    columns = steps.Columns("value", task="regression")
    estimator = lacuna.LSSVMRegressor(gamma=0.5, n_basis="random:40")
    one = in_steps([X], columns, estimator, size=300)
    many = in_steps(parts_of(X, (1, 500, 0, 100)), columns, estimator, size=300)
    assert one.report_["basis"]["selected_on"] == 300
    same(one.loo_predictions_, many.loo_predictions_)
    same(one.predict(X.drop(columns="value")), many.predict(X.drop(columns="value")))


def test_held_out_rows_are_refits():
    X = frame(120)[["a", "b", "value"]]
    estimator = lacuna.LSSVMRegressor(n_basis="random:20", alpha=0.1, gamma=0.5)
    model = in_steps(parts_of(X), steps.Columns("value", task="regression"), estimator)
    whole = clone(estimator).fit(X[["a", "b"]].to_numpy(), X["value"])
    same(model.loo_predictions_, whole.loo_predictions_)
    assert lacuna.verify_loo(whole, X[["a", "b"]].to_numpy(), X["value"], k=20).largest < 1e-9


def test_what_needs_all_rows_is_refused():
    X = frame()[["a", "b", "label"]]
    columns = steps.Columns("label")
    for estimator, words in [
        (lacuna.KernelFisherDiscriminant(), "basis"),
        (lacuna.KernelLogisticRegression(kernel="precomputed"), "one place"),
        (lacuna.KernelLogisticRegression(cv=5), "one at a time"),
        (lacuna.KernelLogisticRegression(n_basis="none"), "one place"),
        (lacuna.KernelLogisticRegression(effort="best"), "quick"),
        (lacuna.KernelLogisticRegression(class_weight={"yes": 2}), "balanced"),
        (lacuna.KernelLogisticRegression(cost=(1, "b")), "one price for all rows"),
    ]:
        with pytest.raises(ValueError, match=words):
            steps.plan(X, estimator, columns)
    with pytest.raises(ValueError, match="missing must be one of"):
        steps.describe(X, steps.Columns("label", missing="indicator"))
    with pytest.raises(lacuna.UsageError, match="task"):
        steps.describe(frame()[["a", "b", "value"]], steps.Columns("value"))


def test_a_plan_says_what_it_is():
    X = frame()[["a", "b", "label"]]
    plan = steps.plan(X, lacuna.KernelLogisticRegression(n_basis="random:20"), steps.Columns("label"))
    assert not plan.done and plan.passes == 0 and plan.n_rows == 400
    assert "rbf" in repr(plan) and "0 passes made" in repr(plan)
    with pytest.raises(lacuna.UsageError, match="solved"):
        steps.loo(X, plan)


def test_every_part_is_summed_and_held_out_once():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"a": rng.normal(size=120), "b": rng.normal(size=120)}).assign(y=lambda f: f.a - f.b**2)
    parts = [frame[:70], frame[70:71], frame[71:]]
    columns = steps.Columns("y", task="regression")
    described = [steps.describe(part, columns) for part in parts]
    estimator = lacuna.LSSVMRegressor(n_basis=15, gamma=0.2, alpha=0.1)
    plan = steps.plan(frame, estimator, columns, sum_of(described))
    sums = [steps.statistics(part, plan) for part in parts]
    for wrong, rows in (([0, 1], 71), ([1, 2], 50), ([0, 1, 2, 1], 121)):
        with pytest.raises(ValueError, match=f"statistics of {rows} rows of 120"):
            steps.solve(plan, sum_of([pickle.loads(pickle.dumps(sums[k])) for k in wrong]))
    done = steps.solve(plan, sum_of(sums))
    with pytest.raises(ValueError, match="first_row"):
        steps.finish(done, [steps.loo(part, done) for part in parts])
    first_row = np.cumsum([0, *(one.rows_read for one in described)]).tolist()
    model = steps.finish(done, [steps.loo(part, done, row) for part, row in zip(parts, first_row)])
    assert np.isfinite(model.loo_predictions_).all()
    other = steps.plan(frame, lacuna.LSSVMRegressor(n_basis=4, gamma=0.2, alpha=0.1), columns, sum_of(described))
    with pytest.raises(Exception, match="^steps: statistics of different plans"):
        sums[0] + steps.statistics(parts[1], other)
