"""Without npm everything is built but what pages are made of, and the program says so; npm that is installed later is
found by the next build."""

import os
import shutil
import subprocess
import tempfile
import unittest

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CMAKE = shutil.which("cmake")


class WithoutNpm(unittest.TestCase):
    def made(self, into, path):
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "page_assets.cpp")
            words = [f"-DFROM={TREE}/page", f"-DINTO={into or folder}", f"-DOUTPUT={output}"]
            done = subprocess.run([CMAKE, *words, "-P", f"{TREE}/cmake/make_page.cmake"], capture_output=True, text=True,
                                  env={**os.environ, "PATH": path}, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(output, encoding="utf-8") as f:
                return f.read()

    def test_what_is_missing_is_said_in_place_of_what_it_would_have_been(self):
        said = self.made(None, "/nowhere")
        self.assertIn("because npm was not found; install npm (Node.js 18 or", said)
        self.assertNotIn(".script =", said)

    def test_npm_is_looked_for_when_the_page_is_made(self):
        packages = os.path.join(os.environ.get("LACUNA_BUILD", "build"), "page")
        if not os.path.exists(os.path.join(packages, "installed.txt")):
            self.skipTest("the program was built without npm")
        self.assertIn(".script =", self.made(packages, os.environ["PATH"]))


if __name__ == "__main__":
    unittest.main()
