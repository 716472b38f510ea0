"""Held-out predictions of regressors against what was observed."""

import numpy as np
from sklearn.base import is_regressor

from ._common import BLUE, GREY, held_out, legend_above, new_axes, square


class HeldOutDisplay:
    """Observed values against held-out predictions.

    Parameters
    ----------
    observed : ndarray of shape (n_samples,)
        Targets of the training rows.
    predicted : ndarray of shape (n_samples,)
        Their predictions by machines that have not seen them.
    half_width : float, ndarray of shape (n_samples,) or None
        Of the 90 % interval of a prediction; one for each row where intervals follow the noise.
    target : str
        What the target is called.

    Attributes
    ----------
    points_ : matplotlib PathCollection
        The rows.
    interval_ : matplotlib PolyCollection, LineCollection or None
        The band, or a line for each row.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from lacuna import LSSVMRegressor
    >>> from lacuna.display import HeldOutDisplay
    >>> X, y = load_diabetes(return_X_y=True)
    >>> display = HeldOutDisplay.from_estimator(LSSVMRegressor().fit(X[:150], y[:150]))
    >>> bool((display.observed == y[:150]).all())
    True
    """

    def __init__(self, *, observed, predicted, half_width=None, target="target"):
        self.observed = observed
        self.predicted = predicted
        self.half_width = half_width
        self.target = target

    @classmethod
    def from_estimator(cls, estimator, *, kind="observed", target=0, name=None, X=None, ax=None, **kwargs):
        """Draw the training rows of a fitted regressor.

        Parameters
        ----------
        estimator : object
            A fitted regressor of this package.
        kind : {"observed", "residuals"}, default="observed"
            What is on the vertical axis: the observed value, or observed minus predicted.
        target : int, default=0
            Which target, where there are several.
        name : str, optional
            What to call the target, with its unit; None: "target".
        X : array-like or frame, optional
            What it was fitted on. Needed for intervals that follow the noise where a model does not keep its rows as
            they were: with ``n_basis``, and of a stack.
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        **kwargs : dict
            For matplotlib's ``scatter``.

        Returns
        -------
        display : HeldOutDisplay
            What was drawn.
        """
        figures = held_out(estimator)
        if not is_regressor(estimator):
            raise ValueError(
                "HeldOutDisplay is for regressors; for classes there are RocDisplay and ReliabilityDisplay"
            )
        observed, predicted = figures["target"][:, target], figures["value"][:, target]
        use = np.isfinite(predicted)
        names = estimator.model_.target_names
        display = cls(
            observed=observed[use],
            predicted=predicted[use],
            half_width=_half_width(estimator, figures, target, use, X),
            target=name or (names[target] if target < len(names) else "target"),
        )
        return display.plot(ax, kind=kind, **kwargs)

    def plot(self, ax=None, *, kind="observed", **kwargs):
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        kind : {"observed", "residuals"}, default="observed"
            What is on the vertical axis.
        **kwargs : dict
            For matplotlib's ``scatter``.

        Returns
        -------
        display : HeldOutDisplay
            Itself.
        """
        if kind not in ("observed", "residuals"):
            raise ValueError(f'kind must be "observed" or "residuals"; got {kind!r}')
        self.ax_, self.figure_ = new_axes(ax, self)
        base = 1.0 if kind == "observed" else 0.0  # the slope of a perfect prediction
        residual = self.observed - self.predicted
        rmse = float(np.sqrt(np.mean(residual**2)))
        low, high = np.min(self.predicted), np.max(self.predicted)
        if kind == "observed":
            low, high = min(low, np.min(self.observed)), max(high, np.max(self.observed))
        pad = 0.03 * (high - low)
        x = np.array([low - pad, high + pad])
        self.interval_ = None if self.half_width is None else self._plot_interval(x, base, residual)
        self.ax_.plot(x, base * x, "--", color=GREY, linewidth=1, label="perfect")
        options = {"s": 16, "alpha": 0.6, "color": BLUE, "linewidths": 0, "label": f"held-out rows, RMSE {rmse:.3g}"}
        self.points_ = self.ax_.scatter(
            self.predicted, self.observed if kind == "observed" else residual, **{**options, **kwargs}
        )
        self.ax_.set(
            xlabel=f"held-out prediction of {self.target}",
            ylabel=f"observed {self.target}" if kind == "observed" else "observed - predicted",
        )
        if kind == "observed":
            square(self.ax_, low, high, 0.03)
        else:
            self.ax_.set_xlim(*x)
        legend_above(self.ax_)
        return self

    def _plot_interval(self, x, base, residual):
        inside = float(np.mean(np.abs(residual) <= self.half_width))
        label = f"90 % interval (holds {100 * inside:.0f} % of the rows)"
        if np.ndim(self.half_width) == 0:
            ends = base * x - self.half_width, base * x + self.half_width
            return self.ax_.fill_between(x, *ends, color=GREY, alpha=0.15, linewidth=0, label=label)
        middle = base * self.predicted
        ends = middle - self.half_width, middle + self.half_width
        return self.ax_.vlines(self.predicted, *ends, color=GREY, alpha=0.3, linewidth=1, label=label)


def _half_width(estimator, figures, target, use, X):
    """One number, or one for each row that is drawn; None where there are no intervals or not these."""
    intervals = estimator.report_.get("intervals")
    if not intervals:
        return None
    width = intervals["half_width"][target]
    if not intervals["varies"]:
        return width
    noise = figures.get("noise")
    if noise is None and X is not None:
        noise = estimator._predictions(X)["noise"]
    return None if noise is None else width * noise[use, target]
