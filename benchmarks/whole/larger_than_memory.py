"""A CSV of 3 GB, fitted on a basis of 300 rows under `--memory 1G`: peak resident size and time. Run by hand (it needs about
5 GB of disk and takes some minutes):

    python3 benchmarks/whole/larger_than_memory.py build/bin/lacuna [ROWS] [FOLDER]      (default 7,850,000 rows, the folder for temporary files)

twonorm has 20 features of some 19 characters each. The fit chooses its hyper-parameters on a sample of 50,000 rows, then goes
over all rows on all threads. Bars: 1 GiB resident at most, 15 minutes at most; ends with 1 when one is missed."""

import json
import os
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
ROWS = int(sys.argv[2]) if len(sys.argv) > 2 else 7_850_000
FOLDER = sys.argv[3] if len(sys.argv) > 3 else None
MOST_BYTES, MOST_SECONDS = 2**30, 15 * 60


def run(*words):
    """Seconds on the clock and of all processors, peak resident bytes, and what was printed."""
    began = time.perf_counter()
    child = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"lacuna {words[0]} failed")
    seconds = time.perf_counter() - began
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output


def main():
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        data, model = os.path.join(folder, "twonorm.csv"), os.path.join(folder, "m.lacuna")
        seconds, _, peak, _ = run("generate", "twonorm", "--rows", str(ROWS), "--seed", "1", "-o", data)
        size = os.path.getsize(data)
        print(f"generate: {ROWS} rows, {size / 1e9:.2f} GB in {seconds:.0f} s, peak {peak / 2**20:.0f} MiB", flush=True)
        seconds, processor, peak, output = run("fit", data, "--target", "label", "--model", "ls-svm", "--basis", "300", "--memory",
                                               "1G", "--seed", "1", "--json", "-o", model)
        report = json.loads(output)
        print(f"fit: {seconds:.0f} s ({processor:.0f} s of processor), peak {peak / 2**20:.0f} MiB of {MOST_BYTES / 2**20:.0f}; "
              f"basis {report['basis']}, held-out error {report['held_out']['error']:.4f} (Bayes 0.023); "
              f"files left: {sorted(os.listdir(folder))}")
        if peak > MOST_BYTES or seconds > MOST_SECONDS:
            sys.exit("larger_than_memory: a bar was missed")


main()
