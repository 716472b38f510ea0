"""Which cut of the outputs gives the published balanced errors of [WLSSVM] on ADA, 0.169 to 0.178 with a linear kernel? Linear least-squares
machines on all 4,147 rows, in numpy.

    python3 benchmarks/evidence/ada_cut.py DATA [ROUNDS]

DATA is the folder with wcci2006/. First table: the balanced error of the leave-one-out outputs at whichever cut is best for them, least over
lambda too, for many preparations of the six columns that are not binary. Splits test rows at random, so no cut that is fixed before the test rows
are seen gives less on average. Second table: ROUNDS (default 10) rounds of ten folds, the cut chosen in several ways; and how far twenty splits stray."""

import os
import sys

import numpy as np
from scipy.optimize import minimize

DATA = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
path = os.path.join(DATA, "wcci2006", "ada_train.csv")
with open(path) as f:
    names = f.readline().strip().split(",")
rows = np.genfromtxt(path, delimiter=",", skip_header=1)
X, y = rows[:, :-1], np.where(rows[:, -1] > 0, 1.0, -1.0)
hours, weight, school, age, loss, gain = (X[:, names.index(c)] for c in ("x2", "x15", "x18", "x20", "x24", "x30"))
binary = X[:, [j for j in range(X.shape[1]) if len(np.unique(X[:, j])) == 2]]


def bins(v, edges):
    return np.eye(len(edges) + 1)[np.searchsorted(edges, v)]


def quantiles(v, count):
    return bins(v, np.unique(np.quantile(v, np.arange(1, count) / count)))


def columns(hours=hours, weight=np.log(weight), school=school, age=np.log(age), loss=loss > 44, gain=gain > 44):
    Z = np.hstack([binary] + [np.asarray(v, float).reshape(len(y), -1) for v in (hours, weight, school, age, loss, gain)])
    for j in range(Z.shape[1]):
        if len(np.unique(Z[:, j])) > 2:
            Z[:, j] = (Z[:, j] - Z[:, j].mean()) / Z[:, j].std()
    return Z


def balanced(z, t, cut):
    return 0.5 * (np.mean(z[t > 0] < cut) + np.mean(z[t < 0] >= cut))


def best_cut(z, t):
    order = np.argsort(z)
    z, positive = z[order], t[order] > 0
    error = 0.5 * (np.r_[0, np.cumsum(positive)] / positive.sum() + 1 - np.r_[0, np.cumsum(~positive)] / (~positive).sum())
    cuts = np.r_[z[0] - 1, 0.5 * (z[1:] + z[:-1]), z[-1] + 1]
    return cuts[error.argmin()], error.min()


def calibrated_cut(z, t):
    """Where a logistic regression of the label on the output, both classes counting the same, says one half."""
    w = np.where(t > 0, 0.5 / np.mean(t > 0), 0.5 / np.mean(t < 0))
    a, b = minimize(lambda p: np.mean(w * np.logaddexp(0, -t * (p[0] * z + p[1]))), [1.0, 0.0]).x
    return -b / a


def fit(Z, t, lam, new=None):
    """Leave-one-out outputs, and outputs of new rows."""
    m, mean = Z.mean(0), t.mean()
    U, s, Vt = np.linalg.svd(Z - m, full_matrices=False)
    shrunk = s * s / (s * s + lam)
    fitted = mean + U @ (shrunk * (U.T @ (t - mean)))
    loo = t - (t - fitted) / (1 - 1 / len(t) - (U * U) @ shrunk)
    return loo, None if new is None else mean + (new - m) @ (Vt.T @ (s / (s * s + lam) * (U.T @ (t - mean))))


print("| preparation | least balanced error of leave-one-out |\n|---|---|")
fine = dict(hours=quantiles(hours, 12), weight=quantiles(weight, 5), school=quantiles(school, 16), age=quantiles(age, 15))
steps = dict(gain=bins(gain, [0, 30, 31.5, 43, 44.5, 51, 52, 70]), loss=bins(loss, [0, 300, 400, 425, 431, 454]))
for name, Z in {"as they are": columns(weight=weight, age=age, loss=loss, gain=gain), "as in the experiment": columns(),
                "gain above 51": columns(gain=gain > 51), "gain above 70": columns(gain=gain > 70), "loss above 431": columns(loss=loss > 431),
                "gain above 51, loss above 431": columns(gain=gain > 51, loss=loss > 431),
                "log of age and school": columns(weight=weight, school=np.log(school)),
                "log of hours and school": columns(weight=weight, age=age, hours=np.log(hours), school=np.log(school)),
                "steps of hours, weight, school, age": columns(**fine), "steps of all six": columns(**fine, **steps)}.items():
    print(f"| {name} | {min(best_cut(fit(Z, y, lam)[0], y)[1] for lam in 10.0 ** np.arange(-1, 5)):.4f} |", flush=True)

random = np.random.default_rng(1)
Z, results = columns(), []
for _ in range(ROUNDS):
    order = np.concatenate([random.permutation(np.flatnonzero(y > 0)), random.permutation(np.flatnonzero(y < 0))])
    for k in range(10):
        test = np.zeros(len(y), bool)
        test[order[k::10]] = True
        loo, z = fit(Z[~test], y[~test], 10.0, Z[test])
        results.append([balanced(z, y[test], best_cut(loo, y[~test])[0]), balanced(z, y[test], calibrated_cut(loo, y[~test])), best_cut(z, y[test])[1]])
results = np.array(results)
stray = results.std(0, ddof=1) / 20**0.5
print(f"\n| cut | balanced error, {10 * ROUNDS} splits | strays of twenty independent splits | of two rounds of ten folds |\n|---|---|---|---|")
for j, name in enumerate(("least leave-one-out", "calibrated on leave-one-out", "best for the test rows")):
    rounds = results[:, j].reshape(ROUNDS, 10).mean(1)
    print(f"| {name} | {results[:, j].mean():.4f} | {stray[j]:.4f} | {rounds.std(ddof=1) / 2**0.5:.4f} |")
