"""The examples for Spark and Ray, where these are installed."""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
NEEDED = {"09_spark.py": "pyspark", "10_ray.py": "ray"}


def installed(package):
    return importlib.util.find_spec(package) is not None and (package != "pyspark" or shutil.which("java") is not None)


def test_examples_of_engines_that_are_here_run():
    here = [name for name, package in NEEDED.items() if installed(package)]
    for name in NEEDED:
        print(f"{name}: {'run' if name in here else 'left out, ' + NEEDED[name] + ' is not installed'}")
    for name in here:
        done = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert re.search(r"\d+ rows, \d+ pass(es)?; held-out (error|rmse) ", done.stdout)


def test_every_example_of_an_engine_is_tested():
    assert {path.name for path in EXAMPLES.glob("*.py") if int(path.name[:2]) > 8} == set(NEEDED)
