"""Model files: what the command line writes and reads."""

import os

import numpy as np

from . import _automatic, _classifier, _classifiers, _core, _messages, _parameters, _rates, _regressors

_CLASSIFIERS = {
    "ls-svm": _classifiers.LSSVMClassifier,
    "kfd": _classifiers.KernelFisherDiscriminant,
    "klr": _classifiers.KernelLogisticRegression,
    "kpr": _classifiers.KernelProbitRegression,
    "l2-svm": _classifiers.L2SVMClassifier,
    "gp-laplace": _classifiers.LaplaceGPClassifier,
    "gp-ep": _classifiers.EPGPClassifier,
}
_REGRESSORS = {
    "ls-svm": _regressors.LSSVMRegressor,
    "huber": _regressors.HuberKernelRegressor,
    "poisson": _rates.KernelPoissonRegressor,
    "negbin": _rates.KernelNegativeBinomialRegressor,
    "gamma": _rates.KernelGammaRegressor,
}


def load(path):
    """A fitted estimator from a model file, written by ``save`` or by the command line.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    estimator : object
        Of a file that ``save`` wrote: of the same class, with the same parameters and the same labels, so that
        ``clone(load(path)).fit(X, y)`` fits what was fitted. Splitters, random states and rows of a basis are not in
        the file; these parameters are at their defaults.

        Of a file of the command line: of the class that the model belongs to (``LacunaClassifier`` or
        ``LacunaRegressor`` where columns of the training data were categories or cells were missing), with the kernel,
        alpha, criterion, cv, basis, recalibration, threshold, cost and standardisation of the model. Hyper-parameters
        are given then, whether they had been selected or not; a model that was chosen has ``effort`` in their place.
        Weights of classes, groups, and limits of the search are not in the file.

    Examples
    --------
    >>> import os, tempfile
    >>> import lacuna
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "iris.lacuna")
    ...     lacuna.LSSVMClassifier().fit(X, y).save(path)
    ...     model = lacuna.load(path)
    >>> bool((model.predict(X) == y).mean() > 0.9)
    True
    """
    with _messages.translated():
        model = _core.Model.load(os.fspath(path))
    return _estimator_of(model)


def _estimator_of(model):
    kept = _parameters.of_text(model.metadata.get(_parameters.KEY), model.classes)
    if kept is None:
        classes = labels_of(model.classes)
        estimator = of_model(model, classes)
    else:
        estimator, classes = kept.estimator, kept.classes
    return adopted(estimator, model, classes)


def adopted(estimator, model, classes):
    """The estimator, fitted: it is the model's. `classes`: its labels, sorted as scikit-learn sorts them."""
    estimator._training_rows = None
    estimator.n_features_in_ = model.n_columns
    if model.has_names and not model.is_sparse and model.column_names:
        estimator.feature_names_in_ = np.array(model.column_names, dtype=object)
    if model.classes:
        estimator.classes_ = classes
    else:
        estimator._one_target = len(model.target_names) == 1
    estimator._adopt(model)
    return estimator


def of_model(model, classes):
    """An estimator with what the model itself knows of how it was fitted."""
    if model.has_categories or model.missing != "error":
        cls = _automatic.LacunaClassifier if model.classes else _automatic.LacunaRegressor
    else:
        cls = (_CLASSIFIERS if model.classes else _REGRESSORS)[model.machine]
    return _parameters.estimator_with(cls, _parameters.of_model(model, _classifier.label_texts(classes)))


def labels_of(texts):
    """Labels of the type that their texts were made from, sorted as scikit-learn sorts them."""
    for kind in (np.int64, np.float64):
        try:
            labels = np.array([kind(text) for text in texts])
        except ValueError:
            continue
        if _classifier.label_texts(labels) == list(texts):
            return np.sort(labels)
    if set(texts) == {"False", "True"}:
        return np.array([False, True])
    return np.sort(np.array(texts))
