"""Model files: what Python writes the command line reads, and the other way round."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

import lacuna


def test_saved_models_come_back_as_they_were(two_classes, values, tmp_path):
    path = tmp_path / "m.lacuna"
    for name in lacuna.__all__:
        cls = getattr(lacuna, name)
        if not hasattr(cls, "fit"):
            continue
        classes = hasattr(cls, "predict_proba")
        X, y = two_classes if classes else (values[0], 1 + np.abs(values[1]).round())
        model = cls(gamma=0.2, alpha=0.5).fit(X, y)
        model.save(path)
        back = lacuna.load(path)
        if not name.startswith("Lacuna"):
            assert type(back) is cls
        np.testing.assert_array_equal(back.predict(X), model.predict(X))
        np.testing.assert_array_equal(back.loo_predictions_, model.loo_predictions_)
        if classes:
            np.testing.assert_array_equal(back.decision_function(X), model.decision_function(X))
        else:
            assert back.predict(X).shape == y.shape


@pytest.mark.parametrize("labels", [[0, 1], [False, True], ["10", "9"], ["a", "b"], [1, 2, 3]])
def test_labels_keep_their_type(labels, values, tmp_path):
    X, y = values
    labels = np.array(labels)
    given = labels[np.digitize(y, np.quantile(y, np.arange(1, len(labels)) / len(labels)))]
    model = lacuna.LSSVMClassifier(gamma=0.2, alpha=0.5).fit(X, given)
    model.save(tmp_path / "m.lacuna")
    back = lacuna.load(tmp_path / "m.lacuna")
    if labels[0] != "10":  # texts that are all numbers come back as numbers
        assert back.classes_.dtype.kind == model.classes_.dtype.kind
    np.testing.assert_array_equal(back.predict(X).astype(str), model.predict(X).astype(str))
    assert back.score(
        X, back.classes_.dtype.type(0) + given.astype(back.classes_.dtype) if labels[0] == "10" else given
    ) == model.score(X, given)


def test_reads_a_model_of_the_command_line(program, tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=60), "kind": rng.choice(["a", "b"], size=60)})
    X["label"] = np.where(X["size"] + (X["kind"] == "b") > 0.5, "10", "9")
    data, path = tmp_path / "d.csv", tmp_path / "m.lacuna"
    X.to_csv(data, index=False)
    program("fit", data, "--target", "label", "-o", path, "--quiet")
    said = list(csv.DictReader(io.StringIO(program("predict", path, data, "--quiet"))))
    model = lacuna.load(path)
    assert isinstance(model, lacuna.LacunaClassifier)
    np.testing.assert_array_equal(model.classes_, [9, 10])
    features = X[["size", "kind"]]
    np.testing.assert_allclose(
        model.predict_proba(features)[:, 1], [float(r["probability:10"]) for r in said], rtol=1e-12
    )
    assert [str(label) for label in model.predict(features)] == [r["prediction"] for r in said]


def test_bad_files_are_refused(tmp_path):
    path = tmp_path / "m.lacuna"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(lacuna.DataError):
        lacuna.load(path)
    with pytest.raises(lacuna.DataError):
        lacuna.load(tmp_path / "not there")
