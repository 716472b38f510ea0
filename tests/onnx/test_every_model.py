"""ONNX Runtime agrees with predict for every model, kernel and task, on 1,000 rows including extreme ones, for machines
on all rows and on a basis. A graph of kernel values leads into a graph of the model, and neither looks at the other: so
two models meet every kernel, and the others take turns, a third of the kernels each."""

import math
import os
import random
import unittest

import numpy as np

from agreement import AgreementTest, ModelFile, feeds

FEATURES = 3
WEIGHTS = np.array([2, 0.01, 0.7])


def dot(x, z):
    return x @ z.T


def squared(x, z, theta=1.0):
    return (theta * (x[:, None, :] - z[None, :, :]) ** 2).sum(2)


def matern12(x, z, theta):
    return np.exp(-np.sqrt(theta * squared(x, z)))


def matern32(x, z, theta):
    r = np.sqrt(3 * theta * squared(x, z))
    return (1 + r) * np.exp(-r)


def matern52(x, z, theta):
    r = np.sqrt(5 * theta * squared(x, z))
    return (1 + r + r * r / 3) * np.exp(-r)


KERNELS = {
    "rbf:theta=0.3": lambda x, z: np.exp(-0.3 * squared(x, z)),
    "ard:theta=0.3/0.02/1": lambda x, z: np.exp(-squared(x, z, np.array([0.3, 0.02, 1]))),
    "linear": dot,
    "poly2:c=1": lambda x, z: (dot(x, z) + 1) ** 2,
    "poly3:c=0.5": lambda x, z: (dot(x, z) + 0.5) ** 3,
    "poly:degree=5,c=1": lambda x, z: (dot(x, z) + 1) ** 5,
    "boolean:eta=0.2": lambda x, z: 1.2 ** dot(x, z),
    "matern12:theta=0.3": lambda x, z: matern12(x, z, 0.3),
    "matern32:theta=0.3": lambda x, z: matern32(x, z, 0.3),
    "matern52:theta=0.3": lambda x, z: matern52(x, z, 0.3),
    "rq:theta=0.3,alpha=1.5": lambda x, z: (1 + 0.2 * squared(x, z)) ** -1.5,
    "rq:theta=0.3,alpha=1e6": lambda x, z: np.exp(-1e6 * np.log1p(3e-7 * squared(x, z))),
    "sum(rbf:theta=0.5,linear)": lambda x, z: np.exp(-0.5 * squared(x, z)) + dot(x, z),
    "prod(matern32:theta=0.1,poly2:c=1)": lambda x, z: matern32(x, z, 0.1) * (dot(x, z) + 1) ** 2,
    "relevance(rbf:theta=0.3):weights=2/0.01/0.7": lambda x, z: np.exp(-0.3 * squared(x * WEIGHTS, z * WEIGHTS)),
    "relevance(sum(matern12:theta=0.3,linear)):weights=2/0.01/0.7":
        lambda x, z: matern12(x * WEIGHTS, z * WEIGHTS, 0.3) + dot(x * WEIGHTS, z * WEIGHTS),
    "sum(prod(rbf:theta=0.5,linear),matern12:theta=0.2)":
        lambda x, z: np.exp(-0.5 * squared(x, z)) * dot(x, z) + matern12(x, z, 0.2),
}
CLASSIFIERS = ("ls-svm", "kfd", "klr", "kpr", "kpr:paper", "l2-svm", "gp-laplace", "gp-laplace:probit", "gp-ep")
MODELS = ([(m, "two") for m in CLASSIFIERS] + [(m, "three") for m in CLASSIFIERS] +
          [("ls-svm", "value"), ("huber:delta=0.5", "value"), ("gamma", "value"), ("poisson", "count"),
           ("negbin:overdispersion=0.5", "count"),
           ("ls-svm", "both")])
MEET_EVERY_KERNEL = ("ls-svm", "gp-laplace")  # outputs as they are, and averaged over a variance


def training_row(rng):
    x = [rng.gauss(0, 1), rng.gauss(5, 3), rng.uniform(0, 1)]
    s = math.sin(x[0]) + 0.2 * (x[1] - 5) + x[2] + rng.gauss(0, 0.4)
    return x, {"two": "yes" if s > 0.5 else "no", "three": "abc"[(s > 0) + (s > 1)],
               "value": repr(math.exp(0.3 * s)), "count": str(round(math.exp(max(0.0, s)))), "other": repr(s * s)}


def training_table(rows, target):
    rng = random.Random(7)
    targets = {"both": ("value", "other")}.get(target, (target,))
    lines = [",".join(["a", "b", "c", *targets])]
    for _ in range(rows):
        x, t = training_row(rng)
        lines.append(",".join([*map(repr, x), *(t[name] for name in targets)]))
    return "\n".join(lines) + "\n", ",".join(targets)


def new_rows(largest):
    """1,000 rows: training rows and their near twins, ordinary ones, and rows ever further out."""
    same, rng = random.Random(7), random.Random(8)
    rows = [training_row(same)[0] for _ in range(60)]
    for _ in range(60):  # so near that |x|^2 + |z|^2 - 2 x.z has lost the distance
        near = rng.choice((1e-15, 1e-12, 1e-9, 1e-6, 1e-4))
        rows.append([v * (1 + near * rng.gauss(0, 1)) for v in rng.choice(rows)])
    while len(rows) < 600:
        rows.append(training_row(rng)[0])
    while len(rows) < 1000:
        x = training_row(rng)[0]
        x[rng.randrange(FEATURES)] *= largest ** rng.random()
        rows.append(x)
    return "\n".join(["a,b,c", *(",".join(map(repr, x)) for x in rows)]) + "\n"


class EveryModel(AgreementTest):
    def check(self, model, target, basis, turn):
        table, targets = training_table(60, target)
        self.file("train.csv", table)
        task = {"count": "counts", "value": "regression", "both": "regression"}.get(target, "classification")
        for k, (kernel, compute) in enumerate(KERNELS.items()):
            if model not in MEET_EVERY_KERNEL and k % 3 != turn % 3:
                continue
            with self.subTest(model=model, target=target, kernel=kernel, basis=bool(basis)):
                # Outputs of a boolean kernel are exponentials of a product: beyond some deviations there are none.
                limit = 3 if "boolean" in kernel else 1e4 if "poly" in kernel else 1e12
                self.ok("fit", "train.csv", "-t", targets, "--model", model, "--kernel", kernel,
                        "--mu" if model == "kfd" else "--lambda", "0.5", "--task", task, "--threads", "1",
                        "--quiet", *basis, "-o", "m.lacuna")
                run, new = self.exported(), new_rows(limit)
                model_file, given = ModelFile(self.path("m.lacuna")), feeds(run, new)
                z, magnitude = model_file.outputs(compute, model_file.rows([given[c][:, 0] for c in "abc"]))
                answers = self.compare(run, new, given)
                # The same from formulas of the test's own.
                ours = answers["output"] if "output" in answers else answers["prediction"]
                if task == "counts" or model == "gamma":
                    ours, z = np.log(ours), np.clip(z, -700, 700)
                self.difference("numpy", ours, z, magnitude)
                self.assertLessEqual(self.worst["numpy"], 1e-12)
                for name, value in self.worst.items():
                    LARGEST[name] = max(LARGEST.get(name, (0.0,)), (value, model, target, kernel, bool(basis)))


LARGEST = {}


def add(model, target, basis, turn):
    name = "test_%s_%s%s" % (model.replace(":", "_").replace("=", "_"), target, "_on_a_basis" if basis else "")
    setattr(EveryModel, name, lambda self: self.check(model, target, basis, turn))


for each, (each_model, each_target) in enumerate(MODELS):
    add(each_model, each_target, (), each)
    if each_model != "kfd" and not each_model.startswith("gp"):
        add(each_model, each_target, ("--basis", "15"), each + 1)


def tearDownModule():
    if os.environ.get("LACUNA_SHOW_DIFFERENCES"):
        for name, worst in sorted(LARGEST.items()):
            print("largest difference", name, *worst)


if __name__ == "__main__":
    unittest.main()
