"""Explanations, prices of mistakes and scores: the command line's figures, and brute force."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

import lacuna
from test_parity import write_csv


def same(a, b):
    """The command line's object, but for rows, which Python counts from 0, and numbers, which it does not write out."""
    if isinstance(b, dict):
        assert a.keys() == b.keys()
        for key in b:
            if key == "row":
                assert a[key] == (None if b[key] is None else b[key] - 1)
            elif key in ("from", "to") and not isinstance(a[key], str):
                assert a[key] == float(b[key])
            else:
                same(a[key], b[key])
    elif isinstance(b, list):
        assert len(a) == len(b)
        for one, other in zip(a, b):
            same(one, other)
    elif isinstance(b, float):
        assert a == pytest.approx(b, rel=1e-12, abs=1e-12)
    else:
        assert a == b


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_explanations_are_those_of_the_command_line(kernel, two_classes, program, tmp_path):
    X, y = two_classes
    data, new, file = tmp_path / "data.csv", tmp_path / "new.csv", tmp_path / "m.lacuna"
    write_csv(data, X[:60], y[:60])
    write_csv(new, X[60:], y[60:])
    model = lacuna.KernelLogisticRegression(kernel).fit(X[:60], y[:60])
    model.save(file)
    without_data = json.loads(program("explain", file, "--pairs", "--row", 5, "--json"))
    same(lacuna.explain(model, pairs=True, row=4).report, without_data)
    with_data = json.loads(program("explain", file, new, "--row", 5, "--json", "--quiet"))
    same(lacuna.explain(model, X[60:], y[60:], row=4).report, with_data)


def test_an_effect_is_a_difference_of_mean_predictions(two_classes):
    X, y = two_classes
    model = lacuna.KernelLogisticRegression().fit(X[:60], y[:60])
    for effect in lacuna.explain(model, X[60:], importance=False).effects:
        j = int(effect["column"][1:]) - 1
        means = []
        for end in ("from", "to"):
            changed = X[60:].copy()
            changed[:, j] = effect[end]
            means.append(model.predict_proba(changed)[:, 1].mean())
        # The ends are written with twelve digits.
        assert effect["change"]["yes"] == pytest.approx(means[1] - means[0], abs=1e-9)


def test_neighbours_are_rows_of_the_data_that_fit_was_given(two_classes):
    X, y = two_classes
    weight = np.ones(len(X))
    weight[:10] = 0.0
    model = lacuna.LSSVMClassifier().fit(X, y, sample_weight=weight)
    told = lacuna.explain(model, row=30, importance=False)
    nearest = told.neighbours["nearest"][0]["row"]
    scaled = (X - X[10:].mean(axis=0)) / X[10:].std(axis=0)
    distance = ((scaled - scaled[30]) ** 2).sum(axis=1)
    distance[:10] = distance[30] = np.inf
    assert nearest == distance.argmin()
    assert told.neighbours["row"] == 30
    assert "row 30: output" in repr(told)
    assert f"{nearest:>8}  " in repr(told)
    with pytest.raises(ValueError, match="weight 0"):
        lacuna.explain(model, row=3)


def test_frames_are_explained_by_their_columns_and_levels():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"size": rng.normal(size=90), "kind": rng.choice(["a", "b"], size=90)})
    y = np.sin(2 * frame["size"]) + 2.0 * (frame["kind"] == "b") + 0.1 * rng.normal(size=90)
    model = lacuna.LacunaRegressor().fit(frame[:50], y[:50])
    told = lacuna.explain(model, frame[50:], y[50:], curves=True)
    effects = {effect["column"]: effect for effect in told.effects}
    assert {effects["kind"]["from"], effects["kind"]["to"]} == {"a", "b"}
    assert abs(effects["kind"]["change"]["target"]) == pytest.approx(2.0, abs=0.5)
    assert {point["column"] for point in told.curves} == {"size", "kind"}
    assert all(isinstance(point["value"], float) == (point["column"] == "size") for point in told.curves)
    assert told.importance["of"] == "new"
    with pytest.warns(lacuna.DataWarning, match="training rows"):
        lacuna.explain(model, frame[:50], y[:50])


def test_texts_have_no_words_of_the_command_line(values):
    X, y = values
    many = np.random.default_rng(0).normal(size=(70, 40))
    for model in (lacuna.LSSVMRegressor(n_basis=10).fit(X, y), lacuna.LSSVMRegressor("linear").fit(many, y)):
        text = repr(lacuna.explain(model))
        assert "--" not in text and "DATA" not in text and "lacuna " not in text


def test_mistakes_are_named(two_classes):
    X, y = two_classes
    model = lacuna.LSSVMClassifier().fit(X, y)
    for match, arguments in {
        "go with X": {"y": y},
        "no column": {"columns": ["x9"]},
        "columns must be": {"columns": "x1"},
        "row must be": {"row": 80},
        "n_repeats": {"n_repeats": 0},
    }.items():
        with pytest.raises(ValueError, match=match):
            lacuna.explain(model, **arguments)
    with pytest.raises(ValueError, match="precomputed"):
        lacuna.explain(lacuna.LSSVMClassifier("precomputed", alpha=1.0).fit(X @ X.T, y))


def test_costs_are_those_of_the_command_line(two_classes, program, tmp_path):
    X, y = two_classes
    data, new, file, scores = (tmp_path / name for name in ("data.csv", "new.csv", "m.lacuna", "scores.json"))
    write_csv(data, X[:60], y[:60])
    write_csv(new, X[60:], y[60:])
    report = json.loads(program("fit", data, "-t", "target", "--cost", "1,5", "-o", file, "--json", "--quiet"))
    model = lacuna.LacunaClassifier(cost=(1, 5)).fit(X[:60], y[:60])
    same(model.report_["held_out"], report["held_out"])
    program("predict", file, new, "--json", scores, "--quiet")
    same(model.scores(X[60:], y[60:]), json.loads(scores.read_text()))
    other = model.with_decisions(cost=(3, 1))
    program("predict", file, new, "--json", scores, "--cost", "3,1", "--quiet")
    same(other.scores(X[60:], y[60:]), json.loads(scores.read_text()))
    assert model.get_params()["cost"] == (1, 5) and other.get_params()["cost"] == (3, 1)
    loaded = lacuna.load(file)
    assert loaded.get_params()["cost"] == (1.0, 5.0)
    assert (loaded.predict(X) == model.predict(X)).all()


def test_scores_are_sums_over_rows(two_classes):
    X, y = two_classes
    model = lacuna.KernelLogisticRegression(cost=(2, 7)).fit(X[:60], y[:60])
    told, said = model.scores(X[60:], y[60:]), model.predict(X[60:])
    assert told["scores"]["error"] == pytest.approx((said != y[60:]).mean())
    assert told["scores"]["xent"] == pytest.approx(log_loss(y[60:], model.predict_proba(X[60:])))
    price = np.where(said == y[60:], 0.0, np.where(said == "yes", 2.0, 7.0))
    assert told["scores"]["cost"] == pytest.approx(price.mean())
    assert told["cost_error"] == pytest.approx(price.std(ddof=1) / np.sqrt(len(price)), rel=0.05)
    constant = min(2.0 * (y[60:] == "no").mean(), 7.0 * (y[60:] == "yes").mean())
    assert told["baseline"]["cost"] == pytest.approx(constant)


def test_scores_of_values_and_rates(values):
    X, y = values
    model = lacuna.LSSVMRegressor().fit(X[:50], np.column_stack([y, -y])[:50])
    told = model.scores(X[50:], np.column_stack([y, -y])[50:])["targets"]
    residual = y[50:] - model.predict(X[50:])[:, 0]
    assert [one["scores"]["rmse"] for one in told.values()][0] == pytest.approx(np.sqrt((residual**2).mean()))
    rng = np.random.default_rng(3)
    exposure = rng.uniform(0.5, 2.0, size=70)
    counts = rng.poisson(exposure * np.exp(X[:, 0]))
    model = lacuna.KernelPoissonRegressor().fit(X[:50], counts[:50], exposure=exposure[:50])
    m, t = model.predict(X[50:], exposure=exposure[50:]), counts[50:]
    deviance = 2 * (np.where(t > 0, t * np.log(np.maximum(t, 1) / m), 0) - (t - m))
    told = model.scores(X[50:], t, exposure=exposure[50:])
    assert told["scores"]["deviance"] == pytest.approx(deviance.mean())


def test_prices_of_several_classes_are_in_the_order_of_classes_(tmp_path):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(90, 2))
    y = np.array(["10", "9", "x"])[np.digitize(X[:, 0] + 0.5 * rng.normal(size=90), [-0.4, 0.4])]
    price = np.array([[0.0, 1.0, 1.0], [2.0, 0.0, 1.0], [20.0, 20.0, 0.0]])
    frame = pd.DataFrame(X, columns=["a", "b"])
    arrays = lacuna.KernelLogisticRegression(cost=price).fit(X, y)
    assert (arrays.predict(X) == arrays.classes_[(arrays.predict_proba(X) @ price).argmin(axis=1)]).all()
    frames = lacuna.LacunaClassifier(cost=price).fit(frame, y)  # the library has 9 before 10
    assert frames.classes_.tolist() == ["10", "9", "x"]
    assert (frames.predict(frame) == frames.classes_[(frames.predict_proba(frame) @ price).argmin(axis=1)]).all()
    frames.save(tmp_path / "m.lacuna")
    np.testing.assert_array_equal(lacuna.load(tmp_path / "m.lacuna").get_params()["cost"], price)


def test_a_threshold_is_a_probability_of_the_second_class():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"a": rng.normal(size=60)})
    y = np.array(["10", "9"])[(frame["a"] + 0.5 * rng.normal(size=60) > 0).astype(int)]
    model = lacuna.LacunaClassifier(threshold=0.8).fit(frame, y)
    assert ((model.predict(frame) == "9") == (model.predict_proba(frame)[:, 1] >= 0.8)).all()
    other = model.with_decisions(threshold=0.3)
    assert ((other.predict(frame) == "9") == (model.predict_proba(frame)[:, 1] >= 0.3)).all()
    np.testing.assert_array_equal(other.predict_proba(frame), model.predict_proba(frame))


def test_decisions_of_a_file_whose_positive_class_comes_first(two_classes, program, tmp_path):
    X, y = two_classes
    data, file = tmp_path / "data.csv", tmp_path / "m.lacuna"
    write_csv(data, X, y)
    program("fit", data, "-t", "target", "--positive", "no", "--cost", "1,5", "-o", file, "--quiet")
    model = lacuna.load(file)
    assert model.get_params()["cost"] == (5.0, 1.0)  # a false "no" is now a false negative
    p = model.predict_proba(X)[:, 1]
    assert ((model.with_decisions(threshold=0.2).predict(X) == "yes") == (p >= 0.2)).all()
    again = model.with_decisions(cost=(5, 1))
    assert (again.predict(X) == model.predict(X)).all()


@pytest.mark.parametrize(
    "cost", [(1,), (1, 2, 3), "1,5", (-1, 2), [[0, 1], [1, 3]], (0, 1), np.ones((3, 3)), (1, np.nan)]
)
def test_prices_that_cannot_be_are_refused(cost, two_classes):
    X, y = two_classes
    with pytest.raises(ValueError, match="cost"):
        lacuna.LSSVMClassifier(cost=cost).fit(X, y)


@pytest.mark.parametrize("threshold", [0.0, 1.0, 2, True, (1, 2), "cost:1"])
def test_thresholds_that_cannot_be_are_refused(threshold, two_classes):
    X, y = two_classes
    with pytest.raises(ValueError, match="threshold"):
        lacuna.KernelLogisticRegression(threshold=threshold).fit(X, y)
