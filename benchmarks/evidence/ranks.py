"""Back end mpi on 1, 2 and 4 ranks: seconds, speed-up, peak memory of a rank, and what the cost model says of them.

    make mpi && ninja -C build bench_ranks && python3 benchmarks/evidence/ranks.py build

Needs quiet cores, one for each rank: where cores are fewer, the table says so, and ranks share them. An evaluation is
Gram matrix, factor and leave-one-out of all rows; a pass is one over the rows of a machine on a basis.
Times are of the clock, the least of some runs (benchmarks/whole/ranks.cpp). Printed are the tables of
docs/math/ranks.md and of docs/guide/several-machines.md: predictions are the model of the former with the rates of one
rank, which are measured, and with --word and --message, seconds for each number and each message (defaults: within one
machine, about; for a cluster --far-word and --far-message, a network of 100 Gb/s). With --rate and --row, flops a
second of one rank and seconds a row of a pass, nothing is measured: the guide's tables are those of
`--rate 30e9 --row 3e-6`.
"""

import argparse
import math
import os
import pathlib
import subprocess
import time

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMP_NUM_THREADS": "1"}
BLOCK, ROUND = 128, 384  # columns of a panel, rows of a block in a pass
FLOPS = {"evaluation": 2 / 3, "gradient": 2}  # times rows^3, in so many steps
STEPS = {"evaluation": 2, "gradient": 4}
BARS = {"evaluation": 1.7, "pass": 1.85}


def children(parent):
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent:
                yield folder
        except (OSError, IndexError, ValueError):
            pass


def run(build, ranks, *words):
    """Seconds, and the largest peak memory of a rank in bytes."""
    command = ["mpirun", "-n", "1", str(build / "bin" / "bench_ranks"), *map(str, words)]
    if ranks > 1:
        command += [":", "-n", str(ranks - 1), str(build / "bin" / "lacuna"), "--backend", "mpi"]
    job = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    peak = 0
    while job.poll() is None:
        for folder in children(job.pid):
            try:
                peak = max(peak, 1024 * int((folder / "status").read_text().split("VmHWM:")[1].split()[0]))
            except (OSError, IndexError):
                pass
        time.sleep(0.02)
    if job.returncode != 0:
        raise SystemExit(job.stderr.read())
    return float(job.stdout.read().split()[-1]), peak


def grid(ranks):
    down = max(r for r in range(1, ranks + 1) if ranks % r == 0 and r * r <= ranks)
    return down, ranks // down


def deep(ranks):
    return math.ceil(math.log2(ranks))


def dense(what, rows, ranks, rate, word, message):
    """Every step passes its panels on."""
    down, across = grid(ranks)
    words = 0.5 * rows**2 * (deep(across) / down + deep(down) / across)
    messages = 2 * (rows / BLOCK) * (deep(across) + deep(down))
    return FLOPS[what] * rows**3 / (ranks * rate) + STEPS[what] * (words * word + messages * message)


def one_pass(rows, columns, basis, outputs, ranks, row_seconds, word, message):
    """Rank 0 sends the others their rows, takes outputs and sends weights, while all work: the longer of the two."""
    away = rows * (ranks - 1) / ranks
    sent = away * (columns + 3 * outputs) * word + away / ROUND * 3 * message
    return max(rows / ranks * row_seconds, sent) + deep(ranks) * (basis**2 * word + message)


def measured(build, given):
    cores = len(os.sched_getaffinity(0))
    print(f"{cores} cores" + "".join(f"; {n} ranks share them" for n in given.ranks if n > cores) + "\n")
    print("| what | ranks | seconds | speed-up | bar | predicted s | peak MB a rank |\n|---|---|---|---|---|---|---|")
    first = {}
    for what, rows, basis in (("evaluation", given.rows, 0), ("gradient", given.rows, 0),
                              ("pass", given.pass_rows, given.basis), ("held-out", given.pass_rows, given.basis)):
        for ranks in given.ranks:
            took, peak = run(build, ranks, what, rows, basis, given.runs)
            first.setdefault(what, took * ranks)
            if what in FLOPS:
                said = dense(what, rows, ranks, FLOPS[what] * rows**3 / first[what], given.word, given.message)
            else:
                said = one_pass(rows, 10, basis, 1, ranks, first[what] / rows, given.word, given.message)
            bar = f"{BARS[what]}" if ranks == 2 and what in BARS else ""
            print(f"| {what} of {rows} rows{f', basis {basis}' if basis else ''} | {ranks} | {took:.2f} | "
                  f"{first[what] / took:.2f} | {bar} | {said:.2f} | {peak / 1e6:.0f} |", flush=True)
    return first


def digits(value):
    """Two of them, without an exponent."""
    return f"{float(f'{value:.2g}'):.10g}"


def duration(seconds):
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{digits(seconds / size)} {unit}"
    return f"{digits(seconds)} s"


def tables(rate, row, given):
    many = [1, 4, 16, 64, 16 * 64]
    print("Time of an evaluation with gradient, and memory of a rank, by ranks; 1024 are 64 nodes of 16 "
          f"({given.far_word:g} s a number, {given.far_message:g} s a message):\n")
    print("| ℓ |" + "".join(f" R = {ranks} |" for ranks in many) + "\n|---|" + "---|" * len(many))
    for rows in (10_000, 20_000, 50_000, 100_000, 200_000):
        cells = []
        for ranks in many:
            seconds = dense("gradient", rows, ranks, rate, given.far_word, given.far_message)
            cells.append(f" {duration(seconds)}; {digits(48 * rows**2 / ranks / 1e9)} GB |")
        print(f"| {rows:,} |" + "".join(cells))
    print(f"\nTime of a pass over rows of 10 columns at basis {given.basis}:\n")
    print("| ℓ |" + "".join(f" R = {ranks} |" for ranks in many) + "\n|---|" + "---|" * len(many))
    for rows in (10**6, 10**7, 10**8):
        print(f"| {rows:,} |" + "".join(
            f" {duration(one_pass(rows, 10, given.basis, 1, ranks, row, given.far_word, given.far_message))} |"
            for ranks in many))


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("build", type=pathlib.Path)
    words.add_argument("--rows", type=int, default=8000)
    words.add_argument("--pass-rows", type=int, default=1_000_000)
    words.add_argument("--basis", type=int, default=300)
    words.add_argument("--ranks", type=lambda text: [int(n) for n in text.split(",")],
                       default=[1, 2, 4])
    words.add_argument("--runs", type=int, default=3)
    words.add_argument("--word", type=float, default=2e-9)
    words.add_argument("--message", type=float, default=2e-6)
    words.add_argument("--far-word", type=float, default=1e-9)
    words.add_argument("--far-message", type=float, default=5e-6)
    words.add_argument("--rate", type=float)
    words.add_argument("--row", type=float)
    given = words.parse_args()
    if given.ranks[0] != 1:
        words.error("--ranks begins with 1, whose rates the predictions are made of")
    rate, row = given.rate, given.row
    if rate is None or row is None:
        first = measured(given.build, given)
        rates = {what: flops * given.rows**3 / first[what] for what, flops in FLOPS.items()}
        rate, row = rates["gradient"], first["pass"] / given.pass_rows
        print(f"\nRates of one rank: evaluation {rates['evaluation'] / 1e9:.1f} GFLOP/s, with gradient "
              f"{rate / 1e9:.1f} GFLOP/s; pass {row * 1e6:.2f} µs a row at basis {given.basis}.\n")
    tables(rate, row, given)


if __name__ == "__main__":
    main()
