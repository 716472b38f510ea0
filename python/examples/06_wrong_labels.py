"""Rows whose label the machine would not have guessed: wrong labels come first.

python3 python/examples/06_wrong_labels.py
"""

import numpy as np
from sklearn.datasets import load_digits

from lacuna import KernelLogisticRegression, suspect_labels

X, y = load_digits(return_X_y=True)
keep = np.flatnonzero(np.isin(y, [3, 8]))[:300]
X, y = X[keep], y[keep].copy()
wrong = np.random.default_rng(0).choice(len(y), 6, replace=False)
y[wrong] = 11 - y[wrong]  # 3 becomes 8, 8 becomes 3

model = KernelLogisticRegression().fit(X, y)
suspects = suspect_labels(model, most=8)
for suspect in suspects:
    mark = "wrong" if suspect["row"] in wrong else "right"
    print(
        f"row {suspect['row']:3}: labelled {suspect['label']}, looks like {suspect['predicted']} "
        f"(its label has probability {suspect['probability']:.4f}); the label is {mark}"
    )
print(f"{np.isin(wrong, suspects['row']).sum()} of {len(wrong)} wrong labels are among them")
