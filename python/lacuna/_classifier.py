"""What the classifiers share: labels, weights of classes, decisions and probabilities."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from . import _checks, _decisions
from ._deciding import Deciding, label_texts
from ._validation import require_no_gaps, validated


def _has_probabilities(estimator):
    if not hasattr(estimator, "model_"):
        return estimator._gives_probabilities or estimator.recalibrate is not False
    if not estimator.model_.has_probabilities:
        raise AttributeError(f"{type(estimator).__name__} has probabilities only with recalibrate=True")
    return True


class KernelClassifier(ClassifierMixin, Deciding):
    """Base of the classifiers."""

    _gives_probabilities = True

    # Of machines that take no weights of classes or rows, or are no machines on a basis.
    class_weight = None
    n_basis = None
    refit_flagged = False

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
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.alpha = alpha
        self.effort = effort
        self.standardise = standardise
        self.cv = cv
        self.criterion = criterion
        self.recalibrate = recalibrate
        self.threshold = threshold
        self.cost = cost
        self.max_evaluations = max_evaluations
        self.time_limit = time_limit
        self.memory = memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _options(self):
        return {
            **super()._options(),
            "recalibrate": self.recalibrate,
            "threshold": _decisions.threshold_text(self.threshold),
            "cost": _decisions.cost_text(self.cost, len(self.classes_)),
            "cost_classes": label_texts(self.classes_),
            "refit_flagged": _checks.flag("refit_flagged", self.refit_flagged),
        }

    def fit(self, X, y, sample_weight=None, groups=None):
        """Select the hyper-parameters that are None, and fit.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Rows; with ``kernel="precomputed"`` the square kernel matrix.
        y : array-like of shape (n_samples,)
            Labels of any type.
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
        require_no_gaps(y)
        X, y = validated(self, X, y, accept_sparse="csr", dtype=np.float64)
        return self._fit_classes(X, y, sample_weight, groups)

    def _fit_classes(self, X, y, sample_weight, groups):
        check_classification_targets(y)
        y = column_or_1d(y, warn=True)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        codes = self._take_classes(y, sample_weight)
        supervision = {
            "labels": codes.astype(np.int32),
            "classes": label_texts(self.classes_),
            "target_names": ["target"],
            "price_columns": _decisions.price_columns(self.cost),
            "prices": self._priced(X),
        }
        return self._fit(X, supervision, sample_weight, groups, y, **self._class_weights(codes, supervision))

    def _take_classes(self, y, sample_weight):
        """Sets classes_ and returns the place of each label in it. Rows of weight 0 do not make a class."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        some = ""
        if sample_weight is not None and (sample_weight > 0).any():
            counted = np.unique(codes[sample_weight > 0])
            if len(counted) < len(self.classes_):
                some = " with a weight above 0"
                place = np.zeros(len(self.classes_), dtype=codes.dtype)
                place[counted] = np.arange(len(counted))
                self.classes_, codes = self.classes_[counted], place[codes]
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs samples of two classes at least; the rows{some} are of one class: "
                f"{self.classes_.tolist()[0]!r}"
            )
        return codes

    def _class_weights(self, codes, supervision):
        """Options of the library for class_weight, whose weights by row go into `supervision`."""
        if self.class_weight is None:
            return {}
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            return {"train_weights": "balanced"}
        _checks.class_weights(self.class_weight, self.classes_.tolist())
        weight = compute_class_weight(self.class_weight, classes=self.classes_, y=self.classes_[codes])
        by_row = np.asarray(weight, dtype=np.float64)[codes]
        supervision["train_weights"] = supervision["select_weights"] = by_row
        return {"train_weights": "column", "select_weights": "column"}

    def _adopt(self, model, rows=None, n_rows=None):
        super()._adopt(model, rows, n_rows)
        # The library may have the classes in another order (a model of a file: numbers by value).
        texts = label_texts(self.classes_)
        order = [model.classes.index(text) for text in texts]
        self._order = None if order == list(range(len(order))) else np.array(order)
        self.loo_decision_ = self.loo_proba_ = self.loo_predictions_ = None
        if self._held_out is not None:
            self.loo_decision_ = self._decision(self._held_out)
            self.loo_predictions_ = self._labels(self._held_out)
            if "probability" in self._held_out:
                self.loo_proba_ = self._probabilities(self._held_out)

    def _texts(self, y):
        """Labels of rows as the library writes them."""
        return label_texts(column_or_1d(y))

    def _truth_columns(self, y):
        levels, codes = np.unique(self._texts(y), return_inverse=True)
        return [(codes.astype(np.int32), levels.tolist())]

    def _decision(self, said):
        z = said["decision"]
        if z.shape[1] == 1:
            return z[:, 0] if self._order is None else -z[:, 0]
        return z if self._order is None else z[:, self._order]

    def _probabilities(self, said):
        return said["probability"] if self._order is None else said["probability"][:, self._order]

    def _labels(self, said):
        label = said["label"]
        known = label >= 0
        classes = self.classes_ if self._order is None else self.classes_[np.argsort(self._order)]
        out = classes[np.where(known, label, 0)]
        if not known.all():  # rows that were left out of training
            out = out.astype(object)
            out[~known] = None
        return out

    def decision_function(self, X):
        """Outputs of the machine, above 0 where the class is ``classes_[1]``; one column a class for several.

        Of Gaussian processes they are the outputs whose probability is the averaged one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            New rows.

        Returns
        -------
        decision : ndarray of shape (n_samples,) or (n_samples, n_classes)
            The outputs.
        """
        return self._decision(self._predictions(X))

    def predict(self, X):
        """The class of each row; with prices of single rows in ``cost`` the one of the least expected cost.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            New rows.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            Labels, out of ``classes_``.
        """
        return self._labels(self._predictions(X))

    @available_if(_has_probabilities)
    def predict_proba(self, X):
        """Probabilities of the classes, in the order of ``classes_``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            New rows.

        Returns
        -------
        probability : ndarray of shape (n_samples, n_classes)
            Rows that sum to one.
        """
        return self._probabilities(self._predictions(X))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X):
        """Logarithms of ``predict_proba``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            New rows.

        Returns
        -------
        log_probability : ndarray of shape (n_samples, n_classes)
            Natural logarithms.
        """
        return np.log(self.predict_proba(X))


class WeightedClassifier(KernelClassifier):
    """Base of the classifiers that take weights of classes and may be expressed in a basis."""

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
        recalibrate=False,
        threshold=None,
        cost=None,
        refit_flagged=False,
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
        self.class_weight = class_weight
        self.n_basis = n_basis
        self.refit_flagged = refit_flagged
