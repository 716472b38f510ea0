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
import csv
import platform
import sys
import time
import warnings
from datetime import date
from pathlib import Path

import contenders
import data_sets
import numpy as np
import sklearn

import lacuna

OURS, PEER = "Lacuna", "SVC, 11 x 10 grid, calibrated"


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


def mean(records, name, contender, key):
    return np.mean([r[key] for r in records if r["set"] == name and r["contender"] == contender])


def names_of(records, key):
    return list(dict.fromkeys(r[key] for r in records))


def table(records, key, digits, scale=1.0, least_is_best=True):
    """Markdown: sets down, contenders across, means over the splits; the best of a row is bold."""
    makers = names_of(records, "contender")
    lines = ["| set | rows x features, splits | " + " | ".join(makers) + " |", "|---" * (len(makers) + 2) + "|"]
    for name in names_of(records, "set"):
        one = next(r for r in records if r["set"] == name)
        values = [scale * mean(records, name, contender, key) for contender in makers]
        cells = [f"{value:.{digits}f}" for value in values]
        if least_is_best:
            best = min(cells, key=float)
            cells = [f"**{cell}**" if cell == best else cell for cell in cells]
        splits = 1 + max(r["split"] for r in records if r["set"] == name)
        lines.append(
            f"| {name} | {one['rows']} x {one['features']}, {splits} ({one['splits']}) | " + " | ".join(cells) + " |"
        )
    return "\n".join(lines)


def against(records, peer, key):
    """In how many sets our mean is lower than a peer's, and which are lost."""
    sets = names_of(records, "set")
    lost = [name for name in sets if not mean(records, name, OURS, key) < mean(records, name, peer, key)]
    return len(sets) - len(lost), len(sets), lost


def summary(records, key, word):
    lines = [
        f"| peer | Lacuna's {word} is lower on | not lower on | peer's CPU time / Lacuna's: median, least |",
        "|---|---|---|---|",
    ]
    for peer in names_of(records, "contender"):
        if peer == OURS:
            continue
        won, of, lost = against(records, peer, key)
        ratio = [
            mean(records, name, peer, "seconds") / mean(records, name, OURS, "seconds")
            for name in names_of(records, "set")
        ]
        lines.append(
            f"| {peer} | {won} of {of} | {', '.join(lost) or 'none'} | {np.median(ratio):.3g}, {min(ratio):.3g} |"
        )
    return "\n".join(lines)


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


def page(classes, values, command):
    part = [
        "# Lacuna for Python against its peers",
        "",
        f"{date.today():%-d %B %Y}; {versions()}; one thread each.",
        "",
        f"    {command}",
        "",
        "Every contender selects and calibrates on the training rows of a split by its own means, and is judged on "
        "the test rows.",
        "Figures are means over the splits, which are the same for all. Time is CPU time of the process for selection,",
        "calibration and fit together, on a machine that others used meanwhile. The best of a row is bold.",
    ]
    if classes:
        won, of, lost = against(classes, PEER, "log_loss")
        part += [
            "",
            "## Classes: summary",
            "",
            summary(classes, "log_loss", "mean log-loss"),
            "",
            "## Log-loss (nats)",
            "",
            table(classes, "log_loss", 4),
            "",
            "## Error (%)",
            "",
            table(classes, "error", 2, 100),
            "",
            "## Calibration error (%)",
            "",
            "Ten bins of the probability of the likeliest class; the mean distance between it and the share of "
            "correct labels.",
            "",
            table(classes, "calibration", 2, 100),
            "",
            "## CPU time (s)",
            "",
            table(classes, "seconds", 2),
        ]
    if values:
        part += [
            "",
            "## Values: summary",
            "",
            summary(values, "rmse", "root mean squared error"),
            "",
            "## Root mean squared error",
            "",
            table(values, "rmse", 4),
            "",
            "## Mean absolute error",
            "",
            table(values, "mae", 4),
            "",
            "## CPU time (s), values",
            "",
            table(values, "seconds", 2),
        ]
    return "\n".join(part) + "\n"


def write_csv(path, records):
    keys = list(dict.fromkeys(key for record in records for key in record))
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, keys, lineterminator="\n")
        writer.writeheader()
        for record in records:
            writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in record.items()})


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--data", help="folder with ida/ and mass/")
    options.add_argument("--splits", type=int, default=3)
    options.add_argument("--sets", nargs="*", help="only these")
    options.add_argument("--output", type=Path)
    given = options.parse_args()
    folder = data_sets.data_folder(given.data)
    if folder is None:
        print("compare: no --data; only scikit-learn's own and generated sets are run", file=sys.stderr)

    def wanted(sets):
        return [s for s in sets if not given.sets or s[0] in given.sets]

    warnings.filterwarnings("ignore")  # ConvergenceWarning of GaussianProcessClassifier, for the most part
    began = time.process_time()
    classes = list(
        run(wanted(data_sets.classification(folder, given.splits)), contenders.classifiers(), scores_of_classes)
    )
    values = list(run(wanted(data_sets.regression(folder, given.splits)), contenders.regressors(), scores_of_values))
    data = " --data FOLDER" if given.data else ""
    command = f"PYTHONPATH=build/python python3 benchmarks/python/compare.py{data} --splits {given.splits}"
    text = page(classes, values, command)
    print(f"\n{text}\n{time.process_time() - began:.0f} s of CPU time in all")
    if given.output:
        given.output.write_text(text)
        write_csv(given.output.with_suffix(".csv"), classes + values)


if __name__ == "__main__":
    main()
