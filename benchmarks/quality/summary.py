"""A page of Markdown from the lines that run.py wrote.

    python3 benchmarks/quality/summary.py FILE.csv [--against NAME] [-o FILE.md]

NAME is the contender that the others are compared with; without it the first one of Lacuna's, or the first of all.
"""

import argparse
import csv
from pathlib import Path

import numpy as np

MAIN = {"classes": ("log_loss", "log-loss"), "values": ("rmse", "RMSE")}
TABLES = {
    "classes": (
        ("log_loss", "Log-loss (nats)", 4, 1.0),
        ("error", "Error (%)", 2, 100.0),
        ("calibration", "Calibration error (%)", 2, 100.0),
        ("seconds", "Processor seconds", 2, 1.0),
    ),
    "values": (
        ("rmse", "Root mean squared error", 4, 1.0),
        ("mae", "Mean absolute error", 4, 1.0),
        ("seconds", "Processor seconds, values", 2, 1.0),
    ),
}
SIGNIFICANT = 1.64


def read(path):
    numbers = ("seconds", "log_loss", "error", "calibration", "rmse", "mae")
    with open(path, newline="") as file:
        lines = [line for line in csv.DictReader(file) if line["failure"] is not None]
    for line in lines:
        for key in numbers:
            line[key] = float(line[key]) if line[key] else np.nan
        line["split"] = int(line["split"])
    return lines


def unique(lines, key):
    return list(dict.fromkeys(line[key] for line in lines))


class Scores:
    """Scores by set, contender and split, of one task."""

    def __init__(self, lines):
        self.lines = [line for line in lines if not line["failure"]]
        self.sets = unique(self.lines, "set")
        self.contenders = sorted(unique(self.lines, "contender"), key=lambda c: not c.startswith("Lacuna"))
        self.at = {(line["set"], line["contender"], line["split"]): line for line in self.lines}

    def splits(self, name, *contenders):
        """Those that all of these have."""
        of = [{k for s, c, k in self.at if (s, c) == (name, contender)} for contender in contenders]
        return sorted(set.intersection(*of)) if of else []

    def those_on(self, name):
        return [c for c in self.contenders if self.splits(name, c)]

    def values(self, name, contender, key, splits):
        return np.array([self.at[name, contender, k][key] for k in splits])

    def mean(self, name, contender, key):
        """Over the splits that everybody has who has any."""
        if not self.splits(name, contender):
            return np.nan
        return self.values(name, contender, key, self.splits(name, *self.those_on(name))).mean()

    def difference(self, name, contender, other, key):
        """(mean of contender - other, its standard error, splits), paired."""
        splits = self.splits(name, contender, other)
        d = self.values(name, contender, key, splits) - self.values(name, other, key, splits)
        if len(d) < 2:
            return np.nan, np.nan, len(d)
        return d.mean(), d.std(ddof=1) / np.sqrt(len(d)), len(d)


def z_value(mean, error):
    if not np.isfinite(mean):
        return np.nan
    return mean / error if error > 0 else np.sign(mean) * np.inf if mean else 0.0


def table(scores, key, digits, scale):
    lines = ["| set | rows x features, splits | " + " | ".join(scores.contenders) + " |"]
    lines.append("|---" * (len(scores.contenders) + 2) + "|")
    for name in scores.sets:
        one = next(line for line in scores.lines if line["set"] == name)
        values = [scale * scores.mean(name, c, key) for c in scores.contenders]
        cells = ["" if np.isnan(v) else f"{v:.{digits}f}" for v in values]
        best = min((cell for cell in cells if cell), key=float, default="")
        cells = [f"**{cell}**" if cell and cell == best else cell for cell in cells]
        n = len(scores.splits(name, *scores.those_on(name)))
        lines.append(f"| {name} | {one['rows']} x {one['features']}, {n} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def paired(scores, reference, key):
    """z of every contender's score minus the reference's: above 1.64 the reference is better."""
    others = [c for c in scores.contenders if c != reference]
    lines = ["| set | " + " | ".join(others) + " |", "|---" * (len(others) + 1) + "|"]
    for name in scores.sets:
        z = [z_value(*scores.difference(name, c, reference, key)[:2]) for c in others]
        lines.append(f"| {name} | " + " | ".join("" if np.isnan(v) else f"{v:+.1f}" for v in z) + " |")
    return "\n".join(lines)


def standing(scores, reference, key, word):
    """One line for a contender: mean rank, how it stands to the reference, and its time."""
    complete = [name for name in scores.sets if len(scores.those_on(name)) == len(scores.contenders)]
    rank = {c: [] for c in scores.contenders}
    for name in complete:
        means = [scores.mean(name, c, key) for c in scores.contenders]
        for c, m in zip(scores.contenders, means):
            rank[c].append(1 + sum(other < m for other in means))
    lines = [
        f"| contender | mean rank on {len(complete)} sets that all finished | {word} / {reference}'s, geometric mean | "
        f"{reference} better, worse, undecided | seconds in all |",
        "|---|---|---|---|---|",
    ]
    for c in scores.contenders:
        z = {name: z_value(*scores.difference(name, c, reference, key)[:2]) for name in scores.sets}
        z = [v for v in z.values() if np.isfinite(v)] if c != reference else []
        better, worse = sum(v > SIGNIFICANT for v in z), sum(v < -SIGNIFICANT for v in z)
        ratios = [scores.mean(name, c, key) / scores.mean(name, reference, key) for name in scores.sets]
        ratio = np.exp(np.nanmean(np.log(ratios))) if np.isfinite(ratios).any() else np.nan
        seconds = sum(line["seconds"] for line in scores.lines if line["contender"] == c)
        stands = f"{better}, {worse}, {len(z) - better - worse}" if c != reference else ""
        mean_rank = f"{np.mean(rank[c]):.1f}" if complete else ""
        lines.append(f"| {c} | {mean_rank} | {ratio:.3f} | {stands} | {seconds:.0f} |")
    return "\n".join(lines)


def failures(lines):
    failed = [line for line in lines if line["failure"]]
    if not failed:
        return []
    out = ["## Failures", ""]
    for contender in unique(failed, "contender"):
        for name in unique([f for f in failed if f["contender"] == contender], "set"):
            those = [f for f in failed if f["contender"] == contender and f["set"] == name]
            out.append(f"- {contender} on {name}, {len(those)} splits: {those[0]['failure']}")
    return [*out, ""]


def page(lines, against=None):
    half = ", ".join(unique(lines, "half"))
    part = [f"# Quality of predictions: {half}", ""]
    part += [
        "Every contender selects and calibrates on the training rows of a split by its own means, in one thread, and",
        "is judged on the test rows. Means are over the splits that all contenders of a set have finished; the best of",
        "a row is bold. The z is the mean of the paired differences over its standard error; above 1.64 the one that is",
        "compared with is better. Splits of sets that are not generated share rows, so their z is too large.",
        "",
    ]
    for task, (key, word) in MAIN.items():
        scores = Scores([line for line in lines if line["task"] == task])
        if not scores.lines:
            continue
        reference = against if against in scores.contenders else scores.contenders[0]
        part += [f"## {task.capitalize()}", "", standing(scores, reference, key, word), ""]
        for of, title, digits, scale in TABLES[task]:
            part += [f"### {title}", "", table(scores, of, digits, scale), ""]
        part += [f"### z of the {word}, against {reference}", "", paired(scores, reference, key), ""]
    return "\n".join(part + failures(lines))


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("lines", type=Path, metavar="FILE.csv")
    options.add_argument("--against", help="the contender that the others are compared with")
    options.add_argument("-o", "--output", type=Path)
    given = options.parse_args()
    text = page(read(given.lines), given.against)
    if given.output:
        given.output.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
