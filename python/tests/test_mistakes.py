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
