"""Partitions of Dask's arrays and frames: which belong together, as tables of the library, and sums over them."""

import operator

import dask
import numpy as np

from . import _classifier, _core, _frames, _messages


def require_dask(name, X, estimator):
    if is_frame(X) or hasattr(X, "chunks") and hasattr(X, "to_delayed"):
        return
    raise TypeError(
        f"{name} is of type {type(X).__name__}, which has no partitions: dask.array.from_array and "
        f"dask.dataframe.from_pandas make some, and {estimator.__name__} takes rows in memory"
    )


def aligned(lists):
    """Tuples of partitions that belong together."""
    lengths = {role: X.shape[0] for role, X in lists.items() if not is_frame(X) and not np.isnan(X.shape[0])}
    if len(set(lengths.values())) > 1:
        raise ValueError("numbers of rows differ: " + ", ".join(f"{role} has {n}" for role, n in lengths.items()))
    chunks = next((X.chunks[0] for X in lists.values() if not is_frame(X)), None)
    known = chunks is not None and not np.isnan(chunks).any()
    parts = {}
    for role, X in lists.items():
        if is_frame(X):
            parts[role] = _partitions(X)
            continue
        X = X.rechunk({1: -1}) if X.ndim == 2 else X
        if known and not np.isnan(X.chunks[0]).any() and X.chunks[0] != chunks:
            X = X.rechunk({0: chunks})
        parts[role] = X.to_delayed().ravel().tolist()
    counts = {role: len(of) for role, of in parts.items()}
    if len(set(counts.values())) > 1:
        raise ValueError(f"partitions do not belong together: {counts}")
    return list(zip(*parts.values()))


def _partitions(X):
    """Those that a frame has. Dask joins some where it reads few columns of a file: others for y than for X."""
    if not hasattr(X, "simplify"):  # a frame of before 2025, which joins none
        return X.to_delayed()
    return X.simplify().to_delayed(optimize_graph=False)  # few columns are read all the same


def is_frame(X):
    return hasattr(X, "to_delayed") and hasattr(X, "divisions")


class Table:
    """A partition as the library's table: a function that is sent to where the rows are."""

    def __init__(self, names, targets, classes):
        self.names, self.targets, self.classes = names, targets, classes

    def __call__(self, part):
        X = part["X"]
        if self.names["X"] is None:
            table = _frames.table_of(X)
        else:
            X = np.asarray(X, dtype=np.float64)
            table = _core.Table(len(X))
            for name, column in zip(self.names["X"], np.ascontiguousarray(X.T)):
                table.add_numbers(name, column)
        y = _array(part["y"])
        if self.classes:
            labels, codes = np.unique(y.ravel(), return_inverse=True)
            table.add_categories(self.targets[0], codes.astype(np.int32), _classifier.label_texts(labels))
        else:
            y = _numbers(y, self.targets[0])
            y = y[:, None] if y.ndim == 1 else y
            for name, column in zip(self.targets, np.ascontiguousarray(y.T)):
                table.add_numbers(name, column)
        for role in ("weights", "exposure"):
            if role in part:
                table.add_numbers(self.names[role], _array(part[role]).astype(np.float64).ravel())
        return table


def _numbers(y, name):
    try:
        return y.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f'the target "{name}" holds values that are no numbers; a classifier takes labels') from None


def _array(values):
    return values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)


def of_part(step, table_of, k, part, *args):
    """A step on partition k, of which a message says rows: those of the data are not known to it."""
    try:
        with _messages.translated():
            return step(table_of(part), *args)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise type(error)(f"partition {k} (from 0): {error}") from None


def each(args, parts):
    """Arguments for every part: lists have one for each."""
    for k in range(len(parts)):
        yield [arg[k] if isinstance(arg, list) else arg for arg in args]


def tree(values, add):
    """Sums in a fixed order, pairs first."""
    while len(values) > 1:
        values = [add(*values[k : k + 2]) if k + 1 < len(values) else values[k] for k in range(0, len(values), 2)]
    return values[0]


def added(tasks):
    return tree(tasks, dask.delayed(operator.add))
