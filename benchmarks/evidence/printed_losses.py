#!/usr/bin/env python3
"""Are the held-out losses that `fit` prints those of explicit refits, within 1 % or flagged?

    benchmarks/evidence/printed_losses.py build/bin/lacuna [--data FOLDER] [--rows 200] [--draws 2] [--models klr,kpr,…]

On random rows of each IDA set in FOLDER (FOLDER/NAME.csv, label last), annulus (seed 9) and rare counts, each model of an
iterated loss chooses its parameters; then the same machine is refitted without each row (`--cv explicit:loo`). A line for
each: the loss printed, that of refits, their difference in per cent, the share of rows whose own loss is off by more than
1 % of the mean, the share that was flagged, and whether the report says that it was searched or refitted again.
Exit 1 where a printed loss is off by more than 1 % and no row is flagged.
"""
import argparse, csv, json, os, random, subprocess, sys, tempfile
from pathlib import Path

from small_draws import rare_counts, write

CLASSES, COUNTS = ("klr", "kpr", "l2-svm"), ("poisson", "gamma", "negbin")


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    if done.returncode:
        raise RuntimeError(" ".join(map(str, arguments)) + ": " + done.stderr.strip()[-300:])
    return done.stdout


def some_rows(path, rows, seed):
    with open(path, newline="") as file:
        header, *lines = csv.reader(file)
    random.Random(seed).shuffle(lines)
    return [header, *lines[:rows]]


def problems(given, folder):
    """(name, path of a CSV file, its target, models)"""
    for k in range(given.draws):
        for path in sorted(given.data.glob("*.csv")) if given.data else []:
            if path.stem.count("."):
                continue
            out = Path(folder, f"{path.stem}-{k}.csv")
            table = some_rows(path, given.rows, k)
            with open(out, "w", newline="") as file:
                csv.writer(file).writerows(table)
            yield f"{path.stem} {k}", out, table[0][-1], CLASSES
    annulus = Path(folder, "annulus.csv")
    run(given.program, "generate", "annulus", "--rows", given.rows, "--seed", 9, "-o", annulus)
    yield "annulus", annulus, "label", CLASSES
    for k in range(given.draws):
        counts = Path(folder, f"counts-{k}.csv")
        table = rare_counts(random.Random(k), given.rows)
        write(counts, table, "label")
        yield f"rare counts {k}", counts, "label", ("poisson", "negbin")
        write(counts.with_suffix(".gamma.csv"), [(x, y + 0.5) for x, y in table], "label")
        yield f"amounts {k}", counts.with_suffix(".gamma.csv"), "label", ("gamma",)


def losses(path):
    with open(path, newline="") as file:
        return [float(row["loss"]) for row in csv.DictReader(file)]


def compared(program, train, target, model, folder):
    first, second = Path(folder, "said.csv"), Path(folder, "true.csv")
    fit = json.loads(run(program, "fit", train, "-t", target, "--model", model, "--loo", first, "--json", "--quiet"))
    given = ["--kernel", f"rbf:theta={fit['kernel']['theta']!r}", "--lambda", repr(fit["lambda"]), "--search", "none"]
    if "shape" in fit:
        given += ["--shape", repr(fit["shape"])]
    run(program, "fit", train, "-t", target, "--model", model, *given, "--cv", "explicit:loo", "--loo", second, "--quiet")
    again = any("contradict" in w for w in fit["warnings"])
    return losses(first), losses(second), fit["held_out"]["flagged"] / fit["rows"], again


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--models", default=",".join(CLASSES + COUNTS))
    given = parser.parse_args()
    bad = 0
    print(f"{'data':16} {'model':8} {'printed':>9} {'refits':>9} {'off':>8} {'rows off':>9} {'flagged':>8}  again")
    with tempfile.TemporaryDirectory() as folder:
        for name, train, target, models in problems(given, folder):
            for model in [m for m in models if m in given.models.split(",")]:
                said, true, flagged, again = compared(given.program, train, target, model, folder)
                a, b, n = sum(said) / len(said), sum(true) / len(true), len(true)
                off = abs(a - b) / abs(b)
                rows_off = sum(abs(x - y) > 0.01 * abs(b) for x, y in zip(said, true)) / n
                verdict = "FALSE" if off > 0.01 and flagged == 0 else ""
                bad += bool(verdict)
                print(f"{name:16} {model:8} {a:9.5f} {b:9.5f} {off:8.2%} {rows_off:9.1%} {flagged:8.1%}  "
                      f"{'yes' if again else '':5} {verdict}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
