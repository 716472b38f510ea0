"""Whether held-out probabilities are what they say."""

import numpy as np
from sklearn.isotonic import IsotonicRegression

from ._common import BLUE, GREY, ORANGE, new_axes, one_class, square


class ReliabilityDisplay:
    """Observed share of a class against its stated held-out probability, with a band of consistency.

    The band is where the curve would lie in ``level`` of all cases if the stated probabilities were true: labels are
    drawn again with these probabilities, and the curve is computed for each draw. A curve inside the band gives no
    reason to distrust the probabilities.

    Parameters
    ----------
    probability, observed : ndarray
        The curve: stated probability and share of the class.
    lower, upper : ndarray
        The band, at the same probabilities.
    stated : ndarray
        The held-out probabilities of all rows.
    calibration_error : float
        Mean distance between the curve and what was stated, over the rows.
    level : float
        Of the band.
    isotonic : bool
        Whether the curve is isotonic regression (else it is means of bins).
    pos_label : object
        The class whose probability it is.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The curve.
    band_ : matplotlib PolyCollection
        The band.
    bars_ : matplotlib BarContainer
        How many rows have which probability.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from lacuna import LacunaClassifier
    >>> from lacuna.display import ReliabilityDisplay
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> display = ReliabilityDisplay.from_estimator(LacunaClassifier().fit(X[:200], y[:200]))
    >>> bool(display.calibration_error < 0.1)
    True
    """

    def __init__(
        self,
        *,
        probability,
        observed,
        lower,
        upper,
        stated,
        calibration_error,
        level=0.9,
        isotonic=True,
        pos_label=None,
    ):
        self.probability = probability
        self.observed = observed
        self.lower = lower
        self.upper = upper
        self.stated = stated
        self.calibration_error = calibration_error
        self.level = level
        self.isotonic = isotonic
        self.pos_label = pos_label

    @classmethod
    def from_estimator(
        cls,
        estimator,
        *,
        pos_label=None,
        sample_weight=None,
        n_bins=None,
        level=0.9,
        n_draws=200,
        random_state=0,
        ax=None,
        name=None,
        **kwargs,
    ):
        """Draw the curve of a fitted classifier's held-out probabilities.

        Parameters
        ----------
        estimator : object
            A fitted classifier of this package that has probabilities.
        pos_label : object, optional
            The class; None: the second of two.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the training rows.
        n_bins : int, optional
            Bins with equal numbers of rows; None: isotonic regression, which needs none.
        level : float, default=0.9
            Of the band.
        n_draws : int, default=200
            Draws for the band.
        random_state : int, default=0
            Seed of the draws.
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        name : str, optional
            Name in the legend; None: the estimator's class.
        **kwargs : dict
            For matplotlib's ``plot``.

        Returns
        -------
        display : ReliabilityDisplay
            What was drawn.
        """
        one = one_class(estimator, pos_label, sample_weight, probability=True)
        order = np.argsort(one.score, kind="stable")
        p, weight, positive = one.score[order], one.weight[order], one.positive[order].astype(float)
        curve = _isotonic(p, weight) if n_bins is None else _binned(p, weight, n_bins)
        x, at_rows = curve.x, curve.of_rows(positive)
        rng = np.random.default_rng(random_state)
        draws = np.array([curve(rng.random(len(p)) < p) for _ in range(n_draws)])
        lower, upper = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
        display = cls(
            probability=x,
            observed=curve(positive),
            lower=lower,
            upper=upper,
            stated=p,
            calibration_error=float(np.average(np.abs(at_rows - p), weights=weight)),
            level=level,
            isotonic=n_bins is None,
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
        display : ReliabilityDisplay
            Itself.
        """
        self.ax_, self.figure_ = new_axes(ax, self)
        count, edges = np.histogram(self.stated, bins=20, range=(0, 1))
        # Along the bottom, so high that the fullest bar takes an eighth of the picture.
        self.bars_ = self.ax_.bar(
            edges[:-1],
            count / max(count.max(), 1) / 8,
            width=0.05,
            align="edge",
            color=GREY,
            alpha=0.35,
            label=f"rows (highest bar: {count.max()})",
        )
        self.band_ = self.ax_.fill_between(
            self.probability,
            self.lower,
            self.upper,
            color=BLUE,
            alpha=0.18,
            linewidth=0,
            label=f"{100 * self.level:g} % band of true probabilities",
        )
        self.ax_.plot([0, 1], [0, 1], "--", color=GREY, linewidth=1, label="perfect")
        options = {"color": ORANGE, "label": f"{name or 'held-out rows'}: distance {self.calibration_error:.3f}"}
        if not self.isotonic:
            options["marker"] = "o"
        (self.line_,) = self.ax_.plot(self.probability, self.observed, **{**options, **kwargs})
        of = "" if self.pos_label is None else f" of {self.pos_label}"
        self.ax_.set(xlabel=f"stated probability{of}, held-out rows", ylabel=f"observed share{of}")
        square(self.ax_, 0, 1)
        self.ax_.legend(loc="upper left", fontsize="small")
        return self


class _isotonic:
    """Isotonic regression of outcomes on probabilities: no bins to choose."""

    def __init__(self, p, weight):
        self.p, self.weight = p, weight
        self.x = np.unique(p)
        self.regression = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")

    def __call__(self, outcome):
        return self.regression.fit(self.p, outcome, self.weight).predict(self.x)

    def of_rows(self, outcome):
        return self.regression.fit(self.p, outcome, self.weight).predict(self.p)


class _binned:
    """Mean outcome in bins of equally many rows; rows of one probability stay together."""

    def __init__(self, p, weight, n_bins):
        edges = np.unique(np.quantile(p, np.linspace(0, 1, n_bins + 1)[1:-1]))
        self.weight, code = weight, np.searchsorted(edges, p, side="right")
        self.bin = np.unique(code, return_inverse=True)[1]
        self.total = np.bincount(self.bin, weight)
        self.x = np.bincount(self.bin, weight * p) / self.total
        self.shift = p - self.x[self.bin]

    def __call__(self, outcome):
        return np.bincount(self.bin, self.weight * outcome) / self.total

    def of_rows(self, outcome):
        # The distance of a row is that of its bin.
        return self(outcome)[self.bin] + self.shift
