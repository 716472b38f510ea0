"""How much a fit tries: one machine, a choice between several, or a stack of several."""

import math

from sklearn.base import clone

from . import _kernels


def effort_of(estimator):
    """The library's word: kernel="auto" leaves the kernel to a choice, as the command line's ``--kernel auto`` does."""
    if estimator.kernel == "auto" and estimator.effort == "quick":
        return "normal"
    return estimator.effort


def chosen_parameters(estimator, report, alpha):
    """``best_params_``: what states the machine of a report. A stack has no parameters but those of its members."""
    if "members" in report:
        return {}
    told = _kernels.chosen if effort_of(estimator) == "quick" else _kernels.stated
    return {"alpha": alpha, **told(report["kernel"])}


def set_attributes(estimator, report):
    """Candidates, members and weights, in the words of the estimators."""
    choice = report.get("choice")
    estimator.candidates_ = [_candidate(told) for told in choice["candidates"]] if choice else []
    estimator.honest_loss_ = choice["loss"] if choice else None
    estimator.members_ = [_member(told) for told in report.get("members", [])]
    estimator.feature_weights_ = _weights(report["relevance"]["columns"]) if "relevance" in report else None


def at_chosen(estimator, purpose):
    """A clone whose hyper-parameters are given: those that were selected. `purpose` ends the refusal's sentence."""
    if "members" in estimator.report_ or "seen" in estimator.report_:
        what = "a stack" if "members" in estimator.report_ else "a machine that sees columns as codes or scores"
        raise ValueError(f"{what} has no parameters that state it, {purpose}")
    out = clone(estimator)
    if "effort" in out.get_params(deep=False):
        out.set_params(effort="quick")
    return out.set_params(**estimator.best_params_)


def _candidate(told):
    numbers = {name: told.get(name, math.nan) for name in ("loss", "difference", "standard_error")}
    return {
        "name": told["name"],
        "kernel": told.get("kernel"),
        "alpha": told.get("lambda", math.nan),
        **numbers,
        "weight": told["weight"],
        "seconds": told["seconds"],
        "left": told.get("left"),
    }


def _member(told):
    out = {"name": told["name"], "weight": told["weight"], "kernel": told["kernel"]["text"]}
    out["alpha"] = told["mu"] if "mu" in told else told["lambda"]
    if "columns" in told:
        out["feature_weights"] = _weights(told["columns"])
    return out


def _weights(columns):
    return {column["name"]: column["weight"] for column in columns}
