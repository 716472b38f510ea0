"""Arrays of every layout and type, kernels, weights and ways of holding out."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, LeaveOneOut, ShuffleSplit, StratifiedKFold

import lacuna


def quick(**more):
    return lacuna.LSSVMRegressor(gamma=0.2, alpha=0.5, **more)


def layouts(X):
    read_only = X.copy()
    read_only.setflags(write=False)
    wide = np.zeros((2 * X.shape[0], 2 * X.shape[1]))
    wide[::2, ::2] = X
    return {
        "C": X,
        "Fortran": np.asfortranarray(X),
        "read-only": read_only,
        "strided": wide[::2, ::2],
        "reversed": X[::-1][::-1],
        "list": X.tolist(),
    }


@pytest.mark.parametrize("layout", ["C", "Fortran", "read-only", "strided", "reversed", "list"])
def test_layouts_give_the_same_bits(layout, values):
    X, y = values
    given = layouts(X)[layout]
    model, expected = quick().fit(given, y), quick().fit(X, y)
    np.testing.assert_array_equal(model.loo_predictions_, expected.loo_predictions_)
    np.testing.assert_array_equal(model.predict(given), expected.predict(X))


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.int64, np.uint16, bool])
def test_other_types_are_converted_once(dtype, values):
    X, y = values
    X = (X > 0) if dtype is bool else (10 * np.abs(X)).astype(dtype)
    np.testing.assert_array_equal(
        quick().fit(X, y).predict(X), quick().fit(X.astype(float), y).predict(X.astype(float))
    )


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array, sparse.coo_array])
def test_sparse_rows_equal_dense_ones(index, make, values):
    X, y = values
    X = np.where(np.abs(X) > 1.0, X, 0.0)
    rows = make(X)
    if hasattr(rows, "indptr"):
        rows.indptr, rows.indices = rows.indptr.astype(index), rows.indices.astype(index)
    a = quick(standardise=False).fit(rows, y)
    b = quick(standardise=False).fit(X, y)
    np.testing.assert_allclose(a.loo_predictions_, b.loo_predictions_, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(a.predict(rows), b.predict(X), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(a.predict(X), b.predict(X), rtol=1e-10, atol=1e-12)  # dense rows, sparse model


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], [2.0, 7.0], ["no", "yes"], [False, True], [10, 9], ["10", "9"]])
def test_labels_of_any_type(labels, two_classes):
    X, y = two_classes
    labels = np.array(labels)
    given = labels[(y == "yes").astype(int)]
    model = lacuna.KernelLogisticRegression(gamma=0.2, alpha=0.1).fit(X, given)
    np.testing.assert_array_equal(model.classes_, np.unique(given))
    assert model.predict(X).dtype == given.dtype
    assert model.score(X, given) > 0.7
    np.testing.assert_array_equal(model.classes_[(model.decision_function(X) > 0).astype(int)], model.predict(X))


def test_several_classes_and_several_targets(values):
    X, y = values
    label = np.digitize(y, np.quantile(y, [0.3, 0.6]))
    model = lacuna.LSSVMClassifier().fit(X, label)
    assert model.decision_function(X).shape == model.loo_decision_.shape == (len(y), 3)
    two = np.column_stack([y, X[:, 0]])
    model = quick().fit(X, two)
    assert model.predict(X).shape == model.loo_predictions_.shape == (len(y), 2)
    np.testing.assert_allclose(model.predict(X)[:, 0], quick().fit(X, y).predict(X), rtol=1e-10)


def test_precomputed_and_callable_kernels_equal_the_kernel_itself(values):
    X, y = values
    expected = quick(standardise=False).fit(X[:50], y[:50])

    def kernel(A, B):
        return rbf_kernel(A, B, gamma=0.2)

    K = kernel(X, X[:50])
    given = lacuna.LSSVMRegressor("precomputed", alpha=0.5).fit(K[:50], y[:50])
    called = lacuna.LSSVMRegressor(kernel, alpha=0.5).fit(X[:50], y[:50])
    for model, rows in ((given, K[50:]), (called, X[50:])):
        np.testing.assert_allclose(model.loo_predictions_, expected.loo_predictions_, rtol=1e-9)
        np.testing.assert_allclose(model.predict(rows), expected.predict(X[50:]), rtol=1e-9)
    with pytest.raises(ValueError, match="pickle"):
        called.save("nowhere.lacuna")


def test_a_callable_kernel_with_rows_of_weight_zero_and_names(values):
    X, y = values
    weight = np.where(np.arange(len(y)) % 4 == 0, 0.0, 1.0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = lacuna.LSSVMRegressor(lambda A, B: A @ B.T, alpha=0.5).fit(frame, y, weight)
    expected = lacuna.LSSVMRegressor("linear", alpha=0.5, standardise=False).fit(X, y, weight)
    np.testing.assert_allclose(model.predict(frame), expected.predict(X), rtol=1e-8)
    np.testing.assert_allclose(model.loo_predictions_, expected.loo_predictions_, rtol=1e-8)


def test_a_precomputed_kernel_with_rows_of_weight_zero(values):
    X, y = values
    K = rbf_kernel(X, gamma=0.2)
    weight = np.ones(len(y))
    weight[::3] = 0.0
    rest = weight > 0
    some = lacuna.LSSVMRegressor("precomputed", alpha=0.5).fit(K, y, weight)
    without = lacuna.LSSVMRegressor("precomputed", alpha=0.5).fit(K[rest][:, rest], y[rest])
    np.testing.assert_allclose(some.predict(K), without.predict(K[:, rest]), rtol=1e-10)


@pytest.mark.parametrize("basis", [20, "greedy:20", "pivoted:20", "auto"])
def test_machines_on_a_basis(basis, values):
    X, y = values
    model = lacuna.LSSVMRegressor(n_basis=basis).fit(X, y)
    assert len(model.dual_coef_) <= len(y)
    assert model.report_["basis"]["size"] <= len(y)


def test_basis_rows_may_be_given(values):
    X, y = values
    # All rows as basis: the machine of all rows.
    a = lacuna.LSSVMRegressor(gamma=0.2, alpha=0.5, n_basis=X).fit(X, y)
    b = lacuna.LSSVMRegressor(gamma=0.2, alpha=0.5).fit(X, y)
    np.testing.assert_allclose(a.predict(X), b.predict(X), rtol=1e-6, atol=1e-6)


def refits(X, y, splits, gamma=0.2, alpha=0.5):
    out = np.full(len(y), np.nan)
    for train, test in splits:
        out[test] = (
            lacuna.LSSVMRegressor(gamma=gamma, alpha=alpha, standardise=False).fit(X[train], y[train]).predict(X[test])
        )
    return out


@pytest.mark.parametrize(
    "cv",
    [KFold(5), KFold(4, shuffle=True, random_state=3), LeaveOneOut(), list(KFold(7).split(np.zeros(70)))],
    ids=["5", "shuffled", "loo", "list"],
)
def test_splits_in_closed_form_equal_refits(cv, values):
    X, y = values
    splits = cv if isinstance(cv, list) else list(cv.split(X, y))
    model = quick(cv=cv, standardise=False).fit(X, y)
    np.testing.assert_allclose(model.loo_predictions_, refits(X, y, splits), rtol=1e-8, atol=1e-9)


def test_groups_are_held_out_together(values):
    X, y = values
    groups = np.repeat(np.arange(14), 5)
    expected = refits(X, y, LeaveOneGroupOut().split(X, y, groups))
    np.testing.assert_allclose(quick(standardise=False).fit(X, y, groups=groups).loo_predictions_, expected, rtol=1e-8)
    by_splitter = quick(standardise=False, cv=GroupKFold(3)).fit(X, y, groups=groups)
    np.testing.assert_allclose(by_splitter.loo_predictions_, refits(X, y, GroupKFold(3).split(X, y, groups)), rtol=1e-8)


def test_other_words_for_cv(two_classes):
    X, y = two_classes
    for cv in (3, "loo", "3x2", "explicit:3", "loo:one-step", StratifiedKFold(3)):
        model = lacuna.LSSVMClassifier(gamma=0.1, alpha=1.0, cv=cv).fit(X, y)
        assert model.loo_decision_.shape == (len(y),)


@pytest.mark.parametrize(
    "cv, message",
    [
        (ShuffleSplit(3), "held out"),
        ([(np.arange(10), np.arange(10, 70))], "never held out"),
        ([(np.arange(5), np.arange(10, 70)), (np.arange(10, 70), np.arange(10))], "does not hold out"),
        ("ten", "not understood"),
    ],
)
def test_splits_that_are_no_partition_are_refused(cv, message, values):
    X, y = values
    with pytest.raises(ValueError, match=message):
        quick(cv=cv).fit(X, y)


def test_weights_equal_copies_held_out_together(two_classes):
    X, y = two_classes
    rng = np.random.default_rng(2)
    weight = rng.integers(0, 4, size=len(y))
    copies = np.repeat(np.arange(len(y)), weight)
    for cls in (lacuna.LSSVMClassifier, lacuna.KernelLogisticRegression):
        a = cls(gamma=0.1, alpha=0.3).fit(X, y, sample_weight=weight)
        b = cls(gamma=0.1, alpha=0.3).fit(X[copies], y[copies], groups=copies)
        np.testing.assert_allclose(a.decision_function(X), b.decision_function(X), rtol=1e-8, atol=1e-9)
        np.testing.assert_allclose(a.loo_decision_[copies], b.loo_decision_, rtol=1e-6, atol=1e-8)
        assert np.isnan(a.loo_decision_[weight == 0]).all()
        assert all(label is None for label in a.loo_predictions_[weight == 0])


def test_class_weights_equal_weights_of_rows_in_training_and_selection(two_classes):
    X, y = two_classes
    by_class = lacuna.LSSVMClassifier(class_weight={"no": 1.0, "yes": 3.0}, standardise=False, gamma=0.1).fit(X, y)
    by_row = lacuna.LSSVMClassifier(standardise=False, gamma=0.1).fit(X, y, np.where(y == "yes", 3.0, 1.0))
    np.testing.assert_allclose(by_class.best_params_["alpha"], by_row.best_params_["alpha"], rtol=1e-3)
    assert lacuna.LSSVMClassifier(class_weight="balanced").fit(X, y).score(X, y) > 0.7


def test_exposure_multiplies_expected_counts(values):
    X, _ = values
    rng = np.random.default_rng(3)
    exposure = rng.uniform(0.5, 4.0, size=len(X))
    y = rng.poisson(exposure * np.exp(0.5 * X[:, 0]))
    model = lacuna.KernelPoissonRegressor(gamma=0.1, alpha=1.0).fit(X, y, exposure=exposure)
    np.testing.assert_allclose(model.predict(X, exposure=exposure), exposure * model.predict(X), rtol=1e-12)
    without = lacuna.KernelPoissonRegressor(gamma=0.1, alpha=1.0).fit(X, y)
    assert np.abs(model.predict(X) - without.predict(X)).max() > 0.1
    np.testing.assert_allclose(exposure @ model.predict(X), y.sum(), rtol=1e-6)  # the bias sees to that
    with pytest.raises(ValueError, match="above 0"):
        model.fit(X, y, exposure=-exposure)


def test_parameters_that_cannot_be(values):
    X, y = values
    for wrong, message in [
        ({"alpha": -1.0}, "alpha"),
        ({"gamma": 0.0}, "gamma"),
        ({"kernel": "rfb"}, "did you mean"),
        ({"criterion": "xnt"}, "did you mean"),
        ({"kernel": "poly", "gamma": 1.0}, "coef0"),
        ({"kernel": "rbf:theta=1", "gamma": 1.0}, "itself"),
        ({"n_basis": "many"}, "basis"),
        ({"n_basis": 1000}, "at most 70"),
    ]:
        with pytest.raises(ValueError, match=message):
            lacuna.LSSVMRegressor(**wrong).fit(X, y)


def test_selected_parameters_can_be_set_again(two_classes):
    X, y = two_classes
    for kernel in ("rbf", "ard", "poly", "linear", "rq", "matern52", "sum(rbf,linear)"):
        model = lacuna.LSSVMClassifier(kernel, max_evaluations=20).fit(X, y)
        again = lacuna.LSSVMClassifier(kernel).set_params(**model.best_params_).fit(X, y)
        np.testing.assert_allclose(again.loo_decision_, model.loo_decision_, rtol=1e-6, atol=1e-8)
        assert again.report_["search"]["evaluations"] <= 1


@pytest.mark.parametrize("cls", [lacuna.LSSVMClassifier, lacuna.KernelLogisticRegression, lacuna.LacunaClassifier])
def test_a_class_of_weight_zero_is_no_class(cls, values):
    X, y = values
    label = np.digitize(y, np.quantile(y, [0.4, 0.8]))
    weight = (label != 1).astype(float)
    frame = cls is lacuna.LacunaClassifier
    given = pd.DataFrame(X, columns=list("abcd")) if frame else X
    model = cls(gamma=0.1, alpha=0.5).fit(given, label, sample_weight=weight)
    without = cls(gamma=0.1, alpha=0.5).fit(given[weight > 0], label[weight > 0])
    np.testing.assert_array_equal(model.classes_, [0, 2])
    np.testing.assert_allclose(model.decision_function(given), without.decision_function(given), rtol=1e-9)
