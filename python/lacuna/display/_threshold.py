"""What each cut costs, and what the best cut would cost under each ratio of costs."""

import numpy as np

from .. import _decisions
from ._common import BLUE, GREEN, GREY, ORANGE, counts_by_cut, legend_above, new_axes, one_class


def _cost_by_cut(one, costs):
    """(cuts, false positive rate, false negative rate, cost of each cut relative to the cheaper constant decision)."""
    false_positive, false_negative = costs
    if not (false_positive > 0 and false_negative > 0):
        raise ValueError(f"costs must be two numbers above 0, of a false positive and a false negative; got {costs!r}")
    cuts, hits, alarms = counts_by_cut(one)
    cost = false_positive * alarms + false_negative * (hits[-1] - hits)
    return cuts, alarms / alarms[-1], 1 - hits / hits[-1], cost / min(cost[0], cost[-1])


def _prices(estimator, pos_label, costs):
    """Prices of a false positive and of a false negative, as they are given or as the estimator has them."""
    given = getattr(estimator, "cost", None)
    if costs is not None or given is None or len(estimator.classes_) != 2 or _decisions.price_columns(given):
        return (1, 1) if costs is None else tuple(costs)
    prices = np.asarray(given, dtype=np.float64)
    if prices.ndim == 2:  # what a mistake costs more than a right decision
        prices = np.array([prices[0, 1] - prices[0, 0], prices[1, 0] - prices[1, 1]])
    swapped = pos_label is not None and pos_label == estimator.classes_[0]
    return tuple(prices[::-1] if swapped else prices)


class ThresholdDisplay:
    """Error rates and cost of held-out rows, for every cut.

    The cost is relative to deciding without the model: 1 is that of calling every row the same, the cheaper way.

    Parameters
    ----------
    cuts : ndarray
        Rows with a probability (or output) from here up are called positive; falling, infinity first.
    fpr, fnr : ndarray
        False positive and false negative rates at these cuts.
    cost : ndarray
        Relative cost at these cuts.
    costs : tuple of float
        Of a false positive and of a false negative.
    model_cut : float or None
        Where the estimator itself cuts.
    probability : bool
        Whether cuts are probabilities (else outputs).
    pos_label : object
        The class that counts as positive.

    Attributes
    ----------
    best_cut : float
        The cut of least cost: chosen on single rows, so that it is noisy; ``threshold=`` of the estimators smooths it.
    lines_ : list of matplotlib Line2D
        Cost, false positive rate, false negative rate.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from lacuna import LacunaClassifier
    >>> from lacuna.display import ThresholdDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = ThresholdDisplay.from_estimator(LacunaClassifier().fit(X[:200], y[:200]), costs=(10, 1))
    >>> bool(display.best_cut > 0.5)
    True
    """

    def __init__(self, *, cuts, fpr, fnr, cost, costs=(1, 1), model_cut=None, probability=True, pos_label=None):
        self.cuts = cuts
        self.fpr = fpr
        self.fnr = fnr
        self.cost = cost
        self.costs = costs
        self.model_cut = model_cut
        self.probability = probability
        self.pos_label = pos_label

    @property
    def best_cut(self):
        """The cut of least cost."""
        return float(self.cuts[np.argmin(self.cost)])

    @classmethod
    def from_estimator(cls, estimator, *, costs=None, pos_label=None, sample_weight=None, ax=None, **kwargs):
        """Draw the curves of a fitted classifier's held-out outputs.

        Parameters
        ----------
        estimator : object
            A fitted classifier of this package.
        costs : tuple of float, optional
            Of a false positive and of a false negative. None: those that a classifier of two classes was given as
            ``cost``, or (1, 1).
        pos_label : object, optional
            The class against the rest; None: the second of two.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the training rows.
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        **kwargs : dict
            For matplotlib's ``plot`` of the cost.

        Returns
        -------
        display : ThresholdDisplay
            What was drawn.
        """
        one = one_class(estimator, pos_label, sample_weight, None)
        costs = _prices(estimator, pos_label, costs)
        cuts, fpr, fnr, cost = _cost_by_cut(one, costs)
        display = cls(
            cuts=cuts,
            fpr=fpr,
            fnr=fnr,
            cost=cost,
            costs=costs,
            model_cut=one.cut,
            probability=one.is_probability,
            pos_label=one.label,
        )
        return display.plot(ax, **kwargs)

    def plot(self, ax=None, **kwargs):
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        **kwargs : dict
            For matplotlib's ``plot`` of the cost.

        Returns
        -------
        display : ThresholdDisplay
            Itself.
        """
        self.ax_, self.figure_ = new_axes(ax, self)
        low, high = (0.0, 1.0) if self.probability else (self.cuts[-1], self.cuts[1])
        # A rate holds for all cuts above the next lower score up to its own; the axis ends where no score is.
        x = np.concatenate([[high], self.cuts[1:], [low]])

        def drawn(values, **options):
            return self.ax_.plot(x, np.append(values[0], values), drawstyle="steps-pre", **options)[0]

        words = "error" if self.costs[0] == self.costs[1] else "cost ({:g} : {:g})".format(*self.costs)
        k = int(np.argmin(self.cost))
        self.lines_ = [
            drawn(
                self.cost,
                **{"color": BLUE, "linewidth": 2, "label": f"{words}, relative to a constant decision", **kwargs},
            ),
            drawn(self.fpr, color=ORANGE, linewidth=1.2, linestyle="--", label="false positive rate"),
            drawn(self.fnr, color=GREEN, linewidth=1.2, linestyle="-.", label="false negative rate"),
        ]
        if np.isfinite(self.cuts[k]):
            self.ax_.plot(
                self.cuts[k], self.cost[k], "o", color=BLUE, label=f"least: {self.cost[k]:.2f} at {self.cuts[k]:.3g}"
            )
        if self.model_cut is not None:
            self.ax_.axvline(
                self.model_cut,
                color=GREY,
                linewidth=1,
                linestyle=":",
                label=f"where the model cuts, {self.model_cut:.3g}",
            )
        what = "probability" if self.probability else "output"
        self.ax_.set(
            xlabel=f"cut: called {self.pos_label} from this {what} up",
            ylabel="held-out rate, relative cost",
            ylim=(-0.02, 1.22),
            xlim=(low, high),
        )
        legend_above(self.ax_)
        return self


class CostCurveDisplay:
    """Expected cost of held-out rows for every ratio of costs and classes (Drummond and Holte's cost curve).

    The horizontal axis is the share of the positive class in what could be lost: with costs c of a false negative and d
    of a false positive, and a share p of positive rows, p c / (p c + (1 - p) d). The curve is the cost of the best cut
    for each; the straight line is that of the estimator's own cut.

    Parameters
    ----------
    positive_share : ndarray
        The horizontal axis, 0 to 1.
    cost : ndarray
        Normalised expected cost of the best cut; 1 is that of being always wrong.
    model_cost : ndarray or None
        The same of the estimator's own cut.
    area : float
        Under the curve; a constant decision has 0.25.
    here : float
        Where these data are, at the costs that were given.
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
    >>> from lacuna.display import CostCurveDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = CostCurveDisplay.from_estimator(LSSVMClassifier().fit(X[:200], y[:200]))
    >>> bool(display.area < 0.1)
    True
    """

    def __init__(self, *, positive_share, cost, model_cost=None, area=None, here=None, pos_label=None):
        self.positive_share = positive_share
        self.cost = cost
        self.model_cost = model_cost
        self.area = area
        self.here = here
        self.pos_label = pos_label

    @classmethod
    def from_estimator(cls, estimator, *, costs=None, pos_label=None, sample_weight=None, ax=None, **kwargs):
        """Draw the curve of a fitted classifier's held-out outputs.

        Parameters
        ----------
        estimator : object
            A fitted classifier of this package.
        costs : tuple of float, optional
            Of a false positive and of a false negative: a vertical line is drawn there. None: those that a classifier
            of two classes was given as ``cost``, or (1, 1).
        pos_label : object, optional
            The class against the rest; None: the second of two.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the training rows.
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        **kwargs : dict
            For matplotlib's ``plot``.

        Returns
        -------
        display : CostCurveDisplay
            What was drawn.
        """
        one = one_class(estimator, pos_label, sample_weight)
        costs = _prices(estimator, pos_label, costs)
        _, fpr, fnr, _ = _cost_by_cut(one, costs)
        share = np.linspace(0, 1, 201)
        cost = np.full(len(share), np.inf)
        for a, b in zip(fpr, fnr):  # the lower envelope of one line for each cut
            np.minimum(cost, (1 - share) * a + share * b, out=cost)
        model_cost = None
        if one.cut is not None:
            called = one.score >= one.cut
            a = np.average(called[~one.positive], weights=one.weight[~one.positive])
            b = np.average(~called[one.positive], weights=one.weight[one.positive])
            model_cost = (1 - share) * a + share * b
        p = np.average(one.positive, weights=one.weight)
        display = cls(
            positive_share=share,
            cost=cost,
            model_cost=model_cost,
            area=float(np.mean((cost[1:] + cost[:-1]) / 2)),
            here=float(p * costs[1] / (p * costs[1] + (1 - p) * costs[0])),
            pos_label=one.label,
        )
        return display.plot(ax, **kwargs)

    def plot(self, ax=None, **kwargs):
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        **kwargs : dict
            For matplotlib's ``plot``.

        Returns
        -------
        display : CostCurveDisplay
            Itself.
        """
        self.ax_, self.figure_ = new_axes(ax, self)
        x = self.positive_share
        self.ax_.plot(x, np.minimum(x, 1 - x), "--", color=GREY, linewidth=1, label="constant decision")
        label = "best cut" if self.area is None else f"best cut (area {self.area:.3f})"
        (self.line_,) = self.ax_.plot(x, self.cost, **{"color": BLUE, "label": label, **kwargs})
        if self.model_cost is not None:
            self.ax_.plot(x, self.model_cost, color=ORANGE, linewidth=1.2, linestyle="-.", label="where the model cuts")
        if self.here is not None:
            self.ax_.axvline(self.here, color=GREY, linewidth=1, linestyle=":", label=f"these data, {self.here:.2f}")
        of = "" if self.pos_label is None else f" of {self.pos_label}"
        self.ax_.set(
            xlabel=f"share{of} in probability x cost of the classes",
            ylabel="expected cost, held-out rows",
            xlim=(0, 1),
            ylim=(-0.01, 0.56),
        )
        self.ax_.legend(loc="upper right", fontsize="small")
        return self
