"""What `make test` leaves out it names: ctest lists tests that do not run, with the reason, at the end of its output."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LACUNA_BUILD", ROOT / "build"))


class LeftOut(unittest.TestCase):
    def listed(self, *options):
        """What ctest would list of back end mpi in a build with these options."""
        compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)[1]
        with tempfile.TemporaryDirectory(prefix="lacuna-left-out-") as folder:
            for command in (["cmake", "-S", ROOT, "-B", folder, "-Wno-dev", f"-DCMAKE_CXX_COMPILER={compiler}", *options],
                            ["ctest", "--test-dir", folder, "-N", "-R", "mpi"]):
                done = subprocess.run(command, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            return done.stdout

    def test_ranks_are_named_where_they_cannot_be_had(self):
        for options, reason in ((["-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON"], "is not here, and make mpi installs both"),
                                (["-DLACUNA_MPI=OFF"], "LACUNA_MPI is off")):
            names = self.listed(*options)
            self.assertRegex(names, rf"back end mpi on 2 ranks: left out \(.*{reason}\) \(Disabled\)")
            self.assertNotIn("conformance on mpi", names)


if __name__ == "__main__":
    unittest.main()
