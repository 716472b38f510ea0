"""Parameters that cannot be: every mistake is refused in Python's words, and names what was given."""

import re

import numpy as np
import pandas as pd
import pytest

import lacuna

ESTIMATORS = [getattr(lacuna, name) for name in lacuna.__all__ if hasattr(getattr(lacuna, name), "fit")]

# What nobody means, for each parameter; some of it is a mistake only for some machines.
_NOT_MEANT = {
    "kernel": ["rfb", "rbf:theta=-1", "rbf:foo=1", "sum(rbf", "ard:theta=1/2", 3, ""],
    "gamma": [-1, "x", [1, 2], np.nan],
    "degree": [0, 2.5, "x", None, 50],
    "coef0": [-1, "x"],
    "alpha": [0, -1, "x", np.inf, [1]],
    "criterion": ["pres", "evidence", 3, "wmw"],
    "cv": ["lo", 1, 100, 0, "explicit:", "group:a", "1x3", "explicit:100"],
    "n_basis": ["x:3", 0, 100, "file.csv", "greedy:0", 2.5, "auto:3"],
    "recalibrate": ["x"],
    "threshold": ["x", "cost:1", "cost:-1,2", 0.5],
    "refit_flagged": [True],
    "class_weight": ["balance", {"a": -1.0, "b": 1.0}, {"q": 1}, {"a": "x", "b": 1}],
    "max_evaluations": [0, 2.5, "x"],
    "time_limit": [-1, "x", np.nan],
    "memory": [10, -1, "x"],
    "n_jobs": [0, "x", 2.5],
    "random_state": [-1, "x", 2.5],
    "missing": ["x", None],
    "categorical": ["u", ["nowhere"], 3],
    "delta": [-1, "x", 0, np.nan],
    "mean": ["x", np.nan],
    "likelihood": ["x", None],
}
# Words of the command line and of the library.
_NOT_PYTHON = re.compile(
    r"(?<!\w)--\w|`|lacuna fit|^(train|data|search|options|split|model|basis): |\b(lambda|theta|mu)\b|group:|COL\b"
    r"|(?<![\w-])(ls-svm|klr|kpr|kfd|l2-svm|gp-laplace|gp-ep)(?![\w-])| line \d"
)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_mistakes_are_told_in_words_of_python(cls):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 3))
    y = np.array(["a", "b"])[(X[:, 0] > 0).astype(int)] if "threshold" in cls().get_params() else rng.poisson(2, 24) + 1
    refused = 0
    for name in set(cls().get_params()) & set(_NOT_MEANT):
        for value in _NOT_MEANT[name]:
            given = {name: value, **({"kernel": "poly"} if name in ("degree", "coef0") else {})}
            for rows in (X, pd.DataFrame(X, columns=list("uvw"))):
                try:
                    cls(**given).fit(rows, y)
                except (ValueError, lacuna.LacunaError) as error:
                    refused += 1
                    quoted = isinstance(value, str) and value in str(error)  # what the user wrote may be repeated
                    assert quoted or not _NOT_PYTHON.search(str(error)), f"{given}: {error}"
    assert refused > 60


def test_mistakes_name_the_parameter():
    X = np.arange(24.0).reshape(12, 2)
    y = np.arange(12) % 2
    for name, value in {
        **{"alpha": "x", "gamma": "x", "degree": "x", "time_limit": -1, "memory": "x", "n_jobs": "x", "cv": "lo"},
        **{"n_basis": "x:3", "max_evaluations": "x", "criterion": 3, "threshold": "x", "class_weight": {0: -1, 1: 1}},
    }.items():
        more = {"kernel": "poly"} if name == "degree" else {}
        with pytest.raises(ValueError, match=name):
            lacuna.LSSVMClassifier(**{name: value, **more}).fit(X, y)
    with pytest.raises(ValueError, match="LSSVMClassifier are exact"):
        lacuna.LSSVMClassifier(refit_flagged=True).fit(X, y)
    with pytest.raises(ValueError, match="EPGPClassifier takes no precomputed"):
        lacuna.EPGPClassifier("precomputed").fit(X @ X.T, y)
    with pytest.raises(lacuna.DataError, match="every count is 0"):
        lacuna.KernelPoissonRegressor().fit(X, np.zeros(12))


def mixed_frame():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"age": rng.normal(50, 10, 40), "city": rng.choice(["Rome", "Oslo"], 40)})
    return frame, np.where(frame.age > 50, "ill", "well")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("cls", [lacuna.LacunaClassifier, lacuna.KernelLogisticRegression])
def test_text_among_numbers_is_found(cls):
    frame, y = mixed_frame()
    with pytest.raises(ValueError, match=r"text, '(Rome|Oslo)' in column 1, row 0 \(from 0\); .* frame"):
        cls().fit(frame.to_numpy(), y)
    with pytest.raises(ValueError, match=r"y holds text, '\w+' in row 0 .* LSSVMRegressor .* LacunaClassifier"):
        lacuna.LSSVMRegressor().fit(frame[["age"]], y)
    with pytest.raises(ValueError, match="y holds text"):
        lacuna.LacunaRegressor().fit(frame, y)
    with pytest.raises(ValueError, match='column "city", row 0 .* LacunaClassifier and LacunaRegressor take frames'):
        lacuna.KernelLogisticRegression().fit(frame, y)


@pytest.mark.parametrize("none", [None, np.nan, pd.NA, pd.NaT])
@pytest.mark.parametrize("cls", [lacuna.LacunaClassifier, lacuna.KernelLogisticRegression, lacuna.LacunaRegressor])
def test_missing_targets_are_found(cls, none):
    frame, y = mixed_frame()
    y = (np.arange(40.0) if cls is lacuna.LacunaRegressor else y).astype(object)
    y[[7, 9]] = none
    for X in (frame, frame[["age"]].to_numpy()):
        if cls is not lacuna.KernelLogisticRegression or X is not frame:
            with pytest.raises(ValueError, match=r"2 missing values, first in row 7 \(from 0\); leave such rows out"):
                cls().fit(X, y)


def test_missing_cells_are_found():
    frame, y = mixed_frame()
    frame.loc[5, "age"] = np.nan
    with pytest.raises(ValueError, match=r'NaN, first in row 5 \(from 0\), column "age"; .* parameter missing does'):
        lacuna.KernelLogisticRegression().fit(frame[["age"]], y)
    with pytest.raises(ValueError, match=r'row 5 \(from 0\), column 0; missing="mean" fills'):
        lacuna.LacunaClassifier().fit(frame[["age"]].to_numpy(), y)
    with pytest.raises(lacuna.DataError, match=r'row 5 \(from 0\), column "age": the cell is missing; missing="mean"'):
        lacuna.LacunaClassifier().fit(frame, y)


def test_rows_are_counted_among_all_rows_where_some_have_no_weight():
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20.0)
    y[11] = -4
    with pytest.raises(lacuna.DataError, match=r"row 11 \(from 0\): target -4"):
        lacuna.KernelPoissonRegressor().fit(X, y, sample_weight=(np.arange(20) > 5).astype(float))


def test_weights_of_classes_that_are_none_are_refused():
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.array(["ill", "well"] * 10)
    for weights, message in [
        ({"ill": 2.0, "wel": 1.0}, "'wel', which is no label; the labels are"),
        ([1.0, 2.0], "balanced"),
        ("balence", "balanced"),
    ]:
        with pytest.raises(ValueError, match=f"class_weight .*{message}"):
            lacuna.KernelLogisticRegression(class_weight=weights).fit(X, y)
    more = {"ill": 2.0, "well": 1.0, "dead": 3.0}  # of which a fold may hold none
    assert lacuna.KernelLogisticRegression(alpha=1.0, gamma=0.1, class_weight=more).fit(X, y).best_params_


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_parameters_that_are_not_there_are_refused_by_the_name_of_the_estimator(cls):
    with pytest.raises(TypeError, match=rf"^{cls.__name__}\.__init__\(\) got an unexpected keyword argument 'C'"):
        cls(C=1.0)


def test_other_mistakes_say_what_was_given():
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    for make, fit, message in [
        (lambda: lacuna.LSSVMClassifier(standardise="no"), {}, "standardise must be True or False; got 'no'"),
        (lambda: lacuna.LSSVMClassifier(lambda A, B: np.ones(3)), {}, r"\(20, 20\); it returned \(3,\)"),
        (lambda: lacuna.LSSVMClassifier(), {"groups": np.zeros(3)}, "groups has 3 values for 20 rows"),
    ]:
        with pytest.raises(ValueError, match=message):
            make().fit(X, y, **fit)
    with pytest.raises(ValueError, match="groups has 3 values for 20 rows"):
        lacuna.LacunaClassifier().fit(pd.DataFrame(X, columns=["u", "v"]), y, groups=np.zeros(3))


def test_displays_come_when_they_are_named():
    assert lacuna.display.RocDisplay
    with pytest.raises(AttributeError, match="no attribute 'displays'"):
        lacuna.displays
