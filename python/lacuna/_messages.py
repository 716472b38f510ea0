"""The library's messages in Python's words, and the classes they are raised and warned with.

The library names options in backquotes, as ``cv=explicit:loo`` or ``basis=500``; the command line turns them into
flags, this file into parameters of the estimators.
"""

import re
import sys
import warnings
from contextlib import contextmanager

from sklearn.exceptions import ConvergenceWarning as _SklearnConvergenceWarning

from . import _core


class LacunaError(Exception):
    """Base of what the library raises."""


class UsageError(LacunaError, ValueError):
    """A parameter that cannot be."""


class DataError(LacunaError, ValueError):
    """Bad rows, columns or model file."""


class NumericalError(LacunaError, ArithmeticError):
    """Arithmetic that cannot go on."""


class InternalError(LacunaError, RuntimeError):
    """A fault of the library."""


class LacunaWarning(UserWarning):
    """Base of what the library warns of; ``code`` names the reason, as in ``report_["warning_codes"]``."""

    code = "other"


class DataWarning(LacunaWarning):
    """Something about the data that may surprise: features left out, repeated rows, unseen categories."""


class SelectionWarning(LacunaWarning):
    """Something about what was selected: a parameter at the end of its range, a kernel that a plainer one equals."""


class ConvergenceWarning(LacunaWarning, _SklearnConvergenceWarning):
    """A search or a held-out output that did not reach its optimum."""


_ERRORS = {"usage": UsageError, "data": DataError, "numerical": NumericalError, "internal": InternalError}

# By the library's code of a warning; all others are about the data.
_CATEGORIES = {
    "search-time": ConvergenceWarning,
    "search-evaluations": ConvergenceWarning,
    "selected-on-some": ConvergenceWarning,
    "one-step-contradicted": ConvergenceWarning,
    "held-out-approximate": ConvergenceWarning,
    "posterior-unsettled": ConvergenceWarning,
    "posterior-contradicted": ConvergenceWarning,
    "at-bound": SelectionWarning,
    "irrelevant-features": SelectionWarning,
    "plainer-kernel": SelectionWarning,
    "not-recalibrated": SelectionWarning,
    "choice-cut-short": ConvergenceWarning,
    "nothing-compared": ConvergenceWarning,
    "overdispersed": SelectionWarning,
}

# Options of the library and parameters of the estimators.
_PARAMETERS = {
    "lambda": "alpha",
    "mu": "alpha",
    "theta": "gamma",
    "basis": "n_basis",
    "group": "groups",
    "threads": "n_jobs",
    "seed": "random_state",
    "weights": "sample_weight",
}
_ESTIMATORS = {
    "ls-svm": "LSSVMClassifier or LSSVMRegressor",
    "kfd": "KernelFisherDiscriminant",
    "klr": "KernelLogisticRegression",
    "kpr": "KernelProbitRegression",
    "poisson": "KernelPoissonRegressor",
    "negbin": "KernelNegativeBinomialRegressor",
    "gamma": "KernelGammaRegressor",
    "huber": "HuberKernelRegressor",
    "l2-svm": "L2SVMClassifier",
    "gp-laplace": "LaplaceGPClassifier",
    "gp-ep": "EPGPClassifier",
}
_TASKS = {"classification": "a classifier", "regression": "a regressor", "counts": "KernelPoissonRegressor"}


def _value(text):
    try:
        float(text)
    except ValueError:
        return f'"{text}"'
    return text


def _mention(match):
    name, equals, value = match.group(1).partition("=")
    if not re.fullmatch("[a-z_]+", name):
        return match.group(0)
    if name == "model" and value in _ESTIMATORS:
        return _ESTIMATORS[value]
    if name == "task" and value in _TASKS:
        return _TASKS[value]
    if name == "ignore":
        return f"dropping column {value}"
    if name == "categorical":
        return f'categorical=["{value}"]'
    if name == "cv" and "group:" in value:
        return "by group"
    if name == "group":
        return "fit(..., groups=...)"
    name = _PARAMETERS.get(name, name)
    return f"{name}={_value(value)}" if equals else name


def _names_of_models(text, own):
    """Names of machines as those of estimators; `own` is the estimator that is being fitted, if any."""
    names = dict(_ESTIMATORS)
    if own is not None and own._machine_name() in names:
        names[own._machine_name()] = type(own).__name__
    text = re.sub(rf"\bmodel ({'|'.join(names)})\b", lambda m: names[m.group(1)], text)
    # By themselves only those that mean nothing else.
    return re.sub(r"(?<![\w-])(ls-svm|kfd|klr|kpr|negbin|l2-svm|gp-laplace|gp-ep)(?![\w-])", lambda m: names[m.group(1)], text)


def _from_zero(text, rows):
    """Rows as Python counts them; the library counts from 1, those of `rows` where it was given some alone."""

    def row(match):
        k = int(match.group(1)) - 1
        return f"row {k if rows is None else rows[k]} (from 0)"

    text = re.sub(r"\b(the (?:frame|array)) line (\d+)", r"\1, row \2", text)
    text = re.sub(r"\bcolumn \d+ \((.*?)\)", r'column "\1"', text)
    return re.sub(r"\brow ([1-9]\d*)\b", row, text)


def to_python(text, own=None, rows=None):
    """A message of the library with Python's names for options, parameters and estimators; `rows`: those that the
    library was given, where it was not given all."""
    text = re.sub("`([^`]*)`", _mention, text)
    text = re.sub("^(train|data|predict|search|split|options|read|write|export|model): ", "", text)
    text = re.sub("^basis: ", "n_basis: ", text)
    text = re.sub(r"\beffort (quick|normal|best)\b", r'effort="\1"', text)
    text = _from_zero(text, rows)
    if not text.startswith('kernel "'):  # which quotes a text that has the library's words
        text = re.sub(r"\b(lambda|mu|theta)\b", lambda m: _PARAMETERS[m.group(0)], text)
    return _names_of_models(text, own)


def warn(codes, texts):
    """Warns of each, at the line that called this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(__package__ + "."):
        level, frame = level + 1, frame.f_back
    for code, text in zip(codes, texts):
        warning = _CATEGORIES.get(code, DataWarning)(text)
        warning.code = code
        warnings.warn(warning, stacklevel=level)


# Where nobody translates, as where statistics are added: its text is its second argument.
_core.Error.__str__ = lambda error: to_python(error.args[-1])


@contextmanager
def translated(own=None, rows=None):
    """The library's errors as exceptions of this module; `own` is the estimator that is being fitted, to `rows`."""
    try:
        yield
    except _core.Error as error:
        kind, text = error.args
        raise _ERRORS[kind](to_python(text, own, rows)) from None
