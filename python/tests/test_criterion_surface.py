"""The surface of the criterion: what is drawn are the criteria of fits at the grid, and the path of the search."""

import os

os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pytest

import lacuna
from lacuna import display

pytest.importorskip("matplotlib")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


def drawn(line):
    return np.column_stack([np.asarray(line.get_xdata()), np.asarray(line.get_ydata())])


def test_surface_is_the_criterion_of_fits_at_the_grid(two_classes):
    X, y = two_classes
    model = lacuna.LSSVMClassifier().fit(X, y)
    shown = display.CriterionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=4, span=10)
    for i, gamma in enumerate(shown.axes[1]):
        for j, alpha in enumerate(shown.axes[0]):
            at = lacuna.LSSVMClassifier(alpha=alpha, gamma=gamma).fit(X, y)
            held_out = np.mean((np.where(y == "yes", 1, -1) - at.loo_decision_) ** 2)
            assert shown.criterion[i, j] == pytest.approx(held_out)
    assert shown.chosen_criterion <= shown.criterion.min() + 1e-9
    # The path's values are shown to four digits, where the criterion may be a little off that of the exact point.
    assert len(shown.path) == model.report_["search"]["evaluations"] > 5
    line = drawn(shown.path_)
    np.testing.assert_allclose(line[~np.isnan(line[:, 0])], shown.path[:, :2])  # gaps where it jumped
    for alpha, gamma, value in shown.path[::5]:
        at = lacuna.LSSVMClassifier(alpha=alpha, gamma=gamma).fit(X, y)
        assert -at.best_score_ == pytest.approx(value, rel=1e-3)


def test_surface_at_the_chosen_point_is_the_criterion_of_the_fit(two_classes, values):
    """Also where something else was chosen: recalibration, delta, a mean."""
    from lacuna.display import _surface

    X, y = two_classes
    for model in (lacuna.LacunaClassifier(), lacuna.LaplaceGPClassifier(mean=None), lacuna.KernelFisherDiscriminant()):
        model.fit(X, y)
        assert _surface._criterion_at(model, {}, X, y, {}) == pytest.approx(-model.best_score_, rel=1e-9)
    X, y = values
    model = lacuna.HuberKernelRegressor().fit(X, y)
    assert _surface._criterion_at(model, {}, X, y, {}) == pytest.approx(-model.best_score_, rel=1e-9)


def test_surface_of_one_parameter_is_a_curve(values):
    X, y = values
    model = lacuna.LSSVMRegressor(kernel="linear").fit(X, y)
    shown = display.CriterionSurfaceDisplay.from_estimator(model, X, y, grid_resolution=6)
    assert shown.names == ["alpha"] and shown.criterion.shape == (6,)
    np.testing.assert_allclose(drawn(shown.surface_)[:, 1], shown.criterion)
    with pytest.raises(ValueError, match="one or two of"):
        display.CriterionSurfaceDisplay.from_estimator(model, X, y, parameters=["gamma"])
