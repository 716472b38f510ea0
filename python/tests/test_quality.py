"""The benchmark of quality: the halves are the coin's, runs go on where they stopped, and tables say what lines say."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "quality"
if not FOLDER.is_dir():
    pytest.skip("the benchmarks are not part of an installed package", allow_module_level=True)


@pytest.fixture(scope="module")
def run():
    environment, path = dict(os.environ), list(sys.path)  # the script asks for one thread, not for the other tests
    sys.path.insert(0, str(FOLDER))
    try:
        import run

        yield run
    finally:
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environment)


class Mean:
    """Says the mean of what it saw, and counts how often it is asked."""

    fits = 0

    def fit(self, X, y):
        type(self).fits += 1
        self.p = np.bincount(y, minlength=3) / len(y)
        return self

    def predict_proba(self, X):
        return np.tile(self.p, (len(X), 1))


class Broken:
    def fit(self, X, y):
        raise ValueError("no, thank you")


def test_halves_are_those_of_the_coin(run):
    everything = run.sets.every_set(None, None)
    for task in ("classes", "values"):
        families = {s.family for s in everything if s.task == task}
        drawn = run.sets.halves(families)
        assert drawn == sorted(families & set(run.sets.DEVELOPMENT))
        assert len(drawn) == (len(families) + 1) // 2
    assert len({s.name for s in everything}) == len(everything)


def test_splits_repeat_and_test_rows_are_not_trained_on(run):
    wine = next(s for s in run.sets.every_set(None, None) if s.name == "wine")
    X, y, X_test, y_test = wine.split(1, 3)
    again = wine.split(1, 3)
    np.testing.assert_array_equal(X, again[0])
    assert len(y) == 100 and len(y_test) == 78
    assert not {tuple(row) for row in X} & {tuple(row) for row in X_test}


def test_a_run_goes_on_where_it_stopped(run, tmp_path):
    sets = [s for s in run.sets.every_set(None, None) if s.name == "wine"]
    makers = {"classes": [run.machines.Contender("mean", Mean), run.machines.Contender("broken", Broken)]}
    path = tmp_path / "lines.csv"

    def go(splits):
        done = {(line["set"], line["split"], line["contender"]) for line in run.lines_of(path)}
        for head, contender, rows in run.work(sets, makers, splits, done):
            run.append(path, {**head, **run.judged(contender, head["task"], *rows)})

    go(1)
    assert Mean.fits == 1
    path.write_text(path.read_text() + "wine,reporting,clas")  # the machine went down
    go(2)
    lines = run.lines_of(path)
    assert Mean.fits == 2 and [(line["contender"], line["split"]) for line in lines] == [
        ("mean", "0"),
        ("broken", "0"),
        ("mean", "1"),
        ("broken", "1"),
    ]
    _, y, _, y_test = sets[0].split(0, 2)
    p = np.bincount(y) / len(y)
    assert float(lines[0]["log_loss"]) == pytest.approx(-np.log(p[y_test]).mean(), rel=1e-5)  # six digits are written
    assert lines[1]["failure"] == "ValueError: no, thank you" and lines[1]["log_loss"] == ""


def line(contender, split, loss, failure=""):
    numbers = {"log_loss": loss, "error": loss / 2, "calibration": 0.1, "seconds": 1.0, "rmse": np.nan, "mae": np.nan}
    return {
        **{"set": "s", "half": "development", "task": "classes", "rows": "10", "features": "2", "split": split},
        **{"contender": contender, "failure": failure, **numbers},
    }


def test_z_is_paired_and_means_are_over_common_splits(run):
    import summary

    ours, theirs = [0.5, 0.4, 0.6, 0.9], [0.6, 0.45, 0.8]
    lines = [line("Lacuna", k, v) for k, v in enumerate(ours)] + [line("peer", k, v) for k, v in enumerate(theirs)]
    scores = summary.Scores(lines)
    d = np.subtract(theirs, ours[:3])
    mean, error, n = scores.difference("s", "peer", "Lacuna", "log_loss")
    assert (mean, error, n) == (pytest.approx(d.mean()), pytest.approx(d.std(ddof=1) / 3**0.5), 3)
    assert scores.mean("s", "Lacuna", "log_loss") == pytest.approx(np.mean(ours[:3]))
    page = summary.page([*lines, line("third", 0, np.nan, "it broke")])
    assert f"| s | {d.mean() / (d.std(ddof=1) / 3**0.5):+.1f} |" in page
    assert "- third on s, 1 splits: it broke" in page
    assert "| peer | 2.0 | " in page and "| Lacuna | 1.0 | 1.000 |" in page
