"""Kernels in scikit-learn's words as the library's specifications."""

import numpy as np

from . import _checks

_SCALED = ("rbf", "matern12", "matern32", "matern52", "rq", "ard")  # gamma is their theta
PARAMETERS = {"lambda": "alpha", "mu": "alpha", "theta": "gamma", "c": "coef0"}  # the library's and the estimators'
_POLYNOMIAL = ("poly", "polynomial")


def specification(kernel, gamma, degree, coef0):
    """The text that the library parses: what is None is selected."""
    if not isinstance(kernel, str):
        raise ValueError(f"kernel must be a string or a callable, not {kernel!r}")
    if kernel == "auto":  # the choice begins with the plain kernel
        if gamma is not None or coef0 is not None:
            raise ValueError('kernel="auto" leaves the kernel and its parameters to a choice; leave gamma and coef0 out')
        return "rbf"
    if ":" in kernel or "(" in kernel:
        if gamma is not None or coef0 is not None:
            raise ValueError(f"kernel={kernel!r} states its parameters itself; leave gamma and coef0 out")
        return kernel
    if kernel in _POLYNOMIAL:
        if gamma is not None:
            raise ValueError("the polynomial kernel is (x . x' + coef0)^degree and has no gamma; alpha scales it")
        text = f"poly:degree={_checks.whole('degree', degree, 1, 20)}"
        return text if coef0 is None else f"{text},c={_positive('coef0', coef0)!r}"
    if gamma is None:
        return kernel
    if kernel not in _SCALED:
        raise ValueError(f"kernel={kernel!r} has no gamma")
    if np.ndim(gamma) > 0:
        if kernel != "ard":
            raise ValueError("several gamma are for kernel='ard', one for each feature")
        return "ard:theta=" + "/".join(repr(_positive("gamma", g)) for g in np.ravel(gamma))
    return f"{kernel}:theta={_positive('gamma', gamma)!r}"


def _positive(name, value):
    return _checks.positive(name, value, "to select it")


def chosen(kernel):
    """Parameters of an estimator that state the kernel of a report: {"gamma": 0.5}."""
    name = kernel["name"]
    if name in _SCALED and name != "rq":
        return {"gamma": kernel["theta"]}
    if name == "poly":
        return {"degree": kernel["degree"], "coef0": kernel["c"]}
    if name in ("linear", "precomputed"):
        return {}
    return {"kernel": kernel["text"]}


def stated(kernel):
    """All parameters of an estimator that has the kernel of a report: {"kernel": "rbf", "gamma": 0.5}."""
    return {"kernel": kernel["name"], **chosen(kernel)}
