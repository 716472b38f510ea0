"""Machines on a basis against scikit-learn's Nystroem of the same size, and against a Poisson GLM. All in one run:

    OMP_NUM_THREADS=2 python3 benchmarks/peers/sparse_scikit_learn.py build/bin/lacuna DATA [a9a casp ohlsson] [--size N]

DATA is the folder that holds a9a/, casp/ and ohlsson/. The peers are tuned on a fifth of their training rows, gamma and C (or
alpha) from a grid of 5 x 6, on raw and on standardised columns, and refitted on all of them; lacuna gets the training rows and
`--basis N`, nothing else. Bars: test error (a9a) and root mean squared error (casp) no worse than the peer's plus one standard error of
their difference over the test rows; mean deviance over five seeded halves (ohlsson) below the GLM's. Exits with 1 when one is missed."""

import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, PoissonRegressor, Ridge
from sklearn.preprocessing import StandardScaler

warnings.filterwarnings("ignore")
PROGRAM, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ARGUMENTS = sys.argv[3:]
SIZE = int(ARGUMENTS[ARGUMENTS.index("--size") + 1]) if "--size" in ARGUMENTS else 300
ASKED = [a for a in ARGUMENTS if a in ("a9a", "casp", "ohlsson")] or ["a9a", "casp", "ohlsson"]
BASIS = ARGUMENTS[ARGUMENTS.index("--basis") + 1] if "--basis" in ARGUMENTS else str(SIZE)


def table(*path):
    name = os.path.join(DATA, *path)
    with (gzip.open(name, "rt") if name.endswith(".gz") else open(name)) as f:
        rows = list(csv.reader(f))
    return rows[0], np.array(rows[1:], dtype=float)


def write(name, header, rows):
    with open(name, "w", newline="") as f:
        csv.writer(f).writerows([header, *rows.tolist()])


def lacuna(header, train, test, target, *options):
    """Fits and predicts through the program; the report, the predictions, and the seconds of the fit."""
    write("train.csv", header, train)
    write("test.csv", header, test)
    began = time.perf_counter()
    done = subprocess.run([PROGRAM, "fit", "train.csv", "--target", target, "--basis", BASIS, "-q", "--json", "-o", "m.lacuna",
                           *options], check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    subprocess.run([PROGRAM, "predict", "m.lacuna", "test.csv", "-q", "-o", "p.csv"], check=True)
    with open("p.csv") as f:
        predicted = np.array([float(row["prediction"]) for row in csv.DictReader(f)])
    return json.loads(done.stdout), predicted, seconds


def tuned(X, t, fit, loss, seed=0):
    """The pair (columns, gamma, strength) that does best on a fifth of the rows, refitted on all; predictor and seconds."""
    began = time.perf_counter()
    order = np.random.default_rng(seed).permutation(len(t))
    held, rest = order[:len(t) // 5], order[len(t) // 5:]
    best = (np.inf, None)
    for standardised in (False, True):
        scaler = StandardScaler().fit(X[rest]) if standardised else None
        view = scaler.transform if standardised else (lambda Z: Z)
        A, B = view(X[rest]), view(X[held])
        typical = 1.0 / np.median(((A[:500, None] - A[None, 500:1000]) ** 2).sum(2))
        for gamma in typical * np.array([0.03, 0.1, 0.3, 1.0, 3.0]):
            map_ = Nystroem(gamma=gamma, n_components=SIZE, random_state=seed).fit(A)
            F, G = map_.transform(A), map_.transform(B)
            for strength in 10.0 ** np.arange(-3, 3):
                value = loss(fit(F, t[rest], strength), G, t[held])
                if value < best[0]:
                    best = (value, (standardised, gamma, strength))
    standardised, gamma, strength = best[1]
    scaler = StandardScaler().fit(X) if standardised else None
    view = scaler.transform if standardised else (lambda Z: Z)
    map_ = Nystroem(gamma=gamma, n_components=SIZE, random_state=seed).fit(view(X))
    model = fit(map_.transform(view(X)), t, strength)
    return lambda Z: model.predict(map_.transform(view(Z))), time.perf_counter() - began, best[1]


def verdict(met, text):
    print(f"  {text}   {'met' if met else 'MISSED'}", flush=True)
    return met


def against(name, report, ours, theirs, loss, root=False):
    """Ours no worse than theirs plus one standard error of the difference."""
    a, b = loss(ours), loss(theirs)
    error = np.std(a - b) / np.sqrt(len(a))
    shown = np.sqrt if root else (lambda x: x)
    return verdict(a.mean() <= b.mean() + error,
                   f"{name}: lacuna {shown(a.mean()):.5f}, peer {shown(b.mean()):.5f} "
                   f"(difference of means {a.mean() - b.mean():+.5f}, its standard error {error:.5f})")


def a9a():
    header, train = table("a9a", "a9a_train.csv.gz")
    _, test = table("a9a", "a9a_test.csv.gz")
    report, ours, seconds = lacuna(header, train, test, header[-1])
    X, t = train[:, :-1], train[:, -1]
    peer, peer_seconds, what = tuned(
        X, t, lambda F, y, c: LogisticRegression(C=c, max_iter=300).fit(F, y),
        lambda model, G, y: -np.log(np.clip(model.predict_proba(G)[np.arange(len(y)), (y == model.classes_[1]).astype(int)], 1e-12, 1)).mean())
    print(f"a9a, {len(t)} rows, {report['basis']['size']} basis rows: lacuna {seconds:.0f} s "
          f"({report['search']['evaluations']} evaluations), held-out error {report['held_out']['error']:.5f}; "
          f"peer {peer_seconds:.0f} s, {what}")
    return against("test error", report, ours, peer(test[:, :-1]), lambda p: (p != test[:, -1]).astype(float))


def casp():
    """Three splits and seeds: which rows are drawn for a basis moves either's error by more than they differ."""
    header, data = table("casp", "casp.csv.gz")
    ours, theirs = [], []
    for seed in (1, 2, 3):
        order = np.random.default_rng(seed).permutation(len(data))
        cut = len(data) * 4 // 5
        train, test = data[np.sort(order[:cut])], data[np.sort(order[cut:])]
        report, predicted, seconds = lacuna(header, train, test, header[-1], "--model", "ls-svm", "--task", "regression",
                                            "--seed", str(seed))
        X, t = train[:, :-1], train[:, -1]
        peer, peer_seconds, what = tuned(X, t, lambda F, y, alpha: Ridge(alpha=alpha).fit(F, y),
                                         lambda model, G, y: np.mean((model.predict(G) - y) ** 2), seed)
        ours.append((predicted - test[:, -1]) ** 2)
        theirs.append((peer(test[:, :-1]) - test[:, -1]) ** 2)
        print(f"casp, split {seed}, {len(t)} rows, {report['basis']['size']} basis rows: lacuna {seconds:.0f} s "
              f"({report['search']['evaluations']} evaluations), held-out rmse {report['held_out']['rmse']:.5f}, test rmse "
              f"{np.sqrt(ours[-1].mean()):.5f}; peer {peer_seconds:.0f} s, {what}, test rmse {np.sqrt(theirs[-1].mean()):.5f}", flush=True)
    return against("test rmse", report, np.concatenate(ours), np.concatenate(theirs), lambda squares: squares, root=True)


def deviance(mu, t):
    return 2 * np.mean(np.where(t > 0, t * np.log(np.where(t > 0, t, 1) / mu), 0) - (t - mu))


def ohlsson():
    header, data = table("ohlsson", "ohlsson_mc_claims.csv")
    exposure, claims = header.index("exposure_years"), header.index("claims")
    data = data[data[:, exposure] > 0]
    features = [k for k in range(len(header)) if k not in (exposure, claims)]
    differences, means = [], []
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(data))
        train, test = data[np.sort(order[:len(data) // 2])], data[np.sort(order[len(data) // 2:])]
        report, ours, seconds = lacuna(header, train, test, "claims", "--task", "counts", "--exposure", "exposure_years")
        scaler = StandardScaler().fit(train[:, features])
        glm = PoissonRegressor(alpha=0, max_iter=1000).fit(scaler.transform(train[:, features]), train[:, claims] / train[:, exposure],
                                                            sample_weight=train[:, exposure])
        theirs = glm.predict(scaler.transform(test[:, features])) * test[:, exposure]
        a, b = deviance(ours, test[:, claims]), deviance(theirs, test[:, claims])
        nothing = deviance(test[:, exposure] * train[:, claims].sum() / train[:, exposure].sum(), test[:, claims])
        print(f"ohlsson, half {seed}: lacuna {a:.6f} ({seconds:.0f} s, said {report['held_out']['deviance']:.6f}), GLM {b:.6f}, "
              f"one rate {nothing:.6f}", flush=True)
        means.append((a, b))
    a, b = np.mean(means, axis=0)
    return verdict(a < b, f"mean deviance: lacuna {a:.6f}, GLM {b:.6f}")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    met = [globals()[name]() for name in ASKED]
sys.exit(0 if all(met) else 1)
