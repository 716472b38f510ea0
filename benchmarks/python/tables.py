"""Records of the comparison as CSV and as a page of Markdown."""

import csv
import re
import textwrap

import numpy as np
from data_sets import SETTLED_ON

OURS = "Lacuna"


def write_csv(path, records):
    keys = list(dict.fromkeys(key for record in records for key in record))
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, keys, lineterminator="\n")
        writer.writeheader()
        for record in records:
            writer.writerow({k: f"{v:.6g}" if isinstance(v, float) else v for k, v in record.items()})


def read_csv(path):
    words = ("set", "splits", "contender")
    with open(path, newline="") as file:
        return [{k: v if k in words else float(v) for k, v in row.items() if v != ""} for row in csv.DictReader(file)]


def mean(records, name, contender, key):
    return np.mean([r[key] for r in records if r["set"] == name and r["contender"] == contender])


def names_of(records, key):
    return list(dict.fromkeys(r[key] for r in records))


def short(contender):
    """Its name as the head of a narrow column."""
    name = re.sub("( grid)?(, calibrated|, tuned)?$", "", contender.replace("HistGradient", ""))
    return re.sub("GaussianProcess([CR]).*", r"GP\1", name)


def table(records, key, digits, scale=1.0):
    """Sets down, contenders across, means over the splits; the least of a row is bold."""
    makers = names_of(records, "contender")
    lines = [
        "| set | rows x features, splits | " + " | ".join(map(short, makers)) + " |",
        "|---" * (len(makers) + 2) + "|",
    ]
    for name in names_of(records, "set"):
        own = [r for r in records if r["set"] == name]
        cells = [f"{scale * mean(records, name, contender, key):.{digits}f}" for contender in makers]
        best = min(cells, key=float)
        cells = [f"**{cell}**" if cell == best else cell for cell in cells]
        splits = 1 + max(int(r["split"]) for r in own)
        shape = f"{own[0]['rows']:.0f} x {own[0]['features']:.0f}, {splits} ({own[0]['splits']})"
        lines.append(f"| {name} | {shape} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def lost_to(records, peer, key):
    """Sets on which our mean is not lower than a peer's."""
    return [
        name for name in names_of(records, "set") if not mean(records, name, OURS, key) < mean(records, name, peer, key)
    ]


def splits_won(records, peer, key):
    ours = {(r["set"], r["split"]): r[key] for r in records if r["contender"] == OURS}
    theirs = {(r["set"], r["split"]): r[key] for r in records if r["contender"] == peer}
    return sum(ours[at] < theirs[at] for at in ours), len(ours)


def summary(records, key, word):
    sets = names_of(records, "set")
    lines = [
        f"| peer | Lacuna's {word} is lower on | not lower on | single splits | "
        "CPU time / Lacuna's: least, median, most |",
        "|---|---|---|---|---|",
    ]
    for peer in names_of(records, "contender"):
        if peer == OURS:
            continue
        lost = lost_to(records, peer, key)
        won, of = splits_won(records, peer, key)
        ratio = [mean(records, name, peer, "seconds") / mean(records, name, OURS, "seconds") for name in sets]
        lines.append(
            f"| {peer} | {len(sets) - len(lost)} of {len(sets)} | {', '.join(lost) or 'none'} | {won} of {of} | "
            f"{min(ratio):.2g}, {np.median(ratio):.2g}, {max(ratio):.2g} |"
        )
    return "\n".join(lines)


def differences(records, peer, key):
    """A peer's score minus ours, paired by split, with its standard error, for sets with five splits at least."""
    lines = [f"| set | splits | {peer} minus Lacuna | standard error |", "|---|---|---|---|"]
    for name in names_of(records, "set"):
        of = {c: [r[key] for r in records if r["set"] == name and r["contender"] == c] for c in (OURS, peer)}
        d = np.subtract(of[peer], of[OURS])
        if len(d) >= 5:
            lines.append(f"| {name} | {len(d)} | {d.mean():+.4f} | {d.std(ddof=1) / len(d) ** 0.5:.4f} |")
    if len(lines) == 2:
        return []
    return [
        f"### Log-loss, {peer} minus Lacuna",
        "",
        "Splits share rows, so that the standard errors are a little too small.",
        "",
        *lines,
        "",
    ]


def part_in_development(records):
    """What a reader has to know of sets that had a part in settling the defaults."""
    fresh = [r for r in records if r["set"] not in SETTLED_ON]
    used = sorted({r["set"] for r in records} & SETTLED_ON)
    if not fresh or not used:
        return []
    peer = names_of(records, "contender")[1]
    n, lost = len(names_of(fresh, "set")), lost_to(fresh, peer, "log_loss")
    text = (
        f"Lacuna's defaults were settled with the help of {', '.join(used)}, so their figures are a little too good "
        f"for it. The other {n} sets had no part in it: on {n - len(lost)} of them its log-loss is lower than that of "
        f"{peer}."
    )
    return [textwrap.fill(text, 120, break_on_hyphens=False), ""]


def page(records, head):
    """`head` says when, where and how."""
    classes = [r for r in records if "log_loss" in r]
    values = [r for r in records if "rmse" in r]
    part = ["# Lacuna for Python against its peers", "", head, ""]
    if classes:
        part += ["## Classes", "", summary(classes, "log_loss", "mean log-loss"), "", *part_in_development(classes)]
        part += ["### Log-loss (nats)", "", table(classes, "log_loss", 4), ""]
        part += differences(classes, names_of(classes, "contender")[1], "log_loss")
        part += ["### Error (%)", "", table(classes, "error", 2, 100), ""]
        part += ["### Calibration error (%)", ""]
        part += [
            "Ten bins of the probability of the likeliest class; mean distance to the share of correct labels.",
            "",
        ]
        part += [table(classes, "calibration", 2, 100), "", "### CPU time (s)", "", table(classes, "seconds", 2), ""]
    if values:
        part += ["## Values", "", summary(values, "rmse", "RMSE"), ""]
        part += ["### Root mean squared error", "", table(values, "rmse", 4), ""]
        part += ["### Mean absolute error", "", table(values, "mae", 4), ""]
        part += ["### CPU time (s), values", "", table(values, "seconds", 3), ""]
    return "\n".join(part)
