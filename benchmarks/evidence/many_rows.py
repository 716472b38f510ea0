"""Bases that grow by themselves against one of 400 rows, on many rows of two skewed, overlapping classes.

    python3 benchmarks/evidence/many_rows.py build/bin/lacuna [--rows 20000] [--seed 1] [--threads 2] [WAY ...]

Fits with nothing said about the size, then in each WAY ("basis=400", "basis=random:400,search=scg"), and scores 10,000
fresh rows: seconds, the processor's seconds, sizes that were tried, error, information in bits, and the difference in bits
to the first way with its standard error over rows. The data are ten columns, most of them skewed (log-normal lengths and widths, an
angle, moments), with two classes whose probability waves with several of them: hard enough that sizes differ."""

import argparse
import csv
import json
import math
import os
import random
import resource
import statistics
import subprocess
import tempfile
import time


def shower(rng):
    """The columns of one row, and its class: drawn with a probability that waves with several of them."""
    u, t, d, noise = (rng.gauss(0.0, 1.0) for _ in range(4))
    v, angle = 0.6 * u + 0.8 * rng.gauss(0.0, 1.0), rng.uniform(0.0, 90.0)
    w = angle / 45.0 - 1.0
    logit = 1.3 * (0.5 * v * v - 0.8 * u - 1.3 * w + 1.6 * math.sin(2.0 * u + 1.2 * v) * math.cos(1.6 * w)
                   + 1.2 * math.sin(1.7 * d) * math.tanh(1.5 * u) + 0.9 * t * v)
    length, width = math.exp(0.5 * u + 3.5), math.exp(0.6 * v + 2.5)
    columns = [length, width, math.exp(0.4 * (u + v) + 0.2 * noise), math.exp(0.8 * t), abs(t) * width,
               10.0 * t * length, math.exp(rng.gauss(0.0, 1.0)), angle, 190.0 + 60.0 * d, rng.gauss(0.0, 1.0) ** 2]
    return columns, rng.random() < 1.0 / (1.0 + math.exp(-logit))


def table(rows, seed, path):
    rng = random.Random(seed)
    with open(path, "w", newline="") as out:
        write = csv.writer(out)
        write.writerow([f"x{k}" for k in range(1, 11)] + ["label"])
        for _ in range(rows):
            columns, signal = shower(rng)
            write.writerow([f"{x:.6g}" for x in columns] + ["g" if signal else "h"])


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", default="2")
    parser.add_argument("ways", nargs="*", default=["basis=400"])
    given = parser.parse_intermixed_args()
    program = os.path.abspath(given.program)
    with tempfile.TemporaryDirectory() as folder:
        train, fresh, model, said = (os.path.join(folder, f) for f in ("train.csv", "fresh.csv", "m.lacuna", "p.csv"))
        table(given.rows, given.seed, train)
        table(10000, given.seed + 1000, fresh)
        truth = [line.rsplit(",", 1)[1].strip() for line in open(fresh)][1:]
        first = None
        print(f"{'words':<24} {'passed':>8} {'processor':>9} {'error %':>8} {'bits':>7} {'less the first':>18}  sizes")
        for way in ["", *given.ways]:
            words = " ".join("--" + word.replace("=", " ", 1) for word in way.split(",") if word)
            command = [program, "fit", train, "-t", "label", "--threads", given.threads, "-o", model, "--json"]
            before, began = seconds_of_children(), time.monotonic()
            done = subprocess.run([*command, *words.split()], check=True, capture_output=True, text=True)
            passed, used = time.monotonic() - began, seconds_of_children() - before
            subprocess.run([program, "predict", model, fresh, "-o", said, "--quiet"], check=True)
            rows = list(csv.DictReader(open(said)))
            bits = [1.0 + math.log2(max(float(r[f"probability:{t}"]), 1e-300)) for r, t in zip(rows, truth)]
            wrong = sum(r["prediction"] != t for r, t in zip(rows, truth))
            first = first or bits
            apart = [b - a for a, b in zip(first, bits)]
            se = statistics.stdev(apart) / math.sqrt(len(apart)) if any(apart) else 0.0
            sizes = (json.loads(done.stdout).get("basis") or {}).get("sizes", [])
            tried = ", ".join(f"{s['size']} ({s['criterion']:.4f})" for s in sizes)
            print(f"{words or '(nothing)':<24} {passed:>7.1f}s {used:>8.1f}s {100 * wrong / len(rows):>8.2f} "
                  f"{statistics.mean(bits):>7.4f} {statistics.mean(apart):>+9.4f} {se:.4f}  {tried}", flush=True)


if __name__ == "__main__":
    main()
