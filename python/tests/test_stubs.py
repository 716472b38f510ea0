"""The stubs say what the package has."""

import pathlib
import re
import runpy

import lacuna
from lacuna import _core

HERE = pathlib.Path(__file__).parent
PACKAGE = HERE.parent / "lacuna"


def test_stubs_of_the_package_are_up_to_date():
    script = runpy.run_path(str(HERE.parent.parent / "scripts" / "python_stubs.py"))
    assert (PACKAGE / "__init__.pyi").read_text() == script["public"](), "run scripts/python_stubs.py"


def test_stubs_of_the_module_name_all_it_has():
    stubs = (PACKAGE / "_core.pyi").read_text()
    for owner in (_core, _core.Model, _core.Table):
        for name in vars(owner):
            if not name.startswith("_"):
                assert re.search(rf"\b{name}\b", stubs), name
    assert (PACKAGE / "py.typed").exists()
    assert set(lacuna.__all__) <= set(re.findall(r"\w+", (PACKAGE / "__init__.pyi").read_text()))
