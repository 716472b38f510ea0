"""Lacuna: kernel machines that know what they would have said about every row without having seen it.

scikit-learn estimators that select their own hyper-parameters by leave-one-out cross-validation in closed form, and
keep the held-out outputs.
"""

import importlib

from . import steps
from ._automatic import LacunaClassifier, LacunaRegressor
from ._classifiers import (
    EPGPClassifier,
    KernelFisherDiscriminant,
    KernelLogisticRegression,
    KernelProbitRegression,
    L2SVMClassifier,
    LaplaceGPClassifier,
    LSSVMClassifier,
)
from ._core import __version__
from ._explanation import Explanation, explain
from ._files import load
from ._inspection import Verification, suspect_labels, verify_loo
from ._messages import (
    ConvergenceWarning,
    DataError,
    DataWarning,
    LacunaError,
    LacunaWarning,
    NumericalError,
    SelectionWarning,
    UsageError,
)
from ._rates import KernelGammaRegressor, KernelNegativeBinomialRegressor, KernelPoissonRegressor
from ._regressors import HuberKernelRegressor, LSSVMRegressor

__all__ = [
    "ConvergenceWarning",
    "DataError",
    "DataWarning",
    "EPGPClassifier",
    "Explanation",
    "HuberKernelRegressor",
    "KernelFisherDiscriminant",
    "KernelGammaRegressor",
    "KernelLogisticRegression",
    "KernelNegativeBinomialRegressor",
    "KernelPoissonRegressor",
    "KernelProbitRegression",
    "L2SVMClassifier",
    "LSSVMClassifier",
    "LSSVMRegressor",
    "LacunaClassifier",
    "LacunaError",
    "LacunaRegressor",
    "LacunaWarning",
    "LaplaceGPClassifier",
    "NumericalError",
    "SelectionWarning",
    "UsageError",
    "Verification",
    "__version__",
    "explain",
    "load",
    "steps",
    "suspect_labels",
    "verify_loo",
]


def __getattr__(name):
    """Modules that need more than the package does come when they are named: lacuna.display, lacuna.dask."""
    if name in ("dask", "display"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
