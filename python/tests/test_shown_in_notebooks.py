"""What notebooks show: scikit-learn's diagram before the fit, a summary after it."""

from html.parser import HTMLParser

import numpy as np
import pytest
import sklearn
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr

import lacuna

VOID = {"br", "hr", "img", "input", "meta", "link"}


class Balanced(HTMLParser):
    """Refuses tags that are not closed in order, and anything that comes from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "link", "img", "iframe")
        assert not any(value and "//" in value for _, value in attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)


def text_of(html):
    parser = Balanced()
    parser.feed(html)
    parser.close()
    assert not parser.open
    return " ".join(parser.text)


def test_unfitted_estimators_show_scikit_learns_diagram():
    model = lacuna.KernelLogisticRegression(gamma=0.5)
    assert "sk-estimator" in model._repr_html_()
    assert "lacuna-fit" not in model._repr_mimebundle_()["text/html"]


def test_summary_says_what_was_chosen_and_how_good_it_is(two_classes):
    X, y = two_classes
    model = lacuna.LacunaClassifier(gamma=0.5).fit(X, y)
    text = text_of(model._repr_html_())
    assert model._repr_mimebundle_()["text/html"] == model._repr_html_()
    for part in (
        "LacunaClassifier",
        "80 rows, 3 features",
        "no, yes",
        f"{model.best_params_['alpha']:.4g}",
        "0.5 (given)",
        f"{model.report_['held_out']['error']:.1%}",
        f"{model.report_['held_out']['auc']:.4f}",
        "converged",
    ):
        assert part in text, part


@pytest.mark.parametrize("name", [name for name in lacuna.__all__ if hasattr(getattr(lacuna, name), "fit")])
def test_every_estimator_has_a_summary(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    cls = getattr(lacuna, name)
    y = (
        (X[:, 0] > 0)
        if hasattr(cls(), "predict_proba") or "Classifier" in name or "Discriminant" in name
        else (rng.poisson(np.exp(X[:, 0])) + 1.0)
    )
    assert "Held-out rows" in text_of(cls(gamma=0.5, alpha=1.0).fit(X, y)._repr_html_())


def test_names_of_classes_are_escaped():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    y = np.where(X[:, 0] > 0, "<script>alert(1)</script>", "a & b")
    html = lacuna.KernelLogisticRegression(gamma=0.5, alpha=1.0).fit(X, y)._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html and "a &amp; b" in html


def test_warnings_are_shown(two_classes):
    X, y = two_classes
    with pytest.warns(lacuna.LacunaWarning):
        model = lacuna.LacunaClassifier().fit(np.vstack([X, X]), np.append(y, y))  # every row twice
    assert model.warnings_
    text = text_of(model._repr_html_())
    assert all(warning in text for warning in model.warnings_)


def test_inside_a_pipeline_the_diagram_is_scikit_learns(two_classes):
    X, y = two_classes
    pipeline = make_pipeline(StandardScaler(), lacuna.LSSVMClassifier()).fit(X, y)
    assert "sk-estimator" in estimator_html_repr(pipeline)


def test_text_display_is_respected(two_classes):
    X, y = two_classes
    model = lacuna.LSSVMClassifier(gamma=0.5, alpha=1.0).fit(X, y)
    with sklearn.config_context(display="text"):
        assert not hasattr(model, "_repr_html_")
        assert "text/html" not in model._repr_mimebundle_()
