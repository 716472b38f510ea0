"""What is compared: each entry makes an estimator that selects for itself on the training rows it is given."""

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import lacuna

try:
    import catboost
except ImportError:
    catboost = None

# LIBSVM's "Practical guide to support vector classification": C = 2^-5 ... 2^15, gamma = 2^-15 ... 2^3, in steps of 4.
_FULL_GRID = {"svc__C": 2.0 ** np.arange(-5, 16, 2), "svc__gamma": 2.0 ** np.arange(-15, 4, 2)}
_SMALL_GRID = {"svc__C": 10.0 ** np.arange(-1, 4), "svc__gamma": 10.0 ** np.arange(-4, 1)}

# Small, and around what usually works; the number of trees is found by early stopping.
_BOOSTING = {
    "learning_rate": [0.03, 0.1, 0.3],
    "max_leaf_nodes": [4, 8, 31],
    "l2_regularization": [0.0, 1.0, 10.0],
    "min_samples_leaf": [5, 20],
}


class CalibratedSVC:
    """Grid by accuracy, then Platt's sigmoid over another cross-validation: SVC(probability=True) as it is done now."""

    def __init__(self, grid):
        self.grid = grid

    def fit(self, X, y):
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        search = GridSearchCV(make_pipeline(StandardScaler(), SVC()), self.grid, cv=folds, refit=False)
        search.fit(X, y)
        machine = make_pipeline(StandardScaler(), SVC()).set_params(**search.best_params_)
        self.machine = CalibratedClassifierCV(machine, ensemble=False, cv=folds).fit(X, y)
        return self

    def predict_proba(self, X):
        return self.machine.predict_proba(X)


class GaussianProcess:
    """By the evidence. The width begins at the root of the number of features: from 1 the search ends nowhere in 20."""

    def __init__(self, make, noise=None, **options):
        self.make, self.noise, self.options = make, noise, options

    def fit(self, X, y):
        kernel = ConstantKernel() * RBF(np.sqrt(X.shape[1]))
        kernel = kernel if self.noise is None else kernel + self.noise
        self.machine = make_pipeline(StandardScaler(), self.make(kernel, random_state=0, **self.options)).fit(X, y)
        return self

    def predict(self, X):
        return self.machine.predict(X)

    def predict_proba(self, X):
        return self.machine.predict_proba(X)


def _boosted(estimator, score, cv):
    return RandomizedSearchCV(estimator, _BOOSTING, n_iter=6, scoring=score, cv=cv, random_state=0)


def classifiers():
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    out = {
        "Lacuna": lambda: lacuna.LacunaClassifier(n_jobs=1),
        "SVC, 11 x 10 grid, calibrated": lambda: CalibratedSVC(_FULL_GRID),
        "SVC, 5 x 5 grid, calibrated": lambda: CalibratedSVC(_SMALL_GRID),
        "GaussianProcessClassifier": lambda: GaussianProcess(GaussianProcessClassifier),
        "HistGradientBoosting, tuned": lambda: _boosted(
            HistGradientBoostingClassifier(early_stopping=True, random_state=0), "neg_log_loss", folds
        ),
        "RandomForest, calibrated": lambda: CalibratedClassifierCV(RandomForestClassifier(200, random_state=0), cv=5),
    }
    if catboost is not None:
        out["CatBoost"] = lambda: catboost.CatBoostClassifier(
            thread_count=1, random_seed=0, verbose=False, allow_writing_files=False
        )
    for effort in ("normal", "best"):
        out[f"Lacuna, effort {effort}"] = lambda effort=effort: lacuna.LacunaClassifier(effort=effort, n_jobs=1)
    return out


def regressors():
    folds = KFold(5, shuffle=True, random_state=0)
    ridge = {"kernelridge__alpha": 10.0 ** np.arange(-4, 3), "kernelridge__gamma": 10.0 ** np.arange(-4, 2)}
    out = {
        "Lacuna": lambda: lacuna.LacunaRegressor(n_jobs=1),
        "KernelRidge, 7 x 6 grid": lambda: GridSearchCV(
            make_pipeline(StandardScaler(), KernelRidge(kernel="rbf")),
            ridge,
            cv=folds,
            scoring="neg_mean_squared_error",
        ),
        "GaussianProcessRegressor": lambda: GaussianProcess(GaussianProcessRegressor, WhiteKernel(), normalize_y=True),
        "HistGradientBoosting, tuned": lambda: _boosted(
            HistGradientBoostingRegressor(early_stopping=True, random_state=0),
            "neg_mean_squared_error",
            KFold(3, shuffle=True, random_state=0),
        ),
        "RandomForest": lambda: RandomForestRegressor(200, random_state=0),
    }
    if catboost is not None:
        out["CatBoost"] = lambda: catboost.CatBoostRegressor(
            thread_count=1, random_seed=0, verbose=False, allow_writing_files=False
        )
    for effort in ("normal", "best"):
        out[f"Lacuna, effort {effort}"] = lambda effort=effort: lacuna.LacunaRegressor(effort=effort, n_jobs=1)
    return out
