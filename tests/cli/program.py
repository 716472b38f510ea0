"""Runs the program as a user would; every test has a folder of its own."""

import csv
import io
import json
import math
import os
import random
import re
import resource
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("LACUNA_PROGRAM", "")


def two_classes(rows=40, seed=1, labels=("a", "b")):
    """Two overlapping clouds: x, y, label."""
    rng = random.Random(seed)
    lines = ["x,y,label"]
    for i in range(rows):
        c = i % 2
        lines.append(f"{rng.gauss(2 * c, 1):.6f},{rng.gauss(c, 1):.6f},{labels[c]}")
    return "\n".join(lines) + "\n"


def three_classes(rows=45, seed=2):
    rng = random.Random(seed)
    lines = ["x,y,kind"]
    for i in range(rows):
        c = i % 3
        lines.append(f"{rng.gauss(3 * c, 1):.6f},{rng.gauss(c % 2, 1):.6f},{'pqr'[c]}")
    return "\n".join(lines) + "\n"


def values(rows=40, seed=3):
    """u, v, t with t a smooth function of u and v."""
    rng = random.Random(seed)
    lines = ["u,v,t"]
    for _ in range(rows):
        u, v = rng.uniform(-2, 2), rng.uniform(-1, 1)
        lines.append(f"{u:.6f},{v:.6f},{u * u + v + rng.gauss(0, 0.1):.6f}")
    return "\n".join(lines) + "\n"


def counts(rows=60, seed=5):
    """u, v, e, n: counts n with rate exp(0.8 u) for each unit of the exposure e."""
    rng = random.Random(seed)
    lines = ["u,v,e,n"]
    for _ in range(rows):
        u, v, e = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.5, 3)
        n, rest = 0, rng.expovariate(1)
        while rest < e * math.exp(0.8 * u):
            n, rest = n + 1, rest + rng.expovariate(1)
        lines.append(f"{u:.6f},{v:.6f},{e:.6f},{n}")
    return "\n".join(lines) + "\n"


class ProgramTest(unittest.TestCase):
    def setUp(self):
        if not PROGRAM:
            self.skipTest("LACUNA_PROGRAM does not name the program")
        self.folder = tempfile.mkdtemp(prefix="lacuna-cli-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, contents):
        mode = "wb" if isinstance(contents, bytes) else "w"
        with open(self.path(name), mode, **({} if mode == "wb" else {"newline": ""})) as f:
            f.write(contents)
        return name

    def contents(self, name, mode="rb"):
        with open(self.path(name), mode) as f:
            return f.read()

    def run_program(self, *words, stdin=None):
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, timeout=300,
                              input=stdin if stdin is None or isinstance(stdin, bytes) else stdin.encode())

    def ok(self, *words, stdin=None):
        """Runs, expects success, gives standard output as text."""
        done = self.run_program(*words, stdin=stdin)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace"))
        self.stderr = done.stderr.decode(errors="replace")
        return done.stdout.decode(errors="replace")

    def run_limited(self, *words, memory=None, environment=None, stdin=None, seconds=60):
        def limit():
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        return subprocess.run([PROGRAM, *words], cwd=self.folder, input=stdin, capture_output=True, preexec_fn=limit,
                              timeout=seconds, env={**os.environ, **(environment or {})})

    def assert_one_line(self, done, code, *words):
        """A refusal: this exit code, one line that begins with lacuna: and has these words."""
        err = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, code, err)
        self.assertEqual(err.count("\n"), 1, err)
        self.assertTrue(err.startswith("lacuna: "), err)
        for word in words:
            self.assertIn(word, err)

    def refused(self, code, parts, *words, stdin=None):
        """Runs, expects this exit code, nothing on standard output, and one message with all the parts."""
        done = self.run_program(*words, stdin=stdin)
        message = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, code, message)
        self.assertEqual(done.stdout, b"")
        self.assertIn("lacuna: ", message)
        for part in parts:
            self.assertIn(part, message)
        return message

    def fit_json(self, *words, stdin=None):
        return json.loads(self.ok("fit", *words, "--json", stdin=stdin))

    def table(self, text):
        return list(csv.DictReader(io.StringIO(text)))

    def loo(self, *words):
        return self.table(self.ok("loo", *words, "--quiet"))

    def criterion_is(self, report, value):
        self.assertAlmostEqual(report["criterion"]["value"], value, delta=1e-9 * abs(value))

    def all_finite(self, *texts):
        """No cell of a CSV and no number of a JSON object is NaN or infinite (JSON writes such numbers as null)."""
        for text in texts:
            for cell in re.split(r"[,\s]+", text):
                self.assertNotIn(cell.lower().lstrip("-"), ("nan", "inf", "infinity"), text[:300])


FIXED = ("--kernel", "rbf:theta=0.5", "--lambda", "0.1")
