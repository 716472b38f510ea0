"""Pages of the guide whose commands are run: they print the lines that the page shows, and nearly the same numbers."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, ProgramTest

GUIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "guide")
PAGES = ("explain.md", "cost.md", "counts.md", "worked-examples.md", "time-is-short.md", "coming-from.md",
         "evaluate.md", "data.md", "probabilities.md", "held-out-rows.md", "relevance.md")


def blocks(page):
    """[(command, lines shown below it)] of all indented blocks that have a command, in order."""
    out, inside = [], False
    with open(os.path.join(GUIDE, page)) as f:
        for line in f:
            if not line.startswith("    "):
                inside = inside and not line.strip()
                continue
            text = line[4:].rstrip("\n")
            if text.startswith("$ "):
                out.append((text[2:], []))
                inside = True
            elif inside and text.strip():
                out[-1][1].append(text)
    return out


NUMBER = r"[-+]?\d[\d.]*(?:e[-+]?\d+)?"


def without_numbers(line):
    return re.sub(r"\s+", " ", re.sub(NUMBER, "#", line)).strip()


def near(shown, printed):
    """Figures depend on the processor in their last digits, and so do the widths of columns. "..." ends long lines."""
    if shown.endswith(" ..."):
        shown = " ".join(shown.split()[:-1])
        printed = " ".join(printed.split()[:len(shown.split())])
    return without_numbers(shown) == without_numbers(printed) and all(
        abs(a - b) <= 0.05 * max(abs(a), abs(b)) or max(abs(a), abs(b)) < 1e-6
        for a, b in zip(*([float(n.rstrip(".")) for n in re.findall(NUMBER, line)] for line in (shown, printed))))


class Guide(ProgramTest):
    def setUp(self):
        super().setUp()
        for table in pathlib.Path(GUIDE, "data").glob("*.csv"):
            shutil.copy(table, self.folder)

    def test_the_tables_are_those_that_the_script_makes(self):
        with tempfile.TemporaryDirectory() as folder:
            script = shutil.copy(os.path.join(GUIDE, "data", "make.py"), folder)
            subprocess.run([sys.executable, script], check=True)
            for table in pathlib.Path(GUIDE, "data").glob("*.csv"):
                self.assertEqual(table.read_text(), pathlib.Path(folder, table.name).read_text(), table.name)

    def test_commands_print_what_the_pages_show(self):
        for page in PAGES:
            for command, shown in blocks(page):
                with self.subTest(page=page, command=command):
                    shell = f'lacuna() {{ {shlex.quote(PROGRAM)} "$@"; }}; {command}'
                    done = subprocess.run(["sh", "-c", shell], cwd=self.folder, capture_output=True, text=True,
                                          timeout=300)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    printed = (done.stdout + done.stderr).splitlines()
                    for line in shown:
                        if line.strip() != "...":
                            self.assertTrue(any(near(line, other) for other in printed),
                                            f"{line}\n{done.stdout}{done.stderr}")

    def test_the_pages_have_commands(self):
        for page in PAGES:
            self.assertGreater(len([c for c, _ in blocks(page) if c.startswith("lacuna ")]), 1, page)


if __name__ == "__main__":
    unittest.main()
