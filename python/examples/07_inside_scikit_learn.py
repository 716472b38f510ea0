"""In a pipeline, under nested cross-validation, with groups of rows that belong together.

python3 python/examples/07_inside_scikit_learn.py
"""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lacuna import LacunaClassifier, LSSVMClassifier

X, y = load_breast_cancer(return_X_y=True)
X, y = X[:200], y[:200]
pipeline = make_pipeline(StandardScaler(), PCA(8), LacunaClassifier(n_jobs=1))
# The estimator selects again inside every fold, so that this is nested validation, and costs five fits.
scores = cross_val_score(pipeline, X, y, cv=5, scoring="neg_log_loss")
print(f"log-loss of five folds: {-scores.mean():.3f}, standard error {scores.std(ddof=1) / 5**0.5:.3f}")

# Several rows of one patient: they are held out together, or the held-out scores would be too good.
rng = np.random.default_rng(0)
patient = np.repeat(np.arange(40), 5)
centre = rng.normal(size=(40, 6))
rows = centre[patient] + 0.1 * rng.normal(size=(200, 6))
sick = rng.random(40)[patient] < 0.5  # has nothing to do with the measurements
for groups in (None, patient):
    model = LSSVMClassifier().fit(rows, sick, groups=groups)
    print(
        f"held-out error, {'rows alone' if groups is None else 'whole patients'}: "
        f"{model.report_['held_out']['error']:.1%}"
    )
