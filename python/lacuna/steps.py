"""Training in steps, for rows that nobody sees together: partitions of a cluster, files, ranks.

Any engine that can run a function on every part of the rows, and add up what comes back, can train a machine on a
basis. The machine is the one that all rows in one place give, however they are divided::

    from lacuna import KernelLogisticRegression, steps

    columns = steps.Columns("y")
    described = [steps.describe(part, columns) for part in parts]
    first_row = [0, *accumulate(one.rows_read for one in described)]  # of each part, in the data
    plan = steps.plan(sample, KernelLogisticRegression(n_basis=300), columns, sum_of(described))
    while not plan.done:
        plan = steps.solve(plan, sum_of(steps.statistics(part, plan) for part in parts))
    model = steps.finish(plan, [steps.loo(part, plan, row) for part, row in zip(parts, first_row)])

``sum_of`` adds with ``+`` in any order, every part once; ``accumulate`` is that of ``itertools``. All that passes between places is small and can be pickled, except what
``loo`` returns: some numbers for every row. ``lacuna.dask`` does all of it for Dask.
"""

from dataclasses import dataclass, field
from typing import Any

from sklearn.base import ClassifierMixin, clone

from . import _checks, _choice, _core, _files, _frames, _messages
from ._classifier import label_texts

__all__ = ["Columns", "Plan", "describe", "draw", "finish", "loo", "plan", "solve", "statistics"]


@dataclass(frozen=True)
class Columns:
    """What the columns of every part are.

    Parameters
    ----------
    target : str or list of str
        The target; several for regression.
    task : {"auto", "classification", "regression", "counts"}, default="auto"
        What the target is. "auto" does for text, which is classes; of numbers it has to be said.
    weights : str, optional
        Weights of rows. Weight 0 is as a row that is not there.
    exposure, offset : str, optional
        Of counts and rates: exposures, or their logarithms.
    categorical : list of str, optional
        Columns of numbers that are categories.
    ignore : list of str, optional
        Columns that are left out.
    missing : {"error", "mean", "drop"}, default="error"
        What becomes of missing cells: the mean over all parts, or no category; or their rows are left out.
    """

    target: str | list[str]
    task: str = "auto"
    weights: str | None = None
    exposure: str | None = None
    offset: str | None = None
    categorical: list[str] = field(default_factory=list)
    ignore: list[str] = field(default_factory=list)
    missing: str = "error"

    def _roles(self):
        return {
            "targets": [self.target] if isinstance(self.target, str) else list(self.target),
            "task": self.task,
            "weights": self.weights,
            "exposure": self.exposure,
            "offset": self.offset,
            "categorical": _checks.column_names("categorical", self.categorical or []),
            "ignore": _checks.column_names("ignore", self.ignore or []),
            "missing": _checks.one_of("missing", self.missing, ("error", "mean", "drop")),
        }


class Plan:
    """What every place needs to do its part; ``plan`` makes it and ``solve`` the next one. It can be pickled.

    Attributes
    ----------
    done : bool
        Whether the machine is found.
    passes : int
        Passes over the rows that were made.
    n_rows : int
        Rows in all parts.
    alpha, kernel : float, str
        Hyper-parameters, given or selected.
    estimator : object
        The unfitted estimator whose parameters these are.
    """

    def __init__(self, core, estimator):
        self._core = core
        self.estimator = estimator

    done = property(lambda self: self._core.done)
    passes = property(lambda self: self._core.passes)
    n_rows = property(lambda self: self._core.rows)
    alpha = property(lambda self: self._core.alpha)
    kernel = property(lambda self: self._core.kernel)

    def __repr__(self):
        state = "done" if self.done else f"{self.passes} passes made"
        return f"<Plan of {self.estimator!r}: {self.n_rows} rows, {self.kernel}, alpha={self.alpha:.4g}, {state}>"


def describe(part: Any, columns: Columns) -> _core.Description:
    """What has to be known of all rows before any is encoded: counts, levels, means. Descriptions are added.

    Parameters
    ----------
    part : frame
        Some of the rows, of pandas, polars or pyarrow; it may have none.
    columns : Columns
        What its columns are.

    Returns
    -------
    description : object
        With ``rows`` (those that count), ``rows_read`` and ``classes``.
    """
    with _messages.translated():
        return _core.describe(_table(part), columns._roles())


def draw(
    part: Any, columns: Columns, first_row: int, size: int = 50_000, random_state: int = 0
) -> _core.Sample:
    """Some rows of a part, as a sample of all rows when samples are added.

    A row is drawn by its number in the data and the seed, so that the sample is the same whatever the parts are; two
    rows of every class are always in it. Where there are no more than ``size`` rows, it is all of them.

    Parameters
    ----------
    part : frame
        Some of the rows.
    columns : Columns
        What its columns are.
    first_row : int
        The number of its first row in the data: the sum of ``rows_read`` of the parts before it.
    size : int, default=50_000
        Rows of the sample; the same for all parts.
    random_state : int, default=0
        The seed; the same for all parts.

    Returns
    -------
    sample : object
        For ``plan``.
    """
    with _messages.translated():
        return _core.draw(_table(part), columns._roles(), int(first_row), int(size), int(random_state))


def plan(sample: Any, estimator: Any, columns: Columns, description: _core.Description | None = None) -> Plan:
    """Select what the estimator leaves open on a sample: hyper-parameters, and the rows of the basis.

    Parameters
    ----------
    sample : frame, or sum of what ``draw`` returned
        Some of the rows. Where it is all of them, the plan is what ``fit`` would choose.
    estimator : object
        Any of the package that has ``n_basis``; it stays as it is. ``n_basis=None`` is "auto".
    columns : Columns
        What the columns are.
    description : object, optional
        The sum of what ``describe`` returned for all parts; None: the sample is all rows.

    Returns
    -------
    plan : Plan
        For ``statistics``.
    """
    table = sample.table() if isinstance(sample, _core.Sample) else _table(sample)
    roles = columns._roles()
    estimator = clone(estimator)
    for name in ("missing", "categorical"):  # of estimators that take such columns themselves
        if hasattr(estimator, name):
            setattr(estimator, name, roles[name] or None)
    options = _options(estimator, table, roles, description)
    with _messages.translated(estimator):
        core = _core.make_plan(table, {**roles, "standardise": bool(estimator.standardise)}, options, description)
    return Plan(core, estimator)


def statistics(part: Any, plan: Plan) -> _core.Statistics:
    """The sums of some rows that ``solve`` asks for; they are added. Their size does not depend on that of the part.

    Parameters
    ----------
    part : frame
        Some of the rows; it may have none.
    plan : Plan
        A plan that is not done.

    Returns
    -------
    statistics : object
        Of some n^2 numbers for a basis of n rows, and so many for every class of machines that iterate.
    """
    with _messages.translated(plan.estimator):
        return _core.statistics(_table(part), plan._core)


def solve(plan: Plan, statistics: _core.Statistics) -> Plan:
    """The next plan. Least squares are done after one pass, other losses when nothing moves any more.

    Parameters
    ----------
    plan : Plan
        That the statistics were made with.
    statistics : object
        Their sum over all parts.

    Returns
    -------
    plan : Plan
        The next one; ``plan.done`` says whether it is the last.
    """
    with _messages.translated(plan.estimator):
        return Plan(_core.solve(plan._core, statistics), plan.estimator)


def loo(part: Any, plan: Plan, first_row: int = 0) -> _core.HeldOut:
    """What the machine would have said about each row of a part without having seen it.

    Exact for least squares; for other losses one Newton step from the machine of all rows (``cv="loo:one-step"``).

    Parameters
    ----------
    part : frame
        Some of the rows.
    plan : Plan
        A plan that is done.
    first_row : int, default=0
        The number of its first row in the data: the sum of ``rows_read`` of the parts before it.

    Returns
    -------
    held_out : object
        With the arrays ``row``, ``output``, ``fitted`` and ``leverage``.
    """
    with _messages.translated(plan.estimator):
        return _core.hold_out(_table(part), plan._core, int(first_row))


def finish(plan: Plan, held_out: list[_core.HeldOut]) -> Any:
    """The fitted estimator, judged by all held-out rows: it predicts, explains and saves as any other.

    Parameters
    ----------
    plan : Plan
        A plan that is done.
    held_out : list
        What ``loo`` returned for every part, in their order.

    Returns
    -------
    estimator : object
        Of the class that the plan was made for; ``LacunaClassifier`` or ``LacunaRegressor`` where columns are
        categories or cells may be missing, since only these take such columns.
    """
    with _messages.translated(plan.estimator):
        model = _core.finish(plan._core, list(held_out))
    classes = getattr(plan.estimator, "classes_", _files.labels_of([]))
    estimator = clone(plan.estimator)
    if (model.has_categories or model.missing != "error") and not hasattr(estimator, "missing"):
        estimator = _files.of_model(model, classes)
    fitted = _files.adopted(estimator, model, classes)
    _messages.warn(fitted.report_["warning_codes"], fitted.warnings_)
    return fitted


def _table(part):
    return part if isinstance(part, _core.Table) else _frames.table_of(part)


def _options(estimator, table, roles, description):
    """The estimator's options in the library's words."""
    if not hasattr(estimator, "n_basis"):
        raise ValueError(f"{type(estimator).__name__} has no machine on a basis, which is what can be fitted in steps")
    if callable(estimator.kernel) or estimator.kernel == "precomputed":
        raise ValueError("a kernel matrix or a kernel of your own needs all rows in one place")
    if _choice.effort_of(estimator) != "quick":
        raise ValueError('effort="quick" is what can be fitted in steps')
    if estimator.cv not in (None, "auto", "loo", "loo:one-step"):
        raise ValueError(f'cv={estimator.cv!r}: in steps rows are held out one at a time, cv="loo"')
    if getattr(estimator, "n_basis", None) is not None and not isinstance(estimator.n_basis, (int, str)):
        raise ValueError("rows of a basis are chosen from the sample; n_basis is a number or how to choose them")
    if isinstance(estimator, ClassifierMixin):
        weight = getattr(estimator, "class_weight", None)
        if weight not in (None, "balanced"):
            raise ValueError('class_weight: in steps "balanced", or weights of rows as a column')
        roles["task"] = "classification"
        with _messages.translated():
            known = (description or _core.describe(table, roles)).classes
        estimator.classes_ = _files.labels_of(known)
        texts = label_texts(estimator.classes_)
        roles["positive"] = texts[1] if len(texts) == 2 else None
        more = {"train_weights": weight}
    else:
        roles["task"] = "counts" if estimator._counts else "regression"
        more = {}
        estimator._one_target = len(roles["targets"]) == 1
    return {**estimator._options(), "cv": "loo", **more}
