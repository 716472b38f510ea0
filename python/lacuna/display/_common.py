"""What the displays share: axes, colours, and held-out outputs in the order of scikit-learn's classes."""

from typing import NamedTuple

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

# Okabe and Ito's colours, which colour-blind readers can tell apart.
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#6E6E6E"


def new_axes(ax, owner):
    """(axes, figure); a message that says what to install where there is no matplotlib."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(f"{type(owner).__name__}.plot needs matplotlib: pip install matplotlib") from error
    if ax is None:
        _, ax = plt.subplots(layout="constrained")
    return ax, ax.figure


def held_out(estimator):
    """The held-out figures of a fitted estimator of this package."""
    check_is_fitted(estimator, "model_")
    figures = estimator._held_out
    if figures is None:
        raise ValueError(f"this {type(estimator).__name__} keeps no held-out outputs")
    return figures


def true_codes(estimator):
    """Which of ``classes_`` every training row has; -1 where a row had no part in the training."""
    figures = held_out(estimator)
    if not hasattr(estimator, "classes_"):
        raise ValueError(f"{type(estimator).__name__} is no classifier")
    truth = figures["truth"]
    if estimator._order is None:
        return truth
    return np.where(truth < 0, -1, np.argsort(estimator._order)[truth])


class OneClass(NamedTuple):
    """Held-out rows of one class against the rest."""

    label: object
    positive: np.ndarray  # bool
    score: np.ndarray  # greater: more likely of this class
    weight: np.ndarray
    cut: float | None  # rows from here up are given this class; None with several classes
    is_probability: bool  # what the score is; else it is the machine's output


def one_class(estimator, pos_label=None, sample_weight=None, probability=False):
    """Truth and held-out score of one class: its probability, its output, or (None) whichever there is."""
    truth = true_codes(estimator)
    if probability is None:
        probability = estimator.loo_proba_ is not None
    classes = estimator.classes_
    if pos_label is None:
        if len(classes) > 2:
            raise ValueError(f"there are {len(classes)} classes; say which is meant by pos_label")
        pos_label = classes[1]
    which = np.flatnonzero(classes == pos_label)
    if len(which) != 1:
        raise ValueError(f"pos_label={pos_label!r} is none of the classes, {list(classes)}")
    k = int(which[0])
    cut = None
    if probability:
        if estimator.loo_proba_ is None:
            raise ValueError(f"this {type(estimator).__name__} has no probabilities; fit it with recalibrate=True")
        score = estimator.loo_proba_[:, k]
        if len(classes) == 2:
            # None: a machine that decides at one half.
            at = (estimator.report_["decision"] or {}).get("probability")
            at = 0.5 if at is None else at
            # The report's probability is that of the library's second class.
            cut = at if str(estimator.model_.classes[1]) == _text(estimator, k) else 1 - at
    elif len(classes) == 2:
        score, cut = (estimator.loo_decision_ if k == 1 else -estimator.loo_decision_), 0.0
    else:
        score = estimator.loo_decision_[:, k]
    weight = np.ones(len(truth)) if sample_weight is None else weights_of(sample_weight, truth)
    use = (truth >= 0) & np.isfinite(score) & (weight > 0)
    return OneClass(classes[k], truth[use] == k, score[use], weight[use], cut, probability)


def weights_of(sample_weight, rows):
    return _check_sample_weight(sample_weight, rows[:, None], dtype=np.float64)


def _text(estimator, k):
    """What the library calls ``classes_[k]``."""
    order = estimator._order
    return str(estimator.model_.classes[k if order is None else order[k]])


def counts_by_cut(one):
    """(cuts, true positives, false positives) when rows from a cut up are called positive; equal scores go together.

    Cuts fall; the first, infinity, calls nothing positive.
    """
    order = np.argsort(-one.score, kind="stable")
    score, weight, positive = one.score[order], one.weight[order], one.positive[order]
    last = np.append(np.flatnonzero(np.diff(score)), len(score) - 1)
    hits = np.append(0.0, np.cumsum(weight * positive)[last])
    alarms = np.append(0.0, np.cumsum(weight * ~positive)[last])
    return np.append(np.inf, score[last]), hits, alarms


def square(ax, low, high, margin=0.02):
    pad = margin * (high - low)
    ax.set(xlim=(low - pad, high + pad), ylim=(low - pad, high + pad), aspect="equal")


def legend_above(ax):
    """Where it covers nothing: curves and points may be anywhere inside."""
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, fontsize="small", frameon=False)
