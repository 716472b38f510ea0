"""Parameters of estimators in model files: what ``save`` keeps for ``load``, and what a model knows without it."""

import json
from typing import Any, NamedTuple

import numpy as np

from . import _decisions, _kernels

KEY = "lacuna.python"  # of the text among the model's metadata


class Kept(NamedTuple):
    estimator: Any
    classes: np.ndarray | None


def text_of(estimator):
    """The class, the parameters that have a text, and the labels with their type."""
    kept = {"estimator": type(estimator).__name__, "parameters": {}}
    for name, value in estimator.get_params(deep=False).items():
        try:
            kept["parameters"][name] = _plain(_nested(value) if name == "cost" else value)
        except TypeError:
            continue  # an object that no file can hold: load() leaves the parameter at its default
    classes = getattr(estimator, "classes_", None)
    if classes is not None:
        try:
            kept["classes"] = {"type": classes.dtype.str, "labels": [_plain(label) for label in classes.tolist()]}
        except TypeError:
            pass  # labels that are neither numbers nor text come back as text
    return json.dumps(kept)


def of_text(text, classes):
    """The estimator of such a text, not fitted, for a model of these classes; None where the text is not for it."""
    import lacuna  # here, since the package is made of modules that need this one

    try:
        kept = json.loads(text or "")
        cls = getattr(lacuna, kept["estimator"])
        estimator = estimator_with(cls, {name: _restored(value) for name, value in kept["parameters"].items()})
        labels = None
        if classes:
            labels = np.array(kept["classes"]["labels"], dtype=kept["classes"]["type"])
            from ._classifier import label_texts

            if sorted(label_texts(labels)) != sorted(classes):
                return None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return Kept(estimator, labels)


def estimator_with(cls, parameters):
    """Those of the parameters that the class has, and its defaults."""
    known = cls().get_params(deep=False)
    return cls(**{name: value for name, value in parameters.items() if name in known})


def of_model(model, classes):
    """What a model knows of the parameters that it was fitted with; `classes`: its labels, in scikit-learn's order.

    Those that were selected are given; but the kernel of a choice is left to another choice of the same effort.
    """
    report = json.loads(model.report())
    criterion, decision, basis = report["criterion"], report["decision"] or {}, report["basis"]
    out = {"criterion": criterion["name"]}
    if "choice" in report:
        out["effort"] = report["choice"]["effort"]
    else:
        out |= {"alpha": model.alpha, **_kernels.stated(report["kernel"])}
    if not criterion["cv"].startswith("group:"):
        out["cv"] = int(criterion["cv"]) if criterion["cv"].isdigit() else criterion["cv"]
    if basis is not None and basis["method"] != "given" and not basis["by_size"]:
        out["n_basis"] = "auto" if basis["automatic"] else f"{basis['method']}:{basis['asked']}"
    out["recalibrate"] = bool(decision.get("recalibrated", False))
    order = [model.classes.index(text) for text in classes]
    out["threshold"] = _decisions.threshold_of_text(decision.get("rule"), swapped=order == [1, 0])
    out["cost"] = _decisions.cost_of_text(decision.get("costs"), order)
    out["standardise"] = any(f["centre"] != 0.0 or f["scale"] != 1.0 for f in report["encoding"])
    out["missing"] = model.missing
    if (report["intervals"] or {}).get("method") == "jackknife+":
        out["interval_method"] = "jackknife+"
    out["categorical"] = _categories_of_numbers(report["encoding"]) or None
    for name in ("delta", "overdispersion"):
        if name in report["loss"]:
            out[name] = report["loss"][name]
    if "mean" in report:
        out["mean"] = report["mean"]
        out["likelihood"] = report["loss"]["name"]
    return out


def _categories_of_numbers(encoding):
    """Columns that stand for categories although all of their levels are numbers."""
    levels = {}
    for feature in encoding:
        if "level" in feature:
            levels.setdefault(feature["column"], []).append(feature["level"])
    return [column for column, known in levels.items() if all(_is_number(level) for level in known)]


def _is_number(text):
    try:
        return np.isfinite(float(text))
    except ValueError:
        return False


def _plain(value):
    """The value as JSON has it; TypeError where it has none."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):  # whose keys, labels, JSON would make texts of
        return {"pairs": [[_plain(key), _plain(of)] for key, of in value.items()]}
    if isinstance(value, (list, tuple)) or isinstance(value, np.ndarray) and value.ndim == 1:
        return [_plain(one) for one in value]
    raise TypeError(f"{type(value).__name__} has no text")


def _nested(value):
    """A matrix as lists of its cells, numbers or texts."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_nested(one) for one in value]
    return value


def _restored(value):
    return {key: of for key, of in value["pairs"]} if isinstance(value, dict) else value
