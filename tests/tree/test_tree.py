"""The rules of CONTRIBUTING.md that a script can see: which folder includes which, and where a source's header is."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ("lacuna", "experiment", "cli", "python/src")
# They begin a program or a module; nobody calls them.
ENTRY_POINTS = {"cli/main.cpp", "cli/before_libraries.cpp", "python/src/module.cpp"}


def sources(*endings, under=OWN):
    for folder in under:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in endings:
                yield path


def includes(path):
    return re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)


class Folders(unittest.TestCase):
    def chain(self):
        """The folders in the order of the table in CONTRIBUTING.md."""
        text = (ROOT / "CONTRIBUTING.md").read_text()
        return re.findall(r"^\| `(\w+)/` \|", text, re.MULTILINE)

    def test_the_table_has_every_folder(self):
        there = {path.name for path in (ROOT / "lacuna").iterdir() if path.is_dir()}
        self.assertEqual(set(self.chain()), there)

    def test_a_folder_includes_only_folders_above_it(self):
        place = {folder: k for k, folder in enumerate(self.chain())}
        for path in sources(".hpp", ".cpp", under=("lacuna",)):
            own = path.relative_to(ROOT / "lacuna").parts[0]
            if own not in place:
                continue  # lacuna.hpp
            for include in includes(path):
                self.assertTrue(include.startswith("lacuna/"), f"{path.relative_to(ROOT)} includes {include}")
                other = include.split("/")[1]
                self.assertLessEqual(place[other], place[own], f"{path.relative_to(ROOT)} includes {include}")


class Sources(unittest.TestCase):
    def test_a_source_has_its_header_or_says_whose_part_it_is(self):
        for path in sources(".cpp"):
            name = str(path.relative_to(ROOT))
            if path.with_suffix(".hpp").exists() or name in ENTRY_POINTS:
                continue
            said = re.match(r"// \S+ \(of (\S+\.hpp)\) -- ", path.read_text())
            self.assertIsNotNone(said, f"{name}: no header of its name, and its first line names no other")
            headers = [folder / said[1] for folder in path.parents if (folder / said[1]).exists()]
            self.assertTrue(headers, f"{name}: there is no {said[1]}")


if __name__ == "__main__":
    unittest.main()
