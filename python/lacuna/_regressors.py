"""Regressors: one for each of the library's machines for numbers."""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _checks, _messages
from ._base import KernelMachine
from ._documentation import documented
from ._validation import checked_targets, require_no_gaps, validated


class KernelRegressor(RegressorMixin, KernelMachine):
    """Base of the regressors."""

    _several_targets = False
    _positive = False

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
        max_evaluations=None,
        time_limit=None,
        memory=None,
        n_jobs=None,
        random_state=None,
        verbose=False,
    ):
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.alpha = alpha
        self.effort = effort
        self.standardise = standardise
        self.cv = cv
        self.criterion = criterion
        self.n_basis = n_basis
        self.max_evaluations = max_evaluations
        self.time_limit = time_limit
        self.memory = memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _fit_values(self, X, y, sample_weight, groups, exposure=None):
        require_no_gaps(y)
        X, y = validated(
            self, X, y, accept_sparse="csr", dtype=np.float64, y_numeric=True, multi_output=self._several_targets
        )
        return self._fit_numbers(X, y, sample_weight, groups, exposure)

    def _fit_numbers(self, X, y, sample_weight, groups, exposure=None):
        if not self._several_targets:
            y = column_or_1d(y, warn=True)
        with checked_targets(self, y):
            y = np.asarray(y, dtype=np.float64)
        self._one_target = y.ndim == 1
        targets = y[:, None] if y.ndim == 1 else y
        names = ["target"] if targets.shape[1] == 1 else [f"target{k + 1}" for k in range(targets.shape[1])]
        supervision = {"targets": targets, "target_names": names, "counts": self._counts}
        return self._fit(X, supervision, sample_weight, groups, y, exposure)

    def _adopt(self, model, rows=None, n_rows=None):
        super()._adopt(model, rows, n_rows)
        self.loo_predictions_ = None if self._held_out is None else self._shaped(self._held_out["value"])

    def _shaped(self, values):
        return values[:, 0] if self._one_target else values

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self._several_targets
        tags.target_tags.single_output = True
        tags.target_tags.positive_only = self._positive
        return tags


class _OfValues(KernelRegressor):
    """Targets that are values, with intervals."""

    _several_targets = True

    def fit(self, X, y, sample_weight=None, groups=None):
        """Select the hyper-parameters that are None, and fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square kernel matrix.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Values; several targets share the hyper-parameters.
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight k counts as k copies of it, in training and in selection; weight 0 as a row that is not
            there.
        groups : array-like of shape (n_samples,), optional
            Rows of one group are held out together.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        return self._fit_values(X, y, sample_weight, groups)

    def predict(self, X, interval=None, quantiles=None, return_std=False, return_variance=False):
        """The expected value of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            New rows.
        interval : float, optional
            0.9: also the ends of intervals that 90 % of new values are expected to fall into, from the ranks of
            held-out residuals. Any level up to what the number of held-out rows allows, n / (n + 1), and 0.99; levels
            between two whole percents are taken as the higher one.
        quantiles : list of float, optional
            [0.05, 0.5, 0.95]: these quantiles of new values in place of the expected ones. They are ends of intervals:
            those of 0.05 and 0.95 are the ends of the interval of 0.9.
        return_std : bool, default=False
            Also the standard deviation of new values about the expected ones, from held-out residuals.
        return_variance : bool, default=False
            Also the variance of the function itself, as that of a Gaussian process: of least squares on all rows. It
            grows away from the data.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
            Values. With ``quantiles``, of shape (n_samples, n_quantiles) or (n_samples, n_targets, n_quantiles).
        lower, upper : ndarrays of the shape of y
            Only with ``interval``.
        std, variance : ndarrays of the shape of y
            Only with ``return_std`` or ``return_variance``.
        """
        if (interval is not None) + (quantiles is not None) + bool(return_std) + bool(return_variance) > 1:
            raise ValueError("interval, quantiles, return_std and return_variance are questions; ask one at a time")
        if return_variance:
            said = self._predictions(X, variance=True)
            return self._shaped(said["value"]), self._shaped(said["variance"])
        if interval is not None:
            if not _checks.is_number(interval):
                raise ValueError(f"interval must be a number between 0 and 1; got {interval!r}")
            check_is_fitted(self, "model_")
            with _messages.translated():
                self.model_.half_width(float(interval))  # says what is wrong with the level
            said = self._predictions(X, quantiles=[0.5 - 0.5 * interval, 0.5 + 0.5 * interval])
            return tuple(self._shaped(said[name]) for name in ("value", "quantile0", "quantile1"))
        if quantiles is not None:
            quantiles = np.asarray(quantiles, dtype=np.float64)
            if quantiles.ndim != 1 or quantiles.size == 0:
                raise ValueError("quantiles must be a list of numbers between 0 and 1, such as [0.05, 0.95]")
            said = self._predictions(X, quantiles=quantiles)
            return np.stack([self._shaped(said[f"quantile{k}"]) for k in range(quantiles.size)], axis=-1)
        said = self._predictions(X)
        y = self._shaped(said["value"])
        if not return_std:
            return y
        if said.get("deviation") is None:
            raise ValueError("this model has no standard deviations; they need ten held-out rows at least")
        return y, self._shaped(said["deviation"])


class OfLeastSquares(_OfValues):
    """Values by a machine whose intervals may look at the machines without each row."""

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
            max_evaluations=max_evaluations,
            time_limit=time_limit,
            memory=memory,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.interval_method = interval_method

    def _options(self):
        _checks.one_of("interval_method", self.interval_method, ("follow", "constant", "jackknife+"))
        return {**super()._options(), "interval_method": self.interval_method}


@documented(
    "Least-squares support vector machine for values: kernel ridge regression with a bias.",
    'With ``kernel="linear"`` and ``standardise=False`` it is ridge regression.',
)
class LSSVMRegressor(OfLeastSquares):
    _machine = "ls-svm"


@documented(
    "Robust kernel regression with the pseudo-Huber loss.",
    "Residuals beyond ``delta`` count linearly, so that single values far off do not bend the fit.",
    """delta : float, optional
    Where residuals begin to look large; None: 1.345 robust deviations of held-out residuals of LSSVMRegressor.""",
)
class HuberKernelRegressor(_OfValues):
    def __init__(
        self,
        kernel="rbf",
        *,
        gamma=None,
        degree=3,
        coef0=None,
        alpha=None,
        effort="quick",
        delta=None,
        standardise=True,
        cv=None,
        criterion=None,
        n_basis=None,
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
            max_evaluations=max_evaluations,
            time_limit=time_limit,
            memory=memory,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.delta = delta

    def _machine_text(self):
        if self.delta is None:
            return "huber"
        return f"huber:delta={_checks.positive('delta', self.delta, 'to choose it')!r}"

    def _chosen(self, report):
        return {"delta": report["loss"]["delta"]}
