"""Two classes, nothing to tune: fit, read the held-out scores, predict.

python3 python/examples/01_classify.py
"""

from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from lacuna import LacunaClassifier

X, y = load_breast_cancer(return_X_y=True)
X, X_new, y, y_new = train_test_split(X, y, train_size=300, random_state=0, stratify=y)

model = LacunaClassifier().fit(X, y)
print("chosen:", model.best_params_)

# Every training row has a prediction by a machine that has not seen it. So there are scores without a validation set.
held_out = model.report_["held_out"]
print(f"held-out rows: error {held_out['error']:.1%}, cross-entropy {held_out['xent']:.4f}")

p = model.predict_proba(X_new)
print(f"new rows:      error {(model.predict(X_new) != y_new).mean():.1%}, cross-entropy {log_loss(y_new, p):.4f}")
