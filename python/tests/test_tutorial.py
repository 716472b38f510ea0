"""The code blocks of the tutorials give what they show, the examples run, and the reference is that of the package."""

import doctest
import os
import re
import runpy
import sys
import warnings
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "guide"
EXAMPLES = sorted(
    path for path in (ROOT / "python" / "examples").glob("*.py") if "_on_" not in path.stem  # those: test_engines.py
)
if not GUIDE.is_dir():
    pytest.skip("the guide is not part of an installed package", allow_module_level=True)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def blocks_of(page):
    return re.findall(r"^```python\n(.*?)^```", (GUIDE / page).read_text(), re.M | re.S)


@pytest.mark.parametrize("page", ["python-tutorial.md", "from-svc.md"])
def test_blocks_of_the_guide_give_what_they_show(page):
    """One session for all blocks of a page, as a reader would type them."""
    blocks = blocks_of(page)
    assert blocks and all(block.startswith(">>>") for block in blocks)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0)
    said = []
    failed, tried = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert tried > 5
    assert not failed, "".join(said)


# A line of what each example prints shows that it did what it is about.
PRINTS = {
    "01_classify": r"new rows: +error [0-5]\.\d%",
    "02_probabilities_and_costs": r"cut for these costs \d+",
    "03_values_with_intervals": r"residuals: \[17, ",
    "04_counts_with_exposure": r"age 20: 1\.[3-7]\d claims",
    "05_mixed_columns": r"30, south, owner False: 0\.[89]\d to buy",
    "06_wrong_labels": r"[56] of 6 wrong labels",
    "07_inside_scikit_learn": r"whole patients: [3-9]\d\.\d%",
    "08_letting_it_choose": r"normal: error on new rows 0\.[34]\d, expected 0\.[34]",
}


def test_every_example_is_run():
    assert {path.stem for path in EXAMPLES} == set(PRINTS)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(path), run_name="__main__")
    assert re.search(PRINTS[path.stem], capsys.readouterr().out)
    assert len(path.read_text().splitlines()) <= 60


def test_reference_is_that_of_the_package():
    made = runpy.run_path(str(ROOT / "scripts" / "python_reference.py"))["page"]()
    assert made == (GUIDE / "python-reference.md").read_text(), (
        "run scripts/python_reference.py and commit what it writes"
    )


def test_links_between_pages_lead_somewhere():
    for page in ("python-tutorial.md", "from-svc.md", "python-reference.md"):
        for target in re.findall(r"\]\(([^)#]+)", (GUIDE / page).read_text()):
            assert "://" in target or (GUIDE / target).exists(), f"{page}: {target}"
