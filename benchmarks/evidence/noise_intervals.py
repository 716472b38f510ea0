#!/usr/bin/env python3
"""Coverage of 90 % intervals on 1,000 fresh rows where the noise is equal, grows with x, or has heavy tails, over many
draws: of all rows, of the third with the most noise, and the mean width beside that of another program's intervals.

usage: noise_intervals.py PROGRAM OTHER_PROGRAM DRAWS [ROWS ...]      OTHER_PROGRAM: one without varying widths
"""
import csv
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

NEW, OLD = map(os.path.abspath, sys.argv[1:3])
DRAWS = int(sys.argv[3])
SIZES = [int(text) for text in sys.argv[4:]] or [60, 400]


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def deviation(x, kind):
    return 0.1 + 0.1 * (x + 3) if kind == "growing" else 0.3


def draw(rows, kind, rng):
    """x and t = 2 sin(x)/x + noise."""
    out = []
    for _ in range(rows):
        x, e = rng.uniform(-3, 3), rng.gauss(0, 1)
        if kind == "heavy":  # Student's t of three degrees, of variance 1
            e /= math.sqrt(sum(rng.gauss(0, 1) ** 2 for _ in range(3)))
        out.append((x, 2 * math.sin(x) / x + deviation(x, kind) * e))
    return out


def write(path, rows):
    with open(path, "w") as f:
        f.write("x,t\n" + "".join(f"{x!r},{t!r}\n" for x, t in rows))


def ends(program):
    report = json.loads(run(program, "fit", "train.csv", "-t", "t", "--threads", "1", "-o", "m.lacuna", "--json", "-q"))
    lines = csv.DictReader(run(program, "predict", "m.lacuna", "fresh.csv", "-q").splitlines())
    return report["intervals"], [(float(line["lower"]), float(line["upper"])) for line in lines]


def shown(values):
    return f"{statistics.mean(values):.3f} ± {statistics.stdev(values) / len(values) ** 0.5:.3f}"


def main():
    print("| rows | noise | coverage | of the noisiest third | constant width: coverage | noisiest third | mean width / "
          "constant | varies |\n|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for rows in SIZES:
            for kind in ("equal", "growing", "heavy"):
                columns = [[] for _ in range(6)]
                for seed in range(DRAWS):
                    rng = random.Random(1000 * rows + seed)
                    fresh = draw(1000, kind, rng)
                    write("train.csv", draw(rows, kind, rng))
                    write("fresh.csv", fresh)
                    noisiest = sorted(range(1000), key=lambda i: fresh[i][0])[667:]
                    (about, new), (_, old) = ends(NEW), ends(OLD)
                    inside = [[low <= t <= high for (_, t), (low, high) in zip(fresh, e)] for e in (new, old)]
                    for column, hits in zip((0, 2), inside):
                        columns[column].append(statistics.mean(hits))
                        columns[column + 1].append(statistics.mean(hits[i] for i in noisiest))
                    width = [statistics.mean(high - low for low, high in e) for e in (new, old)]
                    columns[4].append(width[0] / width[1])
                    columns[5].append(float(about["varies"]))
                print(f"| {rows} | {kind} | " + " | ".join(map(shown, columns[:5])) +
                      f" | {statistics.mean(columns[5]):.2f} |", flush=True)


main()
