"""Which kernel, and how to see the columns, is left to a choice.

python3 python/examples/08_letting_it_choose.py
"""

import numpy as np

from lacuna import LacunaRegressor

rng = np.random.default_rng(0)
n = 1000
shop = rng.integers(1, 6, size=n)  # a code: its numbers mean nothing
income = np.exp(2 * rng.normal(size=n))  # with a heavy tail
rest = rng.normal(size=(n, 4))  # of which one matters
X = np.column_stack([shop, income, rest])
y = np.array([2.0, -1.0, 1.5, -2.5, 0.5])[shop - 1] + np.log(income) + rest[:, 0] ** 2 + 0.3 * rng.normal(size=n)
X, X_new, y, y_new = X[:120], X[120:], y[:120], y[120:]

for effort in ("quick", "normal"):  # "best" adds several machines up
    model = LacunaRegressor(effort=effort).fit(X, y)
    error = np.sqrt(np.mean((model.predict(X_new) - y_new) ** 2))
    honest = "" if model.honest_loss_ is None else f", expected {np.sqrt(model.honest_loss_):.2f}"
    print(f"{effort}: error on new rows {error:.2f}{honest}")
    for one in model.candidates_:
        if one["weight"] > 0:
            print(f"    {one['weight']:.2f} of {one['name']}")
