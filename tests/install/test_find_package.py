"""An installed lacuna is found by find_package, and a program built on it trains and predicts."""

import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["LACUNA_BUILD"])
CONSUMER = pathlib.Path(__file__).resolve().parent / "consumer"


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def cache():
    """The build's CMakeCache.txt as name -> value."""
    entries = {}
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        name, colon, rest = line.partition(":")
        if colon and "=" in rest and not line.startswith(("#", "//")):
            entries[name] = rest.split("=", 1)[1]
    return entries


class FindPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = pathlib.Path(cls.folder.name)
        cls.prefix = cls.root / "prefix"
        cls.cache = cache()
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    def test_a_consumer_builds_trains_and_predicts(self):
        sanitize = self.cache.get("LACUNA_SANITIZE", "OFF") == "ON"
        flags = "-Wall -Wextra -Werror" + (" -fsanitize=address,undefined" if sanitize else "")
        build = self.root / "build"
        run("cmake", "-S", CONSUMER, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={self.cache['CMAKE_CXX_COMPILER']}", f"-DCMAKE_CXX_FLAGS={flags}",
            f"-DCMAKE_BUILD_TYPE={self.cache['CMAKE_BUILD_TYPE']}")
        run("cmake", "--build", build)
        output = run(build / "consumer")
        self.assertRegex(output, r"^lambda = .*, f\(1\) = 0\.8")
        run(build / "own_names")  # which a second program shows by compiling: plain words are not lacuna's

    def test_the_public_headers_compile_together_in_either_order(self):
        include = self.prefix / "include"
        headers = sorted(include.rglob("*.hpp"))
        self.assertTrue(headers)
        eigen = self.cache.get("Eigen3_DIR", "")
        eigen_include = next(path for path in (pathlib.Path(eigen).parents[2] / "include/eigen3",
                                               pathlib.Path("/usr/include/eigen3")) if path.exists())
        source = "".join(f"#include <{h.relative_to(include)}>\n" for h in headers)
        for order in (source, "".join(reversed(source.splitlines(keepends=True)))):
            run(self.cache["CMAKE_CXX_COMPILER"], "-std=c++20", "-fsyntax-only", "-x", "c++", "-", "-Wall", "-Wextra",
                "-Werror", "-I", include, "-isystem", eigen_include, input=order)

    def test_the_installed_program_runs(self):
        program = self.prefix / "bin" / "lacuna"
        if self.cache.get("LACUNA_CLI", "OFF") != "ON":
            self.skipTest("built without the program")
        self.assertIn("0.1.0", run(program, "--version"))


if __name__ == "__main__":
    unittest.main()
