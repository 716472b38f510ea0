"""How should one-versus-rest (OvR) kernel logistic machines give probabilities that add up to one? The evidence for
docs/decisions/2026-11-15-multi-class-probabilities.md. The machines are in multi_class_machines.py.

    python3 benchmarks/evidence/multi_class_probabilities.py run OUT.csv [--data DIR] [--only NAME ...]
    python3 benchmarks/evidence/multi_class_probabilities.py table OUT.csv

DIR is the folder of benchmark data (mass/, casp/); without it those two data sets are left out. Set OMP_NUM_THREADS=1.
"""
import argparse, csv, os, time
from collections import defaultdict
import numpy as np
from scipy.optimize import minimize, minimize_scalar
from scipy.spatial.distance import cdist
from scipy.special import expit, logsumexp
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from multi_class_machines import multinomial, normalise, ovr

log_sigma = lambda z: -np.logaddexp(0, -z)
log_loss = lambda logp, y: -np.mean(logp[np.arange(len(y)), y])


# ---- couplings: outputs (rows x classes) and parameters (log a first) -> log p, always in the log domain ----
def shifted(z):  # p_k = sigma(z_k + nu), nu such that they add up to one
    s = np.sort(z, axis=1)
    lo, hi = -s[:, -1] - np.log(z.shape[1] - 1), -s[:, -2]
    for _ in range(60):
        nu = (lo + hi) / 2
        above = expit(z + nu[:, None]).sum(1) > 1
        lo, hi = np.where(above, lo, nu), np.where(above, nu, hi)
    return normalise(log_sigma(z + nu[:, None]))

COUPLINGS = {  # with the number of parameters; None: one for each class
    "a  sigma/sum": (lambda z, q: normalise(log_sigma(z)), 0),
    "b  softmax": (lambda z, q: normalise(z), 0),
    "c1 softmax(az)": (lambda z, q: normalise(np.exp(q[0]) * z), 1),
    "c2 sigma(az)/sum": (lambda z, q: normalise(log_sigma(np.exp(q[0]) * z)), 1),
    "c3 softmax(az+s)": (lambda z, q: normalise(np.exp(q[0]) * z + np.r_[0, q[1:]]), None),
    "d  sigma(z+nu)": (lambda z, q: shifted(z), 0),
}


def fit_coupling(f, n, held, y):
    if n is None:
        return minimize(lambda q: log_loss(f(held, q), y), np.zeros(held.shape[1])).x
    return [minimize_scalar(lambda q: log_loss(f(held, [q]), y), bounds=(-3, 3), method="bounded").x] if n else []


def select(D, T, machine, criterion):
    """Nelder-Mead in (log theta, log lambda) from the best of a 3 x 3 grid about (1/median squared distance, 0.1)."""
    start, clock = np.array([-np.log(np.median(D[np.triu_indices(len(D), 1)])), 0.0]), time.process_time()
    best, count = (np.inf,), 0
    def at(q):
        nonlocal best, count
        count, q = count + 1, np.clip(q, start - [6, 15], start + [4, 8])
        try:
            found = machine(np.exp(-np.exp(q[0]) * D), T, np.exp(q[1]))
            value = criterion(found[2])
        except np.linalg.LinAlgError:
            return 1e3
        if value < best[0]:
            best = (value, q, found)
        return value if np.isfinite(value) else 1e3
    for offset in [(u, v) for u in (-3, -1, 1) for v in (-5, -2, 1)]:
        at(start + offset)
    simplex = best[1] + np.array([[0, 0], [-0.8, 0], [0, -0.8]])
    minimize(at, best[1], method="Nelder-Mead",
             options=dict(initial_simplex=simplex, xatol=0.03, fatol=1e-4, maxfev=45))
    return (*best[1:], time.process_time() - clock, count)


# ---- data: each draw gives training X, y, test X, y and, where known, the true log p of the test rows ----
def gaussians(priors, centres, scales):  # centres: class x component x feature
    def draw(rng, n):
        y = rng.choice(len(priors), n, p=priors)
        part = rng.integers(centres.shape[1], size=n)
        X = centres[y, part] + scales[y, None] * rng.standard_normal((n, centres.shape[2]))
        sq = np.sum((X[:, None, None, :] - centres[None]) ** 2, -1) / scales[None, :, None] ** 2
        return X, y, normalise(np.log(priors) - centres.shape[2] * np.log(scales) + logsumexp(-sq / 2, axis=2))
    return draw


def waveform(rng, n):  # Breiman's three classes
    h = np.maximum(6 - np.abs(np.arange(1, 22) - np.array([[7], [15], [11]])), 0)
    y, u = rng.integers(3, size=n), rng.random((n, 1))
    X = u * h[[0, 0, 1]][y] + (1 - u) * h[[1, 2, 2]][y]
    return X + rng.standard_normal(X.shape), y, None


def generate(source, n_train, n_test):
    def draw(rng):
        X, y, logp = source(rng, n_train + n_test)
        return X[:n_train], y[:n_train], X[n_train:], y[n_train:], None if logp is None else logp[n_train:]
    return draw


def resample(X, y, n_train, n_test=None):
    def draw(rng):
        seed = int(rng.integers(2**31))
        Xa, Xb, ya, yb = train_test_split(X, y, train_size=n_train, test_size=n_test, stratify=y, random_state=seed)
        return Xa, ya, Xb, yb, None
    return draw


def datasets(folder):
    iris, wine, digits = (f(return_X_y=True) for f in (load_iris, load_wine, load_digits))
    four = np.random.default_rng(7).normal(0, 2, (4, 2, 2))
    rare = np.array([[[0, 0]], [[1.5, 1]], [[-2, 1]], [[0.5, -2.2]]], float)
    yield "iris", 10, resample(*iris, 100)
    yield "iris, sepal only", 10, resample(iris[0][:, :2], iris[1], 100)
    yield "wine", 10, resample(*wine, 100)
    yield "waveform", 10, generate(waveform, 300, 3000)
    yield "four gaussians", 10, generate(gaussians(np.full(4, 0.25), four, np.full(4, 1.0)), 300, 3000)
    rare = gaussians(np.array([0.8, 0.1, 0.06, 0.04]), rare, np.array([1.1, 0.8, 0.8, 0.8]))
    yield "imbalanced", 10, generate(rare, 400, 4000)
    yield "digits, 3 components", 3, resample(PCA(3).fit_transform(digits[0]), digits[1], 300)
    for name, file, n_train, n_test, parts in (("boston, terciles", "mass/boston.csv", 300, None, 3),
                                               ("casp, quartiles", "casp/casp.csv.gz", 400, 4000, 4)):
        if folder:
            X = np.loadtxt(os.path.join(folder, file), delimiter=",", skiprows=1)
            y = np.digitize(X[:, -1], np.quantile(X[:, -1], np.arange(1, parts) / parts))
            yield name, 5, resample(X[:, :-1], y, n_train, n_test)
    yield "digits", 3, resample(*digits, 600)


# ---- the study ----
def ece(logp, y, bins=15):  # of the predicted label
    p, hit = np.exp(logp.max(1)), logp.argmax(1) == y
    which = np.minimum((p * bins).astype(int), bins - 1)
    return sum(abs(np.sum(hit[which == k]) - np.sum(p[which == k])) for k in range(bins)) / len(y)


def split(draw, seed):
    X, y, Xt, yt, true = draw(np.random.default_rng(seed))
    mean, sd = X.mean(0), X.std(0) + 1e-12 + (X.std(0) == 0)
    X, Xt, T = (X - mean) / sd, (Xt - mean) / sd, np.eye(y.max() + 1)[y]
    D, Dt = cdist(X, X, "sqeuclidean"), cdist(Xt, X, "sqeuclidean")
    a, b = COUPLINGS["a  sigma/sum"], COUPLINGS["b  softmax"]
    for machine, criterion, couplings in (
            (ovr, lambda z: np.mean(np.logaddexp(0, z) - T * z), COUPLINGS),
            (ovr, lambda z: log_loss(a[0](z, []), y), {"a* own criterion": a}),
            (multinomial, lambda z: log_loss(b[0](z, []), y), {"e  multinomial": b})):
        (log_theta, log_lambda), (alpha, bias, held), seconds, count = select(D, T, machine, criterion)
        z = np.exp(-np.exp(log_theta) * Dt) @ alpha + bias
        for label, (f, n) in couplings.items():
            q = fit_coupling(f, n, held, y)
            logp = f(z, q)
            kl = np.nan if true is None else np.mean(np.sum(np.exp(true) * (true - logp), 1))
            yield (label, log_loss(logp, yt), np.mean(logp.argmax(1) != yt), ece(logp, yt), kl, log_loss(f(held, q), y),
                   np.exp(q[0]) if len(q) else 1.0, log_theta, log_lambda, seconds, count)


def run(path, folder, only):
    with open(path, "a", newline="") as f:
        for name, splits, draw in datasets(folder):
            for seed in range(splits if not only or name in only else 0):
                for label, *values in split(draw, seed):
                    csv.writer(f).writerow([name, seed, label] + [f"{x:.6g}" for x in values])
                f.flush()


def table(path):
    v = defaultdict(dict)
    for name, seed, label, *x in csv.reader(open(path)):
        v[name, label][seed] = [float(u) for u in x]
    v = {k: np.array(list(x.values())) for k, x in v.items()}
    sets, labels = list(dict.fromkeys(k[0] for k in v)), list(dict.fromkeys(k[1] for k in v))
    for column, what, unit in (0, "log loss", 1e3), (1, "error", 100), (2, "ECE", 100), (3, "KL from the true p", 1e3):
        print(f"\n{what} x {unit:g}: the first as it is, the others minus the first, mean (s.e.)\n")
        print("| data set | " + " | ".join(labels) + " |\n|" + "---|" * (len(labels) + 1))
        for s in sets:
            x = [unit * v[s, k][:, column] for k in labels]
            x = x[:1] + [u - x[0] for u in x[1:]]
            if np.isfinite(x[0]).all():
                print(f"| {s} | " + " | ".join(f"{u.mean():.1f} ({u.std(ddof=1) / len(u)**0.5:.1f})" for u in x) + " |")
    print("\n| data set | a: median of c1, c2 | OvR: s, evaluations | multinomial | time a selection | an evaluation |")
    for s in sets:
        (*_, t, n), (*_, te, ne) = v[s, labels[0]].mean(0), v[s, labels[-1]].mean(0)
        a = ", ".join(f"{np.median(v[s, k][:, 5]):.2f}" for k in labels if k[:2] in ("c1", "c2"))
        print(f"| {s} | {a} | {t:.1f}, {n:.0f} | {te:.1f}, {ne:.0f} | {te / t:.1f} | {te / ne / (t / n):.1f} |")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("what", choices=["run", "table"])
    p.add_argument("csv")
    p.add_argument("--data")
    p.add_argument("--only", nargs="+")
    o = p.parse_args()
    {"run": lambda: run(o.csv, o.data, o.only), "table": lambda: table(o.csv)}[o.what]()
