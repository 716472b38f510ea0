"""Makes gp_textbook.csv, which gp_reference_test.cpp reads: Gaussian-process classifiers as Rasmussen and Williams
write them down (Gaussian Processes for Machine Learning, MIT Press 2006: algorithms 3.1 and 3.2 for Laplace, 3.5
and 3.6 for EP), on the first 60 rows of glm_data.csv, at its next ten rows. Plain Python without packages;
derivatives are central differences. Run by hand, from anywhere:

    python3 gp_textbook.py                            writes gp_textbook.csv
    python3 gp_textbook.py --gpml synth_tr.csv synth_te.csv gp_gpml.csv
                                                      the same functions on Ripley's data against GPML's own values
"""

import csv
import math
import pathlib
import sys
from operator import mul

HERE = pathlib.Path(__file__).resolve().parent
SETTINGS = ((0.5, 1.0), (1.5, 4.0), (3.0, 0.5))  # length, standard deviation
METHODS = ("laplace-logistic", "laplace-probit", "ep-probit")


def dot(a, b):
    return sum(map(mul, a, b))


def cholesky(a):
    rows = []
    for i, row in enumerate(a):
        new = []
        for j in range(i):
            new.append((row[j] - dot(new, rows[j])) / rows[j][j])
        new.append(math.sqrt(row[i] - dot(new, new)))
        rows.append(new)
    return rows


def forward(lower, b):
    x = []
    for row, value in zip(lower, b):
        x.append((value - dot(row, x)) / row[len(x)])
    return x


def backward(lower, b):
    x = list(b)
    for i in reversed(range(len(x))):
        x[i] /= lower[i][i]
        for j in range(i):
            x[j] -= lower[i][j] * x[i]
    return x


def covariance(a, b, length, deviation):
    scale = -0.5 / length**2
    return [[deviation**2 * math.exp(scale * sum((u - v) ** 2 for u, v in zip(x, z))) for z in b] for x in a]


def log_normal_cdf(z):
    if z > -10:
        return math.log(0.5 * math.erfc(-z / math.sqrt(2)))
    series, term = 1.0, 1.0  # of the tail; no row here comes so far
    for k in range(1, 12):
        term *= -(2 * k - 1) / z**2
        series += term
    return -0.5 * z * z - math.log(-z * math.sqrt(2 * math.pi)) + math.log(series)


def normal_ratio(z):
    """N(z) / Phi(z)."""
    return math.exp(-0.5 * z * z - 0.5 * math.log(2 * math.pi) - log_normal_cdf(z))


def logistic(y, f):
    """log p(y | f), its first derivative in f, and minus its second."""
    p = 1 / (1 + math.exp(-f))
    return -math.log1p(math.exp(-y * f)), (y + 1) / 2 - p, p * (1 - p)


def probit(y, f):
    ratio = normal_ratio(y * f)
    return log_normal_cdf(y * f), y * ratio, ratio * (ratio + y * f)


def system(K, root):
    """Cholesky factor of B = I + W^1/2 K W^1/2."""
    return cholesky([[(i == j) + root[i] * row[j] * root[j] for j in range(i + 1)] for i, row in enumerate(K)])


def laplace(K, y, likelihood):
    """Algorithm 3.1: minus log evidence, and what the predictions of algorithm 3.2 need."""
    f = [0.0] * len(y)
    for _ in range(200):
        at = [likelihood(t, z) for t, z in zip(y, f)]
        root = [math.sqrt(w) for _, _, w in at]
        L = system(K, root)
        b = [w * z + g for (_, g, w), z in zip(at, f)]
        inner = backward(L, forward(L, [r * dot(row, b) for r, row in zip(root, K)]))
        a = [value - r * u for value, r, u in zip(b, root, inner)]
        moved = [dot(row, a) for row in K]
        change = max(abs(u - v) for u, v in zip(moved, f))
        f = moved
        if change < 1e-12 * max(map(abs, f)):
            break
    at = [likelihood(t, z) for t, z in zip(y, f)]
    root = [math.sqrt(w) for _, _, w in at]
    L = system(K, root)
    value = 0.5 * dot(a, f) - sum(c for c, _, _ in at) + sum(math.log(row[-1]) for row in L)
    return value, a, root, L


def ep(K, y):
    """Algorithm 3.5 for the probit likelihood: minus log evidence (equation 3.65), and what algorithm 3.6 needs."""
    n = len(y)
    tau, nu, Sigma, mean = [0.0] * n, [0.0] * n, [row[:] for row in K], [0.0] * n
    for _ in range(300):
        before = nu[:]
        for i in range(n):
            tau_out, nu_out = 1 / Sigma[i][i] - tau[i], mean[i] / Sigma[i][i] - nu[i]
            mu, variance = nu_out / tau_out, 1 / tau_out
            z = y[i] * mu / math.sqrt(1 + variance)
            ratio = normal_ratio(z)
            mu_new = mu + y[i] * variance * ratio / math.sqrt(1 + variance)
            variance_new = variance - variance**2 * ratio / (1 + variance) * (z + ratio)
            step = 1 / variance_new - tau_out - tau[i]
            tau[i], nu[i] = tau[i] + step, mu_new / variance_new - nu_out
            column, factor = Sigma[i][:], step / (1 + step * Sigma[i][i])
            for row, s in zip(Sigma, column):
                row[:] = [u - factor * s * v for u, v in zip(row, column)]
            mean = [dot(row, nu) for row in Sigma]
        root = [math.sqrt(t) for t in tau]
        L = system(K, root)
        parts = [forward(L, [r * k for r, k in zip(root, row)]) for row in K]  # Sigma = K - V'V
        Sigma = [[k - dot(u, v) for k, v in zip(row, parts)] for row, u in zip(K, parts)]
        mean = [dot(row, nu) for row in Sigma]
        value = sum(math.log(row[-1]) for row in L) - 0.5 * dot(nu, mean)
        for i in range(n):
            v = Sigma[i][i]
            tau_out, nu_out = 1 / v - tau[i], mean[i] / v - nu[i]
            z = y[i] * nu_out / tau_out / math.sqrt(1 + 1 / tau_out)
            value += 0.5 * v * nu[i] ** 2 - log_normal_cdf(z) - 0.5 * math.log1p(tau[i] / tau_out)
            value -= 0.5 * nu_out * v * (tau[i] / tau_out * nu_out - 2 * nu[i])
        # The sites, not the evidence, which hardly changes near where they end.
        if max(abs(u - v) for u, v in zip(nu, before)) < 1e-11 * max(map(abs, nu)):
            break
    inner = backward(L, forward(L, [r * dot(row, nu) for r, row in zip(root, K)]))
    return value, [t - r * u for t, r, u in zip(nu, root, inner)], root, L


def fit(method, X, y, length, deviation):
    K = covariance(X, X, length, deviation)
    return ep(K, y) if method == "ep-probit" else laplace(K, y, probit if "probit" in method else logistic)


def averaged(method, mean, variance):
    """The probability of the positive class, averaged over the latent value."""
    if "probit" in method:
        return math.exp(log_normal_cdf(mean / math.sqrt(1 + variance)))
    nodes = [k / 100 for k in range(-1000, 1001)]  # the trapezoidal rule is exact to rounding here
    weight = [math.exp(-0.5 * u * u) for u in nodes]
    return dot(weight, [1 / (1 + math.exp(-mean - math.sqrt(variance) * u)) for u in nodes]) / sum(weight)


def values(method, X, y, new, length, deviation, slopes=True):
    value, a, root, L = fit(method, X, y, length, deviation)
    row = {"neg_log_evidence": value}
    if slopes:
        h = 1e-4
        at = lambda u, v: fit(method, X, y, length * math.exp(u), deviation * math.exp(v))[0]
        for name, u, v in (("d_log_ell", h, 0), ("d_log_sf", 0, h)):
            near, far = at(u, v) - at(-u, -v), at(2 * u, 2 * v) - at(-2 * u, -2 * v)
            row[name] = (8 * near - far) / (12 * h)
    for i, k in enumerate(covariance(new, X, length, deviation), 1):
        v = forward(L, [r * u for r, u in zip(root, k)])
        row[f"mean{i}"], row[f"var{i}"] = dot(k, a), deviation**2 - dot(v, v)
        row[f"p{i}"] = averaged(method, row[f"mean{i}"], row[f"var{i}"])
    return row


def read(path, names, target):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [[float(row[name]) for name in names] for row in rows], [2 * int(row[target]) - 1 for row in rows]


def write_table():
    X, y = read(HERE / "glm_data.csv", ("x1", "x2", "x3"), "label")
    with open(HERE / "gp_textbook.csv", "w", newline="") as file:
        file.write("# Rasmussen and Williams 2006, algorithms 3.1, 3.2, 3.5, 3.6; gp_textbook.py made this\n")
        out = None
        for method in METHODS:
            for length, deviation in SETTINGS:
                row = values(method, X[:60], y[:60], X[60:70], length, deviation)
                if out is None:
                    out = csv.writer(file, lineterminator="\n")
                    out.writerow(["method", "length", "deviation", *row])
                out.writerow([method, length, deviation, *(f"{value:.12g}" for value in row.values())])


def compare(train, test, reference):
    (X, y), (new, _) = read(train, ("xs", "ys"), "yc"), read(test, ("xs", "ys"), "yc")
    with open(reference, newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    for known in rows:
        ours = values(known["method"], X, y, new[:10], math.exp(float(known["log_ell"])),
                      math.exp(float(known["log_sf"])), slopes="ep" not in known["method"])
        worst = max(abs(ours[name] / float(known[name]) - 1) for name in ours if not name.startswith("p"))
        chance = max(abs(ours[name] - float(known[name])) for name in ours if name.startswith("p"))
        print(f"{known['method']:17} log ell {float(known['log_ell']):7.3f}: {worst:.1e} relative, p {chance:.1e}",
              flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--gpml"]:
        compare(*sys.argv[2:])
    else:
        write_table()
