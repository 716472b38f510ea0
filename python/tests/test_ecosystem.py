"""Inside pipelines, searches and ensembles; processes, threads, forks and signals."""

import importlib.util
import multiprocessing
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import joblib
import numpy as np
import pytest
import threadpoolctl
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import VotingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import lacuna


def test_in_a_pipeline_and_grid_search(two_classes):
    X, y = two_classes
    pipeline = make_pipeline(StandardScaler(), lacuna.LSSVMClassifier())
    search = GridSearchCV(pipeline, {"lssvmclassifier__kernel": ["rbf", "linear"]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.6


def test_in_a_column_transformer_pipeline(two_classes):
    X, y = two_classes
    columns = ColumnTransformer([("scaled", StandardScaler(), [0, 1])])
    assert make_pipeline(columns, lacuna.KernelLogisticRegression()).fit(X, y).score(X, y) > 0.7


def test_in_cross_val_predict_and_voting(two_classes):
    X, y = two_classes
    probability = cross_val_predict(lacuna.KernelLogisticRegression(), X, y, cv=3, method="predict_proba")
    assert probability.shape == (len(y), 2)
    voting = VotingClassifier(
        [("a", lacuna.KernelLogisticRegression()), ("b", lacuna.KernelProbitRegression())], voting="soft"
    ).fit(X, y)
    assert voting.score(X, y) > 0.7


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_with_joblib_in_processes_and_threads(backend, two_classes):
    X, y = two_classes
    alone = cross_val_score(lacuna.KernelLogisticRegression(), X, y, cv=4)
    with joblib.parallel_backend(backend, n_jobs=2):
        np.testing.assert_array_equal(cross_val_score(lacuna.KernelLogisticRegression(), X, y, cv=4, n_jobs=2), alone)


def test_threads_may_predict_with_one_model(values):
    X, y = values
    model = lacuna.LSSVMRegressor().fit(X, y)
    expected = model.predict(X)
    wrong = []

    def predict():
        for _ in range(20):
            if not np.array_equal(model.predict(X), expected):
                wrong.append(1)

    threads = [threading.Thread(target=predict) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("cls", [lacuna.KernelLogisticRegression, lacuna.LaplaceGPClassifier, lacuna.LacunaClassifier])
def test_pickles_and_clones(cls, two_classes):
    X, y = two_classes
    model = cls().fit(X, y)
    back = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(back.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(back.loo_proba_, model.loo_proba_)
    assert not hasattr(clone(model), "model_")


def _fit_here(queue):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 3))
    queue.put(lacuna.LSSVMRegressor(gamma=0.5, alpha=0.1).fit(X, X[:, 0]).best_score_)


def test_fits_after_fork():
    context = multiprocessing.get_context("fork")
    mine = context.SimpleQueue()
    _fit_here(mine)  # enough rows for threads, which the child will not have
    child_queue = context.Queue()
    child = context.Process(target=_fit_here, args=(child_queue,))
    child.start()
    theirs = child_queue.get(timeout=60)
    child.join(60)
    assert child.exitcode == 0
    np.testing.assert_allclose(theirs, mine.get(), rtol=1e-12)


def test_obeys_threadpool_limits():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 4))
    with threadpoolctl.threadpool_limits(1):
        wall, cpu = time.perf_counter(), time.process_time()
        lacuna.LSSVMRegressor(gamma=0.5, alpha=0.1).fit(X, X[:, 0])
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    assert cpu < 1.2 * wall  # one thread uses no more time than passes, however busy the machine is
    assert {"openblas", "openmp"} <= {info["internal_api"] for info in threadpoolctl.threadpool_info()}


def test_ctrl_c_stops_a_fit():
    script = textwrap.dedent("""
        import signal, numpy as np, lacuna
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
        X = np.random.default_rng(0).normal(size=(3000, 5))
        print("begins", flush=True)
        lacuna.LSSVMRegressor("ard").fit(X, np.sin(X[:, 0]))
    """)
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begins\n"
    time.sleep(1.0)
    child.send_signal(signal.SIGINT)
    _, error = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in error
    assert child.returncode not in (0, None)


def test_a_time_limit_stops_the_search():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 5))
    model = lacuna.LSSVMRegressor("ard", time_limit=0.2).fit(X, np.sin(3 * X[:, 0]))
    assert model.report_["search"]["stop"] == "time-limit"


def test_progress_goes_to_standard_error(capsys):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 5))
    lacuna.LSSVMRegressor("ard", verbose=True, time_limit=2).fit(X, X[:, 0] ** 2)
    printed = capsys.readouterr()
    assert "[lacuna] search" in printed.err
    assert not printed.out


def test_metadata_are_routed(two_classes):
    X, y = two_classes
    weight = np.linspace(0.5, 2.0, len(y))
    with config_context(enable_metadata_routing=True):
        machine = lacuna.LSSVMClassifier(alpha=1.0, gamma=0.1).set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        routed = make_pipeline(scaler, machine).fit(X, y, sample_weight=weight)
    direct = lacuna.LSSVMClassifier(alpha=1.0, gamma=0.1).fit(StandardScaler().fit_transform(X), y, weight)
    np.testing.assert_array_equal(routed[-1].dual_coef_, direct.dual_coef_)
    with config_context(enable_metadata_routing=True):
        assert (
            "exposure"
            in lacuna.KernelPoissonRegressor()
            .set_predict_request(exposure=True)
            .get_metadata_routing()
            .predict.requests
        )


@pytest.mark.parametrize("order", ["lacuna, numpy, sklearn.svm", "numpy, sklearn.svm, lacuna"])
def test_imports_beside_numpy_and_scikit_learn_in_either_order(order):
    script = f"import {order}\nimport numpy as np, lacuna\nX = np.eye(8)\nlacuna.LSSVMRegressor().fit(X, X[:, 0] + 1)"
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=60)


# Both bring an OpenMP and a BLAS of their own.
@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
@pytest.mark.parametrize("order", ["lacuna, torch", "torch, lacuna"])
def test_imports_and_computes_beside_torch_in_either_order(order):
    script = textwrap.dedent(f"""
        import {order}
        import numpy as np, lacuna, torch
        X = np.random.default_rng(0).normal(size=(400, 4))
        for _ in range(2):
            A = torch.randn(500, 500, dtype=torch.float64)
            torch.linalg.cholesky(A @ A.T + 500 * torch.eye(500, dtype=torch.float64))
            print(lacuna.LSSVMRegressor(n_jobs=2).fit(X, np.sin(X[:, 0])).best_score_)
    """)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], check=True, timeout=300, capture_output=True, text=True
    )
    first, second = done.stdout.split()
    X = np.random.default_rng(0).normal(size=(400, 4))
    alone = lacuna.LSSVMRegressor(n_jobs=2).fit(X, np.sin(X[:, 0])).best_score_
    np.testing.assert_allclose([float(first), float(second)], alone, rtol=1e-9)
