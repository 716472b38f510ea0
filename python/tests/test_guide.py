"""The guide's code runs, and arrays are not copied more than once."""

import pathlib
import re
import subprocess
import sys
import textwrap
import warnings

GUIDE = pathlib.Path(__file__).parent.parent.parent / "docs" / "guide" / "python.md"


def test_code_of_the_guide_runs():
    names = {}
    blocks = re.findall("```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(blocks) >= 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for block in blocks:
            exec(block, names)  # noqa: S102
    assert names["model"].score(names["X_new"], names["y_new"]) > 0.9


def test_an_array_is_copied_once():
    # In a process of its own, whose peak of memory is reset before the fit. One copy is 15 MB; the rest is the machine.
    script = textwrap.dedent("""
        import re, numpy as np, lacuna

        def peak():
            return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read()).group(1)) / 1024

        X = np.random.default_rng(0).normal(size=(20000, 100))
        model = lacuna.LSSVMClassifier(n_basis=50, gamma=0.01, alpha=1.0, n_jobs=1)
        y = X[:, 0] > 0
        model.fit(X[:2000], y[:2000])
        open("/proc/self/clear_refs", "w").write("5")
        before = peak()
        model.fit(X, y)
        print(peak() - before, X.nbytes / 2**20)
    """)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, capture_output=True, text=True)
    growth, size = map(float, done.stdout.split())
    assert size < 16
    assert growth < 1.95 * size  # two copies would be 2, without the machine
