"""scikit-learn's checks of X and y, with refusals that say where and what to do."""

from contextlib import contextmanager

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data


def validated(estimator, X, *y, **how):
    """What validate_data returns."""
    with _told(estimator, X, *y):
        return validate_data(estimator, X, *y, **how)


@contextmanager
def checked_targets(estimator, y):
    """Around a check of y alone."""
    with _told(estimator, None, y):
        yield


def require_no_gaps(y):
    """Targets that are None or pandas' NA would meet comparisons that cannot be."""
    values = np.asarray(y)
    if values.dtype != object or values.ndim != 1:
        return
    rows = [row for row, value in enumerate(values) if _is_missing(value)]
    if rows:
        raise ValueError(f"Input y contains NaN: {_count(rows, 'missing value')}; leave such rows out")


@contextmanager
def _told(estimator, X, y=None):
    try:
        yield
    except ValueError as error:
        text = str(error)
        if text.startswith("could not convert string to float"):
            told = _text_in_X(estimator, X) or _text_in_y(estimator, y)
        elif text.startswith("Input X contains NaN"):
            told = _gaps_in_X(estimator, X)
        elif text.startswith(("Input y contains NaN", "Input contains NaN")):
            told = _gaps_in_y(y)
        else:
            told = None
        if told is None:
            raise
        raise ValueError(told) from None


def _text_in_X(estimator, X):
    if X is None or sparse.issparse(X):
        return None
    names = getattr(X, "columns", None)
    values = np.asarray(X, dtype=object)
    if values.ndim != 2:
        return None
    for column in range(values.shape[1]):
        for row, value in enumerate(values[:, column]):
            if isinstance(value, str) and not _is_number(value):
                column = f"column {column}" if names is None else f'column "{list(names)[column]}"'
                what = (
                    "an array is for numbers; give a frame, such as pandas.DataFrame(X), for text and categories"
                    if _takes_frames(estimator)
                    else f"{_name(estimator)} takes numbers; LacunaClassifier and LacunaRegressor take frames with text"
                )
                return f"X holds text, {value!r} in {column}, row {row} (from 0); {what}"
    return None


def _text_in_y(estimator, y):
    for row, value in enumerate(np.asarray(y, dtype=object).ravel()):
        if isinstance(value, str) and not _is_number(value):
            where = f"{value!r} in row {row} (from 0)"
            return f"y holds text, {where}, and {_name(estimator)} takes numbers; for classes there is LacunaClassifier"
    return None


def _gaps_in_X(estimator, X):
    where = ""
    if not sparse.issparse(X):
        rows, columns = np.nonzero(np.isnan(np.asarray(X, dtype=np.float64)))
        names = getattr(X, "columns", None)
        column = f"column {columns[0]}" if names is None else f'column "{list(names)[columns[0]]}"'
        where = f", first in row {rows[0]} (from 0), {column}"
    if _takes_frames(estimator):
        what = 'missing="mean" fills such cells in, "indicator" also says where they were, "drop" leaves their rows out'
    else:
        what = "fill such cells in, or take LacunaClassifier or LacunaRegressor, whose parameter missing does"
    return f"Input X contains NaN{where}; {what}"


def _gaps_in_y(y):
    values = np.asarray(y, dtype=object)
    rows = [row for row, value in enumerate(values) if any(map(_is_missing, np.ravel(value)))]
    return f"Input y contains NaN: {_count(rows, 'missing value')}; leave such rows out" if rows else None


def _count(rows, what):
    return f"{len(rows)} {what}{'s' if len(rows) > 1 else ''}, first in row {rows[0]} (from 0)"


def _is_missing(value):
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def _takes_frames(estimator):
    return hasattr(estimator, "missing")


def _name(estimator):
    return type(estimator).__name__
