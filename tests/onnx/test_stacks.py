"""lacuna export --onnx of chosen machines and stacks: ONNX Runtime and formulas of the test's own agree with predict, on
1,000 rows including extreme ones and numbers between the codes that training had."""

import json
import math
import os
import random
import re
import unittest

import numpy as np

from agreement import AgreementTest, ModelFile, feeds

COLUMNS = ("a", "b", "h", "x")


def split(text):
    """Parts of "A,B" that are not inside brackets."""
    out, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            out.append("")
        else:
            out[-1] += c
    return out


def kernel_of(text):
    """The function that a kernel's text stands for."""
    if combined := re.fullmatch(r"(sum|relevance)\((.*)\)(?::weights=(.*))?", text):
        parts = [kernel_of(part) for part in split(combined[2])]
        if combined[1] == "sum":
            return lambda x, z: sum(part(x, z) for part in parts)
        w = np.array([float(v) for v in combined[3].split("/")])
        return lambda x, z: parts[0](x * w, z * w)
    name, _, given = text.partition(":theta=")
    if name == "linear":
        return lambda x, z: x @ z.T
    theta = np.array([float(v) for v in given.split("/")])

    def squared(x, z):
        return (theta * (x[:, None, :] - z[None, :, :]) ** 2).sum(2)

    if name in ("rbf", "ard"):
        return lambda x, z: np.exp(-squared(x, z))
    if name == "matern12":
        return lambda x, z: np.exp(-np.sqrt(squared(x, z)))
    assert name == "matern52", text
    return lambda x, z: (lambda r: (1 + r + r * r / 3) * np.exp(-r))(np.sqrt(5 * squared(x, z)))


def seen(features, x):
    """Rows through a representation: piecewise linear in one column each, constant beyond the ends."""
    return np.column_stack([np.interp(x[:, f["column"]], f["at"], f["value"]) if f["at"] else x[:, f["column"]]
                            for f in features])


class StackFile(ModelFile):
    def __init__(self, path):
        super().__init__(path)
        self.about = json.loads(self.header["__metadata__"]["model"])

    def machine(self, about, prefix, x):
        """Outputs of one machine, and the magnitudes of their terms."""
        if "representation" in about:
            x = seen(about["representation"]["features"], x)
        if prefix + "centre" in self.header:
            x = x - self.array(prefix + "centre")
        X, alpha, b = (self.array(prefix + name) for name in ("X", "alpha", "b"))
        K = kernel_of(about["kernel"])(x, X)
        return K @ alpha + b, np.abs(K) @ np.abs(alpha) + np.abs(b)

    def stack(self, columns):
        x = np.column_stack([(c - f["centre"]) / f["scale"] for c, f in zip(columns, self.features)])
        if "members" not in self.about:
            return self.machine(self.about, "", x)
        z = magnitude = self.array("b")
        for k, member in enumerate(self.about["members"]):
            own, terms = self.machine(member, f"member.{k}.", x)
            z, magnitude = z + member["weight"] * own, magnitude + member["weight"] * terms
        return z, magnitude


def row(rng):
    """Two codes whose numbers mean nothing, a heavy tail, a number; and targets of every kind."""
    a, b, h, x = rng.randrange(5), rng.randrange(4), math.exp(2 * rng.gauss(0, 1)), rng.gauss(3, 1)
    s = (2, -1, 1.5, -2.5, 0.5)[a] - (1, 0, 2, -1)[b] + 0.5 * math.log(h) + 0.3 * x + rng.gauss(0, 0.3)
    return [a, b, h, x], {"value": repr(s), "two": "yes" if s > 1 else "no", "three": "pqr"[(s > 0) + (s > 2)],
                          "count": str(round(math.exp(0.4 * s)))}


def training_table(target, rows=80):
    rng = random.Random(3)
    lines = [",".join([*COLUMNS, target])]
    for _ in range(rows):
        x, t = row(rng)
        lines.append(",".join([*map(repr, x), t[target]]))
    return "\n".join(lines) + "\n"


def new_rows():
    same, rng = random.Random(3), random.Random(5)
    rows = [row(same)[0] for _ in range(80)]
    while len(rows) < 600:
        rows.append(row(rng)[0])
    while len(rows) < 1000:  # between the codes, beyond the ends, ever further out
        x = row(rng)[0]
        x[rng.randrange(4)] = rng.choice((rng.uniform(-2, 7), -(10 ** rng.uniform(-3, 12)), 10 ** rng.uniform(-3, 12)))
        rows.append(x)
    return "\n".join([",".join(COLUMNS), *(",".join(map(repr, x)) for x in rows)]) + "\n"


LARGEST = {}


class Stacks(AgreementTest):
    def check(self, target, effort, members, *options):
        self.file("train.csv", training_table(target))
        self.ok("fit", "train.csv", "-t", target, "--effort", effort, *options, "--threads", "1", "-q", "-o",
                "m.lacuna")
        run, new = self.exported(), new_rows()
        file, given = StackFile(self.path("m.lacuna")), feeds(run, new)
        self.assertGreaterEqual(len(file.about.get("members", [])), members)
        everything = [file.about, *file.about.get("members", [])]
        self.assertTrue(any("representation" in about for about in everything))
        z, magnitude = file.stack([given[c][:, 0] for c in COLUMNS])
        # Members with a wide kernel have coefficients of 1e5 that nearly cancel; probabilities of such outputs are no
        # better known than the outputs are.
        answers = self.compare(run, new, given)
        for name, value in self.worst.items():
            LARGEST[name] = max(LARGEST.get(name, (0.0,)), (value, target, effort))
        ours = answers["output"] if "output" in answers else answers["prediction"]
        if target == "count":
            ours, z = np.log(ours), np.clip(z, -700, 700)
        self.difference("numpy", ours, z, magnitude)
        self.assertLessEqual(self.worst["numpy"], 1e-12)

    def test_values(self):
        self.check("value", "best", 2)

    def test_two_classes(self):
        self.check("two", "best", 2)

    def test_three_classes(self):
        self.check("three", "best", 2)

    def test_counts(self):
        self.check("count", "best", 2, "--task", "counts")

    def test_one_machine_that_sees_codes(self):
        self.check("value", "normal", 0)

    def test_rows_that_cannot_be_computed_with_have_no_prediction(self):
        self.file("train.csv", training_table("value"))
        self.ok("fit", "train.csv", "-t", "value", "--effort", "normal", "-q", "-o", "m.lacuna")
        run = self.exported()
        prediction = run.run(["prediction"], feeds(run, "a,b,h,x\n1,2,1,3\n,2,1,3\n1,2,1e300,3\n1,2,,3\n"))[0]
        self.assertEqual(np.isnan(prediction[:, 0]).tolist(), [False, True, True, True])


def tearDownModule():
    if os.environ.get("LACUNA_SHOW_DIFFERENCES"):
        for name, worst in sorted(LARGEST.items()):
            print("largest difference", name, *worst)


if __name__ == "__main__":
    unittest.main()
