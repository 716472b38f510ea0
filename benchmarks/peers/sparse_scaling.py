"""Machines on a basis of 500 rows: cost against the number of rows, and against scikit-learn's Nystroem(500) + RidgeCV. All in one
run; the whole program is timed, reading included:

    python3 benchmarks/peers/sparse_scaling.py build/bin/lacuna [scaling] [peer]      (default both)

Data are twonorm (20 features); kernel parameter, lambda and basis are fixed (`--search none --basis random:500`), so that what is
timed is one pass of reading, one fit and leave-one-out of every row in closed form.

scaling  50,000 to 1,000,000 rows under `--memory 200M`. Bars: processor time grows at most 1.15 times as fast as the rows; the
         ceiling is kept at every size (rows that do not fit stay on disk).
peer     200,000 rows. RidgeCV chooses among three alphas by its own leave-one-out, as a user would. Compared are the fits with their
         leave-one-out, rows in memory, on the clock; beside it, without a bar, the whole of our program, which also reads
         45 MB of text, against the peer's fit alone. Bars: a fifth of its time, a tenth of its peak resident size."""

import json
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait on a busy machine should cost nothing
PROGRAM = os.path.abspath(sys.argv[1])
WHAT = sys.argv[2:] or ["scaling", "peer"]
THETA, LAMBDA, CEILING = 0.02, 1.0, 200e6
FIT = ("--target", "label", "--model", "ls-svm", "--kernel", f"rbf:theta={THETA}", "--lambda", str(LAMBDA), "--search", "none",
       "--basis", "random:500", "--seed", "1", "--memory", f"{CEILING:.0f}")

PEER = """
import sys, time
import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
data = np.load(sys.argv[1])
X, t = data[:, :-1], data[:, -1]
began, clock = time.process_time(), time.perf_counter()
model = make_pipeline(StandardScaler(), Nystroem(gamma=float(sys.argv[2]), n_components=500, random_state=1),
                      RidgeCV(alphas=[0.1, 1.0, 10.0]))
model.fit(X, t)
print(time.process_time() - began, time.perf_counter() - clock)
"""


def measure(*words):
    """Clock seconds, processor seconds and peak resident bytes of a program, and its output."""
    began = time.perf_counter()
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit("failed: " + " ".join(words[:6]))
    return time.perf_counter() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output


def generate(folder, rows):
    path = os.path.join(folder, f"twonorm{rows}.csv")
    subprocess.run([PROGRAM, "generate", "twonorm", "--rows", str(rows), "--seed", "1", "-o", path], check=True)
    return path


def scaling(folder):
    sizes, cost, memory = [50_000, 200_000, 500_000, 1_000_000], [], []
    for rows in sizes:
        path = generate(folder, rows)
        clock, processor, peak, _ = measure(PROGRAM, "fit", path, *FIT, "-q")
        cost.append(processor)
        memory.append(peak)
        print(f"scaling: {rows:>9} rows, {clock:6.1f} s, processor {processor:6.1f} s ({1e6 * processor / rows:.1f} us a row), "
              f"peak {peak / 2**20:.0f} MiB", flush=True)
        os.remove(path)
    growth = (cost[-1] / cost[0]) / (sizes[-1] / sizes[0])
    print(f"scaling: cost grew {growth:.2f} times as fast as the rows (bar 1.15); at most {max(memory) / 1e6:.0f} MB (bar "
          f"{CEILING / 1e6:.0f})")
    return growth <= 1.15 and max(memory) <= CEILING


def peer(folder):
    import numpy as np
    path, rows = generate(folder, 200_000), 200_000
    ours = measure(PROGRAM, "fit", path, *FIT, "-q", "--json")
    seconds = json.loads(ours[3])["seconds"]
    np.save(os.path.join(folder, "rows.npy"), np.loadtxt(path, delimiter=",", skiprows=1))
    whole = measure(sys.executable, "-c", PEER, os.path.join(folder, "rows.npy"), str(THETA))
    processor, clock = map(float, whole[3].split())
    print(f"peer: {rows} rows on 500; fit and leave-one-out {seconds:.2f} s, scikit-learn's fit {clock:.1f} s: {clock / seconds:.1f} times "
          f"(bar 5). The whole program: lacuna {ours[0]:.1f} s, processor {ours[1]:.1f} s, {ours[2] / 2**20:.0f} MiB (reading and "
          f"leave-one-out included); scikit-learn {clock:.1f} s, processor {processor:.1f} s, {whole[2] / 2**20:.0f} MiB; "
          f"{processor / ours[1]:.1f} times the processor time, {clock / ours[0]:.1f} on the clock, "
          f"{whole[2] / ours[2]:.1f} times the memory (bar 10)")
    return clock >= 5 * seconds and whole[2] >= 10 * ours[2]


with tempfile.TemporaryDirectory() as temporary:
    met = [{"scaling": scaling, "peer": peer}[what](temporary) for what in WHAT]
sys.exit(0 if all(met) else "sparse_scaling: a bar was missed")
