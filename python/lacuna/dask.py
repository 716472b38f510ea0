"""Estimators for Dask's arrays and frames: the machines of the package on a basis, over the partitions of a cluster.

    from dask.distributed import Client
    from lacuna.dask import DaskKernelLogisticRegression

    client = Client()
    model = DaskKernelLogisticRegression(n_basis=300).fit(X, y)
    model.predict_proba(X_new)   # lazily
    model.estimator_.save("model.lacuna")

Workers sum over their partitions (``lacuna.steps``) and the client solves. Every task is a function of its partition
and a plan that is in the graph, so that what a lost worker did is done again, with the same result. Rows are read once
for each pass: persist what does not come from memory. It needs ``dask`` and ``distributed``: ``pip install
"lacuna[dask]"``.
"""

import operator

import dask
import numpy as np
from dask.distributed import get_client

from . import _automatic, _classifiers, _frames, _messages, _rates, _regressors, steps
from ._partitions import Table, added, aligned, each, is_frame, of_part, require_dask, tree

__all__ = [
    "DaskHuberKernelRegressor",
    "DaskKernelGammaRegressor",
    "DaskKernelLogisticRegression",
    "DaskKernelNegativeBinomialRegressor",
    "DaskKernelPoissonRegressor",
    "DaskKernelProbitRegression",
    "DaskL2SVMClassifier",
    "DaskLSSVMClassifier",
    "DaskLSSVMRegressor",
    "DaskLacunaClassifier",
    "DaskLacunaRegressor",
]


class DaskEstimator:
    """Base of the estimators.

    Parameters
    ----------
    client : distributed.Client, optional
        The cluster; None: the current one.
    sample_size : int, default=50_000
        Rows that hyper-parameters and basis are selected on, in the client's memory.
    missing : {"error", "mean", "drop"}, default="error"
        What becomes of missing cells of frames.
    categorical : list of str, optional
        Columns of numbers that are categories.
    **parameters
        Those of the estimator of the same name; ``n_basis=None`` is "auto".

    Attributes
    ----------
    estimator_ : object
        The fitted estimator. Its attributes, and its methods for rows in memory, are also this one's.
    plan_ : lacuna.steps.Plan
        How it was fitted.
    """

    _of = None

    def __init__(self, *, client=None, sample_size=50_000, missing="error", categorical=None, **parameters):
        self.client = client
        self.sample_size = sample_size
        self.missing = missing
        self.categorical = categorical
        self.estimator = self._of(**parameters)

    def get_params(self, deep=True):
        """Parameters by name."""
        own = {name: getattr(self, name) for name in ("client", "sample_size", "missing", "categorical")}
        return {**self.estimator.get_params(deep), **own}

    def set_params(self, **parameters):
        """Sets parameters by name."""
        for name in ("client", "sample_size", "missing", "categorical"):
            if name in parameters:
                setattr(self, name, parameters.pop(name))
        self.estimator.set_params(**parameters)
        return self

    def __getattr__(self, name):
        if name.startswith("__") or "estimator_" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}, or not before fit")
        return getattr(self.estimator_, name)

    def __repr__(self):
        return f"Dask{self.estimator!r}"

    def __sklearn_is_fitted__(self):
        return "estimator_" in self.__dict__

    def fit(self, X, y, sample_weight=None, exposure=None):
        """Select what is None, and fit.

        Parameters
        ----------
        X : dask array or frame
            Rows. Partitions may be of any size.
        y : dask array, series or frame
            Labels or values, with the same partitions.
        sample_weight, exposure : dask array or series, optional
            With the same partitions. A row of weight k counts as k copies of it; weight 0 as a row that is not there.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        client = self.client or _current_client()
        given = {"weights": sample_weight, "exposure": exposure}
        lists = {"X": X, "y": y, **{role: of for role, of in given.items() if of is not None}}
        for role, of in lists.items():
            require_dask(_WORDS.get(role, role), of, self._of)
        parts = [dict(zip(lists, part)) for part in aligned(lists)]
        classes = isinstance(self, DaskClassifier)
        columns, names = self._columns(X, y, given, classes)
        table_of = Table(names, columns.target, classes)

        def on_each(step, *args):
            given = zip(parts, each(args, parts))
            return [dask.delayed(of_part)(step, table_of, k, part, *own) for k, (part, own) in enumerate(given)]

        def run(root):
            return client.compute(root, sync=True)

        described = run(on_each(steps.describe, columns))
        with _messages.translated(self.estimator):
            description = tree(described, operator.add)
        first_row = np.cumsum([0, *(one.rows_read for one in described)]).tolist()
        seed = self.estimator.random_state if isinstance(self.estimator.random_state, (int, np.integer)) else 0
        sample = run(added(on_each(steps.draw, columns, first_row, self.sample_size, seed)))
        plan = steps.plan(sample, self.estimator, columns, description)
        while not plan.done:
            plan = steps.solve(plan, run(added(on_each(steps.statistics, dask.delayed(plan)))))
        self.estimator_ = steps.finish(plan, run(on_each(steps.loo, dask.delayed(plan), first_row)))
        self.plan_ = plan
        if classes:
            self.classes_ = self.estimator_.classes_
        return self

    def _columns(self, X, y, given, classes):
        """What the columns of a part are, and the names that its arrays get."""
        own = [str(name) for name in X.columns] if is_frame(X) else [f"x{j + 1}" for j in range(X.shape[1])]
        names = {"X": None if is_frame(X) else own}
        taken = list(own)
        several = getattr(y, "ndim", 1) == 2 and y.shape[1] != 1
        base = getattr(y, "name", None) if is_frame(y) and not several else None
        targets = [f"target{k + 1}" for k in range(y.shape[1])] if several else [str(base or "target")]
        targets = [_take(name, taken) for name in targets]
        for role, of in given.items():
            names[role] = None if of is None else _take(role, taken)
        task = "classification" if classes else "counts" if self._of._counts else "regression"
        columns = steps.Columns(
            targets,
            task=task,
            weights=names["weights"],
            exposure=names["exposure"],
            categorical=self.categorical or [],
            missing=self.missing,
        )
        return columns, names

    def predict(self, X):
        """Labels or values of new rows.

        Parameters
        ----------
        X : dask array or frame
            Rows.

        Returns
        -------
        y : dask array
            Lazily computed, with the partitions of X.
        """
        return self._lazily(X, "predict", np.asarray(self._empty_prediction()))

    def _lazily(self, X, method, empty):
        estimator = self.estimator_
        require_dask("X", X, self._of)
        if not is_frame(X):
            X = X.rechunk({1: -1})
            chunks = (X.chunks[0], *((k,) for k in empty.shape[1:]))
            drop = [1] if empty.ndim == 1 else None
            return X.map_blocks(
                _said, estimator, method, empty, dtype=empty.dtype, drop_axis=drop, chunks=chunks, meta=empty
            )
        return X.map_partitions(_said, estimator, method, empty, meta=empty)


class DaskClassifier(DaskEstimator):
    """Base of the classifiers."""

    def _empty_prediction(self):
        return self.classes_[:0]

    def predict_proba(self, X):
        """Probabilities of the classes, in the order of ``classes_``.

        Parameters
        ----------
        X : dask array or frame
            Rows.

        Returns
        -------
        p : dask array of shape (n_samples, n_classes)
            Lazily computed, with the partitions of X.
        """
        self.estimator_.predict_proba  # says why there are none
        return self._lazily(X, "predict_proba", np.empty((0, len(self.classes_))))

    def decision_function(self, X):
        """Outputs, positive where the class is decided.

        Parameters
        ----------
        X : dask array or frame
            Rows.

        Returns
        -------
        z : dask array
            Lazily computed, with the partitions of X.
        """
        k = len(self.classes_)
        return self._lazily(X, "decision_function", np.empty(0) if k == 2 else np.empty((0, k)))


class DaskRegressor(DaskEstimator):
    """Base of the regressors."""

    def _empty_prediction(self):
        return np.empty(0 if self.estimator_._one_target else (0, len(self.estimator_.model_.target_names)))


def _dask(base, of):
    return type(
        f"Dask{of.__name__}",
        (base,),
        {"_of": of, "__module__": __name__, "__doc__": f"``lacuna.{of.__name__}`` for Dask. See ``DaskEstimator``."},
    )


DaskKernelLogisticRegression = _dask(DaskClassifier, _classifiers.KernelLogisticRegression)
DaskKernelProbitRegression = _dask(DaskClassifier, _classifiers.KernelProbitRegression)
DaskL2SVMClassifier = _dask(DaskClassifier, _classifiers.L2SVMClassifier)
DaskLSSVMClassifier = _dask(DaskClassifier, _classifiers.LSSVMClassifier)
DaskLacunaClassifier = _dask(DaskClassifier, _automatic.LacunaClassifier)
DaskLSSVMRegressor = _dask(DaskRegressor, _regressors.LSSVMRegressor)
DaskHuberKernelRegressor = _dask(DaskRegressor, _regressors.HuberKernelRegressor)
DaskKernelGammaRegressor = _dask(DaskRegressor, _rates.KernelGammaRegressor)
DaskKernelPoissonRegressor = _dask(DaskRegressor, _rates.KernelPoissonRegressor)
DaskKernelNegativeBinomialRegressor = _dask(DaskRegressor, _rates.KernelNegativeBinomialRegressor)
DaskLacunaRegressor = _dask(DaskRegressor, _automatic.LacunaRegressor)


_WORDS = {"weights": "sample_weight"}


def _current_client():
    try:
        return get_client()
    except ValueError:
        raise ValueError(
            "there is no client: give client=Client(...), or make one first, dask.distributed.Client()"
        ) from None


def _said(part, estimator, method, empty):
    """What the estimator says of one partition."""
    if len(part) == 0:
        return empty
    return np.asarray(getattr(estimator, method)(part), dtype=empty.dtype).reshape(-1, *empty.shape[1:])


def _take(name, taken):
    name = _frames._free(name, taken)
    taken.append(name)
    return name
