"""Prices of mistakes that columns of a frame have, row by row."""

import numpy as np
import pandas as pd
import pytest

import lacuna


@pytest.fixture(scope="module")
def loans():
    rng = np.random.default_rng(5)
    bad = rng.random(150) < 0.3
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=150) + 1.2 * bad,
            "y": rng.normal(size=150) + bad,
            "amount": np.exp(rng.normal(size=150) + 0.5),
        }
    )
    return frame, np.where(bad, "bad", "good")


CLASSIFIERS = (
    lambda **how: lacuna.KernelLogisticRegression(gamma=0.3, alpha=0.5, **how),
    lambda **how: lacuna.LacunaClassifier(gamma=0.3, alpha=0.5, **how),
)


def cheapest(model, probability, price_of_false_good, price_of_false_bad):
    """Of the classes, in order bad and good: the one of the least expected cost."""
    p_bad = probability[:, 0]
    return np.where(p_bad * price_of_false_good < (1 - p_bad) * price_of_false_bad, "good", "bad")


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_every_row_is_decided_by_its_own_prices(loans, make):
    X, y = loans
    # classes_ are bad and good: a false positive is a bad loan that is called good
    model = make(cost=("amount", 0.7)).fit(X[:100], y[:100])
    amount = X["amount"].to_numpy()
    assert (model.loo_predictions_ == cheapest(model, model.loo_proba_, amount[:100], 0.7)).all()
    said = model.predict(X[100:])
    assert (said == cheapest(model, model.predict_proba(X[100:]), amount[100:], 0.7)).all()
    assert (said != make().fit(X[:100], y[:100]).predict(X[100:])).any()
    price = np.where(said == y[100:], 0.0, np.where(said == "good", amount[100:], 0.7))
    told = model.scores(X[100:], y[100:])
    assert told["scores"]["cost"] == pytest.approx(price.mean())
    held_out = np.where(model.loo_predictions_ == y[:100], 0.0, np.where(y[:100] == "bad", amount[:100], 0.7))
    assert model.report_["held_out"]["cost"] == pytest.approx(held_out.mean())
    matrix = make(cost=[[0, "amount"], [0.7, 0]]).fit(X[:100], y[:100])
    assert (matrix.predict(X[100:]) == said).all()


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_models_keep_the_columns(loans, make, tmp_path):
    X, y = loans
    model = make(cost=(2, "amount")).fit(X, y)
    model.save(tmp_path / "m.lacuna")
    loaded = lacuna.load(tmp_path / "m.lacuna")
    assert loaded.get_params()["cost"] == [2, "amount"]
    assert (loaded.predict(X) == model.predict(X)).all()
    other = model.with_decisions(cost=("amount", 3))
    assert (other.loo_predictions_ == make(cost=("amount", 3)).fit(X, y).loo_predictions_).all()
    assert (other.predict(X) == make(cost=("amount", 3)).fit(X, y).predict(X)).all()
    with pytest.raises(ValueError, match="does not keep"):
        model.with_decisions(cost=(1, "x"))


def test_rows_of_weight_zero_and_repeats(loans):
    X, y = loans
    weight = np.arange(150) % 3
    model = lacuna.KernelLogisticRegression(gamma=0.3, alpha=0.5, cv="5x2", cost=("amount", 0.7))
    model.fit(X, y, sample_weight=weight)
    kept = weight > 0
    amount = X["amount"].to_numpy()
    assert (model.loo_predictions_[kept] == cheapest(model, model.loo_proba_, amount, 0.7)[kept]).all()
    assert model.loo_predictions_[0] is None


def test_the_command_line_decides_alike(loans, program, tmp_path):
    X, y = loans
    X.assign(label=y)[:100].to_csv(tmp_path / "train.csv", index=False)
    X[100:].to_csv(tmp_path / "new.csv", index=False)
    words = ("--kernel", "rbf:theta=0.3", "--lambda", "0.5", "--cost", "col:amount,0.7", "--quiet")
    program("fit", tmp_path / "train.csv", "-t", "label", *words, "-o", tmp_path / "m.lacuna")
    said = program("predict", tmp_path / "m.lacuna", tmp_path / "new.csv", "--quiet")
    ours = lacuna.LacunaClassifier(gamma=0.3, alpha=0.5, cost=("amount", 0.7)).fit(X[:100], y[:100]).predict(X[100:])
    assert [line.split(",")[1] for line in said.splitlines()[1:]] == ours.tolist()
    read = lacuna.load(tmp_path / "m.lacuna")
    assert read.get_params()["cost"] == ("amount", 0.7)
    assert (read.predict(X[100:]) == ours).all()


def test_refusals(loans):
    X, y = loans
    array = X.to_numpy()
    for make in CLASSIFIERS:
        with pytest.raises(ValueError, match="cost names columns of a frame"):
            make(cost=(1, "amount")).fit(array, y)
        with pytest.raises(ValueError, match="amuont"):
            make(cost=(1, "amuont")).fit(X, y)
        with pytest.raises(ValueError, match="negative"):
            make(cost=(1, "amount")).fit(X.assign(amount=-1.0 - X["amount"]), y)
        for wrong in ((1, ""), (1, "a,b"), "amount", (1, "amount", 2)):
            with pytest.raises(ValueError, match="cost must be"):
                make(cost=wrong).fit(X, y)
    with pytest.raises(ValueError, match="prices of single rows"):
        lacuna.LSSVMClassifier(gamma=0.3, alpha=0.5, cost=(1, "amount")).fit(X, y)
    model = lacuna.LacunaClassifier(gamma=0.3, alpha=0.5, cost=(1, "amount")).fit(X, y)
    with pytest.raises(ValueError, match="amount"):
        model.predict(X.drop(columns="amount"))
    with pytest.raises(ValueError, match="ONNX"):
        model.to_onnx()
