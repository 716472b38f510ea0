"""Dask's estimators on two worker processes: what the command line fits, whatever the partitions are and however many
workers are lost."""

import os
import signal
import threading

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from dask.distributed import Client, LocalCluster
from sklearn.base import clone

import lacuna
from lacuna import dask as lacuna_dask
from test_steps import compare, frame, parts_of, same


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            yield client


def divided(X, load=lambda part, k: part):
    parts = parts_of(X)
    return dd.from_map(load, parts, range(len(parts)), meta=X.iloc[:0])


def klr():
    return lacuna_dask.DaskKernelLogisticRegression(n_basis="random:40", n_jobs=1)


KLR = ["--model", "klr", "--basis", "random:40", "--cv", "loo:one-step", "--no-recalibrate"]


def test_unequal_empty_and_single_row_partitions(client, program, tmp_path):
    X = frame()
    used = ["a", "b", "kind", "three"]  # levels of `kind` differ between the partitions, and a class is in one only
    rows = divided(X[used])
    model = klr().fit(rows[["a", "b", "kind"]], rows["three"])
    compare(model.estimator_, program, tmp_path, X, used, "--target", "three", *KLR)
    lazy = model.predict_proba(rows[["a", "b", "kind"]])
    assert isinstance(lazy, da.Array)
    same(lazy.compute(), model.estimator_.predict_proba(X[["a", "b", "kind"]]))
    assert list(model.predict(rows[["a", "b", "kind"]]).compute()) == list(
        model.estimator_.predict(X[["a", "b", "kind"]])
    )


def test_arrays_with_weights(client, program, tmp_path):
    X = frame().rename(columns={"a": "x1", "b": "x2"})
    numbers = da.from_array(X[["x1", "x2"]].to_numpy(), chunks=((150, 1, 249), (1, 1)))
    y, w = (da.from_array(X[name].to_numpy(), chunks=100) for name in ("value", "w"))
    model = lacuna_dask.DaskLSSVMRegressor(client=client, n_basis="random:40", n_jobs=1)
    model.fit(numbers, y, sample_weight=w)
    options = ["--target", "value", "--weights", "w", "--model", "ls-svm", "--basis", "random:40"]
    compare(model.estimator_, program, tmp_path, X, ["x1", "x2", "value", "w"], *options)
    assert type(model.estimator_) is lacuna.LSSVMRegressor
    lazy = model.predict(numbers)
    assert lazy.chunks == ((150, 1, 249),)
    same(lazy.compute(), model.estimator_.predict(X[["x1", "x2"]].to_numpy()))


def test_counts_with_exposure(client, program, tmp_path):
    X = frame()
    used = ["a", "b", "count", "time"]
    rows = divided(X[used])
    model = lacuna_dask.DaskKernelPoissonRegressor(n_basis="random:40", n_jobs=1)
    model.fit(rows[["a", "b"]], rows["count"], exposure=rows["time"])
    # The exposure has the name "exposure" in the model, whatever it was called.
    X = X.rename(columns={"time": "exposure"})
    options = ["--target", "count", "--task", "counts", "--exposure", "exposure", "--model", "poisson"]
    options += ["--basis", "random:40", "--cv", "loo:one-step"]
    compare(model.estimator_, program, tmp_path, X, ["a", "b", "count", "exposure"], *options)


def test_a_folder_of_parquet(client, program, tmp_path):
    X = frame()[["a", "b", "kind", "label", "w"]]
    (tmp_path / "parts").mkdir()
    for k, part in enumerate(parts_of(X)):
        part.to_parquet(tmp_path / "parts" / f"{k}.parquet")
    rows = dd.read_parquet(tmp_path / "parts")
    model = klr().fit(rows[["a", "b", "kind"]], rows["label"], sample_weight=rows["w"])
    X = X.rename(columns={"w": "weights"})  # the name that a column of weights has in the model
    compare(model.estimator_, program, tmp_path, X, list(X), "--target", "label", "--weights", "weights", *KLR)


@pytest.mark.parametrize("missing", ["mean", "drop"])
def test_gaps_weights_and_exposure(client, program, tmp_path, missing):
    X = frame()
    X["code"] = X["w"] + 1  # numbers that are categories
    X.loc[X.index % 11 == 3, "a"] = np.nan
    X.loc[150:152, "b"] = np.nan  # all of the second part, which is one row
    X.loc[X.index % 17 == 5, "kind"] = None
    features = ["a", "b", "kind", "code"]
    X = X[[*features, "count", "w", "time"]].rename(columns={"w": "weights", "time": "exposure"})
    rows = divided(X)
    model = lacuna_dask.DaskKernelPoissonRegressor(
        n_basis="random:40", n_jobs=1, missing=missing, categorical=["code"]
    )
    model.fit(rows[features], rows["count"], sample_weight=rows["weights"], exposure=rows["exposure"])
    options = ["--target", "count", "--task", "counts", "--model", "poisson", "--weights", "weights"]
    options += ["--exposure", "exposure", "--missing", missing, "--categorical", "code"]
    options += ["--basis", "random:40", "--cv", "loo:one-step"]
    compare(model.estimator_, program, tmp_path, X, list(X), *options)


def test_a_worker_killed_in_the_middle_changes_nothing(client, tmp_path):
    X = frame()[["a", "b", "label"]]
    whole = klr().fit(*split(divided(X)))

    def load(part, k, mark=str(tmp_path / "loaded")):
        with open(mark, "a") as file:
            file.write("x")
        if k == 3 and os.path.getsize(mark) > 12 and not os.path.exists(mark + ".killed"):
            open(mark + ".killed", "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return part

    before = set(client.run(os.getpid).values())
    again = klr().fit(*split(divided(X, load)))
    assert (tmp_path / "loaded.killed").exists()
    client.wait_for_workers(2, timeout=60)
    assert set(client.run(os.getpid).values()) != before
    np.testing.assert_array_equal(again.loo_decision_, whole.loo_decision_)
    np.testing.assert_array_equal(again.dual_coef_, whole.dual_coef_)


def test_two_fits_at_once(client):
    X = frame()[["a", "b", "label"]]
    rows = split(divided(X))
    other = split(divided(X.assign(label=X["label"].map({"yes": "no", "no": "yes"}))))
    one_by_one = [klr().fit(*rows).loo_decision_, klr().fit(*other).loo_decision_]
    models = [klr().set_params(client=client) for _ in range(2)]
    threads = [threading.Thread(target=model.fit, args=args) for model, args in zip(models, (rows, other))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for model, alone in zip(models, one_by_one):
        np.testing.assert_array_equal(model.loo_decision_, alone)


def test_an_estimator_of_scikit_learns_kind(client, tmp_path):
    model = clone(lacuna_dask.DaskLSSVMClassifier(gamma=0.3, sample_size=200, n_basis="random:30"))
    assert model.get_params()["gamma"] == 0.3 and model.set_params(alpha=0.1).get_params()["alpha"] == 0.1
    with pytest.raises(AttributeError, match="before fit"):
        model.best_params_
    X = frame()[["a", "b", "label"]]
    rows = split(divided(X))
    model.fit(*rows)
    assert model.best_params_ == {"alpha": 0.1, "gamma": 0.3}
    assert model.report_["basis"]["selected_on"] == 200
    assert list(model.classes_) == ["no", "yes"]
    model.save(tmp_path / "m.lacuna")
    back = lacuna.load(tmp_path / "m.lacuna")
    same(model.decision_function(rows[0]).compute(), back.decision_function(X[["a", "b"]]))
    with pytest.raises(ValueError, match="belong together"):
        model.fit(rows[0], rows[1].repartition(npartitions=1))


def split(rows):
    return rows[["a", "b"]], rows["label"]


def test_mistakes_are_told_in_words(client):
    X = frame()[["a", "b", "label"]]
    rows, y = split(divided(X))
    with pytest.raises(TypeError, match="no partitions.*from_pandas"):
        klr().fit(X[["a", "b"]], y)
    with pytest.raises(TypeError, match="no partitions"):
        klr().fit(rows, X["label"].to_numpy())
    gap = X.copy()
    gap.loc[160, "a"] = np.nan
    with pytest.raises(ValueError, match=r"partition \d+ \(from 0\): .*missing"):
        klr().fit(*split(divided(gap)))
    with pytest.raises(ValueError, match="target .*no numbers"):
        lacuna_dask.DaskLSSVMRegressor(n_basis="random:10").fit(rows, y)
    a = da.from_array(X[["a", "b"]].to_numpy(), chunks=(100, 2))
    with pytest.raises(ValueError, match="X has 400, y has 300"):
        klr().fit(a, da.from_array(X["label"].to_numpy()[:300], chunks=100))
