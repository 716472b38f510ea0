"""Data frames with mixed columns, through the Arrow stream interface, and arrays with missing cells."""

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array, validate_data

from . import _checks, _core, _decisions, _messages, _pandas, _splits
from ._progress import progress_of


def is_frame(X):
    """Whether columns of X may be of several kinds: a frame of pandas, polars, pyarrow or another library."""
    return hasattr(X, "__arrow_c_stream__") and not hasattr(X, "__array_interface__")


def table_of(X):
    """The library's table of a frame, or of an array of numbers in which some may be missing."""
    with _messages.translated():
        if is_frame(X):
            if hasattr(X, "reset_index"):
                return _pandas.table_of(X)
            return _core.Table.from_stream(X)
        table = _core.Table(len(X))
        for j in range(X.shape[1]):
            table.add_numbers(f"x{j + 1}", np.ascontiguousarray(X[:, j]))
        return table


class OfFrames:
    """Estimators that take frames. What is not one goes the way of all other estimators."""

    def _goes_by_table(self, X):
        return self.kernel != "precomputed" and not callable(self.kernel) and (is_frame(X) or self._has_gaps(X))

    def _check_columns(self, X):
        _checks.one_of("missing", self.missing, ("error", "mean", "drop", "indicator"))
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
        table = table_of(X)
        if table.n_rows == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape={tuple(X.shape)}) while a minimum of 1 is required.")
        return table

    def _fit_table(self, table, columns, task, sample_weight, groups, y, more_options, by_row, positive=None):
        """`columns`: the targets, (name, values or (codes, levels)); `by_row`: weights of training and selection;
        `positive`: of two classes, the label of the second, which the library might take for the first."""
        n = table.n_rows
        if n < 3:
            raise ValueError(f"n_samples = {n}; at least 3 are needed to leave one out")
        if len(y) != n:
            raise ValueError(f"Found input variables with inconsistent numbers of samples: [{n}, {len(y)}]")
        if np.ndim(self.n_basis) > 0:
            raise ValueError("rows of a basis go with arrays; for frames n_basis is a number or how to choose them")
        options = {**self._options(), **more_options}
        rows = np.zeros((n, 1))
        options["cv"], fold = _splits.plan(self.cv, rows, y, groups, task == "classification")
        weights, _ = self._weights(sample_weight, rows)
        roles = {
            "targets": [],
            "task": task,
            "positive": positive,
            "missing": self.missing,
            "standardise": _checks.flag("standardise", self.standardise),
            "categorical": _checks.column_names("categorical", self.categorical or []),
            "prices": _decisions.price_columns(getattr(self, "cost", None)),
        }
        with _messages.translated(self), progress_of(self.verbose) as progress:
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
        _messages.warn(self.report_["warning_codes"], self.warnings_)
        return self

    def _as_rows(self, X):
        if self._goes_by_table(X):
            return self._checked(X, reset=False)
        if self.model_.has_categories:
            raise ValueError(
                "the model was fitted on a frame with categories; predict needs a frame with the same columns"
            )
        return super()._as_rows(X)

    def _predictions(self, X, exposure=None, quantiles=(), variance=False):
        if not hasattr(self, "model_") or not self._goes_by_table(X):
            return super()._predictions(X, exposure, quantiles, variance)
        table = self._as_rows(X)
        with _messages.translated():
            said = self.model_.predict_table(table, self._threads(), list(quantiles), bool(variance))
        notes = dict(zip(map(_messages.to_python, said.pop("notes")), said.pop("note_codes")))
        notes = {text: code for text, code in notes.items() if code != "matched-by-position"}
        _messages.warn(notes.values(), notes.keys())
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
