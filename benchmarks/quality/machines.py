"""What is compared: each entry makes an estimator that selects for itself on the training rows it is given."""

import inspect
import sys
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import lacuna

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
import contenders  # noqa: E402

try:
    import torch
    import xrfm

    torch.set_num_threads(1)
except ImportError:
    xrfm = None
try:
    import neo_ls_svm
except ImportError:
    neo_ls_svm = None


class Contender(NamedTuple):
    name: str
    make: Callable
    most_rows: float = np.inf  # of training; above them it takes too long
    most_classes: float = np.inf

    @property
    def is_peer(self):
        return not self.name.startswith("Lacuna")


class RandomlySearchedRFM:
    """xRFM: fifteen draws of its parameters, judged on a fifth of the rows; the first is its default.

    Kernel, bandwidth, exponent, ridge and shape are drawn from the ranges of its authors' tuning on tables.
    """

    def __init__(self, classes, draws=15):
        self.classes, self.draws = classes, draws

    def fit(self, X, y):
        self.scaler = StandardScaler().fit(X)
        X = self.scaler.transform(X).astype(np.float32)
        y = y.astype(np.int64) if self.classes else y.astype(np.float32)
        if not self.classes:
            self.mean, self.unit = float(y.mean()), float(y.std()) or 1.0
            y = (y - self.mean) / self.unit
        parts = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y if self.classes else None)
        X_train, X_valid, y_train, y_valid = parts
        rng = np.random.default_rng(0)
        best = np.inf
        for k in range(self.draws):
            machine = xrfm.xRFM(
                rfm_params=self._draw(rng, default=k == 0),
                device="cpu",
                tuning_metric="logloss" if self.classes else "mse",
                classification_mode="prevalence",
                n_threads=1,
                random_state=0,
                verbose=False,
            )
            machine.fit(X_train, y_train, X_valid, y_valid)
            loss = self._loss(machine, X_valid, y_valid)
            if loss < best:
                best, self.machine = loss, machine
        return self

    @staticmethod
    def _draw(rng, default):
        drawn = {
            "kernel": "l2" if rng.random() < 0.5 else "l1",
            "bandwidth": float(np.exp(rng.uniform(0.0, np.log(200.0)))),
            "exponent": float(rng.uniform(0.7, 1.4)),
            "diag": bool(rng.random() < 0.5),
            "bandwidth_mode": "adaptive" if rng.random() < 0.5 else "constant",
        }
        ridge = float(10.0 ** rng.uniform(-6.0, 1.0))
        if default:
            drawn = {"kernel": "l2", "bandwidth": 10.0, "exponent": 1.0, "diag": False, "bandwidth_mode": "constant"}
            ridge = 1e-3
        if drawn["kernel"] == "l1":
            drawn["exponent"] = min(drawn["exponent"], 1.0)
        return {"model": drawn, "fit": {"reg": ridge, "iters": 5, "early_stop_rfm": True, "verbose": False}}

    def _loss(self, machine, X, y):
        if self.classes:
            p = np.clip(np.asarray(machine.predict_proba(X))[np.arange(len(y)), y], 1e-15, 1.0)
            return -np.log(p).mean()
        return np.mean((np.ravel(machine.predict(X)) - y) ** 2)

    def predict_proba(self, X):
        return self.machine.predict_proba(self.scaler.transform(X).astype(np.float32))

    def predict(self, X):
        said = np.ravel(self.machine.predict(self.scaler.transform(X).astype(np.float32)))
        return self.mean + self.unit * said


def _lacuna(estimator):
    """Its default, and its efforts where the installed package has them."""
    yield Contender("Lacuna", lambda: estimator(n_jobs=1))
    if "effort" in inspect.signature(estimator).parameters:
        for effort in ("quick", "normal", "best"):
            yield Contender(f"Lacuna {effort}", lambda effort=effort: estimator(effort=effort, n_jobs=1))


def classifiers():
    known = contenders.classifiers()
    yield from _lacuna(lacuna.LacunaClassifier)
    yield Contender("HistGradientBoosting, tuned", known["HistGradientBoosting, tuned"])
    if "CatBoost" in known:
        yield Contender("CatBoost", known["CatBoost"])
    yield Contender(
        "ExtraTrees, calibrated",
        lambda: CalibratedClassifierCV(ExtraTreesClassifier(300, random_state=0), cv=5),
    )
    yield Contender("SVC grid, calibrated", known["SVC, 5 x 5 grid, calibrated"])
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    yield Contender(
        "LogisticRegressionCV",
        lambda: make_pipeline(StandardScaler(), LogisticRegressionCV(cv=folds, scoring="neg_log_loss", max_iter=1000)),
    )
    if xrfm is not None:
        yield Contender("xRFM, searched", lambda: RandomlySearchedRFM(classes=True))
    if neo_ls_svm is not None:
        yield Contender("NeoLSSVM", neo_ls_svm.NeoLSSVM, most_classes=2)


def regressors():
    known = contenders.regressors()
    yield from _lacuna(lacuna.LacunaRegressor)
    yield Contender("HistGradientBoosting, tuned", known["HistGradientBoosting, tuned"])
    if "CatBoost" in known:
        yield Contender("CatBoost", known["CatBoost"])
    yield Contender("ExtraTrees", lambda: ExtraTreesRegressor(300, random_state=0))
    # Ten thousand times the cube of the rows, in one thread.
    yield Contender("GaussianProcessRegressor", known["GaussianProcessRegressor"], most_rows=2000)
    if xrfm is not None:
        yield Contender("xRFM, searched", lambda: RandomlySearchedRFM(classes=False))
    if neo_ls_svm is not None:
        yield Contender("NeoLSSVM", lambda: neo_ls_svm.NeoLSSVM(estimator_type="regressor"))
