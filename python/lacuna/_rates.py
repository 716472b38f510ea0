"""Regressors of rates: counts and positive values, with an exposure."""

from . import _checks
from ._documentation import documented
from ._regressors import KernelRegressor


class _OfRates(KernelRegressor):
    """Targets that are counts or positive values, with an exposure."""

    def fit(self, X, y, sample_weight=None, groups=None, exposure=None):
        """Select the hyper-parameters that are None, and fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square kernel matrix.
        y : array-like of shape (n_samples,)
            Counts, or positive values.
        sample_weight : array-like of shape (n_samples,), optional
            A row of weight k counts as k copies of it, in training and in selection; weight 0 as a row that is not
            there.
        groups : array-like of shape (n_samples,), optional
            Rows of one group are held out together.
        exposure : array-like of shape (n_samples,), optional
            Time at risk, area, ...: the expected target is proportional to it.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        return self._fit_values(X, y, sample_weight, groups, exposure)

    def predict(self, X, exposure=None):
        """The expected target of each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            New rows.
        exposure : array-like of shape (n_samples,), optional
            Exposure of each row; None: 1, so that predictions are rates.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Expected targets.
        """
        return self._shaped(self._predictions(X, exposure)["value"])


@documented("Kernel Poisson regression, for counts.", "The expected count is the exponential of the machine's output.")
class KernelPoissonRegressor(_OfRates):
    _machine = "poisson"
    _counts = True
    _positive = True


@documented(
    "Kernel negative-binomial regression, for counts that scatter more than Poisson counts.",
    """The expected count m is the exponential of the machine's output; the variance is m + overdispersion m².
    ``report_["counts"]`` has the dispersion, the share of zeros and the numbers of a rootogram, observed and expected.""",
    """overdispersion : float, optional
    The variance beyond Poisson's in units of the squared mean; None: the value that held-out counts make likeliest,
    with its standard error in ``report_["counts"]["overdispersion_error"]``.""",
)
class KernelNegativeBinomialRegressor(_OfRates):
    _counts = True
    _positive = True

    def __init__(
        self,
        kernel="rbf",
        *,
        gamma=None,
        degree=3,
        coef0=None,
        alpha=None,
        effort="quick",
        overdispersion=None,
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
        self.overdispersion = overdispersion

    def _machine_text(self):
        if self.overdispersion is None:
            return "negbin"
        given = _checks.positive("overdispersion", self.overdispersion, "to choose it")
        return f"negbin:overdispersion={given!r}"

    def _chosen(self, report):
        return {"overdispersion": report["loss"]["overdispersion"]}


@documented(
    "Kernel gamma regression, for positive values whose deviation grows with their mean.",
    "The expected value is the exponential of the machine's output.",
)
class KernelGammaRegressor(_OfRates):
    _machine = "gamma"
    _positive = True
