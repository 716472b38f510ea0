"""What the tests of pages share: the program and a folder for its files, and the blocks of a page's JSON."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import make_pages

PROGRAM = os.environ.get("LACUNA_PROGRAM", "")


def page_json(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return json.loads(re.search(r'<script type="application/json" id="lacuna-page">(.*?)</script>', text, re.S)[1])


def blocks(page):
    """All blocks of a page, those inside grids too."""
    for section in page["sections"]:
        stack = list(section["blocks"])
        while stack:
            block = stack.pop(0)
            stack = block.get("blocks", []) + stack
            yield section["id"], block


def chart(page, name, section=None):
    """Data of the first chart of this name."""
    return next(b["data"] for s, b in blocks(page) if b["kind"] == "chart" and b["chart"] == name
                and section in (None, s))


def records(table):
    return [dict(zip([c["title"] for c in table["columns"]], row)) for row in table["rows"]]


def percent(share):
    """With one decimal, as the page writes shares."""
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def lines_of(columns, *by):
    """Rows of a source that comes by column, as tuples of some columns."""
    return list(zip(*(columns[name] for name in by)))


@unittest.skipUnless(PROGRAM, "LACUNA_PROGRAM does not name the program")
class WithProgram(unittest.TestCase):
    """Tests of a program that writes pages, in a folder of their own."""

    @classmethod
    def setUpClass(cls):
        said = subprocess.run([PROGRAM, "report", "x"], capture_output=True, text=True)
        if "built without" in said.stderr:
            raise unittest.SkipTest("the program was built without npm")
        cls.folder = tempfile.mkdtemp(prefix="lacuna-page-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def run_program(self, *words):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=self.folder, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


class WithPages(WithProgram):
    """Where `made` wrote a page of one of the kinds, KIND.csv, KIND.lacuna and KIND.json are beside it."""

    def made(self, kind):
        page = page_json(make_pages.write_page(PROGRAM, kind, self.folder))
        with open(os.path.join(self.folder, kind + ".json"), encoding="utf-8") as f:
            return page, json.load(f)

    def loo(self, kind):
        return list(csv.DictReader(io.StringIO(self.run_program("loo", kind + ".lacuna", "-q"))))

    def contents_of(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as f:
            return f.read()

    def data(self, kind):
        with open(os.path.join(self.folder, kind + ".csv"), encoding="utf-8") as f:
            return list(csv.DictReader(f))

    def nearly(self, a, b, relative=1e-5):
        self.assertAlmostEqual(a, b, delta=relative * abs(b) + 1e-9)  # the page has six digits
