"""Frames of pandas, polars and pyarrow are taken as the command line takes a file of them."""

import csv
import io
import json
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lacuna
from lacuna._pandas import by_columns
from lacuna import _core


def frame(n=90, seed=0):
    rng = np.random.default_rng(seed)
    kind = rng.choice(["red", "green", "blue"], size=n)
    size = rng.normal(size=n)
    count = rng.integers(0, 9, size=n)
    y = np.where(size + (kind == "red") + 0.1 * count + 0.3 * rng.normal(size=n) > 0.8, "good", "bad")
    return pd.DataFrame({"kind": kind, "size": size, "count": count}), pd.Series(y, name="verdict")


MAKERS = {
    "pandas": lambda X: X,
    "pandas categories": lambda X: X.assign(kind=X["kind"].astype("category")),
    "pandas arrow": lambda X: X.convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.from_pandas,
    "polars categories": lambda X: pl.from_pandas(X).with_columns(pl.col("kind").cast(pl.Categorical)),
    "pyarrow": pa.Table.from_pandas,
    "pyarrow chunks": lambda X: pa.concat_tables([pa.Table.from_pandas(X[:40]), pa.Table.from_pandas(X[40:])]),
    "pyarrow large text": lambda X: pa.Table.from_pandas(X).set_column(
        0, "kind", pa.array(X["kind"], pa.large_string())
    ),
    "pyarrow views": lambda X: pa.Table.from_pandas(X).set_column(0, "kind", pa.array(X["kind"], pa.string_view())),
    "pyarrow small numbers": lambda X: pa.Table.from_pandas(X).set_column(2, "count", pa.array(X["count"], pa.uint8())),
    "pyarrow slice": lambda X: pa.Table.from_pandas(pd.concat([X[:7], X]), preserve_index=False).slice(7),
}


def with_command_line(program, folder, X, y, *options):
    data, model = folder / "data.csv", folder / "model.lacuna"
    X.assign(verdict=y.to_numpy()).to_csv(data, index=False)
    report = json.loads(program("fit", data, "--target", "verdict", "-o", model, "--json", "--quiet", *options))
    said = list(csv.DictReader(io.StringIO(program("predict", model, data, "--quiet"))))
    return report, said


@pytest.mark.parametrize("maker", MAKERS)
def test_frames_equal_the_command_line(maker, program, tmp_path):
    X, y = frame()
    report, said = with_command_line(program, tmp_path, X, y)
    given = MAKERS[maker](X)
    model = lacuna.LacunaClassifier().fit(given, y)
    # A file of decimals holds the same doubles; the encodings are the same code.
    np.testing.assert_allclose(model.best_params_["gamma"], report["kernel"]["theta"], rtol=1e-12)
    np.testing.assert_allclose(-model.best_score_, report["criterion"]["value"], rtol=1e-12)
    np.testing.assert_allclose(
        model.predict_proba(given)[:, 1], [float(row["probability:good"]) for row in said], rtol=1e-10, atol=1e-12
    )
    assert list(model.predict(given)) == [row["prediction"] for row in said]


def test_missing_cells_as_the_command_line_has_them(program, tmp_path):
    X, y = frame()
    X.loc[3, "size"] = np.nan
    X.loc[5, "kind"] = None
    X["count"] = X["count"].astype("Int64")
    X.loc[7, "count"] = pd.NA
    with pytest.raises(lacuna.DataError, match='missing="mean" fills'):
        lacuna.LacunaClassifier().fit(X, y)
    report, said = with_command_line(program, tmp_path, X, y, "--missing", "mean")
    model = lacuna.LacunaClassifier(missing="mean").fit(X, y)
    np.testing.assert_allclose(-model.best_score_, report["criterion"]["value"], rtol=1e-12)
    np.testing.assert_allclose(
        model.predict_proba(X)[:, 1], [float(row["probability:good"]) for row in said], atol=1e-12
    )
    dropped = lacuna.LacunaClassifier(missing="drop").fit(X, y)
    assert (
        np.isnan(dropped.loo_decision_[[3, 5, 7]]).all()
        and np.isfinite(np.delete(dropped.loo_decision_, [3, 5, 7])).all()
    )
    with pytest.raises(lacuna.DataError, match="missing"):
        dropped.predict(X)


def test_arrays_with_missing_cells(values):
    X, y = values
    gaps = X.copy()
    gaps[4, 1] = np.nan
    model = lacuna.LacunaRegressor(missing="mean").fit(gaps, y)
    assert np.isfinite(model.predict(gaps)).all()
    dropped = lacuna.LacunaRegressor(missing="drop").fit(gaps, y)
    assert np.flatnonzero(np.isnan(dropped.predict(gaps))).tolist() == [4]
    with pytest.raises(ValueError, match="NaN"):
        lacuna.LacunaRegressor().fit(gaps, y)


def test_missing_cells_may_have_a_feature_of_their_own(values):
    X, y = values
    gaps, rng = X.copy(), np.random.default_rng(8)
    gaps[rng.random(70) < 0.3, 1] = np.nan
    model = lacuna.LacunaRegressor(gamma=0.3, alpha=0.1, missing="indicator").fit(gaps, y)
    assert [f["name"] for f in model.encoding_] == ["x1", "x2", "x2 missing", "x3", "x4"]
    by_hand = np.insert(np.where(np.isnan(gaps), np.nanmean(gaps, axis=0), gaps), 2, np.isnan(gaps[:, 1]), axis=1)
    plain = lacuna.LSSVMRegressor(gamma=0.3, alpha=0.1).fit(by_hand, y)
    np.testing.assert_allclose(model.loo_predictions_, plain.loo_predictions_, rtol=1e-9)
    np.testing.assert_allclose(model.predict(gaps), plain.predict(by_hand), rtol=1e-9)
    X, y = frame()
    X.loc[rng.random(90) < 0.3, "kind"] = None
    classifier = lacuna.LacunaClassifier(gamma=0.3, alpha=0.1, missing="indicator").fit(X, y)
    assert "kind missing" in [f["name"] for f in classifier.encoding_]
    assert np.isfinite(classifier.predict_proba(X)).all()


def test_rows_outside_the_data(values):
    X, y = values
    array = lacuna.LSSVMRegressor(gamma=0.3, alpha=0.1).fit(X, y)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    apart = np.linalg.norm(scaled[:, None] - scaled[None], axis=2)
    nearest = np.sort(np.where(apart == 0, np.inf, apart).min(axis=1))
    far = np.vstack([X[:3], X[:3] + 9.0])
    ratio = array.outside(far)
    assert (ratio[:3] == 0).all() and (ratio[3:] > 1).all()
    distance = np.linalg.norm((far[3:] - X.mean(axis=0))[:, None] / X.std(axis=0) - scaled[None], axis=2).min(axis=1)
    limit = distance / ratio[3:]
    np.testing.assert_allclose(limit, limit[0])
    assert nearest[-3] <= limit[0] <= nearest[-1]
    gaps = X.copy()
    gaps[4, 1] = np.nan
    dropped = lacuna.LacunaRegressor(gamma=0.3, alpha=0.1, missing="drop").fit(gaps, y)
    assert np.flatnonzero(np.isnan(dropped.outside(gaps))).tolist() == [4]


def test_unseen_categories_are_warned_of():
    X, y = frame()
    model = lacuna.LacunaClassifier().fit(X, y)
    new = X[:2].assign(kind="violet")
    with pytest.warns(lacuna.DataWarning, match="not seen in training"):
        model.predict(new)


def test_numbers_may_be_categories():
    X, y = frame()
    model = lacuna.LacunaClassifier(categorical=["count"]).fit(X, y)
    assert "count=3" in {f["name"] for f in model.encoding_}


def test_weights_groups_and_targets_of_frames():
    X, y = frame()
    weight = np.arange(len(y)) % 3
    a = lacuna.LacunaClassifier(gamma=0.3, alpha=1.0).fit(X, y, sample_weight=weight)
    b = lacuna.LacunaClassifier(gamma=0.3, alpha=1.0).fit(
        X[weight > 0], y[weight > 0], sample_weight=weight[weight > 0]
    )
    np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), rtol=1e-10)
    assert np.isnan(a.loo_decision_[weight == 0]).all()
    grouped = lacuna.LacunaClassifier().fit(X, y, groups=X["kind"])
    assert grouped.report_["criterion"]["cv"].startswith("group:")
    two = lacuna.LacunaRegressor().fit(X, np.column_stack([X["size"], X["count"]]))
    assert two.predict(X).shape == (len(X), 2)


def test_pandas_without_arrow_is_read_alike():
    X, y = frame()
    X["kind"] = X["kind"].astype("category")
    X["flag"] = X["size"] > 0
    X.loc[1, "size"] = np.nan
    X.loc[2, "kind"] = None
    options = {"model": "klr", "alpha": 1.0, "kernel": "rbf:theta=0.1"}
    codes = (y == "good").to_numpy().astype(np.int32)
    outputs = []
    for table in (by_columns(X), _core.Table.from_stream(X)):
        table.add_categories("verdict", codes, ["bad", "good"])
        roles = {"targets": ["verdict"], "task": "classification", "missing": "mean"}
        outputs.append(_core.fit_table(table, roles, options).held_out()["output"])
    np.testing.assert_array_equal(*outputs)


def test_columns_of_other_types_are_refused():
    X, y = frame()
    X["when"] = pd.Timestamp("2024-01-01")
    with pytest.raises(lacuna.DataError, match="when"):
        lacuna.LacunaClassifier().fit(X, y)


@pytest.mark.parametrize("cls", [lacuna.LacunaClassifier, lacuna.LacunaRegressor])
def test_categorical_is_refused_for_arrays(cls):
    X = np.arange(24.0).reshape(12, 2)
    with pytest.raises(ValueError, match="give a frame"):
        cls(categorical=["x2"]).fit(X, np.arange(12) % 2)


def with_column(values):
    X, y = frame(12)
    return pa.Table.from_pandas(X, preserve_index=False).append_column("odd", values), y


DAYS = pd.date_range("2024-01-01", periods=12)
ODD = {
    "dates": pa.array(DAYS.date, pa.date32()),
    "dates with times": pa.array(DAYS, pa.timestamp("ns", "UTC")),
    "times of day": pa.array([1] * 12, pa.time64("us")),
    "durations": pa.array([1] * 12, pa.duration("s")),
    "bytes": pa.array([b"a"] * 12),
    "lists": pa.array([[1, 2]] * 12),
    "structures": pa.array([{"a": 1}] * 12),
    "maps": pa.array([[("a", 1)]] * 12, pa.map_(pa.string(), pa.int64())),
    "uuid": pa.array([b"0123456789abcdef"] * 12, pa.uuid()),
    "dates as categories": pa.array(DAYS.date, pa.date32()).dictionary_encode(),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_columns_are_refused_by_name_and_in_words(kind):
    X, y = with_column(ODD[kind])
    with pytest.raises(lacuna.DataError, match=f'column "odd" holds .*{kind.removesuffix(" as categories")}'):
        lacuna.LacunaClassifier().fit(X, y)


@pytest.mark.parametrize(
    "column",
    [
        pd.array(DAYS.to_period("M")),
        DAYS,
        DAYS - DAYS[0],
        [[1, 2]] * 12,
        [{"a": 1}] * 12,
        np.arange(12) * 1j,
        [object()] * 12,
        pd.arrays.IntervalArray.from_breaks(range(13)),
    ],
    ids=["periods", "dates", "durations", "lists", "dicts", "complex", "objects", "intervals"],
)
def test_odd_columns_of_pandas_are_refused_by_name(column):
    X, y = frame(12)
    with pytest.raises(lacuna.DataError, match='column "odd" holds'):
        lacuna.LacunaClassifier().fit(X.assign(odd=column), y)


def test_odd_columns_of_polars_are_refused_by_name():
    X, y = frame(12)
    for values in (pl.Series(DAYS), pl.Series([[1, 2]] * 12), pl.Series([{"a": 1}] * 12)):
        with pytest.raises(lacuna.DataError, match='column "odd" holds'):
            lacuna.LacunaClassifier().fit(pl.from_pandas(X).with_columns(odd=values), y)


def as_in_a_file(program, folder, X, y, given):
    """A model of the frame `given`, and what the command line predicts after reading X from a file."""
    _, said = with_command_line(program, folder, X, y)
    model = lacuna.LacunaClassifier().fit(given, y)
    np.testing.assert_allclose(
        model.predict_proba(given)[:, 1], [float(row["probability:good"]) for row in said], rtol=1e-9, atol=1e-12
    )
    return model


@pytest.mark.parametrize("type_", [pa.decimal128(9, 3), pa.decimal256(40, 3), pa.float16()], ids=str)
def test_numbers_of_other_types_are_numbers(type_, program, tmp_path):
    X, y = frame()
    X["size"] = X["size"].round(3).astype(np.float16 if type_ == pa.float16() else np.float64)
    values = [Decimal(f"{v:.3f}") for v in X["size"]] if type_ != pa.float16() else X["size"].to_numpy()
    given = pa.Table.from_pandas(X).set_column(1, "size", pa.array(values, type_))
    as_in_a_file(program, tmp_path, X.assign(size=X["size"].astype(np.float64)), y, given)


def test_objects_of_pandas_are_what_a_file_of_them_is(program, tmp_path):
    X, y = frame()
    X["price"] = [Decimal(f"{v:.2f}") for v in X["size"]]
    X["band"] = pd.cut(X["size"], [-9, -0.5, 0.5, 9])
    X["mixed"] = np.where(X["count"] > 3, "many", X["count"].astype(object))
    X["flag"] = X["size"] > 0.3
    model = as_in_a_file(program, tmp_path, X, y, X)
    names = {f["name"] for f in model.encoding_}
    assert {"price", "band=(-0.5, 0.5]", "mixed=many", "mixed=2", "flag=True"} <= names


@pytest.mark.parametrize("estimator", [lacuna.LacunaClassifier(), lacuna.LacunaRegressor()])
def test_a_frame_without_rows_has_no_predictions(estimator):
    frame = pd.DataFrame({"a": np.arange(30.0), "b": list("xyz") * 10})
    estimator.fit(frame, np.arange(30) % 2)
    with pytest.raises(ValueError, match="0 sample"):
        estimator.predict(frame[:0])


def test_numbers_that_no_integer_holds_are_numbers():
    frame = pd.DataFrame({"a": np.arange(30.0), "b": pd.Series([2**70 + i * 2**60 for i in range(30)], dtype=object)})
    same = frame.assign(b=frame["b"].astype(float))
    y = np.arange(30) % 7
    ours, theirs = (lacuna.LacunaRegressor().fit(one, y).predict(one) for one in (frame, same))
    np.testing.assert_array_equal(ours, theirs)


def test_sparse_columns_of_pandas_are_numbers():
    X, y = frame()
    X["rare"] = (X["count"] == 3).astype(float)
    a = lacuna.LacunaClassifier(gamma=0.1, alpha=0.5).fit(X, y)
    b = lacuna.LacunaClassifier(gamma=0.1, alpha=0.5).fit(X.assign(rare=pd.arrays.SparseArray(X["rare"])), y)
    np.testing.assert_array_equal(a.decision_function(X), b.decision_function(X))
