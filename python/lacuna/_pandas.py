"""Frames of pandas as tables: through Arrow where pandas can, else column by column."""

import numbers
from decimal import Decimal

import numpy as np

from . import _core
from ._messages import DataError


def table_of(X):
    X = _plain(X)
    try:
        return _core.Table.from_stream(X)
    except (ImportError, ValueError, TypeError, OverflowError, NotImplementedError):
        # No pyarrow, or it has no type for a column.
        return by_columns(X)


def _plain(X):
    """Without the index, which pandas would export as a column, and with names and categories that are text."""
    X = X.reset_index(drop=True)
    if not all(isinstance(name, str) for name in X.columns):
        X = X.set_axis([str(name) for name in X.columns], axis="columns")
    for j, dtype in enumerate(X.dtypes):
        categories = getattr(dtype, "categories", None)
        if categories is not None and categories.dtype.kind not in "iufb" and X.columns.is_unique:
            name = X.columns[j]
            X = X.assign(**{name: X[name].cat.rename_categories([_text(c) for c in categories])})
    return X


def by_columns(X):
    """The table without Arrow."""
    table = _core.Table(len(X), named=True)
    for name in X.columns:
        column = X[name]
        if column.ndim > 1:
            raise DataError(f'two columns are named "{name}"')
        known = ~np.asarray(column.isna())
        if column.dtype.kind in "iuf" or column.dtype == object and all(map(_is_number, column[known])):
            table.add_numbers(name, np.ascontiguousarray(column.to_numpy(dtype=np.float64, na_value=np.nan)))
            continue
        values = column.astype(object).to_numpy()[known]
        _check(name, values)
        texts, codes = np.unique([_text(value) for value in values], return_inverse=True)
        code = np.full(len(X), -1, dtype=np.int32)
        code[known] = codes
        table.add_categories(name, code, [str(text) for text in texts])
    return table


def _is_number(value):
    return isinstance(value, (numbers.Real, Decimal)) and not isinstance(value, (bool, np.bool_))


def _check(name, values):
    for value in values:
        if not isinstance(value, (str, bool, np.bool_)) and not _is_number(value):
            raise DataError(
                f'column "{name}" holds values of type {type(value).__name__}, which are neither numbers, truth values '
                "nor text; convert them, or leave the column out"
            )


def _text(value):
    return _core.number_text(float(value)) if _is_number(value) else str(value)
