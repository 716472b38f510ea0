"""Classifiers: one for each of the library's machines for classes."""

from . import _checks
from ._classifier import KernelClassifier, WeightedClassifier
from ._documentation import documented


@documented(
    "Least-squares support vector machine for classes.",
    "A squared loss on targets +1 and -1, one factorisation a fit: the fastest of the machines, and the one whose "
    "leave-one-out outputs are exact. It has probabilities only with ``recalibrate=True``.",
)
class LSSVMClassifier(WeightedClassifier):
    _machine = "ls-svm"
    _gives_probabilities = False


@documented(
    "Kernel Fisher discriminant.",
    "A squared loss whose penalty is on the coefficients; ``alpha`` is the mu of the papers. Its targets weigh the "
    "classes equally, whatever their weights, so that it takes none. Held-out outputs are those of the papers: a row "
    "that is left out keeps its column of the kernel matrix, and targets the class counts of all rows. It has probabilities "
    "only with ``recalibrate=True``.",
)
class KernelFisherDiscriminant(KernelClassifier):
    _machine = "kfd"
    _gives_probabilities = False


@documented(
    "Kernel logistic regression.",
    "Probabilities come with the fit: nothing has to be calibrated afterwards. The choice for most classification "
    "problems, and what LacunaClassifier takes.",
)
class KernelLogisticRegression(WeightedClassifier):
    _machine = "klr"


@documented("Kernel probit regression.", "As KernelLogisticRegression, with the normal distribution as link.")
class KernelProbitRegression(WeightedClassifier):
    _machine = "kpr"


@documented(
    "Support vector machine with the squared hinge loss.",
    "Rows beyond the margin drop out of the expansion. It has probabilities only with ``recalibrate=True``.",
)
class L2SVMClassifier(WeightedClassifier):
    _machine = "l2-svm"
    _gives_probabilities = False


class _GaussianProcess(KernelClassifier):
    def __init__(
        self,
        kernel="rbf",
        *,
        gamma=None,
        degree=3,
        coef0=None,
        alpha=None,
        mean=0.0,
        standardise=True,
        cv=None,
        criterion=None,
        recalibrate=False,
        threshold=None,
        cost=None,
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
            standardise=standardise,
            cv=cv,
            criterion=criterion,
            recalibrate=recalibrate,
            threshold=threshold,
            cost=cost,
            max_evaluations=max_evaluations,
            time_limit=time_limit,
            memory=memory,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.mean = mean

    def fit(self, X, y, groups=None):
        """Select the hyper-parameters that are None, and fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            Labels of any type.
        groups : array-like of shape (n_samples,), optional
            Rows of one group are held out together.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        return super().fit(X, y, groups=groups)

    def _chosen(self, report):
        return {"mean": report["mean"]}

    def _mean_text(self):
        return "mean=auto" if self.mean is None else f"mean={_checks.finite('mean', self.mean, 'to select it')!r}"


_MEAN = """mean : float, default=0.0
    Mean of the prior, everywhere the same; None selects it."""


@documented(
    "Gaussian process classifier, Laplace's approximation.",
    "Hyper-parameters maximise the evidence unless ``criterion`` says otherwise; probabilities are averaged over the "
    "posterior. ``alpha`` is the inverse of the kernel's variance.",
    """likelihood : {"logistic", "probit"}, default="logistic"
    What turns a latent output into a probability.
"""
    + _MEAN,
)
class LaplaceGPClassifier(_GaussianProcess):
    def __init__(
        self,
        kernel="rbf",
        *,
        gamma=None,
        degree=3,
        coef0=None,
        alpha=None,
        likelihood="logistic",
        mean=0.0,
        standardise=True,
        cv=None,
        criterion=None,
        recalibrate=False,
        threshold=None,
        cost=None,
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
            mean=mean,
            standardise=standardise,
            cv=cv,
            criterion=criterion,
            recalibrate=recalibrate,
            threshold=threshold,
            cost=cost,
            max_evaluations=max_evaluations,
            time_limit=time_limit,
            memory=memory,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.likelihood = likelihood

    def _machine_text(self):
        _checks.one_of("likelihood", self.likelihood, ("logistic", "probit"))
        return f"gp-laplace:{self.likelihood},{self._mean_text()}"


@documented(
    "Gaussian process classifier, expectation propagation.",
    "A probit likelihood; nearer to the true posterior than Laplace's approximation, and dearer. ``alpha`` is the "
    "inverse of the kernel's variance.",
    _MEAN,
)
class EPGPClassifier(_GaussianProcess):
    def _machine_text(self):
        return f"gp-ep:{self._mean_text()}"
