"""Data that several tests use, and the program that they compare with."""

import os
import subprocess

import numpy as np
import pytest


@pytest.fixture
def program():
    path = os.environ.get("LACUNA_PROGRAM", "")
    if not path:
        pytest.skip("LACUNA_PROGRAM is not set")

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def two_classes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3)) * [1.0, 20.0, 0.1] + [0.0, 100.0, 1.0]
    z = np.sin(2 * X[:, 0]) + (X[:, 1] - 100) / 20
    return X, np.where(z + 0.5 * rng.normal(size=80) > 0, "yes", "no")


@pytest.fixture(scope="session")
def values():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(70, 4))
    return X, np.sin(X[:, 0]) + X[:, 1] ** 2 + 0.1 * rng.normal(size=70)
