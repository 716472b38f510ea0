"""What a fitted model does with its columns, and which training rows a prediction leans on."""

import json

import numpy as np
from sklearn.utils.validation import _num_samples, check_consistent_length, check_is_fitted

from . import _checks, _core, _messages
from ._arrays import positive_column
from ._progress import progress_of

# What the library's text calls by names of the command line.
_WORDS = {
    "(--json has them all)": "(`report` has them all)",
    "give data: lacuna explain MODEL DATA": "give X",
    "can be given as DATA": "can be given as X and y",
}


class Explanation:
    """What ``explain`` found; printed, it is the report of ``lacuna explain``.

    Attributes
    ----------
    effects : list of dict
        For each column, largest first: ``column``, ``from`` and ``to``, the values that it was changed between, and the
        mean prediction ``at_from`` and ``at_to``, its ``change`` and the ``standard_error`` of that, each by class or
        target. None where there are none, and ``report["missing"]`` says why.
    importance : dict or None
        ``columns``, largest first: ``column``, ``increase`` of the loss and its ``standard_error``; beside it ``loss``,
        ``as_it_is``, ``rows``, ``permutations`` and ``of`` ("held-out" or "new"), or ``missing``, the reason.
    pairs : list of dict
        Two columns together: ``first``, ``second``, ``corners`` and ``interaction``.
    curves : list of dict
        ``column``, ``value``, ``output``, ``mean``, ``lower`` and ``upper``; ``pandas.DataFrame(curves)`` is a table.
    coefficients : dict or None
        ``intercept`` and ``columns`` of a linear kernel, in the units of the data.
    feature_weights : dict or None
        Weights of the columns in a "relevance(A)" kernel.
    neighbours : dict or None
        Of ``row``: its ``output``, the ``bias``, and the ``nearest`` and ``strongest`` training rows (from 0).
    report : dict
        What ``lacuna explain --json`` prints, rows counted from 0.
    """

    def __init__(self, said, categories, feature_weights):
        self.report = json.loads(said["json"])
        self._text = said["text"]
        for words, ours in _WORDS.items():
            self._text = self._text.replace(words, ours)
        self.effects = self.report["effects"]
        self.pairs = self.report.get("pairs", [])
        self.importance = self.report["importance"]
        self.coefficients = self.report["coefficients"]
        self.feature_weights = feature_weights
        self.neighbours = self.report.get("neighbours")
        names = ("column", "value", "output", "mean", "lower", "upper")
        self.curves = [dict(zip(names, point)) for point in said["curves"]]
        for point in self.curves:
            point["value"] = _value(point, "value", categories)
        for ends in [*(self.effects or []), *(pair[which] for pair in self.pairs for which in ("first", "second"))]:
            ends["from"], ends["to"] = _value(ends, "from", categories), _value(ends, "to", categories)

    def __repr__(self):
        return self._text.rstrip("\n")


def explain(
    estimator,
    X=None,
    y=None,
    *,
    exposure=None,
    columns=None,
    importance=True,
    n_repeats=5,
    pairs=False,
    curves=False,
    row=None,
    max_rows=1000,
    random_state=0,
):
    """What a fitted model does with its columns, in the units of the data. Nothing is fitted.

    An effect is the mean prediction with a column at its 10 % and at its 90 % quantile in every row, all else as it is
    (of a category: from the commonest level to the one that differs most). Importance is by how much the loss of
    held-out rows, or of new rows with their ``y``, grows when a column is permuted.

    Parameters
    ----------
    estimator : object
        A fitted estimator of this package.
    X : array-like or frame of shape (n_samples, n_features), optional
        Rows to explain it with, best ones it was not trained on. None: its training rows, each judged by a machine that
        has not seen it.
    y : array-like of shape (n_samples,) or (n_samples, n_targets), optional
        Their targets; importance of new rows needs them.
    exposure : array-like of shape (n_samples,), optional
        Of the rows, for models of rates.
    columns : list of str, optional
        Only these; columns of an array are called x1, x2, ...
    importance : bool, default=True
        Whether columns are permuted.
    n_repeats : int, default=5
        How often each is.
    pairs : bool, default=False
        Effects of two columns together, of the six with the largest effects.
    curves : bool, default=False
        Mean predictions along each column.
    row : int, optional
        Of this row of X (None: of the training rows), the training rows that its prediction leans on.
    max_rows : int, default=1000
        Most rows that means are taken over; a sample of more.
    random_state : int, default=0
        Seed of permutations and samples.

    Returns
    -------
    explanation : Explanation
        Figures as lists and dicts; ``print`` shows them.

    Examples
    --------
    >>> import lacuna
    >>> from sklearn.datasets import load_diabetes
    >>> data = load_diabetes(as_frame=True)
    >>> model = lacuna.LacunaRegressor().fit(data.data[:200], data.target[:200])
    >>> explanation = lacuna.explain(model)
    >>> sorted(effect["column"] for effect in explanation.effects[:2])
    ['bmi', 's5']
    """
    check_is_fitted(estimator, "model_")
    if estimator._training_rows is not None or estimator.kernel == "precomputed":
        raise ValueError("a kernel of your own and a precomputed one have no columns to explain")
    if X is None and (y is not None or exposure is not None):
        raise ValueError("y and exposure go with X; without X the training rows are explained")
    options = {
        "columns": None if columns is None else _checks.column_names("columns", columns),
        "importance": bool(importance),
        "permutations": _checks.whole("n_repeats", n_repeats, 1, 1000),
        "pairs": bool(pairs),
        "curves": bool(curves),
        "row": None if row is None else _row(estimator, X, row),
        "rows": _checks.whole("max_rows", max_rows, 30, 10**9),
        "seed": _checks.whole("random_state", random_state, 0, 2**32 - 1),
    }
    rows = labels = targets = None
    if X is not None:
        rows = estimator._as_rows(X)
        n = _num_samples(X)
        if y is not None:
            check_consistent_length(X, y)
            labels, targets = _truth(estimator, y)
        if exposure is not None:
            exposure = positive_column(exposure, n, "exposure")
    with _messages.translated(estimator), progress_of(estimator.verbose) as progress:
        fitted = estimator._rows_of_fit[0]
        fitted = None if fitted is None else fitted.astype(np.int32)
        said = _core.explain(
            estimator.model_, rows, labels, targets, exposure, fitted, options, estimator._threads(), progress
        )
    if X is not None and said["trained_on"] > 0:
        _messages.warn(
            ["other"],
            [
                f"{said['trained_on']} of the {n} rows are training rows: their importance is optimistic; without X, "
                "held-out rows are judged"
            ],
        )
    return Explanation(said, _categories(estimator), estimator.feature_weights_)


def _truth(estimator, y):
    """(codes of the model's classes or None, targets or None)."""
    if hasattr(estimator, "classes_"):
        place = {text: k for k, text in enumerate(estimator.model_.classes)}
        return np.array([place.get(text, -1) for text in estimator._texts(y)], dtype=np.int32), None
    y = np.asarray(y, dtype=np.float64)
    return None, y.reshape(len(y), -1)


def _row(estimator, X, row):
    """The library's number, from 0, of a row of X or of the training rows, of which those of weight 0 are not there."""
    fitted, n = estimator._rows_of_fit
    if X is not None:
        return _checks.whole("row", row, 0, _num_samples(X) - 1)
    row = _checks.whole("row", row, 0, 10**12 if n is None else n - 1)
    if fitted is None:
        return row
    at = np.flatnonzero(fitted == row)
    if len(at) == 0:
        raise ValueError(f"row {row} has weight 0: the model was fitted without it")
    return int(at[0])


def _categories(estimator):
    return {feature["column"] for feature in estimator.encoding_ if "level" in feature}


def _value(told, key, categories):
    """A value of a column: a number, or a level."""
    if told["column"] in categories:
        return told[key]
    try:
        return float(told[key])
    except ValueError:
        return told[key]
