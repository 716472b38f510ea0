"""Kills one rank of several at random moments: all processes must end within ten seconds, and no file be half-written.

    LACUNA_PROGRAM=build/bin/lacuna python3 tests/deep/kill_ranks.py [--kills 30] [--ranks 2] [--seed 1]
                                                                     [--work fit,basis,evaluate]

Needs back end mpi (make mpi). Work is a fit of all rows, one on a basis, and nested validation. After each kill of a
rank with SIGKILL
  - every process of the run has ended within ten seconds;
  - every output is not there, or whole: `lacuna inspect` reads the model, a table has all its rows, a report is JSON;
  - nothing else lies in the folder of the outputs;
  - the journal of a validation, which is meant to stay, is one to go on from.
A run that ended by itself before the kill counts as none.

mpirun itself may hang when a rank dies while MPI starts (OpenMPI 4.1.4 with PMIx 4.2.2, Debian 12): 9 times of 120 with
a program that only calls MPI_Init and was killed in its first 60 ms. All ranks have ended then. It is counted and told
apart, and a failure of a kill that came later.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from program import PROGRAM, two_classes  # noqa: E402

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "LACUNA_MPI_ROWS": "0"}
PATIENCE = 10.0
START_UP = 1.0  # seconds of a rank in which MPI may still be starting


def parent_and_state(pid):
    """From /proc, or nothing where there is no such process."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    state, parent = text.rsplit(")", 1)[1].split()[:2]
    return int(parent), state


def ranks_of(mpirun):
    """Processes of the program that this mpirun has started."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        about = parent_and_state(pid)
        if about and about[0] == mpirun and about[1] != "Z":
            found.append(pid)
    return sorted(found)


def is_alive(pid):
    about = parent_and_state(pid)
    return about is not None and about[1] != "Z"


ROWS = 301
OF_ALL = ["--target", "label", "--model", "ls-svm"]
WORK = {  # words, and what is written
    "fit": (["fit", "DATA", *OF_ALL, "-o", "OUT/m.lacuna"], ["m.lacuna"]),
    "basis": (["fit", "DATA", "--target", "label", "--basis", "20", "-o", "OUT/m.lacuna", "--loo", "OUT/loo.csv"],
              ["m.lacuna", "loo.csv"]),
    "evaluate": (["evaluate", "DATA", *OF_ALL, "--splits", "folds:3", "--journal", "ROOT/journal", "--json", "-o",
                  "OUT/report.json", "--predictions", "OUT/predicted.csv"], ["report.json", "predicted.csv"]),
}


def words_of(work, root):
    places = {"DATA": str(root / "train.csv"), "OUT/": f"{root}/out/", "ROOT/": f"{root}/"}
    words = WORK[work][0]
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
    return words


def is_whole(file):
    if file.suffix == ".lacuna":
        return subprocess.run([PROGRAM, "inspect", str(file)], capture_output=True).returncode == 0
    text = file.read_text()
    if file.suffix == ".json":
        return bool(json.loads(text))
    return text.endswith("\n") and text.count("\n") == ROWS + 1


def age(pid):
    """Seconds since a process was started."""
    ticks = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19])
    return float(pathlib.Path("/proc/uptime").read_text().split()[0]) - ticks / os.sysconf("SC_CLK_TCK")


def one_kill(work, root, chance, ranks, longest):
    """What is wrong, or None; whether a rank was killed; seconds until all had ended, None: mpirun hung by itself."""
    out = root / "out"
    out.mkdir(exist_ok=True)
    for file in out.iterdir():
        file.unlink()
    run = subprocess.Popen(["mpirun", "-n", str(ranks), PROGRAM, *words_of(work, root), "--backend", "mpi"],
                           env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(chance.uniform(0.0, longest))
    processes = ranks_of(run.pid)
    killed = False
    if processes and run.poll() is None:
        victim = chance.choice(processes)
        try:
            starting = age(victim) < START_UP
            os.kill(victim, signal.SIGKILL)
            killed = True
        except OSError:  # it has just ended
            pass
    begun, took = time.monotonic(), 0.0
    try:
        run.communicate(timeout=PATIENCE if killed else 120)
    except subprocess.TimeoutExpired:
        took = None
    while took is not None and any(is_alive(pid) for pid in processes) and time.monotonic() - begun < PATIENCE:
        time.sleep(0.05)
    alive = [pid for pid in processes if is_alive(pid)]
    for pid in alive:
        os.kill(pid, signal.SIGKILL)
    if took is None:
        run.kill()
        run.communicate()
    if alive:
        return f"a rank is still running {PATIENCE:.0f} s after the kill", killed, took
    if took is None and not (killed and starting):
        return f"mpirun is still running {PATIENCE:.0f} s after the kill", killed, took
    if took is not None:
        took = time.monotonic() - begun
    left = [p.name for p in out.iterdir() if p.name not in WORK[work][1]]
    if left:
        return f"left behind: {left}", killed, took
    for file in out.iterdir():
        if not is_whole(file):
            return f"{file.name} is not whole", killed, took
    if killed and run.returncode == 0 and len(list(out.iterdir())) < len(WORK[work][1]):
        return "success is said, and not all is there", killed, took
    return None, killed, took


def kills_of(work, root, given):
    chance = random.Random(given.seed)
    begun = time.monotonic()
    problem, _, _ = one_kill(work, root, random.Random(0), 1, 0.0)  # also: does it run at all
    if problem:
        sys.exit(f"{work}, without ranks to kill: {problem}")
    longest = max(2.0, 1.2 * (time.monotonic() - begun))
    journal = root / "journal"
    journal.unlink(missing_ok=True)
    kills, slowest, hung = 0, 0.0, 0
    for _ in range(10 * given.kills):
        if kills == given.kills:
            break
        problem, killed, took = one_kill(work, root, chance, given.ranks, longest)
        kills += killed
        if problem:
            sys.exit(f"{work}, kill {kills}: {problem}")
        if not killed:
            journal.unlink(missing_ok=True)  # nothing would be left to do
        elif took is None:
            hung += 1
        else:
            slowest = max(slowest, took)
    if kills < given.kills:
        sys.exit(f"{work}: too few runs lasted until they were killed")
    if subprocess.run([PROGRAM, *words_of(work, root)], capture_output=True).returncode != 0:
        sys.exit(f"{work}: after the last kill it cannot be done again")
    print(f"{work}: {kills} kills of one of {given.ranks} ranks: all ended within {slowest:.1f} s (allowed: "
          f"{PATIENCE:.0f} s), nothing half-written" + (f"; mpirun hung by itself {hung} times" if hung else ""),
          flush=True)


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--kills", type=int, default=30)
    words.add_argument("--ranks", type=int, default=2)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--work", default=",".join(WORK))
    given = words.parse_args()
    for work in given.work.split(","):
        with tempfile.TemporaryDirectory(prefix="lacuna-ranks-") as folder:
            root = pathlib.Path(folder)
            (root / "train.csv").write_text(two_classes(ROWS))
            kills_of(work, root, given)


if __name__ == "__main__":
    main()
