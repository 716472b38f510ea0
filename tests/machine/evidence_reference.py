#!/usr/bin/env python3
"""Values of scikit-learn's GaussianProcessRegressor that evidence_test.cpp holds: y ~ N(0, c + s k + noise), the bias
having a prior of variance c. Prints the log marginal likelihood, then mean and deviation of f at three points."""
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, RBF

i = np.arange(12)
x = 0.5 * i - 2.5 + 0.2 * np.cos(7.0 * i)
t = np.sin(2.0 * x) + 0.3 * x + 0.4 * np.cos(5.0 * i) + 1.0
theta, lam, c = 0.8, 0.3, 2.0

K = np.exp(-theta * (x[:, None] - x) ** 2)
M = K + lam * np.eye(12)
xi = np.linalg.solve(M, np.ones(12))
nu = np.linalg.solve(M, t)
alpha = nu - xi * (nu.sum() / xi.sum())
scale = t @ alpha / 11.0
kernel = ConstantKernel(c, "fixed") + ConstantKernel(scale, "fixed") * RBF(1.0 / np.sqrt(2.0 * theta), "fixed")
gp = GaussianProcessRegressor(kernel, alpha=scale * lam, optimizer=None).fit(x[:, None], t)
print(repr(float(gp.log_marginal_likelihood())))
for one in zip(*gp.predict(np.array([[-2.0], [0.3], [4.5]]), return_std=True)):
    print(*(repr(float(v)) for v in one))
