"""Counts over unequal times: claims of policies that ran for a part of the year.

python3 python/examples/04_counts_with_exposure.py
"""

import numpy as np

from lacuna import KernelPoissonRegressor

rng = np.random.default_rng(0)
age = rng.uniform(18, 80, 600)
years = rng.uniform(0.1, 1.0, 600)  # how long each policy ran
rate = 0.3 + 1.5 * np.exp(-((age - 18) / 8)) + 0.8 * np.exp(-(((age - 80) / 10) ** 2))
claims = rng.poisson(rate * years)

X = age[:, None]
model = KernelPoissonRegressor().fit(X, claims, exposure=years)

ages = np.array([[20.0], [45.0], [75.0]])
true = 0.3 + 1.5 * np.exp(-((ages - 18) / 8)) + 0.8 * np.exp(-(((ages - 80) / 10) ** 2))
for a, said, is_ in zip(ages[:, 0], model.predict(ages), true[:, 0]):
    print(f"age {a:.0f}: {said:.2f} claims a year expected (true rate {is_:.2f})")
print(f"half a year at 20: {model.predict([[20.0]], exposure=[0.5])[0]:.2f}")
print(f"share of the deviance explained, held-out rows: {model.report_['held_out']['d2']:.3f}")
