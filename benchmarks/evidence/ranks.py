"""One evaluation of a machine of all rows on 1, 2, 4 ... ranks: seconds, speed-up, peak memory of a rank, prediction.

    make mpi && python3 benchmarks/evidence/ranks.py build/bin/lacuna [--rows 8000] [--ranks 1,2]

Needs quiet cores, one for each rank. An evaluation is Gram matrix, factor and leave-one-out at given parameters; its
time is the least of some runs, less that of the same command on few rows (start of MPI, reading, report). The
prediction is the model of docs/math/ranks.md with the rate of one rank and the words and messages of --words and
--messages (seconds each; the defaults are those of shared memory, about).
"""

import argparse
import math
import os
import pathlib
import random
import subprocess
import tempfile
import time

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMP_NUM_THREADS": "1"}
FIXED = ["--model", "ls-svm", "--kernel", "rbf:theta=0.05", "--lambda", "0.1", "--search", "none", "--basis", "none"]
BLOCK = 128


def table(path, rows):
    rng = random.Random(1)
    with open(path, "w") as out:
        out.write(",".join(f"x{k}" for k in range(20)) + ",t\n")
        for _ in range(rows):
            x = [rng.gauss(0, 1) for _ in range(20)]
            t = math.sin(x[0]) + x[1] * x[2] + rng.gauss(0, 0.1)
            out.write(",".join(f"{v:.6f}" for v in x) + f",{t:.6f}\n")


def children(parent):
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent:
                yield folder
        except (OSError, IndexError, ValueError):
            pass


def run(program, ranks, path):
    """Seconds, and the largest peak memory of a rank in bytes."""
    begun, peak = time.monotonic(), 0
    job = subprocess.Popen(["mpirun", "-n", str(ranks), program, "fit", path, "--target", "t", *FIXED, "--backend",
                            "mpi"], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while job.poll() is None:
        for folder in children(job.pid):
            try:
                text = (folder / "status").read_text()
                peak = max(peak, 1024 * int(text.split("VmHWM:")[1].split()[0]))
            except (OSError, IndexError):
                pass
        time.sleep(0.05)
    if job.returncode != 0:
        raise SystemExit(job.stderr.read().decode())
    return time.monotonic() - begun, peak


def predicted(one, rows, ranks, word, message):
    """Two cubic steps, each of rows^3/3 (docs/math/ranks.md)."""
    down = max(r for r in range(1, ranks + 1) if ranks % r == 0 and r * r <= ranks)
    across = ranks // down
    deep = math.ceil(math.log2(across)) + math.ceil(math.log2(down))
    words = 2 * rows * rows / 2 * (math.ceil(math.log2(across)) / down + math.ceil(math.log2(down)) / across)
    return one / ranks + word * words + message * 2 * rows / BLOCK * 2 * deep


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("program")
    words.add_argument("--rows", type=int, default=8000)
    words.add_argument("--ranks", default="1,2")
    words.add_argument("--runs", type=int, default=3)
    words.add_argument("--words", type=float, default=2e-9)
    words.add_argument("--messages", type=float, default=2e-6)
    given = words.parse_args()
    with tempfile.TemporaryDirectory(prefix="lacuna-ranks-") as folder:
        many, few = os.path.join(folder, "many.csv"), os.path.join(folder, "few.csv")
        table(many, given.rows)
        table(few, 50)
        one = None
        print(f"{given.rows} rows\nranks  seconds  speed-up  predicted s  peak MB a rank")
        for ranks in map(int, given.ranks.split(",")):
            took, peak = min(run(given.program, ranks, many) for _ in range(given.runs))
            took -= min(run(given.program, ranks, few)[0] for _ in range(given.runs))
            one = one or took * ranks
            print(f"{ranks:5d} {took:8.2f} {one / took:9.2f} "
                  f"{predicted(one, given.rows, ranks, given.words, given.messages):12.2f} {peak / 1e6:15.0f}")


if __name__ == "__main__":
    main()
