"""Data frames with mixed columns, through the Arrow stream interface, and arrays with missing cells."""

import numbers

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array, validate_data

from . import _core, _messages, _splits
from ._progress import progress_of


def is_frame(X):
    """Whether columns of X may be of several kinds: a frame of pandas, polars, pyarrow or another library."""
    return hasattr(X, "__arrow_c_stream__") and not hasattr(X, "__array_interface__")


def table_of(X):
    """The library's table of a frame, or of an array of numbers in which some may be missing."""
    with _messages.translated():
        if is_frame(X):
            X = _plain_pandas(X)
            try:
                return _core.Table.from_stream(X)
            except ImportError:  # pandas exports through pyarrow
                return _table_of_pandas(X)
        table = _core.Table(len(X))
        for j in range(X.shape[1]):
            table.add_numbers(f"x{j + 1}", np.ascontiguousarray(X[:, j]))
        return table


def _table_of_pandas(X):
    """The same without Arrow, column by column."""
    table = _core.Table(len(X), named=True)
    for name in X.columns:
        column = X[name]
        if column.dtype.kind in "iuf":
            table.add_numbers(name, np.ascontiguousarray(column.to_numpy(dtype=np.float64, na_value=np.nan)))
            continue
        values = column.astype(object).to_numpy()
        known = ~np.asarray(column.isna())
        texts, codes = np.unique([_text(value) for value in values[known]], return_inverse=True)
        code = np.full(len(X), -1, dtype=np.int32)
        code[known] = codes
        table.add_categories(name, code, [str(text) for text in texts])
    return table


def _text(value):
    return (
        _core.number_text(float(value))
        if isinstance(value, numbers.Real) and not isinstance(value, bool)
        else str(value)
    )


def _plain_pandas(X):
    """A frame of pandas without its index, which pandas would export as a column, and with names that are text."""
    if not hasattr(X, "reset_index"):
        return X
    X = X.reset_index(drop=True)
    if all(isinstance(name, str) for name in X.columns):
        return X
    return X.set_axis([str(name) for name in X.columns], axis="columns")


class OfFrames:
    """Estimators that take frames. What is not one goes the way of all other estimators."""

    def _goes_by_table(self, X):
        return self.kernel != "precomputed" and not callable(self.kernel) and (is_frame(X) or self._has_gaps(X))

    def _check_categorical(self, X):
        if self.categorical is not None and not is_frame(X):
            raise ValueError("categorical names columns of a frame, and X is an array; give a frame with named columns")

    def _has_gaps(self, X):
        if self.missing == "error" or sparse.issparse(X) or is_frame(X):
            return False
        X = np.asarray(X)
        return X.ndim == 2 and X.dtype.kind == "f" and bool(np.isnan(X).any())

    def _checked(self, X, y="no_validation", reset=True, **how):
        """X as a table, and y: what validate_data does for arrays."""
        validate_data(self, X, skip_check_array=True, reset=reset)
        if not is_frame(X):
            X = check_array(X, dtype=np.float64, ensure_all_finite="allow-nan")
        return table_of(X)

    def _fit_table(self, table, columns, task, sample_weight, groups, y, more_options, by_row):
        """`columns`: the targets, (name, values or (codes, levels)); `by_row`: weights of training and selection."""
        n = table.n_rows
        if n < 3:
            raise ValueError(f"n_samples = {n}; at least 3 are needed to leave one out")
        if len(y) != n:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{n}, {len(y)}]")
        if self.n_basis is not None and not isinstance(self.n_basis, (int, np.integer, str)):
            raise ValueError("rows of a basis go with arrays; for frames n_basis is a number or how to choose them")
        options = {**self._options(), **more_options}
        rows = np.zeros((n, 1))
        options["cv"], fold = _splits.plan(self.cv, rows, y, groups, task == "classification")
        weights, _ = self._weights(sample_weight, rows)
        roles = {
            "targets": [],
            "task": task,
            "missing": self.missing,
            "standardise": bool(self.standardise),
            "categorical": list(self.categorical or []),
        }
        with _messages.translated(), progress_of(self.verbose) as progress:
            for name, values in columns:
                name = _free(name, table.names)
                roles["targets"].append(name)
                if isinstance(values, tuple):
                    table.add_categories(name, *values)
                else:
                    table.add_numbers(name, values)
            group = None if fold is None else fold.astype(np.float64)
            for role, values in {"weights": weights, "group": group, **by_row}.items():
                if values is not None:
                    roles[role] = _free(role, table.names)
                    table.add_numbers(roles[role], values)
            model = _core.fit_table(table, roles, options, progress)
        self._training_rows = None
        self._adopt(model, None, n)
        self.warnings_ = _messages.warn(self.report_["warnings"])
        return self

    def _predictions(self, X, exposure=None):
        if not hasattr(self, "model_") or not self._goes_by_table(X):
            if hasattr(self, "model_") and self.model_.has_categories:
                raise ValueError(
                    "the model was fitted on a frame with categories; predict needs a frame with the same columns"
                )
            return super()._predictions(X, exposure)
        table = self._checked(X, reset=False)
        with _messages.translated():
            said = self.model_.predict_table(table, self._threads())
        _messages.warn(note for note in said.pop("notes") if "matched by position" not in note)
        rows = said.pop("row")
        if len(rows) < table.n_rows:
            said = self._without_some(said, rows, table.n_rows)
        return said

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def _free(name, taken):
    while name in taken:
        name += "_"
    return name
