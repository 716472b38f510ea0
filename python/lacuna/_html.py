"""What a notebook shows of a fitted estimator: what was chosen, how good it is on held-out rows, and the warnings."""

from html import escape

from sklearn.base import BaseEstimator

# Held-out scores in words; those of classes first.
_SCORES = {
    "error": ("error rate", "{:.1%}"),
    "ber": ("balanced error rate", "{:.1%}"),
    "auc": ("area under the ROC curve", "{:.4f}"),
    "xent": ("cross-entropy (nats)", "{:.4g}"),
    "bits": ("information (bits)", "{:.4g}"),
    "calibration": ("calibration error", "{:.3g}"),
    "rmse": ("root mean squared error", "{:.4g}"),
    "r2": ("R²", "{:.4f}"),
    "press": ("mean squared error", "{:.4g}"),
    "deviance": ("mean deviance", "{:.4g}"),
    "d2": ("D² (share of the deviance)", "{:.4f}"),
    "nll": ("minus the log-probability of a count", "{:.4g}"),
}
_TASKS = {"binary": "two classes", "multiclass": "{n} classes", "regression": "values", "counts": "counts"}

_STYLE = (
    "<style>.lacuna-fit{font-family:system-ui,sans-serif;font-size:13px;line-height:1.4;display:inline-block;"
    "border:1px solid #8888;border-radius:6px;padding:8px 12px;max-width:60em}"
    ".lacuna-fit h4{margin:0 0 2px;font-size:14px}.lacuna-fit p{margin:2px 0}"
    ".lacuna-fit .columns{display:flex;flex-wrap:wrap;gap:0 28px;margin-top:6px}"
    ".lacuna-fit table{border-collapse:collapse;margin:0}.lacuna-fit caption{text-align:left;font-weight:600}"
    ".lacuna-fit td,.lacuna-fit th{text-align:left;padding:1px 10px 1px 0;border:0;background:none;"
    "font-weight:normal;vertical-align:top}.lacuna-fit td{font-variant-numeric:tabular-nums}"
    ".lacuna-fit ul{margin:6px 0 0;padding:4px 8px 4px 24px;border-left:4px solid #D55E00}</style>"
)


class ShownWhenFitted(BaseEstimator):
    """Before the fit scikit-learn's own diagram, after it a summary of the fit."""

    def _repr_html_inner(self):
        return summary(self) if hasattr(self, "model_") else super()._repr_html_inner()

    def _repr_mimebundle_(self, **kwargs):
        shown = super()._repr_mimebundle_(**kwargs)
        if "text/html" in shown:
            shown["text/html"] = self._repr_html_inner()
        return shown


def summary(estimator):
    """HTML without anything from outside, for a fitted estimator."""
    report = estimator.report_
    tables = [_table("Chosen", _chosen(estimator)), _table("Held-out rows", _held_out(report["held_out"]))]
    if estimator.candidates_:
        tables.append(_table("Compared by honest loss", [_candidate(one) for one in estimator.candidates_]))
    warned = "".join(f"<li>{escape(text)}</li>" for text in estimator.warnings_)
    return (
        f'{_STYLE}<div class="lacuna-fit"><h4>{escape(type(estimator).__name__)}, fitted</h4>'
        f"<p>{escape(_data(report))}</p>"
        f'<div class="columns">{"".join(tables)}</div><p>{escape(_search(report))}</p>'
        f"{f'<ul>{warned}</ul>' if warned else ''}</div>"
    )


def _data(report):
    classes = report["classes"]
    task = _TASKS.get(report["task"], report["task"]).format(n=len(classes))
    if 0 < len(classes) <= 6:
        task += " (" + ", ".join(_short(label, 24) for label in classes) + ")"
    text = f"{report['rows']:,} rows, {report['features']:,} features, {task}"
    return text + (f"; expressed in {report['basis']['kept']:,} rows" if report["basis"] else "")


def _chosen(estimator):
    report = estimator.report_
    given = estimator.get_params(deep=False)
    rows = [("kernel", report["kernel"]["name"])]
    for member in estimator.members_:
        rows.append((f"{member['weight']:.3f} ×", f"{member['name']}, alpha {_number(member['alpha'])}"))
    for name, value in estimator.best_params_.items():
        if name == "kernel":
            rows[0] = ("kernel", _short(value))
            continue
        chosen = given.get(name) is None
        rows.append((name, _number(value) + ("" if chosen else " (given)")))
    criterion = report["criterion"]
    rows.append(
        (
            "criterion",
            f"{criterion['name']} = {_number(criterion['value'])}"
            + (" (optimistic)" if criterion["optimistic"] else ""),
        )
    )
    decision = report["decision"] or {}
    if decision.get("recalibrated"):
        rows.append(("probabilities", "fitted to held-out outputs"))
    if decision.get("rule"):
        rows.append(("threshold", f"{decision['rule']}: output {_number(decision['threshold'])}"))
    return rows


def _candidate(one):
    if one["left"]:
        return one["name"], _short(one["left"])
    return one["name"], f"{one['loss']:.4g}" + (f", weight {one['weight']:.3f}" if one["weight"] > 0 else "")


def _held_out(scores):
    return [(word, form.format(scores[key])) for key, (word, form) in _SCORES.items() if scores.get(key) is not None]


def _search(report):
    if "choice" in report:
        folds = report["choice"]["folds"]
        return f"Held-out rows were left out of everything, in {folds} folds. {report['seconds']:.2g} s."
    cv = {"loo": "Rows were held out one at a time"}.get(
        report["criterion"]["cv"], f"Rows were held out by cv={report['criterion']['cv']}"
    )
    search = report["search"]
    if search["method"] == "none":
        return f"{cv}. Nothing was searched. {report['seconds']:.2g} s."
    return (
        f"{cv}. Search by {search['method']}: {search['stop']}, {search['evaluations']} evaluations. "
        f"{report['seconds']:.2g} s."
    )


def _number(value):
    if isinstance(value, (list, tuple)):
        return _short(", ".join(f"{v:.4g}" for v in value), 60)
    return "none" if value is None else f"{value:.4g}"


def _short(text, most=60):
    text = str(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _table(caption, rows):
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows)
    return f"<table><caption>{escape(caption)}</caption>{cells}</table>"
