"""How well held-out outputs rank the rows: ROC and precision-recall curves."""

import numpy as np

from ._common import BLUE, GREY, counts_by_cut, new_axes, one_class, square


class RocDisplay:
    """Receiver operating characteristic of held-out outputs.

    Parameters
    ----------
    fpr, tpr : ndarray
        False and true positive rates, from nothing called positive to everything.
    roc_auc : float
        Area under this curve, which pools the held-out outputs.
    pair_auc : float or None
        What the fit reports: the area by pairs that were held out together, where it was computed.
    operating_point : tuple of float or None
        The rates at the estimator's own cut.
    pos_label : object
        The class that counts as positive.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The curve.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from lacuna import LSSVMClassifier
    >>> from lacuna.display import RocDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = RocDisplay.from_estimator(LSSVMClassifier().fit(X[:200], y[:200]))
    >>> bool(display.roc_auc > 0.95)
    True
    """

    def __init__(self, *, fpr, tpr, roc_auc, pair_auc=None, operating_point=None, pos_label=None):
        self.fpr = fpr
        self.tpr = tpr
        self.roc_auc = roc_auc
        self.pair_auc = pair_auc
        self.operating_point = operating_point
        self.pos_label = pos_label

    @classmethod
    def from_estimator(cls, estimator, *, pos_label=None, sample_weight=None, ax=None, name=None, **kwargs):
        """Draw the curve of a fitted classifier's held-out outputs.

        Parameters
        ----------
        estimator : object
            A fitted classifier of this package.
        pos_label : object, optional
            The class against the rest; None: the second of two.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the training rows.
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        name : str, optional
            Name in the legend; None: the estimator's class.
        **kwargs : dict
            For matplotlib's ``plot``.

        Returns
        -------
        display : RocDisplay
            What was drawn.
        """
        one = one_class(estimator, pos_label, sample_weight)
        _, hits, alarms = counts_by_cut(one)
        fpr, tpr = alarms / alarms[-1], hits / hits[-1]
        pair_auc = point = None
        if one.cut is not None:
            called = one.score >= one.cut
            point = (
                np.average(called[~one.positive], weights=one.weight[~one.positive]),
                np.average(called[one.positive], weights=one.weight[one.positive]),
            )
            scores = estimator.report_["held_out"]
            if scores.get("auc_pairs") == "left-out":
                pair_auc = scores.get("auc")
        display = cls(
            fpr=fpr,
            tpr=tpr,
            roc_auc=float(np.trapezoid(tpr, fpr)) if hasattr(np, "trapezoid") else float(np.trapz(tpr, fpr)),
            pair_auc=pair_auc,
            operating_point=point,
            pos_label=one.label,
        )
        return display.plot(ax, name=type(estimator).__name__ if name is None else name, **kwargs)

    def plot(self, ax=None, *, name=None, **kwargs):
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        name : str, optional
            Name in the legend.
        **kwargs : dict
            For matplotlib's ``plot``.

        Returns
        -------
        display : RocDisplay
            Itself.
        """
        fresh = ax is None
        self.ax_, self.figure_ = new_axes(ax, self)
        area = f"AUC {self.roc_auc:.3f}" if self.pair_auc is None else f"AUC {self.pair_auc:.3f} by pairs left out"
        label = f"{name}: {area}" if name else area
        options = {"color": BLUE} if fresh else {}
        (self.line_,) = self.ax_.plot(self.fpr, self.tpr, **{**options, "label": label, **kwargs})
        if self.operating_point is not None:
            self.ax_.plot(*self.operating_point, "o", color=self.line_.get_color(), label="where the model cuts")
        if fresh:
            self.ax_.plot([0, 1], [0, 1], "--", color=GREY, linewidth=1, label="chance")
        of = "" if self.pos_label is None else f" (positive: {self.pos_label})"
        self.ax_.set(xlabel=f"false positive rate{of}", ylabel="true positive rate, held-out rows")
        square(self.ax_, 0, 1)
        self.ax_.legend(loc="lower right")
        return self


class PrecisionRecallDisplay:
    """Precision against recall of held-out outputs.

    Parameters
    ----------
    precision, recall : ndarray
        By falling cut; the first point calls one score positive.
    average_precision : float
        Precision averaged over the recall, in steps, as scikit-learn does.
    prevalence : float
        Share of positive rows: the precision of calling everything positive.
    operating_point : tuple of float or None
        Recall and precision at the estimator's own cut.
    pos_label : object
        The class that counts as positive.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The curve.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from lacuna import LSSVMClassifier
    >>> from lacuna.display import PrecisionRecallDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = PrecisionRecallDisplay.from_estimator(LSSVMClassifier().fit(X[:200], y[:200]))
    >>> bool(display.average_precision > 0.95)
    True
    """

    def __init__(self, *, precision, recall, average_precision, prevalence, operating_point=None, pos_label=None):
        self.precision = precision
        self.recall = recall
        self.average_precision = average_precision
        self.prevalence = prevalence
        self.operating_point = operating_point
        self.pos_label = pos_label

    @classmethod
    def from_estimator(cls, estimator, *, pos_label=None, sample_weight=None, ax=None, name=None, **kwargs):
        """Draw the curve of a fitted classifier's held-out outputs.

        Parameters
        ----------
        estimator : object
            A fitted classifier of this package.
        pos_label : object, optional
            The class against the rest; None: the second of two.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the training rows.
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        name : str, optional
            Name in the legend; None: the estimator's class.
        **kwargs : dict
            For matplotlib's ``plot``.

        Returns
        -------
        display : PrecisionRecallDisplay
            What was drawn.
        """
        one = one_class(estimator, pos_label, sample_weight)
        _, hits, alarms = counts_by_cut(one)
        precision, recall = hits[1:] / (hits[1:] + alarms[1:]), hits[1:] / hits[-1]
        average = float(np.sum(np.diff(recall, prepend=0.0) * precision))
        point = None
        if one.cut is not None and (one.score >= one.cut).any():
            called = one.score >= one.cut
            point = (
                np.average(called[one.positive], weights=one.weight[one.positive]),
                np.average(one.positive[called], weights=one.weight[called]),
            )
        display = cls(
            precision=precision,
            recall=recall,
            average_precision=average,
            prevalence=float(np.average(one.positive, weights=one.weight)),
            operating_point=point,
            pos_label=one.label,
        )
        return display.plot(ax, name=type(estimator).__name__ if name is None else name, **kwargs)

    def plot(self, ax=None, *, name=None, **kwargs):
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        name : str, optional
            Name in the legend.
        **kwargs : dict
            For matplotlib's ``plot``.

        Returns
        -------
        display : PrecisionRecallDisplay
            Itself.
        """
        fresh = ax is None
        self.ax_, self.figure_ = new_axes(ax, self)
        area = f"average precision {self.average_precision:.3f}"
        options = {"color": BLUE} if fresh else {}
        (self.line_,) = self.ax_.plot(
            self.recall,
            self.precision,
            drawstyle="steps-pre",
            **{**options, "label": f"{name}: {area}" if name else area, **kwargs},
        )
        if self.operating_point is not None:
            self.ax_.plot(*self.operating_point, "o", color=self.line_.get_color(), label="where the model cuts")
        if fresh:
            self.ax_.axhline(
                self.prevalence, linestyle="--", color=GREY, linewidth=1, label="everything called positive"
            )
        of = "" if self.pos_label is None else f" (positive: {self.pos_label})"
        self.ax_.set(xlabel=f"recall{of}", ylabel="precision, held-out rows")
        square(self.ax_, 0, 1)
        self.ax_.legend(loc="lower left")
        return self
