"""Regression: values, intervals that hold for nine rows of ten, and the rows that the model cannot explain.

python3 python/examples/03_values_with_intervals.py
"""

import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score

from lacuna import LacunaRegressor

X, y = make_friedman1(1200, n_features=5, noise=1.0, random_state=0)
X, X_new, y, y_new = X[:200], X[200:], y[:200], y[200:]
y[17] += 15.0  # a value that was typed wrongly

model = LacunaRegressor().fit(X, y)
print("chosen:", model.best_params_)
print(f"held-out R2 {r2_score(y, model.loo_predictions_):.3f}, on new rows {r2_score(y_new, model.predict(X_new)):.3f}")

value, lower, upper = model.predict(X_new, interval=0.9)
inside = (lower <= y_new) & (y_new <= upper)
print(f"{inside.mean():.1%} of the new values lie in their 90 % intervals, which are {np.mean(upper - lower):.2f} wide")

residual = y - model.loo_predictions_
print("rows with the largest held-out residuals:", np.argsort(-np.abs(residual))[:3].tolist())
