"""Pages of the kinds that the browser tests look at: data of our own, fitted by the program."""

import math
import os
import random
import subprocess
from datetime import date, timedelta

HOSTILE = ['</script><script>window.hacked = 1</script>', '"><img src=x onerror="window.hacked=1">', "a'b\"c&amp;<b>",
           "\U0001F600 caf\u00e9", "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u202eabc", "x" * 10_000,
           "line\u2028end\u2029", "{{constructor.constructor('return 1')()}}", "${1+1}"]


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def table(names, rows):
    lines = [",".join(quoted(n) for n in names)]
    lines += [",".join(quoted(c) if isinstance(c, str) else f"{c:.6g}" for c in row) for row in rows]
    return "\n".join(lines) + "\n"


def poisson(rng, mean):
    n, rest = 0, rng.expovariate(1)
    while rest < mean:
        n, rest = n + 1, rest + rng.expovariate(1)
    return n


def binary(rng, rows, columns, names=("no", "yes")):
    out = []
    for i in range(rows):
        c = i % 2
        out.append([rng.gauss(1.2 * c if k < 2 else 0, 1) for k in range(columns)] + [names[c]])
    return table([f"x{k + 1}" for k in range(columns)] + ["label"], out)


def houses():
    """Numbers of six and seven digits, and years."""
    rng = random.Random(12)
    rows = []
    for k in range(80):
        year, area = rng.randrange(1950, 2021), rng.uniform(50, 250)
        price = 500 * area + 900 * (year - 1950) + rng.gauss(0, 8000)
        rows.append([f"{1_000_000 + 37 * k}", f"{year}", area, f"{price:.0f}"])
    return table(["id", "year", "area", "price"], rows)


def data_of(kind):
    """(CSV, options of fit)."""
    rng = random.Random(7)
    if kind == "binary":
        return binary(rng, 120, 4), ["--target", "label", "--threshold", "cost:1,3"]
    if kind == "two-columns":
        return binary(rng, 100, 2), ["--target", "label"]
    if kind == "multi-class":
        rows = [[rng.gauss(3 * (i % 4), 1), rng.gauss((i % 2) * 2, 1), rng.choice("uvw"), "pqrs"[i % 4]]
                for i in range(120)]
        return table(["a", "b", "colour", "kind"], rows), ["--target", "kind"]
    if kind == "regression":
        rows = []
        for _ in range(110):
            u, v, w = rng.uniform(-2, 2), rng.uniform(-1, 1), rng.uniform(-1, 1)
            rows.append([u, v, w, u * u + v + rng.gauss(0, 0.3)])
        return table(["u", "v", "w", "price"], rows), ["--target", "price", "--kernel", "relevance(rbf)"]
    if kind == "one-column":
        rows = []
        for _ in range(80):
            day = rng.randrange(900)
            rows.append([str(date(2021, 1, 20) + timedelta(day)), math.sin(day / 150 - 3) + rng.gauss(0, 0.2)])
        return table(["day", "t"], rows), ["--target", "t"]
    if kind == "counts":
        rows = []
        for _ in range(120):
            u, v = rng.uniform(-1, 1), rng.uniform(-1, 1)
            rows.append([u, v, poisson(rng, math.exp(0.5 + u))])
        return table(["u", "v", "n"], rows), ["--target", "n", "--task", "counts"]
    if kind == "stack":
        rows = []
        for _ in range(60):
            u, v = rng.uniform(-2, 2), rng.uniform(-1, 1)
            rows.append([u, v, u + 0.3 * math.sin(3 * v) + rng.gauss(0, 0.2)])
        return table(["u", "v", "t"], rows), ["--target", "t", "--effort", "best"]
    if kind == "forty-columns":
        return binary(rng, 150, 40), ["--target", "label"]
    if kind == "many-rows":
        return binary(rng, 20_000, 3), ["--target", "label", "--basis", "random:40", "--kernel", "rbf:theta=0.3",
                                        "--lambda", "0.1", "--search", "none"]
    if kind == "three-rows":
        return "x,label\n0,a\n1,b\n2,b\n", ["--target", "label"]
    if kind == "weights":
        rows = [[rng.gauss(i % 2, 1), rng.gauss(0, 1), rng.choice([0, 0.37, 1.01, 2.57]), "ab"[i % 2]]
                for i in range(100)]
        return table(["x1", "x2", "w", "label"], rows), ["--target", "label", "--weights", "w"]
    if kind == "groups":
        rows = [[rng.gauss(i % 2, 1), rng.gauss(0, 1), f"g{i // 4}", "ab"[i % 2]] for i in range(96)]
        return table(["x1", "x2", "family", "label"], rows), ["--target", "label", "--group", "family"]
    if kind == "costs":
        rows = [[rng.gauss(1.5 * (i % 3), 1), rng.gauss(0, 1), "pqr"[i % 3]] for i in range(90)]
        return table(["a", "b", "kind"], rows), ["--target", "kind", "--cost", "0,1,5;1,0,1;9,9,0"]
    if kind == "irises":
        names = ("Iris-setosa", "Iris-versicolor", "Iris-virginica")
        rows = [[rng.gauss(1.5 * (i % 3), 1), rng.gauss(i % 3 == 1, 1), names[i % 3]] for i in range(90)]
        return table(["petal length", "petal width", "species"], rows), ["--target", "species"]
    if kind == "long-classes":
        names = ("a long name of a class", "another long class name", "the last of three")
        rows = [[rng.gauss(2 * (i % 3), 1), names[i % 3]] for i in range(60)]
        return table(["x", "label"], rows), ["--target", "label"]
    if kind == "several-targets":
        rows = [[u, u + rng.gauss(0, 0.2), -u + rng.gauss(0, 0.2)] for u in (rng.uniform(-1, 1) for _ in range(50))]
        return table(["u", "p", "q"], rows), ["--target", "p,q"]
    if kind == "evaluation":
        rows = []
        for _ in range(90):
            u, v = rng.uniform(-2, 2), rng.choice(["north", "south", "</b>", "\u05e9\u05dc\u05d5\u05dd"])
            rows.append([u, v, math.sin(2 * u) + rng.gauss(0, 0.3)])
        return table(["u", "region", "t"], rows), ["--target", "t", "--model", "ls-svm", "--compare", "--kernel linear",
                                                   "--by", "region", "--interval", "0.9", "--splits", "10:0.2",
                                                   "--journal", "none"]
    if kind == "hostile":
        names = HOSTILE[:5] + ["</script><svg onload=alert(1)>"]
        rows = [[rng.gauss(i % 2, 1) for _ in range(4)] + [rng.choice(HOSTILE), HOSTILE[i % 2]] for i in range(60)]
        return table(names, rows), ["--target", names[-1]]
    raise ValueError(kind)


KINDS = ("binary", "two-columns", "multi-class", "regression", "one-column", "counts", "stack", "forty-columns",
         "many-rows", "three-rows", "weights", "irises", "hostile", "evaluation", "long-classes", "several-targets")


def write_page(program, kind, folder):
    """The page of one kind, and beside it what `--json` printed and, of a fit, the model: paths by kind."""
    data, options = data_of(kind)
    stem = os.path.join(folder, kind)
    with open(stem + ".csv", "w", encoding="utf-8", newline="") as f:
        f.write(data)
    command = ["evaluate"] if kind == "evaluation" else ["fit", "-o", stem + ".lacuna"]
    done = subprocess.run([program, *command, stem + ".csv", *options, "--json", "--quiet", "--report", stem + ".html"],
                          capture_output=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(f"{kind}: {done.stderr.decode(errors='replace')[-2000:]}")
    with open(stem + ".json", "wb") as f:
        f.write(done.stdout)
    return stem + ".html"
