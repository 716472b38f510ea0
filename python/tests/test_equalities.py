"""Machines that other libraries have too give the same numbers."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge, RidgeCV

import lacuna


def test_linear_machine_equals_ridge_regression_with_its_cross_validation(values):
    X, y = values
    alphas = np.logspace(-3, 3, 13)
    ridge = RidgeCV(alphas=alphas, store_cv_results=True).fit(X, y)
    # Predictions of RidgeCV for rows held out are y minus signed errors, which it does not store: its squared ones.
    machines = [lacuna.LSSVMRegressor("linear", alpha=a, standardise=False).fit(X, y) for a in alphas]
    for k, machine in enumerate(machines):
        np.testing.assert_allclose((y - machine.loo_predictions_) ** 2, ridge.cv_results_[:, k], rtol=1e-9, atol=1e-9)
    best = max(range(len(alphas)), key=lambda k: machines[k].best_score_)
    assert alphas[best] == ridge.alpha_
    np.testing.assert_allclose(machines[best].best_score_, ridge.best_score_, rtol=1e-9)
    weights = machines[best].predict(np.eye(X.shape[1])) - machines[best].predict(np.zeros((1, X.shape[1])))
    np.testing.assert_allclose(weights, ridge.coef_, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(machines[best].predict(np.zeros((1, X.shape[1])))[0], ridge.intercept_, rtol=1e-9)
    np.testing.assert_allclose(machines[best].predict(X), ridge.predict(X), rtol=1e-9, atol=1e-9)


def test_held_out_predictions_equal_refits_of_ridge_regression(values):
    X, y = values
    machine = lacuna.LSSVMRegressor("linear", alpha=0.7, standardise=False).fit(X, y)
    for i in (0, 17, 69):
        rest = np.arange(len(y)) != i
        held_out = Ridge(alpha=0.7).fit(X[rest], y[rest]).predict(X[[i]])[0]
        np.testing.assert_allclose(machine.loo_predictions_[i], held_out, rtol=1e-9)


def test_rbf_gamma_is_that_of_scikit_learn(values):
    X, y = values
    gamma, alpha = 0.3, 0.1
    centred = KernelRidge(kernel="rbf", gamma=gamma, alpha=alpha)
    machine = lacuna.LSSVMRegressor("rbf", gamma=gamma, alpha=alpha, standardise=False).fit(X, y)
    # A machine with a bias b is one without, of y - b.
    fitted = centred.fit(X, y - machine.intercept_).predict(X) + machine.intercept_
    np.testing.assert_allclose(machine.predict(X), fitted, rtol=1e-9)


@pytest.mark.parametrize("variance, length", [(1.0, 1.0), (4.0, 0.7), (0.5, 2.0)])
def test_laplace_evidence_equals_scikit_learns(variance, length, values):
    X, y = values
    label = y > np.median(y)
    theirs = GaussianProcessClassifier(ConstantKernel(variance) * RBF(length), optimizer=None).fit(X, label)
    ours = lacuna.LaplaceGPClassifier(alpha=1 / variance, gamma=1 / (2 * length**2), standardise=False).fit(X, label)
    np.testing.assert_allclose(ours.best_score_, theirs.log_marginal_likelihood_value_, rtol=1e-6)


def test_selected_evidence_is_no_less_than_scikit_learns(values):
    X, y = values
    label = y > np.median(y)
    theirs = GaussianProcessClassifier(ConstantKernel(1.0) * RBF(1.0), n_restarts_optimizer=2, random_state=0)
    ours = lacuna.LaplaceGPClassifier(standardise=False).fit(X, label)
    assert ours.best_score_ >= theirs.fit(X, label).log_marginal_likelihood_value_ - 1e-3
