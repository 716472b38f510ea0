#!/usr/bin/env python3
"""Are the estimates that `--effort normal` and `best` print true on average? Over many draws of generated data: the
printed held-out loss minus that of 20,000 fresh rows, its mean with its standard error, and the ratio of the two.

    benchmarks/evidence/honest_estimates.py build/bin/lacuna [--draws 50] [--rows 150] [--sets ringnorm ...] [--first 1]

Ends with 1 where a mean lies more than two standard errors from zero.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

FRESH_ROWS = 20_000
# What each is judged by.
SETS = {"ringnorm": "xent", "ripley": "xent", "waveform": "xent", "friedman1": "rmse", "sinc": "rmse",
        "counts": "deviance"}


def run(program, *words):
    return subprocess.run([program, *words], check=True, text=True, stdout=subprocess.PIPE).stdout


def generated(program, name, rows, seed, path):
    run(program, "generate", name, "--rows", str(rows), "--seed", str(seed), "-o", path)
    with open(path) as lines:
        return next(lines).strip().split(",")[-1]


def loss(scores, score):
    return scores[score] ** 2 if score == "rmse" else scores[score]


def fitted(program, path, target, effort, score):
    """The held-out loss that is printed and that of the fresh rows."""
    words = ["--target", target, "--effort", effort, "--threads", "1", "-q", "--json", "-o", "model.lacuna"]
    words += ["--model", "poisson"] if score == "deviance" else []
    report = json.loads(run(program, "fit", path, *words))
    run(program, "predict", "model.lacuna", "fresh.csv", "--json", "scores.json", "-o", os.devnull, "--threads", "1", "-q")
    with open("scores.json") as file:
        return loss(report["held_out"], score), loss(json.load(file)["scores"], score)


def mean_and_error(values):
    return statistics.mean(values), statistics.stdev(values) / len(values) ** 0.5


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("program", type=os.path.abspath)
    options.add_argument("--draws", type=int, default=50)
    options.add_argument("--rows", type=int, default=150)
    options.add_argument("--first", type=int, default=1, help="seed of the first draw; the others follow")
    options.add_argument("--efforts", nargs="*", default=["normal", "best"])
    options.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    given = options.parse_args()
    print(f"{given.draws} draws of {given.rows} rows from seed {given.first} on, {FRESH_ROWS} fresh rows\n")
    print("| set | effort | loss | printed | fresh | printed - fresh | s.e. | z |")
    print("|---|---|---|---|---|---|---|---|")
    beyond = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in given.sets:
            target, score = generated(given.program, name, FRESH_ROWS, 1_000_000, "fresh.csv"), SETS[name]
            for effort in given.efforts:
                said, true = [], []
                for draw in range(given.draws):
                    generated(given.program, name, given.rows, given.first + draw, "train.csv")
                    printed, fresh = fitted(given.program, "train.csv", target, effort, score)
                    said.append(printed), true.append(fresh)
                mean, error = mean_and_error([a - b for a, b in zip(said, true)])
                beyond += abs(mean) > 2 * error
                print(f"| {name} | {effort} | {'mse' if score == 'rmse' else score} | {statistics.mean(said):.4f} "
                      f"| {statistics.mean(true):.4f} | {mean:+.4f} | {error:.4f} | {mean / error:+.1f} |",
                      flush=True)
    return beyond > 0


if __name__ == "__main__":
    sys.exit(main())
