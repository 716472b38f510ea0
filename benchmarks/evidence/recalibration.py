"""Should hyper-parameters be chosen by the cross-entropy of recalibrated held-out outputs? Test error and information of a model with
and without --recalibrate, on the same random splits of the sizes that the IDA benchmarks have, and on fresh draws of ringnorm and twonorm.

    python3 benchmarks/evidence/recalibration.py build/bin/lacuna DATA [--model klr] [--splits 20]

DATA is the folder with ida/. Printed: mean of each, mean difference with its standard error over the splits (which share rows), and in how many
splits the second is higher."""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM, DATA = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
OPTIONS = dict(zip(sys.argv[3::2], sys.argv[4::2]))
MODEL, SPLITS = OPTIONS.get("--model", "klr"), OPTIONS.get("--splits", "20")
TRAIN = {"banana": 400, "diabetes": 468, "flare-solar": 666, "heart": 170, "ringnorm": 400, "thyroid": 140, "titanic": 150, "twonorm": 400}
DRAWN = {"ringnorm": 1000, "twonorm": 1000, "waveform": 400, "ripley": 250}


def compare(name, path, share):
    with open(path) as f:
        target = f.readline().strip().split(",")[-1]
    done = subprocess.run([PROGRAM, "evaluate", path, "--target", target, "--no-standardise", "--splits", f"{SPLITS}:{share:.6f}",
                           "--model", MODEL, "--no-recalibrate", "--journal", "none", "-q", "--json", "--compare", "--recalibrate"],
                          check=True, capture_output=True, text=True)
    models = json.loads(done.stdout)["models"]
    for score, factor, digits in (("error", 100, 2), ("bits", 1, 4)):
        plain, calibrated = (factor * np.array(m["scores"][score]["values"], float) for m in models)
        d = calibrated - plain
        print(f"| {name} | {score} | {plain.mean():.{digits}f} | {calibrated.mean():.{digits}f} | {d.mean():+.{digits}f} | "
              f"{d.std(ddof=1) / len(d) ** 0.5:.{digits}f} | {np.sum(d > 0)} of {len(d)} |", flush=True)


print(f"| data | score | {MODEL} | recalibrated | difference | s.e. | higher in |\n|---|---|---|---|---|---|---|")
for name, rows in TRAIN.items():
    path = os.path.join(DATA, "ida", name + ".csv")
    with open(path) as f:
        compare(name, path, 1 - rows / (sum(1 for _ in f) - 1))
with tempfile.TemporaryDirectory() as folder:
    for name, rows in DRAWN.items():
        path = os.path.join(folder, name + ".csv")
        subprocess.run([PROGRAM, "generate", name, "--rows", str(rows + 5000), "--seed", "1", "-o", path], check=True)
        compare(f"{name}, {rows} drawn", path, 5000 / (rows + 5000))
