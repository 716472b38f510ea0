"""Probabilities that are what they say, and a cut for mistakes that do not cost the same. Draws two pictures.

python3 python/examples/02_probabilities_and_costs.py        (needs matplotlib)
"""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from lacuna import LacunaClassifier
from lacuna.display import ReliabilityDisplay, ThresholdDisplay

X, y = make_moons(1250, noise=0.35, random_state=0)
X, X_new, y, y_new = X[:250], X[250:], y[:250], y[250:]
FALSE_ALARM, MISS = 1, 10


def cost(said):
    return FALSE_ALARM * np.sum((said == 1) & (y_new == 0)) + MISS * np.sum((said == 0) & (y_new == 1))


even = LacunaClassifier().fit(X, y)
careful = LacunaClassifier(threshold=f"cost:{FALSE_ALARM},{MISS}").fit(X, y)  # the cut is chosen on held-out rows
print(
    f"cost on {len(y_new)} new rows: cut at one half {cost(even.predict(X_new))}, "
    f"cut for these costs {cost(careful.predict(X_new))}"
)
by_probability = (even.predict_proba(X_new)[:, 1] >= FALSE_ALARM / (FALSE_ALARM + MISS)).astype(int)
print(f"cut at the probability that these costs ask for: {cost(by_probability)}")

figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
shown = ReliabilityDisplay.from_estimator(even, ax=axes[0])
ThresholdDisplay.from_estimator(careful, costs=(FALSE_ALARM, MISS), ax=axes[1])
figure.savefig("probabilities.png")
print(f"mean distance between stated probability and observed share: {shown.calibration_error:.3f}")
