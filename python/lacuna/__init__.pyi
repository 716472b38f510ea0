# Written by scripts/python_stubs.py.
from collections.abc import Callable
from os import PathLike
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from typing_extensions import Self

from . import steps as steps
from ._core import Model

__version__: str
class LacunaError(Exception): ...
class LacunaWarning(UserWarning): ...
class ConvergenceWarning(LacunaWarning): ...
class DataError(LacunaError, ValueError): ...
class DataWarning(LacunaWarning): ...
class EPGPClassifier(ClassifierMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    loo_decision_: np.ndarray | None
    loo_proba_: np.ndarray | None
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        mean: float | None = 0.0,
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        recalibrate: bool | None = False,
        threshold: float | str | None = None,
        cost: ArrayLike | None = None,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(self, X: Any, y: ArrayLike, groups: ArrayLike | None = None) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...
    def with_decisions(self, threshold: float | str | None = None, cost: ArrayLike | None = None) -> Self: ...
class Explanation:
    effects: list[dict[str, Any]] | None
    importance: dict[str, Any] | None
    pairs: list[dict[str, Any]]
    curves: list[dict[str, Any]]
    coefficients: dict[str, Any] | None
    feature_weights: dict[str, float] | None
    neighbours: dict[str, Any] | None
    report: dict[str, Any]
class HuberKernelRegressor(RegressorMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        delta: float | None = None,
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(
        self,
        X: Any,
        interval: float | None = None,
        quantiles: ArrayLike | None = None,
        return_std: bool = False,
        return_variance: bool = False,
    ) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
class KernelFisherDiscriminant(ClassifierMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    loo_decision_: np.ndarray | None
    loo_proba_: np.ndarray | None
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        recalibrate: bool | None = False,
        threshold: float | str | None = None,
        cost: ArrayLike | None = None,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...
    def with_decisions(self, threshold: float | str | None = None, cost: ArrayLike | None = None) -> Self: ...
class KernelGammaRegressor(RegressorMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any, exposure: ArrayLike | None = None) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
class KernelLogisticRegression(ClassifierMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    loo_decision_: np.ndarray | None
    loo_proba_: np.ndarray | None
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        recalibrate: bool | None = False,
        threshold: float | str | None = None,
        cost: ArrayLike | None = None,
        refit_flagged: bool = False,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...
    def with_decisions(self, threshold: float | str | None = None, cost: ArrayLike | None = None) -> Self: ...
class KernelNegativeBinomialRegressor(RegressorMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        overdispersion: float | None = None,
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any, exposure: ArrayLike | None = None) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
class KernelPoissonRegressor(RegressorMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any, exposure: ArrayLike | None = None) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
class KernelProbitRegression(ClassifierMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    loo_decision_: np.ndarray | None
    loo_proba_: np.ndarray | None
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        recalibrate: bool | None = False,
        threshold: float | str | None = None,
        cost: ArrayLike | None = None,
        refit_flagged: bool = False,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...
    def with_decisions(self, threshold: float | str | None = None, cost: ArrayLike | None = None) -> Self: ...
class L2SVMClassifier(ClassifierMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    loo_decision_: np.ndarray | None
    loo_proba_: np.ndarray | None
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        recalibrate: bool | None = False,
        threshold: float | str | None = None,
        cost: ArrayLike | None = None,
        refit_flagged: bool = False,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...
    def with_decisions(self, threshold: float | str | None = None, cost: ArrayLike | None = None) -> Self: ...
class LSSVMClassifier(ClassifierMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    loo_decision_: np.ndarray | None
    loo_proba_: np.ndarray | None
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        recalibrate: bool | None = False,
        threshold: float | str | None = None,
        cost: ArrayLike | None = None,
        refit_flagged: bool = False,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...
    def with_decisions(self, threshold: float | str | None = None, cost: ArrayLike | None = None) -> Self: ...
class LSSVMRegressor(RegressorMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        interval_method: Literal["follow", "constant", "jackknife+"] = 'follow',
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(
        self,
        X: Any,
        interval: float | None = None,
        quantiles: ArrayLike | None = None,
        return_std: bool = False,
        return_variance: bool = False,
    ) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
class LacunaClassifier(ClassifierMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    loo_decision_: np.ndarray | None
    loo_proba_: np.ndarray | None
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        recalibrate: bool | None = None,
        threshold: float | str | None = None,
        cost: ArrayLike | None = None,
        refit_flagged: bool = False,
        missing: Literal["error", "mean", "drop", "indicator"] = 'error',
        categorical: list[str] | None = None,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...
    def with_decisions(self, threshold: float | str | None = None, cost: ArrayLike | None = None) -> Self: ...
class LacunaRegressor(RegressorMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        effort: Literal["quick", "normal", "best"] = 'quick',
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        n_basis: int | str | ArrayLike | None = None,
        interval_method: Literal["follow", "constant", "jackknife+"] = 'follow',
        missing: Literal["error", "mean", "drop", "indicator"] = 'error',
        categorical: list[str] | None = None,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self: ...
    def predict(
        self,
        X: Any,
        interval: float | None = None,
        quantiles: ArrayLike | None = None,
        return_std: bool = False,
        return_variance: bool = False,
    ) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
class LaplaceGPClassifier(ClassifierMixin, BaseEstimator):
    best_params_: dict[str, Any]
    best_score_: float
    loo_predictions_: np.ndarray | None
    leverage_: np.ndarray | None
    dual_coef_: np.ndarray
    intercept_: float | np.ndarray
    candidates_: list[dict[str, Any]]
    honest_loss_: float | None
    members_: list[dict[str, Any]]
    feature_weights_: dict[str, float] | None
    search_path_: list[dict[str, float]]
    report_: dict[str, Any]
    warnings_: list[str]
    encoding_: list[dict[str, Any]]
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    classes_: np.ndarray
    loo_decision_: np.ndarray | None
    loo_proba_: np.ndarray | None
    def __init__(
        self,
        kernel: str | Callable[..., ArrayLike] = 'rbf',
        *,
        gamma: float | ArrayLike | None = None,
        degree: int = 3,
        coef0: float | None = None,
        alpha: float | None = None,
        likelihood: Literal["logistic", "probit"] = 'logistic',
        mean: float | None = 0.0,
        standardise: bool = True,
        cv: int | str | Any | None = None,
        criterion: str | None = None,
        recalibrate: bool | None = False,
        threshold: float | str | None = None,
        cost: ArrayLike | None = None,
        max_evaluations: int | None = None,
        time_limit: float | None = None,
        memory: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: bool = False,
    ) -> None: ...
    def fit(self, X: Any, y: ArrayLike, groups: ArrayLike | None = None) -> Self: ...
    def predict(self, X: Any) -> Any: ...
    def scores(self, X: Any, y: ArrayLike, exposure: ArrayLike | None = None) -> dict[str, Any]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def report(self, path: str | PathLike[str]) -> None: ...
    def to_onnx(self, path: str | PathLike[str] | None = None) -> bytes: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def predict_log_proba(self, X: Any) -> np.ndarray: ...
    def with_decisions(self, threshold: float | str | None = None, cost: ArrayLike | None = None) -> Self: ...
class NumericalError(LacunaError, ArithmeticError): ...
class SelectionWarning(LacunaWarning): ...
class UsageError(LacunaError, ValueError): ...
class Verification(NamedTuple):
    rows: int
    largest: float
    row: int
    mean_loss: float
    mean_loss_refitted: float
def explain(
    estimator: Any,
    X: Any = None,
    y: ArrayLike | None = None,
    *,
    exposure: ArrayLike | None = None,
    columns: list[str] | None = None,
    importance: bool = True,
    n_repeats: int = 5,
    pairs: bool = False,
    curves: bool = False,
    row: int | None = None,
    max_rows: int = 1000,
    random_state: int | np.random.RandomState | None = 0,
) -> Explanation: ...
def load(path: str | PathLike[str]) -> Any: ...
def suspect_labels(estimator: Any, most: int | None = 10) -> np.ndarray: ...
def verify_loo(estimator: Any, X: Any, y: ArrayLike, k: int = 10, **fit_params: Any) -> Verification: ...
