"""How good predictions are: Lacuna and its peers on the same splits of every set at hand.

    PYTHONPATH=build/python LACUNA_PROGRAM=build/bin/lacuna python3 benchmarks/quality/run.py --data FOLDER -o FILE.csv

appends one line to FILE.csv for each set, split and contender, and goes on where it stopped when it is started again.
Afterwards summary.py makes a page of FILE.csv. FOLDER holds ida/, mass/, wcci2006/, a9a/ and casp/ as CSV; sets whose
files are not there are left out, and so are contenders that are not installed (requirements.txt beside this file).

Sets are in two halves (sets.py). Variants of Lacuna are decided on the development half, which is what runs unless
--half says otherwise. One thread for everybody; seconds are processor time of selection, calibration and fit.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[variable] = "1"  # before any library reads them

import argparse
import csv
import sys
import time
import warnings
from pathlib import Path

import machines
import numpy as np
import sets

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from compare import scores_of_classes, scores_of_values  # noqa: E402

COLUMNS = (
    *("set", "half", "task", "rows", "features", "split", "contender"),
    *("seconds", "log_loss", "error", "calibration", "rmse", "mae", "failure"),
)


def lines_of(path):
    """What a file of results holds so far. A last line that was cut off does not count."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return [line for line in csv.DictReader(file) if line["failure"] is not None]


def append(path, record):
    """One line, written at once, so that two processes may share the file. A half line before it is ended."""
    fresh = not path.exists() or path.stat().st_size == 0
    whole = fresh or path.read_bytes().endswith(b"\n")
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        if fresh:
            writer.writeheader()
        if not whole:
            file.write("\n")
        writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in record.items()})


def judged(contender, task, X, y, X_test, y_test):
    """Scores, processor seconds, and why there are none where it failed."""
    began = time.process_time()
    try:
        machine = contender.make().fit(X, y)
        seconds = time.process_time() - began
        scores = (scores_of_classes if task == "classes" else scores_of_values)(machine, X_test, y_test)
    except Exception as error:  # a contender that fails is a result
        return {"seconds": time.process_time() - began, "failure": f"{type(error).__name__}: {error}"[:200]}
    if not np.isfinite(list(scores.values())).all():
        return {"seconds": seconds, "failure": "predictions that are no finite numbers"}
    return {"seconds": seconds, "failure": "", **{key: float(value) for key, value in scores.items()}}


def work(chosen, makers, n_splits, done):
    """(record without scores, contender, rows) of all that is yet to be done; every set's first split comes first."""
    for k in range(n_splits):
        for one in chosen:
            todo = [c for c in makers[one.task] if (one.name, str(k), c.name) not in done]
            if not todo:
                continue
            rows = one.split(k, n_splits)
            if rows is None:
                if k == 0:
                    print(f"run: {one.name} is left out: its file or the program is not there", file=sys.stderr)
                continue
            X, y, _, _ = rows
            for contender in todo:
                if len(y) > contender.most_rows or one.task == "classes" and y.max() + 1 > contender.most_classes:
                    continue
                head = {"set": one.name, "half": one.half, "task": one.task, "rows": len(y), "features": X.shape[1]}
                yield {**head, "split": k, "contender": contender.name}, contender, rows


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--data", type=Path, help="folder with ida/, mass/, wcci2006/, a9a/ and casp/")
    options.add_argument("--program", help="the program lacuna, for generated sets (default: LACUNA_PROGRAM)")
    options.add_argument("--splits", type=int, default=10)
    options.add_argument("--half", choices=("development", "reporting", "both"), default="development")
    options.add_argument("--sets", nargs="*", help="only these")
    options.add_argument("--contenders", nargs="*", help="only these")
    options.add_argument("--peers", action="store_true", help="everybody but Lacuna")
    options.add_argument("-o", "--output", type=Path, required=True)
    given = options.parse_args()
    warnings.filterwarnings("ignore")
    chosen = [
        s
        for s in sets.every_set(given.data, sets.program_of(given.program))
        if given.half in (s.half, "both") and (not given.sets or s.name in given.sets)
    ]
    makers = {"classes": list(machines.classifiers()), "values": list(machines.regressors())}
    for task, known in makers.items():
        makers[task] = [
            c
            for c in known
            if (not given.contenders or c.name in given.contenders) and (c.is_peer or not given.peers)
        ]
    done = {(line["set"], line["split"], line["contender"]) for line in lines_of(given.output)}
    for head, contender, rows in work(chosen, makers, given.splits, done):
        record = {**head, **judged(contender, head["task"], *rows)}
        append(given.output, record)
        score = record["failure"] or f"{record.get('log_loss', record.get('rmse')):.4f}"
        print(
            f"{record['split']:>3} {record['set']:<18}{record['contender']:<30}{record['seconds']:8.2f} s  {score}",
            flush=True,
        )


if __name__ == "__main__":
    main()
