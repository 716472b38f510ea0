#!/usr/bin/env python3
"""Learned weights of the inputs where columns of noise are added: scores of 2,000 fresh rows, what the held-out rows
promised, and seconds of one fit on one thread; five draws each.

usage: relevance.py PROGRAM
"""
import csv
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
SETS = (("friedman1", 150, "rmse"), ("twonorm", 150, "bits"), ("ringnorm", 200, "bits"))
KERNELS = ("rbf", "ard", "relevance(rbf)", "relevance(matern12)")
NOISE_COLUMNS = 20


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True)


def draw(name, rows, seed, path):
    """Rows of a known problem with columns of noise before the target, which is last; the target's name."""
    run("generate", name, "--rows", str(rows), "--seed", str(seed), "-o", path)
    with open(path, newline="") as f:
        lines = list(csv.reader(f))
    rng = random.Random(seed)
    with open(path, "w", newline="") as f:
        out = csv.writer(f)
        for i, cells in enumerate(lines):
            more = [f"n{k + 1}" if i == 0 else f"{rng.gauss(0, 1):.6f}" for k in range(NOISE_COLUMNS)]
            out.writerow([*cells[:-1], *more, cells[-1]])
    return lines[0][-1]


def score_of(text, name):
    return float(re.search(r"rmse ([0-9.e-]+)" if name == "rmse" else r"([0-9.e-]+) bits", text).group(1))


def main():
    print("| set | score | kernel | fresh rows | standard error | held-out rows | seconds |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, rows, score in SETS:
            found = {kernel: [] for kernel in KERNELS}
            for seed in range(1, 6):
                target = draw(name, rows, seed, "train.csv")
                draw(name, 2000, 100 + seed, "fresh.csv")
                for kernel, results in found.items():
                    began = time.time()
                    report = run("fit", "train.csv", "-t", target, "--kernel", kernel, "--threads", "1", "-o", "m.lacuna",
                                 "--json")
                    seconds = time.time() - began
                    said = run("predict", "m.lacuna", "fresh.csv", "-o", "p.csv").stderr
                    results.append((score_of(said, score), json.loads(report.stdout)["held_out"][score], seconds))
            for kernel, results in found.items():
                fresh, held_out, seconds = zip(*results)
                error = statistics.stdev(fresh) / len(fresh) ** 0.5
                print(f"| {name} | {score} | `{kernel}` | {statistics.mean(fresh):.3f} | {error:.3f} | "
                      f"{statistics.mean(held_out):.3f} | {statistics.mean(seconds):.2f} |", flush=True)


main()
