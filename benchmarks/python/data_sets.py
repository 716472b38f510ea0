"""The data sets of the comparison: each is a list of splits (X, y, X_test, y_test), the same for every contender."""

import csv
from pathlib import Path

import numpy as np
from sklearn import datasets
from sklearn.model_selection import train_test_split

# Rows to train on; the published sizes where there are some.
_IDA = {
    "banana": 400,
    "diabetes": 468,
    "flare-solar": 666,
    "heart": 170,
    "ringnorm": 400,
    "thyroid": 140,
    "titanic": 150,
    "twonorm": 400,
}


# Sets whose test scores had a part in settling Lacuna's defaults (docs/decisions/2026-11-15-recalibrated-selection.md).
SETTLED_ON = {*_IDA, "ripley"}


def _read(path):
    with open(path, newline="") as file:
        table = list(csv.reader(file))
    data = np.array(table[1:], dtype=np.float64)
    return data[:, :-1], data[:, -1]


def _random_splits(X, y, n_train, n_splits, stratify):
    for seed in range(n_splits):
        X_train, X_test, y_train, y_test = train_test_split(
            X, y, train_size=n_train, random_state=seed, stratify=y if stratify else None
        )
        yield X_train, y_train, X_test, y_test


def _published_splits(X, y, folder, name, n_splits):
    """The published partitions, as far as there are any: rows of indices, after the split's number."""
    parts = []
    for part in ("train", "test"):
        path = folder / f"{name}.{part}.csv"
        if not path.exists():
            return []
        with open(path, newline="") as file:
            parts.append([np.array(row[1:], dtype=int) for row in csv.reader(file)])
    return [(X[a], y[a], X[b], y[b]) for a, b in zip(*parts)][:n_splits]


def _ida(folder, n_splits):
    for name, n_train in _IDA.items():
        if not (folder / f"{name}.csv").exists():
            continue
        X, y = _read(folder / f"{name}.csv")
        y = (y > 0).astype(int)
        splits = _published_splits(X, y, folder, name, n_splits)
        source = "published splits"
        if len(splits) < n_splits:
            splits = list(_random_splits(X, y, n_train, n_splits, True))
            source = "random splits"
        yield name, source, splits


def classification(data, n_splits):
    """(name, where the splits come from, splits), for every set that is there."""
    if data is not None:
        yield from _ida(data / "ida", n_splits)
        if (data / "mass" / "synth_tr.csv").exists():
            (X, y), (X_test, y_test) = _read(data / "mass" / "synth_tr.csv"), _read(data / "mass" / "synth_te.csv")
            yield "ripley", "the published split", [(X, y.astype(int), X_test, y_test.astype(int))]
    X, y = datasets.load_breast_cancer(return_X_y=True)
    yield "breast cancer", "random splits", list(_random_splits(X, y, 300, n_splits, True))
    X, y = datasets.load_wine(return_X_y=True)
    yield "wine (3 classes)", "random splits", list(_random_splits(X, y, 100, n_splits, True))
    X, y = datasets.load_digits(return_X_y=True)
    yield "digits (10 classes)", "random splits", list(_random_splits(X, y, 300, n_splits, True))
    X, y = datasets.make_moons(4000, noise=0.3, random_state=0)
    yield "moons", "generated", list(_random_splits(X, y, 300, n_splits, True))
    X, y = datasets.make_classification(
        4000, n_features=10, n_informative=6, n_clusters_per_class=3, flip_y=0.05, weights=[0.8], random_state=0
    )
    yield "clusters, 20 % positive", "generated", list(_random_splits(X, y, 400, n_splits, True))


def regression(data, n_splits):
    """The same, with values for targets."""
    if data is not None and (data / "mass" / "boston.csv").exists():
        X, y = _read(data / "mass" / "boston.csv")
        yield "boston", "random splits", list(_random_splits(X, y, 400, n_splits, False))
        X, y = _read(data / "mass" / "mcycle.csv")
        yield "motorcycle", "random splits", list(_random_splits(X, y, 100, n_splits, False))
    X, y = datasets.load_diabetes(return_X_y=True)
    yield "diabetes (values)", "random splits", list(_random_splits(X, y, 300, n_splits, False))
    X, y = datasets.make_friedman1(2000, noise=1.0, random_state=0)
    yield "friedman1", "generated", list(_random_splits(X, y, 300, n_splits, False))


def data_folder(path):
    """The folder with ida/ and mass/, or None."""
    if path is None:
        return None
    path = Path(path)
    if not (path / "ida").is_dir() and not (path / "mass").is_dir():
        raise SystemExit(f"compare: {path} has neither ida/ nor mass/")
    return path
