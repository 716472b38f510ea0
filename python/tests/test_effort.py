"""effort: a choice between kernels and a stack, as the command line makes them, and what estimators say about them."""

import json
import pickle
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import lacuna

from test_parity import columns_of, numbers, same

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture(scope="module")
def coded():
    """Values and classes that depend on codes whose numbers mean nothing, and on a column with a heavy tail."""
    rng = np.random.default_rng(4)
    of = np.array([2.0, -1.0, 1.5, -2.5, 0.5])
    n = 90
    X = pd.DataFrame({"a": rng.integers(5, size=n), "b": rng.integers(5, size=n), "h": np.exp(2 * rng.normal(size=n))})
    X["x"] = rng.normal(size=n)
    z = of[X["a"]] - of[X["b"]] + 0.8 * np.log(X["h"]) + 0.3 * X["x"] + 0.2 * rng.normal(size=n)
    return X.astype(float), z.to_numpy()


def targets(kind, z):
    if kind == "value":
        return z
    return np.array(["no", "yes"])[(z > 0).astype(int)] if kind == "two" else np.array(["p", "q", "r"])[
        np.digitize(z, [-1, 1])
    ]


@pytest.fixture(scope="module")
def fitted(coded):
    """Each is fitted once; several tests look at it."""
    X, z = coded
    return {
        (kind, effort): (lacuna.LacunaRegressor if kind == "value" else lacuna.LacunaClassifier)(effort=effort).fit(
            X, targets(kind, z)
        )
        for kind, effort in (("value", "normal"), ("value", "best"), ("two", "best"), ("three", "normal"))
    }


def without_times(choice):
    return {**choice, "candidates": [{k: v for k, v in c.items() if k != "seconds"} for c in choice["candidates"]]}


@pytest.mark.parametrize("kind, effort", [("value", "normal"), ("value", "best"), ("two", "best"), ("three", "normal")])
def test_equals_the_command_line(kind, effort, coded, fitted, program, tmp_path):
    X, z = coded
    y = targets(kind, z)
    data, path, loo = tmp_path / "d.csv", tmp_path / "m.lacuna", tmp_path / "loo.csv"
    table = X.assign(target=y)
    table.to_csv(data, index=False, float_format="%.17g")
    words = ("--effort", effort, "-o", path, "--loo", loo, "--json", "--quiet")
    report = json.loads(program("fit", data, "--target", "target", *words))
    model = fitted[kind, effort]
    theirs, ours = without_times(report["choice"]), without_times(model.report_["choice"])
    assert [c["name"] for c in ours["candidates"]] == [c["name"] for c in theirs["candidates"]]
    for mine, other in zip(ours["candidates"], theirs["candidates"]):
        assert mine.keys() == other.keys()
        for key in ("lambda", "loss", "weight"):
            same(mine.get(key, 0.0), other.get(key, 0.0))
    same(model.honest_loss_, report["choice"]["loss"])
    held_out = columns_of(loo.read_text())
    said = columns_of(program("predict", path, data, "--quiet"))
    loaded = lacuna.load(path)
    assert loaded.effort == effort
    if kind == "value":
        same(model.loo_predictions_, numbers(held_out["prediction"]))
        same(model.predict(X), numbers(said["prediction"]))
        same(loaded.predict(X), model.predict(X))
        same(loaded.predict(X, interval=0.9), model.predict(X, interval=0.9))
    else:
        assert list(model.loo_predictions_) == held_out["prediction"]
        label = model.classes_[-1]
        same(model.predict_proba(X)[:, -1], numbers(said[f"probability:{label}"]))
        same(loaded.predict_proba(X), model.predict_proba(X))
    assert clone(loaded).get_params()["kernel"] == "rbf" and clone(loaded).get_params()["alpha"] is None
    # And the other way round.
    model.save(tmp_path / "ours.lacuna")
    again = columns_of(program("predict", tmp_path / "ours.lacuna", data, "--quiet"))
    assert again.keys() == said.keys()
    for name in again:
        if name == "prediction" and kind != "value":
            assert again[name] == said[name]
        elif again[name][0]:
            same(numbers(again[name]), numbers(said[name]))


def test_says_what_was_compared_and_chosen(fitted):
    model = fitted["value", "normal"]
    names = [c["name"] for c in model.candidates_]
    assert names[0] == "rbf" and len(set(names)) == len(names) > 4
    chosen = [c for c in model.candidates_ if c["weight"] > 0]
    assert len(chosen) == 1 and chosen[0]["weight"] == 1.0
    assert model.honest_loss_ == chosen[0]["loss"] < model.candidates_[0]["loss"]
    assert "codes" in chosen[0]["name"]  # codes are what the targets are made of
    assert model.best_params_["alpha"] == chosen[0]["alpha"] and "kernel" in model.best_params_
    assert model.members_ == []
    table = pd.DataFrame(model.candidates_)
    assert table["loss"].isna().sum() == table["left"].notna().sum()


def test_members_of_a_stack_add_up(coded, fitted):
    X, z = coded
    model = fitted["value", "best"]
    assert len(model.members_) > 1
    assert sum(m["weight"] for m in model.members_) == pytest.approx(1.0)
    assert {m["name"] for m in model.members_} == {c["name"] for c in model.candidates_ if c["weight"] > 0}
    assert model.best_params_ == {} and model.dual_coef_.size == 0
    assert model.honest_loss_ < model.candidates_[0]["loss"]
    # Of weights of the columns there is one for each, whatever features a member makes of them.
    weighed = [m["feature_weights"] for m in model.members_ if "relevance" in m["kernel"]]
    assert all(set(w) <= set(X.columns) for w in weighed)


@pytest.mark.parametrize("key", [("value", "best"), ("two", "best"), ("value", "normal")], ids=" ".join)
def test_pickled_cloned_and_saved(key, coded, fitted, tmp_path):
    X, _ = coded
    model = fitted[key]
    model.save(tmp_path / "m.lacuna")
    for back in (pickle.loads(pickle.dumps(model)), lacuna.load(tmp_path / "m.lacuna")):
        assert type(back) is type(model) and back.get_params() == model.get_params()
        np.testing.assert_array_equal(back.predict(X), model.predict(X))
        np.testing.assert_array_equal(back.loo_predictions_, model.loo_predictions_)
        assert back.members_ == model.members_ and back.honest_loss_ == model.honest_loss_
        assert [c["name"] for c in back.candidates_] == [c["name"] for c in model.candidates_]
    fresh = clone(model)
    assert fresh.effort == key[1] and not hasattr(fresh, "model_")


def test_default_is_that_of_the_program_and_auto_means_a_choice(values):
    X, y = values
    for name in lacuna.__all__:
        item = getattr(lacuna, name)
        if hasattr(item, "fit"):  # evidence, not held-out rows, judges kernels of Gaussian processes
            assert item().get_params().get("effort") == (None if "GP" in name else "quick"), name
    plain = lacuna.LSSVMRegressor().fit(X, y)
    assert plain.candidates_ == [] and plain.honest_loss_ is None and plain.members_ == []
    auto = lacuna.LSSVMRegressor("auto").fit(X, y)
    normal = lacuna.LSSVMRegressor(effort="normal").fit(X, y)
    assert without_times(auto.report_["choice"]) == without_times(normal.report_["choice"])
    np.testing.assert_array_equal(auto.predict(X), normal.predict(X))


@pytest.mark.parametrize(
    "cls",
    [
        lacuna.LSSVMClassifier,
        lacuna.KernelFisherDiscriminant,
        lacuna.KernelProbitRegression,
        lacuna.L2SVMClassifier,
        lacuna.HuberKernelRegressor,
        lacuna.KernelPoissonRegressor,
        lacuna.KernelNegativeBinomialRegressor,
        lacuna.KernelGammaRegressor,
    ],
    ids=lambda cls: cls.__name__,
)
def test_every_machine_of_held_out_rows_can_choose(cls, values):
    X, y = values
    y = y > np.median(y) if "threshold" in cls().get_params() else np.abs(y).round() + 1.0
    model = cls(effort="normal").fit(X, y)
    assert len(model.candidates_) > 2
    assert model.predict(X).shape == y.shape


@pytest.mark.parametrize(
    "given",
    [
        {"kernel": "linear"},
        {"gamma": 0.5},
        {"alpha": 1.0},
        {"n_basis": 10},
        {"kernel": "precomputed"},
        {"kernel": lambda a, b: a @ b.T},
        {"kernel": "auto", "gamma": 0.5},
    ],
    ids=str,
)
def test_what_leaves_nothing_to_choose_is_refused(given, values):
    X, y = values
    X = X @ X.T if given.get("kernel") == "precomputed" else X
    with pytest.raises(ValueError, match='effort="best"|kernel="auto"'):
        lacuna.LSSVMRegressor(effort="best", **given).fit(X, y)


def test_mistakes_in_effort(values):
    X, y = values
    with pytest.raises(ValueError, match="effort.*did you mean.*best"):
        lacuna.LSSVMRegressor(effort="bst").fit(X, y)
    with pytest.raises(ValueError, match="effort.*cannot be"):
        lacuna.LSSVMRegressor(effort=2).fit(X, y)
    with pytest.raises(ValueError, match="Gaussian process"):
        lacuna.EPGPClassifier("auto").fit(X, y > 0)
    with pytest.raises(ValueError, match="effort"):
        lacuna.LacunaClassifier(effort="normal", refit_flagged=True).fit(X, y > 0)


def test_weights_of_features_by_their_names():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 4)), columns=["u", "noise1", "v", "noise2"])
    y = np.sin(2 * X["u"]) + X["v"] ** 2 + 0.1 * rng.normal(size=80)
    model = lacuna.LacunaRegressor("relevance(rbf)").fit(X, y)
    assert list(model.feature_weights_)[:2] in (["u", "v"], ["v", "u"])
    assert set(model.feature_weights_) == set(X.columns)
    assert list(model.feature_weights_.values()) == sorted(model.feature_weights_.values(), reverse=True)
    bare = lacuna.LSSVMRegressor("relevance(rbf)").fit(X.to_numpy(), y)
    assert set(bare.feature_weights_) == {"x1", "x2", "x3", "x4"}
    assert lacuna.LSSVMRegressor(gamma=0.1, alpha=0.1).fit(X, y).feature_weights_ is None


def test_time_limit_gives_the_best_so_far():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 6))
    with pytest.warns(lacuna.ConvergenceWarning) as caught:
        model = lacuna.LacunaRegressor(effort="best", time_limit=0.5).fit(X, np.sin(X[:, 0]) + X[:, 1])
    assert {w.message.code for w in caught} & {"choice-cut-short", "nothing-compared", "search-time"}
    assert np.isfinite(model.predict(X)).all()


def test_ctrl_c_stops_a_choice():
    script = textwrap.dedent("""
        import numpy as np, lacuna
        X = np.random.default_rng(0).normal(size=(1500, 8))
        print("begins", flush=True)
        lacuna.LacunaRegressor(effort="best").fit(X, np.sin(X[:, 0]))
    """)
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begins\n"
    time.sleep(2.0)
    child.send_signal(signal.SIGINT)
    _, error = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in error
    assert child.returncode not in (0, None)


def test_in_a_grid_search_and_with_groups(values):
    X, y = values
    search = GridSearchCV(lacuna.LacunaRegressor(), {"effort": ["quick", "normal"]}, cv=3, n_jobs=2).fit(X, y)
    assert search.best_params_["effort"] in ("quick", "normal")
    assert cross_val_score(lacuna.LacunaRegressor(effort="normal"), X, y, cv=3).mean() > 0.2
    groups = np.arange(len(y)) // 5
    model = lacuna.LacunaRegressor(effort="normal").fit(X, y, sample_weight=1.0 + (y > 0), groups=groups)
    assert model.honest_loss_ > 0


def test_what_needs_one_machine_in_closed_form_says_so(coded, fitted):
    from lacuna.display import CriterionSurfaceDisplay, HeldOutDisplay

    X, z = coded
    for effort in ("normal", "best"):
        with pytest.raises(ValueError, match="refits already"):
            lacuna.verify_loo(fitted["value", effort], X, z)
        with pytest.raises(ValueError, match="no surface"):
            CriterionSurfaceDisplay.from_estimator(fitted["value", effort], X, z)
        text = fitted["value", effort]._repr_html_()
        assert "Compared by honest loss" in text and "left out of everything" in text
    pytest.importorskip("matplotlib").use("Agg")
    assert len(HeldOutDisplay.from_estimator(fitted["value", "best"]).observed) == len(z)
    assert len(lacuna.suspect_labels(fitted["two", "best"])) >= 0
