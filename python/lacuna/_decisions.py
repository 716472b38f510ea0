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


def _matrix(cost):
    """Rows of prices, each a number or the name of a column; None: it is nothing of the kind."""
    if isinstance(cost, str):
        return None
    try:
        rows = list(cost)
        if len(rows) == 2 and all(isinstance(cell, str) or np.ndim(cell) == 0 for cell in rows):
            rows = [[0.0, rows[0]], [rows[1], 0.0]]
        cells = [[cell if isinstance(cell, str) else float(cell) for cell in row] for row in rows]
    except (TypeError, ValueError):
        return None
    return cells if all(len(row) == len(cells) for row in cells) and len(cells) > 1 else None


def price_columns(cost):
    """The columns that have prices of single rows, each once."""
    cells = [] if cost is None else _matrix(cost) or []
    return list(dict.fromkeys(cell for row in cells for cell in row if isinstance(cell, str)))


def cost_text(cost, n_classes):
    """Prices as the library reads them: rows are true classes, columns decided ones."""
    if cost is None:
        return None
    cells = _matrix(cost)
    names = [] if cells is None else [cell for row in cells for cell in row if isinstance(cell, str)]
    prices = np.array([[0.0 if isinstance(cell, str) else cell for cell in row] for row in cells or []])
    wrong_names = any(name == "" or "," in name or ";" in name for name in names)
    if cells is None or wrong_names or not np.isfinite(prices).all() or (prices < 0).any():
        raise ValueError(
            "cost must be (FP, FN), the costs of a false positive and of a false negative, or a matrix whose rows are "
            "the true and whose columns the predicted classes, in the order of classes_; each is a number, or the name "
            f"of a column of the frame; got {cost!r}"
        )
    if len(cells) != n_classes:
        raise ValueError(f"cost is for {len(cells)} classes, and there are {n_classes}")
    if not names:
        wrong = prices + np.where(np.eye(n_classes, dtype=bool), np.inf, 0.0)
        right = np.diag(prices)
        if (right > wrong.min(axis=1)).any() or (n_classes == 2 and (right == wrong.min(axis=1)).any()):
            raise ValueError(f"cost: right predictions must cost less than wrong ones; got {cost!r}")
    return ";".join(",".join(f"col:{cell}" if isinstance(cell, str) else repr(cell) for cell in row) for row in cells)


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
    rows = [[_price_of_text(price) for price in row.split(",")] for row in text.split(";")]
    if len(rows) == 1:
        return tuple(rows[0] if order == [0, 1] else rows[0][::-1])
    return [[rows[i][k] for k in order] for i in order]


def _price_of_text(text):
    return text.removeprefix("col:") if text.startswith("col:") else float(text)
