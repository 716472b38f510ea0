"""The comparison with peers: its scores equal plain loops, its tables say what the records say."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "python"
if not FOLDER.is_dir():
    pytest.skip("the benchmarks are not part of an installed package", allow_module_level=True)


@pytest.fixture(scope="module")
def compare():
    environment = dict(os.environ)  # the script asks for one thread, which is not for the other tests
    sys.path.insert(0, str(FOLDER))
    try:
        import compare

        yield compare
    finally:
        sys.path.remove(str(FOLDER))
        os.environ.clear()
        os.environ.update(environment)


class Fixed:
    """A classifier that says what it was told."""

    def __init__(self, p):
        self.p = p

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return self.p


def test_scores_equal_plain_loops(compare):
    rng = np.random.default_rng(0)
    p = rng.dirichlet([1, 1, 1], 200)
    y = rng.integers(0, 3, 200)
    scores = compare.scores_of_classes(Fixed(p), None, y)
    assert scores["log_loss"] == pytest.approx(-np.mean([np.log(row[t]) for row, t in zip(p, y)]))
    assert scores["error"] == np.mean([np.argmax(row) != t for row, t in zip(p, y)])
    distance = 0.0
    for low in np.arange(0, 1, 0.1):
        rows = [(max(row), np.argmax(row) == t) for row, t in zip(p, y) if low <= max(row) < low + 0.1]
        if rows:
            distance += abs(sum(top for top, _ in rows) - sum(right for _, right in rows)) / 200
    assert scores["calibration"] == pytest.approx(distance)


def test_all_contenders_see_the_same_rows(compare):
    import contenders
    import data_sets

    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    splits = list(data_sets._random_splits(X, y, 40, 2, True))
    seen = []

    class Watching(Fixed):
        def __init__(self):
            super().__init__(np.full((20, 2), 0.5))

        def fit(self, X, y):
            seen.append(X.copy())
            return self

    records = list(compare.run([("toy", "random", splits)], {"a": Watching, "b": Watching}, compare.scores_of_classes))
    assert len(records) == 4 and records[0]["log_loss"] == pytest.approx(np.log(2))
    for k in range(2):
        np.testing.assert_array_equal(seen[k], seen[2 + k])
        assert not set(map(tuple, splits[k][0])) & set(map(tuple, splits[k][2]))  # no row is trained and tested on
    assert next(iter(contenders.classifiers())) == next(iter(contenders.regressors())) == "Lacuna"


def test_page_lists_losses_and_comes_back_from_its_csv(compare, tmp_path):
    import tables

    def record(name, contender, loss, seconds):
        return {
            "set": name,
            "splits": "random",
            "rows": 10,
            "features": 2,
            "contender": contender,
            "split": 0,
            "seconds": seconds,
            "error": 0.1,
            "log_loss": loss,
            "calibration": 0.01,
        }

    records = [
        record("won", "Lacuna", 0.1, 1.0),
        record("won", "Peer", 0.2, 30.0),
        record("heart", "Lacuna", 0.3, 1.0),
        record("heart", "Peer", 0.25, 10.0),
    ]
    page = tables.page(records, "head")
    assert "| Peer | 1 of 2 | heart | 1 of 2 | 10, 20, 30 |" in page
    assert "**0.1000** | 0.2000" in page and "0.3000 | **0.2500**" in page
    assert "The other 1 sets had no part in it: on 1 of them" in " ".join(page.split())  # lines are wrapped
    tables.write_csv(tmp_path / "r.csv", records)
    assert tables.page(tables.read_csv(tmp_path / "r.csv"), "head") == page


def test_published_tables_are_those_of_their_csv(compare):
    import tables

    results = FOLDER.parent / "results"
    pages = sorted(results.glob("*-python-comparison*.csv"))
    assert pages
    for path in pages:
        text = path.with_suffix(".md").read_text()
        lines = [line for line in tables.page(tables.read_csv(path), "").splitlines() if line.startswith("|")]
        assert len(lines) > 20
        for line in lines:
            assert line in text


def test_differences_are_paired_by_split(compare):
    import tables

    rng = np.random.default_rng(1)
    ours, theirs = rng.random(6), rng.random(6)
    records = [
        {"set": "toy", "contender": contender, "split": k, "log_loss": losses[k]}
        for contender, losses in (("Lacuna", ours), ("Peer", theirs))
        for k in range(6)
    ]
    d = theirs - ours
    row = f"| toy | 6 | {np.mean(d):+.4f} | {np.sqrt(np.sum((d - d.mean()) ** 2) / 5 / 6):.4f} |"
    assert row in tables.differences(records, "Peer", "log_loss")
    assert tables.differences(records[:4] + records[6:10], "Peer", "log_loss") == []
