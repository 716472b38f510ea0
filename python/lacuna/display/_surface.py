"""The selection criterion as a function of one or two hyper-parameters, and where the search went."""

import numbers
import warnings

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._choice import at_chosen
from ._common import BLUE, ORANGE, new_axes

_NO_SURFACE = "and so its criterion has no surface; draw that of a fit with effort=\"quick\""


class CriterionSurfaceDisplay:
    """The criterion over held-out rows around the chosen hyper-parameters, and the path of the search.

    A broad valley means that the choice hardly matters; a narrow one at the edge of the picture, or a second one of the
    same depth, that it is worth a look.

    Parameters
    ----------
    names : list of str
        The one or two parameters.
    axes : list of ndarray
        Their values.
    criterion : ndarray of shape (len(axes[0]),) or (len(axes[1]), len(axes[0]))
        The criterion there, less is better; infinite where the arithmetic fails.
    chosen : tuple of float
        The chosen values.
    chosen_criterion : float
        The criterion there.
    path : ndarray of shape (n_points, len(names) + 1)
        Points that the search tried, in order, with the criterion that it saw.
    word : str
        Name of the criterion.

    Attributes
    ----------
    surface_ : matplotlib QuadContourSet or Line2D
        The filled contours of two parameters, or the curve of one.
    path_ : matplotlib Line2D or None
        The path.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from lacuna import LSSVMClassifier
    >>> from lacuna.display import CriterionSurfaceDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LSSVMClassifier().fit(X, y)
    >>> display = CriterionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=5)
    >>> display.criterion.shape
    (5, 5)
    """

    def __init__(self, *, names, axes, criterion, chosen, chosen_criterion, path=None, word="criterion"):
        self.names = names
        self.axes = axes
        self.criterion = criterion
        self.chosen = chosen
        self.chosen_criterion = chosen_criterion
        self.path = path
        self.word = word

    @classmethod
    def from_estimator(
        cls, estimator, X, y, *, parameters=None, grid_resolution=20, span=100.0, fit_params=None, ax=None, **kwargs
    ):
        """Evaluate the criterion over a grid and draw it.

        Each point of the grid is one evaluation in closed form: about what one step of the search costs.

        Parameters
        ----------
        estimator : object
            A fitted estimator of this package.
        X, y : array-like
            What it was fitted on.
        parameters : list of str, optional
            One or two of ``best_params_`` that are single numbers; None: alpha and, where there is one, gamma or coef0.
        grid_resolution : int, default=20
            Points along each axis.
        span : float, default=100
            The axes reach from the chosen value divided by this to the chosen value times this.
        fit_params : dict, optional
            What else it was fitted with: ``sample_weight``, ``groups``, ``exposure``.
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        **kwargs : dict
            For matplotlib's ``contourf`` or, with one parameter, ``plot``.

        Returns
        -------
        display : CriterionSurfaceDisplay
            What was drawn.
        """
        check_is_fitted(estimator, "model_")
        at_chosen(estimator, _NO_SURFACE)
        names = _checked_names(estimator, parameters)
        chosen = tuple(float(estimator.best_params_[name]) for name in names)
        axes = [np.geomspace(value / span, value * span, grid_resolution) for value in chosen]
        mesh = np.meshgrid(*axes)
        settings = np.column_stack([values.ravel() for values in mesh])
        criterion = np.array(
            [
                _criterion_at(estimator, dict(zip(names, setting)), X, y, fit_params or {})
                for setting in settings.tolist()
            ]
        ).reshape(mesh[0].shape)
        path = np.array(
            [
                [point[name] for name in names] + [point["value"]]
                for point in estimator.search_path_
                if all(name in point for name in names)
            ]
        )
        display = cls(
            names=names,
            axes=axes,
            criterion=criterion,
            chosen=chosen,
            chosen_criterion=-float(estimator.best_score_),
            path=path if len(path) else None,
            word=estimator.report_["criterion"]["name"],
        )
        return display.plot(ax, **kwargs)

    def plot(self, ax=None, **kwargs):
        """Draw it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where; None: a new figure.
        **kwargs : dict
            For matplotlib's ``contourf`` or, with one parameter, ``plot``.

        Returns
        -------
        display : CriterionSurfaceDisplay
            Itself.
        """
        self.ax_, self.figure_ = new_axes(ax, self)
        self.path_ = None
        if len(self.names) == 1:
            self._plot_curve(kwargs)
        else:
            self._plot_surface(kwargs)
        self.ax_.set(xscale="log", xlabel=_axis_name(self.names[0]), xlim=(self.axes[0][0], self.axes[0][-1]))
        self.ax_.legend(loc="best", fontsize="small")
        return self

    def _plot_curve(self, kwargs):
        x, value = self.axes[0], np.where(np.isfinite(self.criterion), self.criterion, np.nan)
        (self.surface_,) = self.ax_.plot(x, value, **{"color": BLUE, "label": "criterion", **kwargs})
        if self.path is not None:
            inside = self._inside()
            (self.path_,) = self.ax_.plot(
                self.path[inside, 0],
                self.path[inside, -1],
                "o",
                color=ORANGE,
                markersize=4,
                alpha=0.7,
                label=f"tried by the search ({len(self.path)})",
            )
        self.ax_.plot(
            self.chosen[0], self.chosen_criterion, "*", color="black", markersize=13, label=self._chosen_word()
        )
        low = min(np.nanmin(value), self.chosen_criterion)
        high = max(np.nanquantile(value, 0.9), self.chosen_criterion)
        self.ax_.set(
            ylabel=f"{self.word}, held-out rows (less is better)",
            ylim=(low - 0.05 * (high - low), high + 0.05 * (high - low)),
        )

    def _plot_surface(self, kwargs):
        value = np.ma.masked_invalid(self.criterion)
        low = min(float(value.min()), self.chosen_criterion)
        # Far from the valley the criterion may grow without end: what is above the upper quarter is one colour.
        high = float(np.quantile(value.compressed(), 0.75))
        # Levels are dense near the bottom, where the choice is made.
        levels = low + (max(high, low + 1e-12) - low) * np.linspace(0, 1, 15) ** 2
        self.surface_ = self.ax_.contourf(
            *self.axes, value, **{"levels": levels, "cmap": "cividis", "extend": "both", **kwargs}
        )
        bar = self.figure_.colorbar(self.surface_, ax=self.ax_, format="%.4g")
        bar.set_label(f"{self.word}, held-out rows (less is better)")
        self.ax_.set(yscale="log", ylabel=_axis_name(self.names[1]), ylim=(self.axes[1][0], self.axes[1][-1]))
        if self.path is not None:
            (self.path_,) = self.ax_.plot(
                *self._linked_path().T,
                "-o",
                color=ORANGE,
                markersize=4,
                markeredgecolor="white",
                markeredgewidth=0.5,
                linewidth=0.8,
                alpha=0.9,
                label=f"search, {len(self.path)} points ({(~self._inside()).sum()} outside)",
            )
        self.ax_.plot(
            *self.chosen, "*", color="white", markeredgecolor="black", markersize=14, label=self._chosen_word()
        )

    def _linked_path(self):
        """Points of the path, with a gap where the search did not step but jumped, from one start to the next."""
        points = self.path[:, :2]
        jumps = np.flatnonzero(np.abs(np.diff(np.log(points), axis=0)).max(axis=1) > np.log(5)) + 1
        return np.insert(points, jumps, np.nan, axis=0)

    def _inside(self):
        within = [(self.path[:, k] >= axis[0]) & (self.path[:, k] <= axis[-1]) for k, axis in enumerate(self.axes)]
        return np.logical_and.reduce(within)

    def _chosen_word(self):
        values = ", ".join(f"{name} {value:.3g}" for name, value in zip(self.names, self.chosen))
        return f"chosen: {values}"


def _axis_name(name):
    return {"alpha": "alpha (regulariser)", "gamma": "gamma (inverse squared width of the kernel)"}.get(name, name)


def _checked_names(estimator, parameters):
    numeric = [
        name
        for name, value in estimator.best_params_.items()
        if isinstance(value, numbers.Real) and name in ("alpha", "gamma", "coef0")
    ]
    if parameters is None:
        return numeric[:2]
    parameters = list(parameters)
    if not 1 <= len(parameters) <= 2 or len(set(parameters)) < len(parameters) or set(parameters) - set(numeric):
        raise ValueError(f"parameters must be one or two of {numeric}; got {parameters}")
    return parameters


def _criterion_at(estimator, setting, X, y, fit_params):
    """What the search would see at these hyper-parameters; all others are as they were chosen."""
    at = at_chosen(estimator, _NO_SURFACE).set_params(**setting)
    given = at.get_params(deep=False)
    for name in ("delta", "overdispersion"):
        if name in given and given[name] is None:
            at.set_params(**{name: estimator.report_["loss"][name]})
    if "mean" in given and given["mean"] is None:
        at.set_params(mean=estimator.report_["mean"])
    # Left to the library, probabilities are not fitted again where hyper-parameters are given.
    if "recalibrate" in given and given["recalibrate"] is None:
        at.set_params(recalibrate=bool((estimator.report_["decision"] or {}).get("recalibrated")))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return -float(at.fit(X, y, **fit_params).best_score_)
    except ArithmeticError:
        return np.inf
