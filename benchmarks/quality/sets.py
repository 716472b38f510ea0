"""The sets of the benchmark, in two halves, and their splits: (X, y, X_test, y_test), the same for every contender."""

import csv
import functools
import gzip
import io
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np
from sklearn import datasets
from sklearn.model_selection import train_test_split

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import data_sets  # noqa: E402

MOST_TEST_ROWS = 5000  # more would change no figure by much, and some contenders predict slowly

# Which half a set belongs to was decided by this coin before anything was run. Sets of one source stay together.
# Variants of Lacuna are decided on the development half; the other half is looked at once, when they are decided.
SEED_OF_THE_COIN = 20261116
DEVELOPMENT = (
    *("ada", "annulus", "breast cancer", "flare-solar", "ringnorm", "titanic", "twonorm", "waveform"),
    *("boston", "diabetes, values", "motorcycle"),
)


class Set(NamedTuple):
    name: str
    family: str  # its source: sets of one share rows
    task: str  # "classes" or "values"
    split: Callable[[int, int], tuple]  # (number of the split, of so many) -> X, y, X_test, y_test; None: not there

    @property
    def half(self):
        return "development" if self.family in DEVELOPMENT else "reporting"


def halves(families):
    """The families of one task that fall to development: half of them, drawn by the coin."""
    families = sorted(set(families))
    random.Random(SEED_OF_THE_COIN).shuffle(families)
    return sorted(families[: (len(families) + 1) // 2])


@functools.cache
def _table(path):
    """Inputs and the last column of a CSV file with a header, or None where there is none."""
    if not path.exists():
        return None
    text = gzip.open(path, "rt").read() if path.suffix == ".gz" else path.read_text()
    data = np.loadtxt(io.StringIO(text), delimiter=",", skiprows=1)
    return data[:, :-1], data[:, -1]


def _parted(X, y, n_train, seed, classes):
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, train_size=n_train, random_state=seed, stratify=y if classes else None
    )
    return X_train, y_train, X_test[:MOST_TEST_ROWS], y_test[:MOST_TEST_ROWS]


def _random_parts(path, n_train, classes):
    def split(k, _):
        table = _table(path)
        if table is None:
            return None
        X, y = table
        return _parted(X, (y > 0).astype(int) if classes else y, n_train, k, classes)

    return split


def _ida(folder, name):
    """Published partitions where there are enough of them."""

    def split(k, n):
        for found, _, splits in _ida_splits(folder, n):
            if found == name:
                X, y, X_test, y_test = splits[k]
                return X, y, X_test[:MOST_TEST_ROWS], y_test[:MOST_TEST_ROWS]
        return None

    return split


@functools.cache
def _ida_splits(folder, n):
    return [] if folder is None else list(data_sets._ida(folder / "ida", n))


def _with_its_test_rows(train, test, n_train):
    """Rows drawn from one file, tested on rows of another."""

    def split(k, _):
        if _table(train) is None or _table(test) is None:
            return None
        (X, y), (X_test, y_test) = _table(train), _table(test)
        X, y, _, _ = _parted(X, (y > 0).astype(int), n_train, k, True)
        some = np.random.default_rng(0).permutation(len(y_test))[:MOST_TEST_ROWS]
        return X, y, X_test[some], (y_test[some] > 0).astype(int)

    return split


def _of_scikit_learn(load, n_train, classes):
    def split(k, _):
        X, y = load()
        return _parted(X, y, n_train, k, classes)

    return split


def _generated(program, name, n_train, classes):
    """New training rows for every split, by the program's generator."""

    def rows(n, seed):
        made = subprocess.run(
            [program, "generate", name, "--rows", str(n), "--seed", str(seed)], capture_output=True, text=True, check=True
        )
        data = np.array(list(csv.reader(io.StringIO(made.stdout)))[1:])
        y = np.unique(data[:, -1], return_inverse=True)[1] if classes else data[:, -1].astype(np.float64)
        return data[:, :-1].astype(np.float64), y

    def split(k, _):
        if program is None:
            return None
        return *rows(n_train, 1 + k), *rows(MOST_TEST_ROWS, 0)

    return split


def program_of(given):
    """The program that generates, or None."""
    given = given or os.environ.get("LACUNA_PROGRAM") or "lacuna"
    return shutil.which(given)


def every_set(data, program):
    """All sets; those whose files or program are not there have splits that are None."""
    there = Path(data) if data is not None else Path("nowhere")
    out = [Set(name, name, "classes", _ida(data and there, name)) for name in data_sets._IDA]
    out += [
        Set("ada", "ada", "classes", _random_parts(there / "wcci2006" / "ada_train.csv", 2000, True)),
        *(
            Set(
                f"a9a, {n}",
                "a9a",
                "classes",
                _with_its_test_rows(there / "a9a" / "a9a_train.csv.gz", there / "a9a" / "a9a_test.csv.gz", n),
            )
            for n in (1000, 4000)
        ),
    ]
    for name, load, n in (
        ("digits", datasets.load_digits, 500),
        ("wine", datasets.load_wine, 100),
        ("breast cancer", datasets.load_breast_cancer, 300),
    ):
        out.append(Set(name, name, "classes", _of_scikit_learn(functools.partial(load, return_X_y=True), n, True)))
    for name, n in (("ripley", 250), ("annulus", 200), ("waveform", 400)):
        out.append(Set(name, name, "classes", _generated(program, name, n, True)))

    friedman1 = functools.partial(datasets.make_friedman1, 2000, noise=1.0, random_state=0)
    diabetes = functools.partial(datasets.load_diabetes, return_X_y=True)
    out += [
        Set("boston", "boston", "values", _random_parts(there / "mass" / "boston.csv", 400, False)),
        Set("motorcycle", "motorcycle", "values", _random_parts(there / "mass" / "mcycle.csv", 100, False)),
        Set("diabetes, values", "diabetes, values", "values", _of_scikit_learn(diabetes, 300, False)),
        Set("friedman1", "friedman1", "values", _of_scikit_learn(friedman1, 300, False)),
        Set("sinc", "sinc", "values", _generated(program, "sinc", 100, False)),
        *(
            Set(f"casp, {n}", "casp", "values", _random_parts(there / "casp" / "casp.csv.gz", n, False))
            for n in (1000, 4000)
        ),
    ]
    return out
