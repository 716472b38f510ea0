"""What the tests of pages share: the program and a folder for its files, and the blocks of a page's JSON."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

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
