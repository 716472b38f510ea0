"""Quick, normal and best effort on the same splits: test information in bits (or rmse, deviance) and processor time.

    python3 benchmarks/evidence/effort.py build/bin/lacuna ../shared/data [SET ...]

Each line is a mean over splits with the standard error of the paired difference to quick. One thread a split, so that
processor time counts all of a fit. Random splits are those of `lacuna evaluate`, seed 0.
"""

import csv
import gzip
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

EFFORTS = ["quick", "normal", "best"]


def rows_of(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    with opened as lines:
        return list(csv.reader(lines))


def sample(path, rows):
    """Evenly spaced rows: the files have no order that matters, and the same rows come every time."""
    head, *body = rows_of(path)
    return [head] + [body[int((k + 0.5) * len(body) / rows)] for k in range(min(rows, len(body)))]


def generated(program, name, rows):
    text = subprocess.run([program, "generate", name, "--rows", str(rows), "--seed", "1"], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return list(csv.reader(text.splitlines()))


def sets(program, data):
    """Name: rows, target, splits, share that is tested."""
    ida, mass = data / "ida", data / "mass"
    return {
        "ripley": (lambda: generated(program, "ripley", 2250), "label", "4:0.889"),
        "twonorm": (lambda: sample(ida / "twonorm.csv", 2400), "label", "3:0.8333"),
        "waveform": (lambda: generated(program, "waveform", 2400), "label", "3:0.8333"),
        "titanic": (lambda: sample(ida / "titanic.csv", 2201), "label", "4:0.93"),
        "flare-solar": (lambda: sample(ida / "flare-solar.csv", 1066), "label", "4:0.375"),
        "heart": (lambda: sample(ida / "heart.csv", 270), "label", "6:0.37"),
        "diabetes": (lambda: sample(ida / "diabetes.csv", 768), "label", "4:0.39"),
        "thyroid": (lambda: sample(ida / "thyroid.csv", 215), "label", "6:0.35"),
        "boston": (lambda: sample(mass / "boston.csv", 506), "medv", "4:0.308"),
        "casp": (lambda: sample(data / "casp/casp.csv.gz", 3000), "RMSD", "2:0.6667"),
        "a9a": (lambda: sample(data / "a9a/a9a_train.csv.gz", 3000), "label", "2:0.6667"),
        "friedman1": (lambda: generated(program, "friedman1", 1300), "y", "3:0.7692"),
    }


def measure(program, name, of, folder):
    make, target, splits = of
    rows = make()
    target = rows[0][-1] if target not in rows[0] else target
    path = Path(folder) / f"{name}.csv"
    with open(path, "w", newline="") as out:
        csv.writer(out).writerows(rows)
    command = [program, "evaluate", str(path), "--target", target, "--splits", splits, "--json", "--journal", "none",
               "--quiet", "--threads", "1"]
    for effort in EFFORTS[1:]:
        command += ["--compare", f"--effort {effort}"]
    return json.loads(subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout)


def figures(report):
    score = next(s for s in ("bits", "rmse", "deviance") if s in report["models"][0]["scores"])
    values = [model["scores"][score]["values"] for model in report["models"]]
    seconds = [model["cpu_seconds"]["mean"] for model in report["models"]]
    return score, values, [s / seconds[0] for s in seconds], seconds[0]


def main(program, data, *wanted):
    print(f"{'set':<12} {'score':<8} {'quick':>8} {'normal':>8} {'(se)':>8} {'best':>8} {'(se)':>8} "
          f"{'quick s':>8} {'x normal':>8} {'x best':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, of in sets(program, Path(data)).items():
            if wanted and name not in wanted:
                continue
            score, values, times, quick = figures(measure(program, name, of, folder))
            n = len(values[0])
            line = f"{name:<12} {score:<8} {sum(values[0]) / n:>8.4f}"
            for effort in values[1:]:
                d = [a - b for a, b in zip(effort, values[0])]
                mean = sum(d) / n
                error = math.sqrt(sum((x - mean) ** 2 for x in d) / (n - 1) / n) if n > 1 else math.nan
                line += f" {sum(effort) / n:>8.4f} {error:>8.4f}"
            print(line + f" {quick:>8.2f} {times[1]:>8.1f} {times[2]:>8.1f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
