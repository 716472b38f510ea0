"""By-products of leave-one-out: checking it by refits, and rows whose label looks wrong."""

from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._choice import at_chosen


class Verification(NamedTuple):
    """How far held-out outputs in closed form are from those of refits."""

    rows: int
    largest: float
    row: int
    mean_loss: float
    mean_loss_refitted: float


def verify_loo(estimator, X, y, k=10, **fit_params):
    """Compare held-out outputs with refits, at the estimator's hyper-parameters.

    The estimator is fitted again at these, and its held-out outputs have to be those of ``estimator``.

    Parameters
    ----------
    estimator : object
        A fitted estimator of this package.
    X, y : array-like
        What it was fitted on.
    k : int, default=10
        How many rows (or folds) to refit without, picked at random by ``random_state``.
    **fit_params : dict
        What else it was fitted with (``sample_weight``, ``groups``, ``exposure``).

    Returns
    -------
    verification : Verification
        ``rows``, how many rows were compared; ``largest``, the largest difference in an output, and ``row``, where;
        ``mean_loss`` and ``mean_loss_refitted`` over these rows.

    Examples
    --------
    >>> import lacuna
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = lacuna.LSSVMClassifier().fit(X, y)
    >>> bool(lacuna.verify_loo(model, X, y, k=5).largest < 1e-8)
    True
    """
    check_is_fitted(estimator, "model_")
    if k < 1:
        raise ValueError(f"k = {k}; at least 1 row has to be refitted without")
    if "choice" in estimator.report_:
        raise ValueError(
            f'held-out outputs of effort="{estimator.report_["choice"]["effort"]}" are those of refits already: there '
            "is nothing in closed form to verify"
        )
    again = at_chosen(estimator, "and no leave-one-out outputs in closed form")
    if "recalibrate" in again.get_params(deep=False):  # the default recalibrates where all else is selected
        again.set_params(recalibrate=(estimator.report_["decision"] or {}).get("recalibrated", False))
    again._verify = int(k)
    again.fit(X, y, **fit_params)
    _check_same(estimator._held_out, again._held_out)
    return Verification(**again.report_["verification"])


def _check_same(mine, theirs):
    """Held-out outputs of other rows, weights or groups are others; parameters that were rounded change them little."""
    if mine is None or theirs is None:
        return
    a, b = (held_out.get("decision", held_out["output"]) for held_out in (mine, theirs))
    if a.shape == b.shape and (np.isnan(a) == np.isnan(b)).all():
        if np.nanmax(np.abs(a - b), initial=0) <= 0.05 * np.nanmax(np.abs(a), initial=0):
            return
    raise ValueError(
        "the estimator was fitted on other rows, weights or groups: "
        "give X, y, sample_weight, groups and exposure as to fit"
    )


def suspect_labels(estimator, most=10):
    """Training rows whose label the machine would not have guessed, worst first.

    Parameters
    ----------
    estimator : object
        A fitted classifier of this package.
    most : int, default=10
        How many rows at most; None: all whose held-out prediction is another class.

    Returns
    -------
    suspects : ndarray
        Structured array with ``row`` (from 0), ``label``, ``predicted``, ``probability`` (of the label by a machine
        that has not seen the row; NaN where there are none) and ``loss``.

    Examples
    --------
    >>> import lacuna
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[0] = 2  # a wrong label
    >>> model = lacuna.KernelLogisticRegression().fit(X, y)
    >>> int(lacuna.suspect_labels(model)["row"][0])
    0
    """
    check_is_fitted(estimator, "model_")
    if not hasattr(estimator, "classes_"):
        raise ValueError("suspect_labels is for classifiers; for values look at y - loo_predictions_")
    held_out = estimator._held_out
    if held_out is None:
        raise ValueError("the model keeps no held-out outputs")
    truth, label, loss = held_out["truth"], held_out["label"], held_out["loss"]
    rows = np.flatnonzero((truth >= 0) & (truth != label))
    rows = rows[np.argsort(-loss[rows], kind="stable")][:most]
    classes = estimator.classes_ if estimator._order is None else estimator.classes_[np.argsort(estimator._order)]
    probability = held_out.get("probability")
    out = np.empty(
        len(rows),
        dtype=[
            ("row", np.int64),
            ("label", classes.dtype),
            ("predicted", classes.dtype),
            ("probability", np.float64),
            ("loss", np.float64),
        ],
    )
    out["row"] = rows
    out["label"] = classes[truth[rows]]
    out["predicted"] = classes[label[rows]]
    out["probability"] = np.nan if probability is None else probability[rows, truth[rows]]
    out["loss"] = loss[rows]
    return out
