"""Errors and warnings in Python's words, and docstrings whose examples run."""

import doctest
import warnings

import numpy as np
import pytest
import sklearn.exceptions

import lacuna
from lacuna import _core
from lacuna._messages import _CATEGORIES, to_python

ESTIMATORS = [getattr(lacuna, name) for name in lacuna.__all__ if hasattr(getattr(lacuna, name), "fit")]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("train: use `basis=500`, or `basis=auto`", 'use n_basis=500, or n_basis="auto"'),
        ("`cv=explicit:loo` refits every row", 'cv="explicit:loo" refits every row'),
        ("give a larger lambda", "give a larger alpha"),
        ("theta = 2 is on its bound; mu too", "gamma = 2 is on its bound; alpha too"),
        ("raise `max_evaluations`", "raise max_evaluations"),
        ("`model=klr` or kpr", "KernelLogisticRegression or KernelProbitRegression"),
        ("model poisson needs counts", "KernelPoissonRegressor needs counts"),
        ("search: size = 0", "size = 0"),
        ("the frame line 3, column 2 (u): no", 'the frame, row 2 (from 0), column "u": no'),
        ("row 1: target -4", "row 0 (from 0): target -4"),
        ("a stray ` stays", "a stray ` stays"),
    ],
)
def test_options_become_parameters(text, expected):
    assert to_python(text) == expected


def test_warnings_are_of_their_own_classes_and_kept():
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[:, 1] = 7.0
    with pytest.warns(lacuna.DataWarning, match="constant feature left out: x2"):
        model = lacuna.LSSVMRegressor(gamma=0.1, alpha=1.0).fit(X, X[:, 0])
    assert any("constant" in text for text in model.warnings_)
    with pytest.warns(sklearn.exceptions.ConvergenceWarning, match="max_evaluations"):
        lacuna.LSSVMRegressor("ard", max_evaluations=3).fit(X, np.sin(X[:, 0]))


def test_classes_of_warnings_go_by_codes_that_the_library_has():
    assert set(_CATEGORIES) < set(_core.warning_names())
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[:, 1] = 7.0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = lacuna.LSSVMRegressor("ard", max_evaluations=3).fit(X, np.sin(X[:, 0]))
    found = {w.message.code: w.category for w in caught}
    assert found["constant-features"] is lacuna.DataWarning
    assert found["search-evaluations"] is lacuna.ConvergenceWarning
    assert list(found) == model.report_["warning_codes"] and len(caught) == len(model.warnings_)


def test_warnings_point_at_the_line_of_the_user():
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[:, 1] = 7.0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        lacuna.LSSVMRegressor(gamma=0.1, alpha=1.0).fit(X, X[:, 0])
    assert {w.filename for w in caught} == {__file__}


def test_errors_are_value_errors_with_python_names():
    X = np.random.default_rng(0).normal(size=(30, 3))
    with pytest.raises(lacuna.UsageError, match="did you mean"):
        lacuna.LSSVMRegressor("rfb").fit(X, X[:, 0])
    assert issubclass(lacuna.UsageError, ValueError) and issubclass(lacuna.NumericalError, ArithmeticError)
    with pytest.raises(lacuna.DataError, match="raise memory"):
        lacuna.LSSVMRegressor(memory=1000.0).fit(X, X[:, 0])
    K = -np.eye(30)
    with pytest.raises(lacuna.NumericalError, match="positive definite"):
        lacuna.LSSVMRegressor("precomputed", alpha=0.5).fit(K, X[:, 0])


@pytest.mark.parametrize(
    "item", [*ESTIMATORS, lacuna.load, lacuna.verify_loo, lacuna.suspect_labels], ids=lambda item: item.__name__
)
def test_examples_of_docstrings_run(item):
    assert ">>>" in item.__doc__
    for heading in ("Parameters\n", "Examples\n"):
        assert heading in item.__doc__
    for test in doctest.DocTestFinder(recurse=False).find(item, globs={}):
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runner.run(test)
        assert runner.failures == 0


@pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
def test_every_parameter_is_documented(cls):
    for name in cls().get_params():
        assert f"\n{name} : " in cls.__doc__, name


def test_version_is_that_of_the_library(program):
    assert lacuna.__version__ in program("--version")


@pytest.mark.parametrize("parameter", [{"criterion": 0.3}, {"max_evaluations": 2.5}, {"random_state": -1}])
def test_parameters_of_a_wrong_type_are_named(parameter):
    X = np.arange(24.0).reshape(12, 2)
    with pytest.raises(ValueError, match="cannot be"):
        lacuna.KernelLogisticRegression(**parameter).fit(X, np.arange(12) % 2)
