"""Where two classes are cut, and what mistakes cost: Python's values as the library writes them."""

import re

import numpy as np

from . import _checks


def threshold_text(threshold, swapped=False):
    """The library's word for a rule; `swapped`: its positive class is ``classes_[0]``."""
    if threshold is None:
        return None
    if _checks.is_number(threshold):
        if not 0 < threshold < 1:
            raise ValueError(f"threshold must be a probability between 0 and 1 or a rule; got {threshold!r}")
        return repr(float(1 - threshold if swapped else threshold))
    if not isinstance(threshold, str):
        raise ValueError(
            f'threshold must be "error", "ber", "cost:FP,FN", a probability between 0 and 1, or None; got {threshold!r}'
        )
    return re.sub(r"^cost:([^,]*),([^,]*)$", r"cost:\2,\1", threshold) if swapped else threshold


def cost_text(cost, n_classes):
    """Prices as the library reads them: rows are true classes, columns decided ones."""
    if cost is None:
        return None
    try:
        prices = np.asarray(cost, dtype=np.float64)
    except (TypeError, ValueError):
        prices = np.empty(0)
    if prices.shape == (2,):
        prices = np.array([[0.0, prices[0]], [prices[1], 0.0]])
    if prices.ndim != 2 or prices.shape[0] != prices.shape[1] or not np.isfinite(prices).all() or (prices < 0).any():
        raise ValueError(
            "cost must be (FP, FN), the costs of a false positive and of a false negative, or a matrix whose rows are "
            f"the true and whose columns the predicted classes, in the order of classes_; got {cost!r}"
        )
    if len(prices) != n_classes:
        raise ValueError(f"cost is for {len(prices)} classes, and there are {n_classes}")
    wrong = prices + np.where(np.eye(n_classes, dtype=bool), np.inf, 0.0)
    right = np.diag(prices)
    if (right > wrong.min(axis=1)).any() or (n_classes == 2 and (right == wrong.min(axis=1)).any()):
        raise ValueError(f"cost: right predictions must cost less than wrong ones; got {cost!r}")
    return ";".join(",".join(repr(float(price)) for price in row) for row in prices)


def threshold_of_text(text, swapped=False):
    """A model's rule as the parameter."""
    try:
        return None if text is None else 1 - float(text) if swapped else float(text)
    except ValueError:
        return threshold_text(text, swapped)


def cost_of_text(text, order):
    """A model's prices as the parameter: a pair, or rows of a matrix; `order`: where the library has each class."""
    if text is None:
        return None
    rows = [[float(price) for price in row.split(",")] for row in text.split(";")]
    if len(rows) == 1:
        return tuple(rows[0] if order == [0, 1] else rows[0][::-1])
    return [[rows[i][k] for k in order] for i in order]
