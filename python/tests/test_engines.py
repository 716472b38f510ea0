"""The examples on Spark and Ray run to their end, and their machine is the one of the command line.

Neither engine is among the requirements of the tests (pyspark alone is 450 MB); `make engines` runs this in an
environment that has both.
"""

import re
import runpy
from pathlib import Path

import pytest
from test_steps import compare

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.parametrize("engine, name", [("pyspark", "09_on_spark"), ("ray", "10_on_ray")])
def test_example_gives_what_the_command_line_fits(engine, name, program, tmp_path, monkeypatch, capsys):
    pytest.importorskip(engine, reason=f"{engine} is not installed here: make engines")
    monkeypatch.setenv("HOME", str(tmp_path))  # both leave files there
    ran = runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert re.search(r"\d passes; held-out error of 2000 rows: 1[12]\.\d%", capsys.readouterr().out)
    options = ["--target", "label", "--model", "klr", "--basis", "20", "--cv", "loo:one-step", "--no-recalibrate"]
    compare(ran["model"], program, tmp_path, ran["frame"], ["a", "b", "label"], *options)
