"""The program's own defaults: estimators that choose everything, and take frames with mixed columns."""

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, _check_y, column_or_1d

from ._classifier import WeightedClassifier, label_texts
from ._documentation import documented
from ._frames import OfFrames
from ._messages import DataError
from ._regressors import OfLeastSquares
from ._validation import checked_targets, require_no_gaps

_FRAME_EXAMPLE = """>>> import pandas as pd
>>> from lacuna import {name}
>>> X = pd.DataFrame({{"size": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] * 4, "kind": ["a", "b", "b", "a", "a", "b"] * 4}})
>>> y = {y}
>>> model = {name}().fit(X, y, groups=list(range(6)) * 4)
>>> model.predict(X[:2]).shape
(2,)"""


@documented(
    "What ``lacuna fit`` does for classes, with nothing to tune.",
    "Kernel logistic regression whose hyper-parameters are selected and whose probabilities are fitted to the held-out "
    "outputs of two classes. X may be a frame of pandas, polars or pyarrow with columns of numbers, text, categories "
    "and truth values; they are encoded as the command line encodes a file, and the model knows how.",
    example=_FRAME_EXAMPLE.format(name="LacunaClassifier", y='["no", "no", "yes", "yes", "no", "yes"] * 4'),
)
class LacunaClassifier(OfFrames, WeightedClassifier):
    def __init__(
        self,
        kernel="rbf",
        *,
        gamma=None,
        degree=3,
        coef0=None,
        alpha=None,
        effort="quick",
        class_weight=None,
        standardise=True,
        cv=None,
        criterion=None,
        n_basis=None,
        recalibrate=None,
        threshold=None,
        cost=None,
        refit_flagged=False,
        missing="error",
        categorical=None,
        max_evaluations=None,
        time_limit=None,
        memory=None,
        n_jobs=None,
        random_state=None,
        verbose=False,
    ):
        super().__init__(
            kernel,
            gamma=gamma,
            degree=degree,
            coef0=coef0,
            alpha=alpha,
            effort=effort,
            class_weight=class_weight,
            standardise=standardise,
            cv=cv,
            criterion=criterion,
            n_basis=n_basis,
            recalibrate=recalibrate,
            threshold=threshold,
            cost=cost,
            refit_flagged=refit_flagged,
            max_evaluations=max_evaluations,
            time_limit=time_limit,
            memory=memory,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.missing = missing
        self.categorical = categorical

    def fit(self, X, y, sample_weight=None, groups=None):
        """Select what is None, and fit.

        Parameters
        ----------
        X : frame, array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            Labels of any type.
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight k counts as k copies of it; weight 0 as a row that is not there.
        groups : array-like of shape (n_samples,), optional
            Rows of one group are held out together.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._check_columns(X)
        if not self._goes_by_table(X):
            return super().fit(X, y, sample_weight, groups)
        table = self._checked(X)
        name = getattr(y, "name", None)
        require_no_gaps(_plain(y))
        with checked_targets(self, y):
            y = _check_y(_plain(y), multi_output=False, y_numeric=False, estimator=self)
        check_classification_targets(y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, y, dtype=np.float64)
        codes = self._take_classes(column_or_1d(y, warn=True), sample_weight)
        by_row = {}
        options = self._class_weights(codes, by_row)
        target = (
            name if isinstance(name, str) and name else "target",
            (codes.astype(np.int32), label_texts(self.classes_)),
        )
        positive = label_texts(self.classes_)[1] if len(self.classes_) == 2 else None
        return self._fit_table(table, [target], "classification", sample_weight, groups, y, options, by_row, positive)

    def _without_some(self, said, rows, n):
        raise DataError(
            f'{n - len(rows)} rows have missing cells, and the model was fitted with missing="drop"; '
            'leave them out, or fit with missing="mean"'
        )


@documented(
    "What ``lacuna fit`` does for values, with nothing to tune.",
    "A least-squares support vector machine whose hyper-parameters are selected. X may be a frame of pandas, polars or "
    "pyarrow with columns of numbers, text, categories and truth values; they are encoded as the command line encodes "
    "a file, and the model knows how.",
    example=_FRAME_EXAMPLE.format(name="LacunaRegressor", y="[1.0, 3.0, 4.5, 4.0, 5.1, 7.5] * 4"),
)
class LacunaRegressor(OfFrames, OfLeastSquares):
    def __init__(
        self,
        kernel="rbf",
        *,
        gamma=None,
        degree=3,
        coef0=None,
        alpha=None,
        effort="quick",
        standardise=True,
        cv=None,
        criterion=None,
        n_basis=None,
        interval_method="follow",
        missing="error",
        categorical=None,
        max_evaluations=None,
        time_limit=None,
        memory=None,
        n_jobs=None,
        random_state=None,
        verbose=False,
    ):
        super().__init__(
            kernel,
            gamma=gamma,
            degree=degree,
            coef0=coef0,
            alpha=alpha,
            effort=effort,
            standardise=standardise,
            cv=cv,
            criterion=criterion,
            n_basis=n_basis,
            interval_method=interval_method,
            max_evaluations=max_evaluations,
            time_limit=time_limit,
            memory=memory,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.missing = missing
        self.categorical = categorical

    def fit(self, X, y, sample_weight=None, groups=None):
        """Select what is None, and fit.

        Parameters
        ----------
        X : frame, array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Values.
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight k counts as k copies of it; weight 0 as a row that is not there.
        groups : array-like of shape (n_samples,), optional
            Rows of one group are held out together.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._check_columns(X)
        if not self._goes_by_table(X):
            return super().fit(X, y, sample_weight, groups)
        table = self._checked(X)
        require_no_gaps(_plain(y))
        with checked_targets(self, y):
            y = _check_y(_plain(y), multi_output=True, y_numeric=True, estimator=self).astype(np.float64)
        self._one_target = y.ndim == 1
        names = ["target"] if y.ndim == 1 else [f"target{k + 1}" for k in range(y.shape[1])]
        columns = list(zip(names, y.reshape(len(y), -1).T))
        return self._fit_table(table, columns, "regression", sample_weight, groups, y, {}, {})

    def _without_some(self, said, rows, n):
        out = {}
        for key, value in said.items():
            out[key] = np.full((n, *value.shape[1:]), np.nan)
            out[key][rows] = value
        return out


def _plain(y):
    return y.to_numpy() if hasattr(y, "to_numpy") else y
