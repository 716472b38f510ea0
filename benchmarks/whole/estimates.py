"""What `fit` says beforehand that it will take, and what it takes, for five sizes.

    python3 benchmarks/whole/estimates.py build/bin/lacuna [THREADS]

Prints for each size the estimate, the seconds that went by, and the processor's seconds a thread, which are those of a
quiet computer; the last column is estimate over processor's seconds and should lie between 0.5 and 2. Where two times are
said (a basis that grows), it is that of the nearer of them, or 1 between them. Below three seconds nothing is said."""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time

PROGRAM, THREADS = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
SIZES = (
    ("ringnorm", 3000, ()),
    ("friedman1", 3000, ()),
    ("ringnorm", 5000, ()),
    ("ringnorm", 12000, ("--basis", "400")),
    ("ringnorm", 12000, ()),
)
UNITS = {"s": 1, "min": 60, "h": 3600, "days": 86400}


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


print(f"{'data':<24} {'estimate':>9} {'passed':>9} {'processor':>10} {'ratio':>6}")
with tempfile.TemporaryDirectory() as folder:
    for name, rows, options in SIZES:
        data = os.path.join(folder, "d.csv")
        subprocess.run([PROGRAM, "generate", name, "--rows", str(rows), "--seed", "1", "-o", data], check=True)
        before, began = spent(), time.monotonic()
        target = "y" if name == "friedman1" else "label"
        done = subprocess.run([PROGRAM, "fit", data, "--target", target, "--threads", str(THREADS), *options],
                              check=True, capture_output=True, text=True)
        passed, used = time.monotonic() - began, (spent() - before) / THREADS
        said = re.search(r"rows, about ([0-9.]+) (s|min|h|days)(?: on easy to ([0-9.]+) (s|min|h|days))?", done.stderr)
        estimate = float(said[1]) * UNITS[said[2]] if said else float("nan")
        most = float(said[3]) * UNITS[said[4]] if said and said[3] else estimate
        label = f"{name} {rows} {' '.join(options)}"
        shown = f"{estimate:.0f}s" if most == estimate else f"{estimate:.0f}-{most:.0f}s"
        ratio = min(max(used, estimate), most) / used  # 1 within what was said
        print(f"{label:<24} {shown:>9} {passed:>8.1f}s {used:>9.1f}s {ratio:>6.2f}", flush=True)
