#!/usr/bin/env python3
"""Writes python/lacuna/__init__.pyi from the signatures of the package, and _core.pyi by nanobind's stubgen.

PYTHONPATH=build/python build/venv/bin/python3 scripts/python_stubs.py [FOLDER]
"""

import inspect
import pathlib
import subprocess
import sys

import lacuna

HEADER = """# Written by scripts/python_stubs.py.
from collections.abc import Callable
from os import PathLike
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from typing_extensions import Self

from . import steps as steps
from ._core import Model

"""

PARAMETERS = {
    "kernel": "str | Callable[..., ArrayLike]",
    "gamma": "float | ArrayLike | None",
    "degree": "int",
    "coef0": "float | None",
    "alpha": "float | None",
    "effort": 'Literal["quick", "normal", "best"]',
    "delta": "float | None",
    "overdispersion": "float | None",
    "mean": "float | None",
    "likelihood": 'Literal["logistic", "probit"]',
    "class_weight": 'dict[Any, float] | Literal["balanced"] | None',
    "standardise": "bool",
    "cv": "int | str | Any | None",
    "criterion": "str | None",
    "n_basis": "int | str | ArrayLike | None",
    "recalibrate": "bool | None",
    "threshold": "float | str | None",
    "cost": "ArrayLike | None",
    "refit_flagged": "bool",
    "interval_method": 'Literal["follow", "constant", "jackknife+"]',
    "missing": 'Literal["error", "mean", "drop", "indicator"]',
    "categorical": "list[str] | None",
    "max_evaluations": "int | None",
    "time_limit": "float | None",
    "memory": "float | None",
    "n_jobs": "int | None",
    "random_state": "int | np.random.RandomState | None",
    "verbose": "bool",
    "X": "Any",
    "y": "ArrayLike",
    "sample_weight": "ArrayLike | None",
    "groups": "ArrayLike | None",
    "exposure": "ArrayLike | None",
    "interval": "float | None",
    "quantiles": "ArrayLike | None",
    "return_std": "bool",
    "return_variance": "bool",
    "path": "str | PathLike[str]",
    "estimator": "Any",
    "k": "int",
    "most": "int | None",
    "fit_params": "Any",
    "columns": "list[str] | None",
    "importance": "bool",
    "n_repeats": "int",
    "pairs": "bool",
    "curves": "bool",
    "row": "int | None",
    "max_rows": "int",
}
RETURNS = {
    "__init__": "None",
    "fit": "Self",
    "save": "None",
    "report": "None",
    "to_onnx": "bytes",
    "predict": "Any",
    "load": "Any",
    "verify_loo": "Verification",
    "suspect_labels": "np.ndarray",
    "score": "float",
    "scores": "dict[str, Any]",
    "explain": "Explanation",
    "with_decisions": "Self",
}
FITTED = {
    "best_params_": "dict[str, Any]",
    "best_score_": "float",
    "loo_predictions_": "np.ndarray | None",
    "leverage_": "np.ndarray | None",
    "dual_coef_": "np.ndarray",
    "intercept_": "float | np.ndarray",
    "candidates_": "list[dict[str, Any]]",
    "honest_loss_": "float | None",
    "members_": "list[dict[str, Any]]",
    "feature_weights_": "dict[str, float] | None",
    "search_path_": "list[dict[str, float]]",
    "report_": "dict[str, Any]",
    "warnings_": "list[str]",
    "encoding_": "list[dict[str, Any]]",
    "model_": "Model",
    "n_features_in_": "int",
    "feature_names_in_": "np.ndarray",
}
EXPLANATION = {
    "effects": "list[dict[str, Any]] | None",
    "importance": "dict[str, Any] | None",
    "pairs": "list[dict[str, Any]]",
    "curves": "list[dict[str, Any]]",
    "coefficients": "dict[str, Any] | None",
    "feature_weights": "dict[str, float] | None",
    "neighbours": "dict[str, Any] | None",
    "report": "dict[str, Any]",
}
OF_CLASSES = {"classes_": "np.ndarray", "loo_decision_": "np.ndarray | None", "loo_proba_": "np.ndarray | None"}


def signature(function, name, indent=""):
    parts, starred = [], False
    for p in inspect.signature(function).parameters.values():
        if p.kind is p.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        if p.name == "self":
            parts.append("self")
            continue
        star = "**" if p.kind is p.VAR_KEYWORD else ""
        default = "" if p.default is p.empty else f" = {p.default!r}"
        kind = PARAMETERS[p.name]
        if p.default is None and not kind.endswith(("None", "Any")):
            kind += " | None"
        parts.append(f"{star}{p.name}: {kind}{default}")
    returns = RETURNS.get(name, "np.ndarray")
    line = f"def {name}({', '.join(parts)}) -> {returns}: ..."
    if len(line) + len(indent) <= 120:
        return indent + line
    return (
        f"{indent}def {name}(\n" + "".join(f"{indent}    {part},\n" for part in parts) + f"{indent}) -> {returns}: ..."
    )


def of_class(name, cls):
    if issubclass(cls, (Exception, Warning)):
        bases = [b.__name__ for b in cls.__bases__]
        if bases == ["LacunaWarning", "ConvergenceWarning"]:
            bases = ["LacunaWarning"]
        return [f"class {name}({', '.join(bases)}): ..."]
    if issubclass(cls, tuple):
        return [f"class {name}(NamedTuple):"] + [f"    {f}: {t.__name__}" for f, t in cls.__annotations__.items()]
    if not hasattr(cls, "fit"):
        return [f"class {name}:"] + [f"    {a}: {t}" for a, t in EXPLANATION.items()]
    classes = hasattr(cls, "predict_proba")
    lines = [f"class {name}({'ClassifierMixin' if classes else 'RegressorMixin'}, BaseEstimator):"]
    lines += [f"    {a}: {t}" for a, t in {**FITTED, **(OF_CLASSES if classes else {})}.items()]
    methods = ["__init__", "fit", "predict", "scores", "save", "report", "to_onnx"]
    methods += ["decision_function", "predict_proba", "predict_log_proba", "with_decisions"] if classes else []
    for method in methods:
        function = inspect.getattr_static(cls, method)
        lines.append(signature(getattr(function, "fn", function), method, "    "))
    return lines


def public():
    order = sorted(lacuna.__all__, key=lambda name: (name not in ("LacunaError", "LacunaWarning"), name))
    lines = ["__version__: str"]
    for name in order:
        item = getattr(lacuna, name)
        if inspect.isclass(item):
            lines += of_class(name, item)
        elif inspect.isfunction(item):
            lines.append(signature(item, name))
    return HEADER + "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "python/lacuna")
    (folder / "__init__.pyi").write_text(public())
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "lacuna._core", "-o", folder / "_core.pyi"], check=True
    )


if __name__ == "__main__":
    main()
