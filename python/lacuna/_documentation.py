"""Docstrings of the estimators: what they share is written once."""

import inspect
import types

_PARAMETERS = {
    "kernel": """kernel : str or callable, default="rbf"
    "rbf", "ard", "linear", "poly", "boolean", "matern12", "matern32", "matern52", "rq", "sum(A,B)", "prod(A,B)",
    "relevance(A)" (a weight for each feature, learned) or "precomputed"; as on the command line, parameters may follow
    ("rq:alpha=2"), and those that do not are selected. "auto" chooses between several, as ``effort="normal"`` does.
    A callable takes two arrays of rows and returns their kernel matrix.""",
    "gamma": """gamma : float or array-like, optional
    Inverse squared width: exp(-gamma ||x - x'||^2) for "rbf", on standardised inputs when ``standardise=True``; for
    "ard" one for each feature. None selects it. The library and the command line call it theta.""",
    "degree": """degree : int, default=3
    Of "poly", (x . x' + coef0)^degree.""",
    "coef0": """coef0 : float, optional
    Constant of "poly", above 0; None selects it.""",
    "alpha": """alpha : float, optional
    Regulariser, above 0; None selects it. The library and the command line call it lambda.""",
    "effort": """effort : {"quick", "normal", "best"}, default="quick"
    How much is tried. "quick" fits the kernel that is given; "normal" compares several kernels, and ways to see the
    columns, by rows that had no part in anything, and keeps the best; "best" adds up the outputs of several, each with
    a weight (a stack). The last two leave nothing else to give: no kernel, gamma, coef0, alpha or n_basis.""",
    "class_weight": """class_weight : dict or "balanced", optional
    Weights of classes, which multiply those of the rows in training and in selection. "balanced" weighs the classes
    equally in training; selection then judges held-out rows as they are.""",
    "standardise": """standardise : bool, default=True
    Whether features are brought to mean 0 and deviation 1 (sparse ones are only divided) before the kernel sees
    them. A kernel of your own sees them as they are.""",
    "cv": """cv : int, str, splitter or list of splits, optional
    How rows are held out for selection and for the ``loo_`` attributes: "loo", a number of folds, "10x3" for repeated
    ones, "explicit:loo" or "explicit:10" for refits, or any partition of the rows. None: "loo", or by group where
    ``fit`` is given ``groups``. Everything but "explicit:" is in closed form.""",
    "criterion": """criterion : str, optional
    What held-out outputs are judged by: "press", "error", "smooth-error", "hinge", "hinge2", "wmw", "xent", "ber" or
    (Gaussian processes) "evidence". None: the machine's own.""",
    "n_basis": """n_basis : int, str or array-like, optional
    Express the machine in so many rows, for data of many: a number, "auto", "greedy:N", "stochastic:N", "pivoted:N",
    "random:N", "kmeans:N", or the rows themselves. "none": all rows. None: all rows, or "auto" with a limit where all
    would take more than some minutes.""",
    "recalibrate": """recalibrate : bool or None
    Fit the probabilities to the held-out outputs. None: for two classes where alpha, criterion and the weights of
    classes are left open (LacunaClassifier's default; the default of the others is False).""",
    "threshold": """threshold : float or str, optional
    Two classes: choose the cut on held-out outputs for least "error", "ber" or "cost:FP,FN"; or cut at this probability
    of ``classes_[1]``.""",
    "cost": """cost : pair or array-like of shape (n_classes, n_classes), optional
    What mistakes cost: (FP, FN), the costs of a false positive and of a false negative, or a matrix whose rows are the
    true and whose columns the predicted classes, in the order of ``classes_``. Decisions follow, unless ``threshold``
    says otherwise, and their cost a row is a score beside the others in ``report_["held_out"]``. In place of a number
    may stand the name of a column of the frame, the price of each row: ``cost=(1, "amount")``.""",
    "refit_flagged": """refit_flagged : bool, default=False
    Refit without them the rows whose held-out output one Newton step may miss.""",
    "max_evaluations": """max_evaluations : int, optional
    Most evaluations of the criterion; None: by the number of parameters.""",
    "time_limit": """time_limit : float, optional
    Seconds after which the search stops; the final fit comes after it. A choice (``effort``) ends with the best so
    far.""",
    "memory": """memory : float, optional
    Most bytes to use; None: what is free.""",
    "n_jobs": """n_jobs : int, optional
    Threads; -1 is all processors. None: as many as OpenMP would use (OMP_NUM_THREADS, threadpoolctl).""",
    "random_state": """random_state : int or RandomState, optional
    Seed of folds and of whatever else is random. None is 0, so that results repeat.""",
    "verbose": """verbose : bool, default=False
    Progress on standard error.""",
    "interval_method": """interval_method : {"follow", "constant", "jackknife+"}, default="follow"
    How intervals and quantiles are made of held-out residuals: as wide as the noise is where the residuals show that it
    varies; of one width; or about what the machines without each row say (small data, leave-one-out, no basis).""",
    "missing": """missing : {"error", "mean", "drop", "indicator"}, default="error"
    What is done with missing cells: refuse them, fill in the column's mean (categories: none of them), leave out
    their rows in training, or fill them in and add a feature of 0 and 1 for each such column that says where.""",
    "categorical": """categorical : list of str, optional
    Columns of numbers that stand for categories. Columns of text, of categories and of truth values always do.""",
}

_FITTED = """best_params_ : dict
    What was selected, or given, in the words of the parameters; that of a stack is in ``members_``.
best_score_ : float
    Minus the criterion over held-out rows, so that greater is better.
loo_predictions_ : ndarray
    Every training row's prediction by a machine that has not seen it. This and the other held-out figures are None
    above 100,000 rows.
leverage_ : ndarray of shape (n_samples,)
    How much each row counts for its own output, 0 to 1.
dual_coef_ : ndarray
    Coefficients of the expansion, one row for each row in it; none for a stack.
intercept_ : float or ndarray
    The bias.
candidates_ : list of dict
    What ``effort`` compared, in order, the plain machine first: ``name``, ``kernel`` and ``alpha`` as selected on all
    rows, the honest ``loss``, its ``difference`` from that of what was chosen with its ``standard_error``, ``weight``
    in what was chosen, ``seconds``, and why it was ``left`` early, if it was. Empty with ``effort="quick"``.
honest_loss_ : float or None
    By which it was chosen, over rows left out of everything with their fold: mean squared residual, cross-entropy or
    deviance. The ``loo_`` attributes are of these rows then, and make up for the other rows of the fold. None with
    ``effort="quick"``.
members_ : list of dict
    Machines of a stack: ``name``, ``weight``, ``kernel``, ``alpha`` and, where the kernel has some,
    ``feature_weights``. Empty for a single machine.
feature_weights_ : dict or None
    Weights of the columns in a "relevance(A)" kernel, by their names, largest first. None for other kernels.
search_path_ : list of dict
    Every setting that the search looked at, in order, with the criterion's ``value``; a model read from a file has
    none. ``report_["search"]["optima"]`` has the optima, best first.
report_ : dict
    What ``lacuna fit --json`` prints.
warnings_ : list of str
    What the library had to say about the fit; ``report_["warning_codes"]`` has a word for each.
encoding_ : list of dict
    How columns become features: ``name``, ``column``, ``level``, ``centre``, ``scale``.
model_ : lacuna._core.Model
    The library's own model.
n_features_in_ : int
    Number of columns.
feature_names_in_ : ndarray
    Their names, where X had some."""

_FITTED_CLASSES = """classes_ : ndarray
    The labels.
loo_decision_ : ndarray
    Every training row's output by a machine that has not seen it.
loo_proba_ : ndarray or None
    Their probabilities."""

_EXAMPLES = {
    "classes": """>>> from sklearn.datasets import load_iris
>>> from lacuna import {name}
>>> X, y = load_iris(return_X_y=True)
>>> model = {name}({arguments}).fit(X, y)
>>> bool((model.loo_predictions_ == y).mean() > 0.9)
True""",
    "values": """>>> from sklearn.datasets import load_diabetes
>>> from sklearn.metrics import r2_score
>>> from lacuna import {name}
>>> X, y = load_diabetes(return_X_y=True)
>>> model = {name}({arguments}).fit(X[:150], y[:150])
>>> bool(r2_score(y[:150], model.loo_predictions_) > 0.3)
True""",
}


def _named_for(cls, function):
    """A function that may be inherited, under the name that users know: Python's own messages have it."""
    out = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    out.__kwdefaults__ = function.__kwdefaults__
    out.__qualname__ = f"{cls.__name__}.{function.__name__}"
    out.__module__ = cls.__module__
    return out


def documented(summary, text, more_parameters="", example=None, arguments=""):
    """Class decorator: a numpydoc docstring from the parameters of __init__."""

    def decorate(cls):
        classes = hasattr(cls, "predict_proba")
        parameters = [_PARAMETERS[name] for name in inspect.signature(cls.__init__).parameters if name in _PARAMETERS]
        if more_parameters:
            parameters.append(more_parameters)
        fitted = (_FITTED_CLASSES + "\n" if classes else "") + _FITTED
        shown = _EXAMPLES["classes" if classes else "values"].format(name=cls.__name__, arguments=arguments)
        cls.__init__ = _named_for(cls, cls.__init__)
        cls.__doc__ = "\n".join(
            [
                summary,
                "",
                text,
                "",
                "Parameters\n----------",
                *parameters,
                "",
                "Attributes\n----------",
                fitted,
                "",
                "Examples\n--------",
                example or shown,
                "",
            ]
        )
        return cls

    return decorate
