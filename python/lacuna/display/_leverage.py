"""Which rows count for much, and which are predicted badly without themselves."""

import numpy as np
from sklearn.base import is_classifier

from ._common import BLUE, GREY, ORANGE, held_out, new_axes, true_codes


class LeverageDisplay:
    """Leverage of each row against how badly it is predicted when it is held out.

    A row at the right bends the fit towards itself; a row high up is a surprise to a machine that has not seen it. A
    row that is both is worth a look before anything else.

    Parameters
    ----------
    leverage : ndarray of shape (n_samples,)
        How much each row counts for its own output, 0 to 1.
    surprise : ndarray of shape (n_samples,)
        The held-out residual of a regressor, or the held-out loss of a classifier.
    wrong : ndarray of bool or None
        Classifiers: rows whose held-out prediction is another class.
    row : ndarray of int
        Rows of the training data, from 0.

    Attributes
    ----------
    points_ : list of matplotlib PathCollection
        The rows; those of a classifier that are right first, then those that are wrong.
    labels_ : list of matplotlib Text
        Numbers of the rows that stand out.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from lacuna import LSSVMRegressor
    >>> from lacuna.display import LeverageDisplay
    >>> X, y = load_diabetes(return_X_y=True)
    >>> display = LeverageDisplay.from_estimator(LSSVMRegressor().fit(X[:150], y[:150]))
    >>> len(display.labels_)
    5
    """

    def __init__(self, *, leverage, surprise, wrong=None, row=None):
        self.leverage = leverage
        self.surprise = surprise
        self.wrong = wrong
        self.row = np.arange(len(leverage)) if row is None else row

    @classmethod
    def from_estimator(cls, estimator, *, n_labels=5, target=0, ax=None, **kwargs):
        """Draw the training rows of a fitted estimator.

        Parameters
        ----------
        estimator : object
            A fitted estimator of this package.
        n_labels : int, default=5
            How many rows to name: those with the greatest product of leverage and surprise.
        target : int, default=0
            Which target of a regressor, where there are several.
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        **kwargs : dict
            For matplotlib's ``scatter``.

        Returns
        -------
        display : LeverageDisplay
            What was drawn.
        """
        figures = held_out(estimator)
        leverage = estimator.leverage_
        if not np.isfinite(leverage).any():
            raise ValueError(f"this {type(estimator).__name__} has no leverages")
        wrong = None
        if is_classifier(estimator):
            surprise = figures["loss"]
            truth = true_codes(estimator)
            wrong = np.array(
                [t >= 0 and estimator.loo_predictions_[i] != estimator.classes_[t] for i, t in enumerate(truth)]
            )
        else:
            surprise = figures["target"][:, target] - figures["value"][:, target]
        row = np.flatnonzero(np.isfinite(leverage) & np.isfinite(surprise))
        display = cls(
            leverage=leverage[row], surprise=surprise[row], wrong=None if wrong is None else wrong[row], row=row
        )
        return display.plot(ax, n_labels=n_labels, **kwargs)

    def plot(self, ax=None, *, n_labels=5, **kwargs):
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        n_labels : int, default=5
            How many rows to name.
        **kwargs : dict
            For matplotlib's ``scatter``.

        Returns
        -------
        display : LeverageDisplay
            Itself.
        """
        self.ax_, self.figure_ = new_axes(ax, self)
        options = {"s": 18, "alpha": 0.65, "linewidths": 0, **kwargs}
        parts = [(np.ones(len(self.row), dtype=bool), BLUE, "o", "training rows")]
        if self.wrong is not None:
            parts = [
                (~self.wrong, BLUE, "o", "held-out prediction is right"),
                (self.wrong, ORANGE, "D", "held-out prediction is wrong"),
            ]
        self.points_ = [
            self.ax_.scatter(
                self.leverage[which],
                self.surprise[which],
                **{"color": colour, "marker": marker, "label": f"{word} ({which.sum()})", **options},
            )
            for which, colour, marker, word in parts
        ]
        mean = float(np.mean(self.leverage))
        self.ax_.axvline(mean, color=GREY, linewidth=1, linestyle=":", label=f"mean leverage, {mean:.3g}")
        if self.wrong is None:
            self.ax_.axhline(0.0, color=GREY, linewidth=1)
        influence = self.leverage * np.abs(self.surprise)
        self.labels_ = [self._name(i) for i in np.argsort(-influence, kind="stable")[:n_labels]]
        self.ax_.set(
            xlabel="leverage (share of a row in its own output)",
            ylabel="held-out residual, observed - predicted" if self.wrong is None else "held-out loss of the row",
        )
        self.ax_.margins(x=0.08, y=0.08)
        self.ax_.legend(loc="best")
        return self

    def _name(self, i):
        # Away from the middle of the picture, where the other points are.
        up = self.surprise[i] >= 0
        return self.ax_.annotate(
            str(self.row[i]),
            (self.leverage[i], self.surprise[i]),
            fontsize="small",
            xytext=(4, 4 if up else -4),
            textcoords="offset points",
            va="bottom" if up else "top",
        )
