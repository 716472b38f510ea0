"""What all estimators share: from scikit-learn's conventions to one call of the library, and back."""

import json
import numbers

import numpy as np
from joblib import effective_n_jobs
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import (
    _check_sample_weight,
    _num_samples,
    check_consistent_length,
    check_is_fitted,
)

from . import _checks, _choice, _core, _kernels, _messages, _parameters, _splits
from ._arrays import as_float, averaged, is_rows, positive_column, rows_argument, spread, squeezed
from ._html import ShownWhenFitted
from ._progress import progress_of
from ._validation import validated


class KernelMachine(ShownWhenFitted):
    """Base of the estimators; not to be used itself. ``_machine`` is the library's word for the model."""

    _machine = None
    _counts = False

    # -- in ---------------------------------------------------------------------------------------------------------

    def _machine_text(self):
        return self._machine

    def _machine_name(self):
        """The library's word for the machine, without parameters; None: the library chooses."""
        return (self._machine_text() or "").partition(":")[0] or None

    def _kernel_text(self):
        if callable(self.kernel):
            return "precomputed"
        return _kernels.specification(self.kernel, self.gamma, self.degree, self.coef0)

    def _options(self):
        seed = 0 if self.random_state is None else self.random_state
        if not isinstance(seed, (int, np.integer)):
            seed = check_random_state(seed).randint(2**31 - 1)
        return {
            "model": self._machine_text(),
            "kernel": self._kernel_text(),
            "effort": _choice.effort_of(self),
            "alpha": None if self.alpha is None else _checks.positive("alpha", self.alpha, "to select it"),
            "basis": None if self.n_basis is None or is_rows(self.n_basis) else str(self.n_basis),
            "criterion": self.criterion,
            "max_evaluations": self.max_evaluations,
            "time_limit": _limit("time_limit", self.time_limit),
            "memory": _limit("memory", self.memory),
            "threads": self._threads(),
            "seed": int(seed),
            "verify": getattr(self, "_verify", None),
        }

    def _threads(self):
        # None leaves the number to OpenMP, and so to OMP_NUM_THREADS and threadpoolctl.
        if self.n_jobs is None:
            return 0
        if not isinstance(self.n_jobs, numbers.Integral) or isinstance(self.n_jobs, bool) or self.n_jobs == 0:
            raise ValueError(
                f"n_jobs must be a whole number of threads (-1: all processors) or None; got {self.n_jobs!r}"
            )
        return effective_n_jobs(self.n_jobs)

    def _weights(self, sample_weight, X):
        """Weights of rows, and which rows count: those of weight 0 are as if they were not there."""
        if sample_weight is None:
            return None, None
        weights = np.array(_check_sample_weight(sample_weight, X, dtype=np.float64))
        if (weights < 0).any():
            raise ValueError("Negative values in data passed to `sample_weight`")
        if not (weights > 0).any():
            raise ValueError("Sample weights must contain at least one non-zero number.")
        return weights, None if (weights > 0).all() else np.flatnonzero(weights)

    def _fit(self, X, supervision, sample_weight, groups, y, exposure=None, **more_options):
        """`supervision` says what the rows are taught; y is what splitters stratify by."""
        if len(y) < 3:
            raise ValueError(f"n_samples = {len(y)}; at least 3 are needed to leave one out")
        options = {**self._options(), **more_options}
        cv, fold = _splits.plan(self.cv, X, y, groups, "labels" in supervision)
        options["cv"] = cv
        weights, rows = self._weights(sample_weight, X)
        supervision = {
            **supervision,
            "weights": weights,
            "group": fold,
            "exposure": None if exposure is None else positive_column(exposure, X.shape[0], "exposure"),
            "standardise": _checks.flag("standardise", self.standardise),
            "feature_names": None if callable(self.kernel) else _names(self),
        }
        if self.kernel == "precomputed":  # its columns count: the library leaves rows of weight 0 out itself
            rows = None
        if rows is not None:
            if len(rows) < 3:
                raise ValueError(f"n_samples = {len(rows)} of weight above 0; at least 3 are needed to leave one out")
            X = X[rows]
            supervision = {
                key: value[rows] if key in _BY_ROW and value is not None else value
                for key, value in supervision.items()
            }
        self._training_rows = X if callable(self.kernel) else None
        if callable(self.kernel):
            X = self._called(X)
        basis = rows_argument(as_float(self.n_basis)) if is_rows(self.n_basis) else None
        with _messages.translated(self, rows), progress_of(self.verbose) as progress:
            model = _core.fit(rows_argument(X), supervision, options, basis, progress)
        self._adopt(model, rows, len(y))
        _messages.warn(self.report_["warning_codes"], self.warnings_)
        return self

    # -- out --------------------------------------------------------------------------------------------------------

    def _adopt(self, model, rows=None, n_rows=None):
        """Fitted attributes from a model; `rows` are those of `n_rows` rows that it was trained on (None: all)."""
        self.model_ = model
        self._rows_of_fit = (rows, n_rows)
        report = self.report_ = json.loads(model.report())
        self.encoding_ = report.pop("encoding")
        self.warnings_ = report["warnings"] = [_messages.to_python(text, rows=rows) for text in report["warnings"]]
        self.best_params_ = {**_choice.chosen_parameters(self, report, model.alpha), **self._chosen(report)}
        _choice.set_attributes(self, report)
        value = report["criterion"]["value"]
        self.best_score_ = np.nan if value is None else -value
        names = [_kernels.PARAMETERS.get(name, name) for name in report["search"].pop("parameters")]
        path = report["search"].pop("path")
        self.search_path_ = [{**dict(zip(names, values)), "value": value} for values, value in path]
        self.dual_coef_ = squeezed(model.dual_coef)
        intercept = model.intercept
        self.intercept_ = float(intercept[0]) if intercept.size == 1 else intercept
        held_out = model.held_out()
        self._held_out = None
        self.leverage_ = None
        if held_out:
            if held_out["repeats"] > 1:
                held_out = averaged(held_out)
            if n_rows is None:
                n_rows = int(held_out["row"].max()) + 1
            at = held_out["row"] if rows is None else rows[held_out["row"]]
            self._held_out = {
                key: spread(value, at, n_rows)
                for key, value in held_out.items()
                if isinstance(value, np.ndarray) and key != "row"
            }
            self.leverage_ = self._held_out["leverage"]

    def _chosen(self, report):
        """Parameters of this estimator besides those of the kernel and alpha, as they were selected or given."""
        return {}

    def _as_rows(self, X):
        """New rows as the module takes them."""
        X = validated(self, X, reset=False, accept_sparse="csr", dtype=np.float64)
        if self._training_rows is not None:
            X = self._called(X)
        if self.model_.is_sparse != sparse.issparse(X):
            X = sparse.csr_array(X) if self.model_.is_sparse else np.asarray(X.toarray())
        return rows_argument(X)

    def _called(self, X):
        """What a kernel of the user's own makes of rows."""
        K = as_float(self.kernel(X, self._training_rows))
        shape = (_num_samples(X), _num_samples(self._training_rows))
        if K.shape != shape:
            raise ValueError(f"the kernel must return one value for each pair of rows, {shape}; it returned {K.shape}")
        return K

    def _predictions(self, X, exposure=None, quantiles=(), variance=False):
        check_is_fitted(self, "model_")
        rows = self._as_rows(X)
        exposure = None if exposure is None else positive_column(exposure, _num_samples(X), "exposure")
        with _messages.translated():
            prices = self._prices_of(X)
            return self.model_.predict(rows, exposure, self._threads(), list(quantiles), prices, bool(variance))

    def _prices_of(self, X):
        """What mistakes about new rows cost, where columns say it; None: none do."""
        return None

    def outside(self, X):
        """How far rows are from the data that the model was fitted on: there its answers are guesses.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)
            New rows.

        Returns
        -------
        ratio : ndarray of shape (n_samples,)
            The distance of each row from the nearest training row, over the distance that 99 % of the training rows keep
            to theirs: above 1 a row is outside. NaN for rows that ``missing="drop"`` leaves out.
        """
        check_is_fitted(self, "model_")
        rows = self._as_rows(X)
        with _messages.translated():
            return self.model_.outside(rows, self._threads())

    def scores(self, X, y, exposure=None):
        """How good predictions of new rows are, with what it takes to read the figures.

        Parameters
        ----------
        X : array-like, sparse matrix or frame of shape (n_samples, n_features)
            Rows that the model was not fitted on.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Their targets.
        exposure : array-like of shape (n_samples,), optional
            Of the rows, for models of rates.

        Returns
        -------
        scores : dict
            What ``lacuna predict --json`` writes: ``rows``, ``scores`` and, beside them, those of the best constant
            answer as ``baseline``; of classes ``confusion`` and recall and precision ``by_class``, and where mistakes
            have a ``cost`` its standard error ``cost_error`` and the ``cheapest`` constant answer. Several targets are
            in ``targets``, by name.
        """
        check_is_fitted(self, "model_")
        check_consistent_length(X, y)
        n = _num_samples(X)
        rows = self._as_rows(X)
        truth = _core.Table(n, True)
        for name, column in zip(self.model_.target_names, self._truth_columns(y)):
            (truth.add_categories if isinstance(column, tuple) else truth.add_numbers)(
                name, *(column if isinstance(column, tuple) else (column,))
            )
        with _messages.translated():
            if isinstance(rows, _core.Table):
                return json.loads(_core.scores_of_table(self.model_, rows, truth, self._threads()))
            exposure = None if exposure is None else positive_column(exposure, n, "exposure")
            return json.loads(
                _core.scores(self.model_, rows, truth, exposure, self._threads(), self._prices_of(X))
            )

    def _truth_columns(self, y):
        """Targets as columns of a table: arrays of numbers, or (codes, levels)."""
        y = np.asarray(y, dtype=np.float64)
        return list(np.ascontiguousarray(y.reshape(len(y), -1).T))

    def save(self, path):
        """Write the model to a file that ``lacuna.load`` and the command line read.

        The file keeps the parameters of the estimator too, but for objects that have no text: splitters, random states
        and the rows of a basis.

        Parameters
        ----------
        path : str or path-like
            Where; an existing file is replaced when the new one is complete.
        """
        check_is_fitted(self, "model_")
        if self._training_rows is not None:
            raise ValueError("a model with a kernel of your own cannot be saved to a model file; pickle the estimator")
        with _messages.translated():
            self.model_.metadata = {_parameters.KEY: _parameters.text_of(self)}
            self.model_.save(str(path))

    def report(self, path):
        """Write the model's report: one page for a browser, as ``lacuna report`` writes it.

        How good the model is, whether its probabilities can be trusted, what was chosen, which rows deserve a look, and
        what it looks like. The file needs no network. Rows count from 1 in it, as in model files.

        Parameters
        ----------
        path : str or path-like
            Where, an HTML file; an existing one is replaced when the new one is complete.
        """
        check_is_fitted(self, "model_")
        with _messages.translated(self), progress_of(self.verbose) as progress:
            _core.write_page(self.model_, str(path), self._threads(), progress)

    def to_onnx(self, path=None):
        """The model as ONNX: plain operators in double precision, from the columns to labels and probabilities.

        Parameters
        ----------
        path : str or path-like, default=None
            Where to write it, if anywhere.

        Returns
        -------
        onnx : bytes
            A serialised ``ModelProto``; the guide's page on ONNX names its inputs and outputs.
        """
        check_is_fitted(self, "model_")
        if self._training_rows is not None:
            raise ValueError("a kernel of your own has no ONNX operators")
        with _messages.translated():
            onnx = self.model_.to_onnx()
        if path is not None:
            with open(path, "wb") as file:
                file.write(onnx)
        return onnx

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.kernel != "precomputed" and not callable(self.kernel)
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


_BY_ROW = ("labels", "targets", "weights", "train_weights", "select_weights", "group", "exposure", "prices")


def _limit(name, value):
    return None if value is None else _checks.positive(name, value, "for no limit")


def _names(estimator):
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]
