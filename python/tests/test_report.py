"""The page of a fitted estimator: the figures of the library, in a file that is complete or not there."""

import json
import re

import numpy as np
import pytest

import lacuna
from lacuna import _core

pytestmark = pytest.mark.skipif(bool(_core.why_no_page()), reason=_core.why_no_page() or "pages can be written")


def page_of(estimator, path):
    estimator.report(path)
    text = path.read_text(encoding="utf-8")
    assert text.lstrip().lower().startswith("<!doctype html>")
    assert len(text) < 2_000_000
    block = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)
    return json.loads(block[1])


def test_the_page_has_the_figures_of_the_fit(two_classes, tmp_path):
    model = lacuna.KernelLogisticRegression(gamma=0.2, alpha=0.5).fit(*two_classes)
    fit = page_of(model, tmp_path / "page.html")["fit"]
    assert fit["held_out"] == model.report_["held_out"]
    assert fit["lambda"] == 0.5


def test_every_estimator_has_a_page(two_classes, values, tmp_path):
    for name in lacuna.__all__:
        cls = getattr(lacuna, name)
        if not hasattr(cls, "fit"):
            continue
        X, y = two_classes if hasattr(cls, "predict_proba") else (values[0], 1 + np.abs(values[1]).round())
        page = page_of(cls(gamma=0.2, alpha=0.5).fit(X, y), tmp_path / "page.html")
        assert page["sections"][0]["blocks"], name


def test_a_kernel_of_ones_own_has_a_page(two_classes, tmp_path):
    X, y = two_classes
    model = lacuna.LSSVMClassifier(kernel=lambda A, B: (1 + A @ B.T) ** 2, alpha=0.5).fit(X, y)
    assert page_of(model, tmp_path / "page.html")["fit"]["held_out"] == model.report_["held_out"]


def test_a_page_that_cannot_be_written_leaves_nothing(two_classes, tmp_path):
    model = lacuna.LSSVMClassifier(gamma=0.2, alpha=0.5)
    with pytest.raises(Exception, match="not fitted"):
        model.report(tmp_path / "page.html")
    model.fit(*two_classes)
    with pytest.raises((lacuna.LacunaError, OSError), match="nowhere"):
        model.report(tmp_path / "nowhere" / "page.html")
    assert list(tmp_path.iterdir()) == []
