"""Where should two classes be cut: where held-out mistakes are fewest, or where their smoothed count is least (what --threshold does)?
Test loss at the plain cut (probability one half), at the fewest held-out mistakes and at the cut that `fit --threshold` takes, on random splits of
the sizes that the IDA benchmarks have.

    python3 benchmarks/evidence/smoothed_cut.py build/bin/lacuna DATA [--splits 20]

DATA is the folder with ida/. Printed: means in per cent, and the mean difference of the last two with its standard error over the splits (which
share rows)."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SPLITS = int(dict(zip(sys.argv[3::2], sys.argv[4::2])).get("--splits", "20"))
TRAIN = {"banana": 400, "diabetes": 468, "flare-solar": 666, "heart": 170, "ringnorm": 400, "thyroid": 140, "titanic": 150, "twonorm": 400}
WAYS = (("klr", "ber"), ("ls-svm", "ber"), ("klr", "error"), ("kfd", "error"))


def run(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def outputs(text):
    return np.array([float(row["output"]) for row in csv.DictReader(io.StringIO(text))])


def loss(z, positive, cut, rule):
    wrong = (z >= cut) != positive
    return wrong.mean() if rule == "error" else 0.5 * (wrong[positive].mean() + wrong[~positive].mean())


def fewest(z, positive, rule):
    ends = np.unique(z)
    cuts = np.concatenate(([ends[0] - 1], 0.5 * (ends[1:] + ends[:-1]), [ends[-1] + 1]))
    losses = np.array([loss(z, positive, cut, rule) for cut in cuts])
    best = cuts[losses <= losses.min() + 1e-12]
    return best[np.abs(best).argmin()]


print("| data | model | for | plain | fewest mistakes | smoothed | difference | s.e. |\n|---|---|---|---|---|---|---|---|")
with tempfile.TemporaryDirectory() as folder:
    train, test, model, loo = (os.path.join(folder, name) for name in ("train.csv", "test.csv", "m.lacuna", "loo.csv"))
    for name, rows in TRAIN.items():
        with open(os.path.join(DATA, "ida", name + ".csv")) as f:
            head, *lines = f.read().splitlines()
        target = head.split(",")[-1]
        labels = np.array([line.rsplit(",", 1)[1] for line in lines])
        positive = labels == sorted(set(labels), key=float)[-1]
        orders = [np.random.default_rng(k).permutation(len(lines)) for k in range(SPLITS)]
        for machine, rule in WAYS:
            results = []
            for order in orders:
                for path, part in ((train, order[:rows]), (test, order[rows:])):
                    with open(path, "w") as f:
                        f.write("\n".join([head, *(lines[i] for i in part)]) + "\n")
                chosen = json.loads(run("fit", train, "-t", target, "--model", machine, "--threshold", rule, "-o", model, "--loo", loo,
                                        "--json", "-q"))["decision"]["threshold"]
                with open(loo) as f:
                    held_out = outputs(f.read())
                z, truth = outputs(run("predict", model, test, "-q")), positive[order[rows:]]
                results.append([100 * loss(z, truth, cut, rule) for cut in (0.0, fewest(held_out, positive[order[:rows]], rule), chosen)])
            plain, raw, smooth = np.transpose(results)
            d = smooth - raw
            print(f"| {name} | {machine} | {rule} | {plain.mean():.2f} | {raw.mean():.2f} | {smooth.mean():.2f} | {d.mean():+.2f} | "
                  f"{d.std(ddof=1) / len(d) ** 0.5:.2f} |", flush=True)
