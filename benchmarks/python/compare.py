"""Lacuna against what people use today: CPU time, error, log-loss and calibration error on the same splits for all.

    PYTHONPATH=build/python python3 benchmarks/python/compare.py [--data FOLDER] [--splits N] [--output FILE.md]

needs scikit-learn; catboost takes part if it is installed (requirements.txt beside this file has both). FOLDER holds
ida/ and mass/ as CSV; without it only the sets that come with scikit-learn and the generated ones are run. One thread
for everybody. Time is the CPU time of the process, so that other work on the machine counts little. FILE.md gets the
tables, and a CSV of the same name one line for each split.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before any library reads them

import argparse
import platform
import shlex
import sys
import time
import warnings
from datetime import date
from pathlib import Path

import contenders
import data_sets
import numpy as np
import sklearn
import tables

import lacuna


def calibration_error(p, y):
    """Ten bins of the stated probability of the likeliest class; mean distance to the share of correct ones."""
    top, right = p.max(axis=1), p.argmax(axis=1) == y
    bins = np.minimum((top * 10).astype(int), 9)
    return sum(abs(top[bins == b].sum() - right[bins == b].sum()) for b in np.unique(bins)) / len(y)


def scores_of_classes(machine, X, y):
    p = np.asarray(machine.predict_proba(X))
    true = np.clip(p[np.arange(len(y)), y], 1e-15, 1.0)
    return {
        "error": np.mean(p.argmax(axis=1) != y),
        "log_loss": -np.log(true).mean(),
        "calibration": calibration_error(p, y),
    }


def scores_of_values(machine, X, y):
    residual = y - np.ravel(machine.predict(X))
    return {"rmse": np.sqrt(np.mean(residual**2)), "mae": np.abs(residual).mean()}


def run(sets, makers, scores):
    """One record for each set, contender and split."""
    for name, source, splits in sets:
        for contender, make in makers.items():
            for k, (X, y, X_test, y_test) in enumerate(splits):
                began = time.process_time()
                machine = make().fit(X, y)
                seconds = time.process_time() - began
                record = {
                    "set": name,
                    "splits": source,
                    "rows": len(y),
                    "features": X.shape[1],
                    "contender": contender,
                    "split": k,
                    "seconds": seconds,
                    **scores(machine, X_test, y_test),
                }
                print(
                    f"{name:<24}{contender:<32}{k:>3} {seconds:8.2f} s  "
                    + "  ".join(f"{key} {record[key]:.4f}" for key in list(record)[7:]),
                    flush=True,
                )
                yield record


def versions():
    out = {
        "lacuna": lacuna.__version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
    if contenders.catboost is not None:
        out["catboost"] = contenders.catboost.__version__
    return ", ".join(f"{name} {version}" for name, version in out.items())


def command():
    """What was typed, without where things lie on this machine."""
    words = [word for word in sys.argv[1:] if word != "--again"]
    for option, stands_for in (("--data", "FOLDER"), ("--kept", "EARLIER.csv"), ("--output", "FILE.md")):
        if option in words:
            words[words.index(option) + 1] = stands_for
    return shlex.join(["python3", "benchmarks/python/compare.py", *words])


def head():
    return f"""{date.today():%-d %B %Y}; {versions()};
{os.cpu_count()} cores, shared with other work.

    PYTHONPATH=build/python {command()}

Every contender selects and calibrates on the training rows of a split by its own means, and is judged on the test rows.
Figures are means over the splits, which are the same for all. Time is CPU time of the process for selection,
calibration and fit together, one thread each. The best of a row is bold; losses are listed as well as gains. Rows are
training rows; GPC and GPR are scikit-learn's Gaussian processes."""


def with_kept(classes, values, path):
    """Records with those of contenders that were run before on the same splits, ours first."""
    if path is None:
        return classes + values
    new = {(r["set"], r["contender"]) for r in classes + values}
    kept = [r for r in tables.read_csv(path) if (r["set"], r["contender"]) not in new]
    return classes + [r for r in kept if "log_loss" in r] + values + [r for r in kept if "rmse" in r]


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--data", help="folder with ida/ and mass/")
    options.add_argument("--splits", type=int, default=3)
    options.add_argument("--sets", nargs="*", help="only these")
    options.add_argument("--contenders", nargs="*", help="only these; Lacuna has to be the first")
    options.add_argument("--kept", type=Path, help="CSV of an earlier run on the same splits, for all other contenders")
    options.add_argument("--output", type=Path)
    options.add_argument("--again", action="store_true", help="only write the page of --output again, from its CSV")
    given = options.parse_args()
    if given.again:
        given.output.write_text(tables.page(tables.read_csv(given.output.with_suffix(".csv")), head()))
        return
    folder = data_sets.data_folder(given.data)
    if folder is None:
        print("compare: no --data; only scikit-learn's own and generated sets are run", file=sys.stderr)

    def wanted(sets):
        return [s for s in sets if not given.sets or s[0] in given.sets]

    def chosen(makers):
        return {name: make for name, make in makers.items() if not given.contenders or name in given.contenders}

    warnings.filterwarnings("ignore")  # ConvergenceWarning of GaussianProcessClassifier, for the most part
    began = time.process_time()
    classes = list(
        run(wanted(data_sets.classification(folder, given.splits)), chosen(contenders.classifiers()), scores_of_classes)
    )
    values = list(
        run(wanted(data_sets.regression(folder, given.splits)), chosen(contenders.regressors()), scores_of_values)
    )
    records = with_kept(classes, values, given.kept)
    text = tables.page(records, head())
    print(f"\n{text}\n{time.process_time() - began:.0f} s of CPU time in all")
    if given.output:
        given.output.write_text(text)
        tables.write_csv(given.output.with_suffix(".csv"), records)


if __name__ == "__main__":
    main()
