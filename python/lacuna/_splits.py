"""Cross-validation as the library wants it: words, or a fold for every row."""

import numbers
import re

import numpy as np
from sklearn.model_selection import LeaveOneOut, check_cv

_FOLDS = "([2-9]|[1-9][0-9]+)"
_WORDS = f"auto|(explicit:)?(loo|{_FOLDS}(x[1-9][0-9]*)?)|(loo|{_FOLDS}):one-step"


def plan(cv, X, y, groups, classifier):
    """(words, fold of every row or None).

    Splits in closed form are those in which every row is held out once, by a machine of all rows that are not held out
    with it.
    """
    if cv is None:
        return "auto", _codes(groups, len(y))
    if isinstance(cv, str) or isinstance(cv, numbers.Integral) and not isinstance(cv, bool):
        if not re.fullmatch(_WORDS, str(cv)):
            raise ValueError(
                f'cv={cv!r} is not understood; it is "loo", a number of folds from 2, "10x3" for repeated folds, '
                '"explicit:loo" or "explicit:10" for refits, "loo:one-step", a splitter or a list of splits; groups '
                "are given to fit"
            )
        return str(cv), _codes(groups, len(y))
    if isinstance(cv, LeaveOneOut):
        return "loo", None
    splits = list(check_cv(cv, y, classifier=classifier).split(X, y, groups))
    return "group:cv", _partition(splits, len(y))


def _codes(groups, n):
    if groups is None:
        return None
    if np.shape(groups)[0] != n:
        raise ValueError(f"groups has {np.shape(groups)[0]} values for {n} rows")
    return np.unique(np.asarray(groups), return_inverse=True)[1].astype(np.int32).ravel()


def _partition(splits, n):
    fold = np.full(n, -1, dtype=np.int32)
    for k, (train, test) in enumerate(splits):
        train, test = _indices(train, n), _indices(test, n)
        held_out = np.zeros(n, dtype=bool)
        held_out[test] = True
        if (fold[test] >= 0).any():
            raise ValueError(
                "cv: some row is held out twice; splits must be a partition of the rows, such as KFold's "
                '(for repeated folds use cv="10x3")'
            )
        if held_out[train].any() or held_out.sum() + len(np.unique(train)) != n:
            raise ValueError("cv: every split must train on all the rows that it does not hold out")
        fold[test] = k
    if (fold < 0).any():
        raise ValueError(f"cv: {int((fold < 0).sum())} rows are never held out; splits must be a partition of the rows")
    return fold


def _indices(which, n):
    which = np.asarray(which)
    return np.flatnonzero(which) if which.dtype == bool and len(which) == n else which
