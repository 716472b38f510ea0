"""Which way of choosing basis rows should be the default: test scores of every way, for several sizes, data sets and seeds.

    OMP_NUM_THREADS=1 python3 benchmarks/evidence/basis_methods.py build/bin/lacuna DATA [NAME ...]

DATA is the folder with mass/, ida/, casp/ and a9a/. Prints, for each data set and size, the mean over seeds of the test score (squared
residual over the target's variance, or cross-entropy) relative to the best way's, and the seconds."""

import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

PROGRAM, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
METHODS = ("stochastic", "pivoted", "random", "kmeans", "greedy")
SEEDS = (1, 2, 3)


def stored(*path):
    name = os.path.join(DATA, *path)
    with (gzip.open(name, "rt") if name.endswith(".gz") else open(name)) as f:
        rows = list(csv.reader(f))
    return rows[0], rows[1:]


def generated(name, rows):
    out = subprocess.run([PROGRAM, "generate", name, "--rows", str(rows), "--seed", "7"], check=True, capture_output=True, text=True)
    rows = list(csv.reader(out.stdout.splitlines()))
    return rows[0], rows[1:]


SETS = {
    "friedman1": (lambda: generated("friedman1", 4000), 2000, "regression", (50, 150)),
    "ringnorm": (lambda: generated("ringnorm", 4000), 2000, "classification", (30, 100)),
    "ripley": (lambda: generated("ripley", 4000), 2000, "classification", (10, 30)),
    "waveform": (lambda: generated("waveform", 4000), 2000, "classification", (30, 100)),
    "boston": (lambda: stored("mass", "boston.csv"), 350, "regression", (30, 100)),
    "casp": (lambda: stored("casp", "casp.csv.gz"), 4000, "regression", (50, 200)),
    "a9a": (lambda: stored("a9a", "a9a_train.csv.gz"), 3000, "classification", (50, 150)),
}


def run(header, rows, cut, task, size, method, seed):
    order = np.random.default_rng(seed).permutation(len(rows))[:cut + 3000]
    for name, which in (("train.csv", order[:cut]), ("test.csv", order[cut:])):
        with open(name, "w", newline="") as f:
            csv.writer(f).writerows([header, *(rows[i] for i in which)])
    began = time.perf_counter()
    subprocess.run([PROGRAM, "fit", "train.csv", "--target", header[-1], "--task", task, "--basis", f"{method}:{size}",
                    "--seed", str(seed), "-q", "--json", "-o", "m.lacuna"], check=True, capture_output=True)
    seconds = time.perf_counter() - began
    subprocess.run([PROGRAM, "predict", "m.lacuna", "test.csv", "-q", "-o", "p.csv"], check=True, capture_output=True)
    with open("p.csv") as f:
        predicted = list(csv.DictReader(f))
    truth = [rows[i][-1] for i in order[cut:]]
    if task == "regression":
        t = np.array(truth, dtype=float)
        return np.mean((np.array([float(p["prediction"]) for p in predicted]) - t) ** 2) / np.var(t), seconds
    labels = {key.split(":", 1)[1]: key for key in predicted[0] if key.startswith("probability:")}
    return -np.mean([np.log(max(1e-12, float(p[labels[t]]))) for p, t in zip(predicted, truth)]), seconds


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    print(f"{'':<18}" + "".join(f"{m:>22}" for m in METHODS))
    for name in sys.argv[3:] or SETS:
        load, cut, task, sizes = SETS[name]
        header, rows = load()
        for size in sizes:
            table = np.array([[run(header, rows, cut, task, size, m, s) for s in SEEDS] for m in METHODS])
            score, seconds = table[:, :, 0].mean(1), table[:, :, 1].mean(1)
            print(f"{name + ' ' + str(size):<18}" +
                  "".join(f"{100 * (a / score.min() - 1):>13.2f} % {s:>5.1f} s" for a, s in zip(score, seconds)), flush=True)
