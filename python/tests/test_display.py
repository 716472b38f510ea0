"""Displays: what is drawn equals what scikit-learn, or a plain loop, computes from the held-out outputs."""

import doctest
import os

os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pytest
from sklearn import metrics
from sklearn.exceptions import NotFittedError
from sklearn.isotonic import IsotonicRegression

import lacuna
from lacuna import display

pytest.importorskip("matplotlib")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def classifier(two_classes):
    X, y = two_classes
    return lacuna.LacunaClassifier().fit(X, y)


@pytest.fixture(scope="module")
def three_classes():
    rng = np.random.default_rng(3)
    y = np.repeat(["a", "b", "c"], 25)
    X = rng.normal(size=(75, 2)) + np.repeat([[0, 0], [1.5, 0], [0, 1.5]], 25, axis=0)
    return lacuna.KernelLogisticRegression().fit(X, y), y


@pytest.mark.parametrize("name", display.__all__)
def test_examples_of_docstrings_run(name):
    (test,) = doctest.DocTestFinder(recurse=False).find(getattr(display, name), globs={})
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def drawn(line):
    return np.column_stack([np.asarray(line.get_xdata()), np.asarray(line.get_ydata())])


def test_roc_equals_scikit_learns(classifier, two_classes):
    y = two_classes[1] == "yes"
    shown = display.RocDisplay.from_estimator(classifier)
    fpr, tpr, _ = metrics.roc_curve(y, classifier.loo_decision_, drop_intermediate=False)
    np.testing.assert_allclose(shown.fpr, fpr)
    np.testing.assert_allclose(shown.tpr, tpr)
    np.testing.assert_allclose(drawn(shown.line_), np.column_stack([fpr, tpr]))
    assert shown.roc_auc == pytest.approx(metrics.roc_auc_score(y, classifier.loo_decision_), abs=1e-12)
    assert shown.pair_auc == classifier.report_["held_out"]["auc"]
    said = classifier.loo_predictions_ == "yes"
    assert shown.operating_point == pytest.approx((said[~y].mean(), said[y].mean()))


def test_roc_of_the_other_class_and_weights(classifier, two_classes):
    y = two_classes[1] == "no"
    weight = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    shown = display.RocDisplay.from_estimator(classifier, pos_label="no", sample_weight=weight)
    expected = metrics.roc_auc_score(y, -classifier.loo_decision_, sample_weight=weight)
    assert shown.roc_auc == pytest.approx(expected, abs=1e-12)


def test_precision_recall_equals_scikit_learns(classifier, two_classes):
    y = two_classes[1] == "yes"
    shown = display.PrecisionRecallDisplay.from_estimator(classifier)
    expected = metrics.average_precision_score(y, classifier.loo_decision_)
    assert shown.average_precision == pytest.approx(expected, abs=1e-12)
    precision, recall, _ = metrics.precision_recall_curve(y, classifier.loo_decision_)
    np.testing.assert_allclose(shown.precision, precision[:-1][::-1])
    np.testing.assert_allclose(shown.recall, recall[:-1][::-1])
    said = classifier.loo_predictions_ == "yes"
    assert shown.operating_point == pytest.approx((said[y].mean(), y[said].mean()))


def test_several_classes_need_one_that_is_meant(three_classes):
    model, y = three_classes
    with pytest.raises(ValueError, match="pos_label"):
        display.RocDisplay.from_estimator(model)
    with pytest.raises(ValueError, match="none of the classes"):
        display.RocDisplay.from_estimator(model, pos_label="d")
    shown = display.RocDisplay.from_estimator(model, pos_label="b")
    assert shown.roc_auc == pytest.approx(metrics.roc_auc_score(y == "b", model.loo_decision_[:, 1]), abs=1e-12)


def test_reliability_is_isotonic_regression_of_held_out_probabilities(classifier, two_classes):
    y = (two_classes[1] == "yes").astype(float)
    p = classifier.loo_proba_[:, 1]
    shown = display.ReliabilityDisplay.from_estimator(classifier)
    expected = IsotonicRegression(y_min=0, y_max=1).fit(p, y)
    np.testing.assert_allclose(shown.observed, expected.predict(shown.probability))
    assert shown.calibration_error == pytest.approx(np.abs(expected.predict(p) - p).mean())
    assert (shown.lower <= shown.upper).all()
    assert (np.diff(shown.observed) >= 0).all()


def test_reliability_in_bins_counts_rows(classifier, two_classes):
    y = two_classes[1] == "yes"
    p = classifier.loo_proba_[:, 1]
    shown = display.ReliabilityDisplay.from_estimator(classifier, n_bins=4)
    parts = np.array_split(np.argsort(p), 4)  # 80 rows, all different
    np.testing.assert_allclose(shown.probability, [p[part].mean() for part in parts])
    np.testing.assert_allclose(shown.observed, [y[part].mean() for part in parts])
    expected = np.mean([abs(p[part].mean() - y[part].mean()) for part in parts])
    assert shown.calibration_error == pytest.approx(expected)


def test_band_of_reliability_holds_true_probabilities(classifier):
    """Outcomes drawn with the stated probabilities lie in the band at most points; outcomes turned about do not."""
    from lacuna.display import _reliability

    rng = np.random.default_rng(5)
    p = np.sort(rng.random(400))
    curve = _reliability._binned(p, np.ones(400), 10)
    draws = np.array([curve(rng.random(400) < p) for _ in range(500)])
    lower, upper = np.quantile(draws, [0.05, 0.95], axis=0)
    fresh = np.array([curve(rng.random(400) < p) for _ in range(200)])
    inside = ((fresh >= lower) & (fresh <= upper)).mean()
    assert 0.85 < inside < 0.97  # 90 %, a little more because shares of 40 rows are discrete
    reversed_ = curve(rng.random(400) < 1 - p)
    assert ((reversed_ >= lower) & (reversed_ <= upper)).mean() < 0.5


def test_probabilities_are_asked_for_where_there_are_none(two_classes):
    model = lacuna.LSSVMClassifier().fit(*two_classes)
    with pytest.raises(ValueError, match="recalibrate=True"):
        display.ReliabilityDisplay.from_estimator(model)
    shown = display.ThresholdDisplay.from_estimator(model)  # cuts are outputs then
    assert not shown.probability and shown.model_cut == 0.0


@pytest.mark.parametrize("name", sorted(set(display.__all__) - {"CriterionSurfaceDisplay"}))
def test_displays_refuse_what_they_cannot_draw(name, values, classifier):
    cls = getattr(display, name)
    with pytest.raises(NotFittedError):
        cls.from_estimator(lacuna.LSSVMClassifier())
    if name == "HeldOutDisplay":
        with pytest.raises(ValueError, match="for regressors"):
            cls.from_estimator(classifier)
    elif name != "LeverageDisplay":
        with pytest.raises(ValueError, match="is no classifier"):
            cls.from_estimator(lacuna.LSSVMRegressor(gamma=0.1, alpha=1.0).fit(*values))


@pytest.mark.parametrize("costs", [(1, 1), (5, 1)])
def test_threshold_costs_equal_a_plain_count(classifier, two_classes, costs):
    y = two_classes[1] == "yes"
    p = classifier.loo_proba_[:, 1]
    shown = display.ThresholdDisplay.from_estimator(classifier, costs=costs)
    constant = min(costs[0] * (~y).sum(), costs[1] * y.sum())
    x, drawn_cost = shown.lines_[0].get_xdata(), shown.lines_[0].get_ydata()
    for cut in [0.01, 0.3, 0.5, 0.77, 0.99]:
        called = p >= cut
        cost = costs[0] * (called & ~y).sum() + costs[1] * (~called & y).sum()
        # steps-pre: what holds between two points of the line is the value of the later one
        k = np.flatnonzero((x[:-1] >= cut) & (cut > x[1:]))[0] + 1
        assert drawn_cost[k] == pytest.approx(cost / constant)
    called = p >= shown.best_cut
    least = costs[0] * (called & ~y).sum() + costs[1] * (~called & y).sum()
    assert least / constant == pytest.approx(shown.cost.min())


def test_cost_curve_is_the_least_over_all_cuts(classifier, two_classes):
    y = two_classes[1] == "yes"
    z = classifier.loo_decision_
    shown = display.CostCurveDisplay.from_estimator(classifier, costs=(1, 3))
    for k in (0, 40, 100, 170):
        share = shown.positive_share[k]
        costs = [(1 - share) * (z[~y] >= cut).mean() + share * (z[y] < cut).mean() for cut in [*z, np.inf]]
        assert shown.cost[k] == pytest.approx(min(costs))
    assert (shown.cost <= np.minimum(shown.positive_share, 1 - shown.positive_share) + 1e-12).all()
    assert shown.here == pytest.approx(3 * y.mean() / (3 * y.mean() + 1 - y.mean()))


def test_held_out_values(values):
    X, y = values
    model = lacuna.LSSVMRegressor().fit(X, y)
    shown = display.HeldOutDisplay.from_estimator(model, name="price (EUR)")
    np.testing.assert_allclose(np.asarray(shown.points_.get_offsets()), np.column_stack([model.loo_predictions_, y]))
    assert "price (EUR)" in shown.ax_.get_xlabel()
    shown = display.HeldOutDisplay.from_estimator(model, kind="residuals")
    np.testing.assert_allclose(np.asarray(shown.points_.get_offsets())[:, 1], y - model.loo_predictions_)
    with pytest.raises(ValueError, match="kind"):
        shown.plot(kind="both")


def test_intervals_that_follow_the_noise_are_drawn_row_by_row():
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(200, 1))
    y = np.sin(X[:, 0]) + (0.05 + 0.2 * (X[:, 0] + 3)) * rng.normal(size=200)
    for given in ({}, {"n_basis": 30}):
        model = lacuna.LSSVMRegressor(**given).fit(X, y)
        assert model.report_["intervals"]["varies"]
        _, lower, upper = model.predict(X, interval=0.9)
        if given:  # its rows are not kept: an average width would be that of no row
            assert display.HeldOutDisplay.from_estimator(model).half_width is None
        shown = display.HeldOutDisplay.from_estimator(model, X=X if given else None)
        np.testing.assert_allclose(shown.half_width, (upper - lower) / 2, rtol=1e-9)
        drawn_ends = np.array([segment[:, 1] for segment in shown.interval_.get_segments()])
        np.testing.assert_allclose(drawn_ends[:, 1] - drawn_ends[:, 0], upper - lower, rtol=1e-9)
        assert shown.half_width.max() > 3 * shown.half_width.min()
        inside = 100 * np.mean(np.abs(y - model.loo_predictions_) <= shown.half_width)
        assert f"{inside:.0f} %" in shown.interval_.get_label()


def test_leverage_of_values_and_classes(values, classifier, two_classes):
    X, y = values
    model = lacuna.LSSVMRegressor().fit(X, y)
    shown = display.LeverageDisplay.from_estimator(model, n_labels=3)
    np.testing.assert_allclose(
        np.asarray(shown.points_[0].get_offsets()), np.column_stack([model.leverage_, y - model.loo_predictions_])
    )
    worst = np.argsort(-np.abs(model.leverage_ * (y - model.loo_predictions_)))[:3]
    assert [label.get_text() for label in shown.labels_] == [str(row) for row in worst]
    shown = display.LeverageDisplay.from_estimator(classifier)
    wrong = classifier.loo_predictions_ != two_classes[1]
    assert len(shown.points_[1].get_offsets()) == wrong.sum()
    np.testing.assert_array_equal(shown.wrong, wrong)


def test_displays_go_into_axes_that_are_given(classifier):
    figure, axes = plt.subplots(1, 2)
    for ax, cls in zip(axes, (display.RocDisplay, display.ReliabilityDisplay)):
        shown = cls.from_estimator(classifier, ax=ax)
        assert shown.ax_ is ax and shown.figure_ is figure
    assert plt.get_fignums() == [figure.number]


def test_rows_that_were_left_out_are_not_drawn(two_classes):
    X, y = two_classes
    weight = np.ones(len(y))
    weight[:10] = 0
    model = lacuna.KernelLogisticRegression().fit(X, y, sample_weight=weight)
    shown = display.RocDisplay.from_estimator(model)
    expected = metrics.roc_auc_score(y[10:] == "yes", model.loo_decision_[10:])
    assert shown.roc_auc == pytest.approx(expected, abs=1e-12)
    assert set(display.LeverageDisplay.from_estimator(model).row) == set(range(10, 80))


def test_labels_in_another_order_than_the_librarys(tmp_path):
    """Numbers of a file are ordered by value in the library and as scikit-learn orders them here."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(60, 2))
    y = np.where(X[:, 0] + 0.4 * rng.normal(size=60) > 0, "10", "9")
    model = lacuna.KernelLogisticRegression().fit(X, y)
    model.save(tmp_path / "m.lacuna")
    again = lacuna.load(tmp_path / "m.lacuna")
    for one in (model, again):
        ten = one.classes_[one.classes_.astype(str) == "10"][0]
        shown = display.RocDisplay.from_estimator(one, pos_label=ten)
        assert shown.roc_auc > 0.7
        shown = display.ThresholdDisplay.from_estimator(one)
        assert shown.cost.min() < 0.8


@pytest.mark.parametrize(
    "model",
    [
        lacuna.LacunaClassifier(),
        lacuna.KernelProbitRegression(),
        lacuna.LSSVMClassifier(recalibrate=True),
        lacuna.LaplaceGPClassifier(),
        lacuna.EPGPClassifier(threshold="ber"),
        lacuna.LacunaClassifier(threshold="cost:1,5"),
        lacuna.L2SVMClassifier(threshold="cost:5,1"),
    ],
    ids=lambda model: f"{type(model).__name__}-{model.threshold}",
)
@pytest.mark.parametrize("label", ["yes", "no"])
def test_cut_of_a_model_gives_its_labels(model, label, two_classes):
    """Rows at or above the cut are those that the held-out prediction calls positive."""
    from lacuna.display import _common

    model.fit(*two_classes)
    for probability in (False, None):
        one = _common.one_class(model, label, probability=probability)
        called = one.score >= one.cut if label == "yes" else one.score > one.cut
        np.testing.assert_array_equal(called, model.loo_predictions_ == label)


@pytest.mark.parametrize("cost", [(1, 5), [[1, 2], [6, 1]]])
def test_prices_are_those_of_the_classifier_unless_others_are_given(two_classes, cost):
    X, y = two_classes
    priced = lacuna.KernelLogisticRegression(alpha=0.1, gamma=0.1, cost=cost).fit(X, y)
    assert display.ThresholdDisplay.from_estimator(priced).costs == (1, 5)
    assert display.ThresholdDisplay.from_estimator(priced, pos_label="no").costs == (5, 1)
    assert display.ThresholdDisplay.from_estimator(priced, costs=(2, 3)).costs == (2, 3)
    p = (y == "yes").mean()
    assert display.CostCurveDisplay.from_estimator(priced).here == pytest.approx(5 * p / (5 * p + (1 - p)))
