"""Kills one rank of several at random moments: all processes must end within ten seconds, and no file be half-written.

    LACUNA_PROGRAM=build/bin/lacuna python3 tests/deep/kill_ranks.py [--kills 30] [--ranks 2] [--seed 1]

Needs back end mpi (make mpi). After each kill of a rank with SIGKILL
  - every process of the run has ended within ten seconds;
  - the model is not there, or whole: `lacuna inspect` reads it;
  - nothing else lies in the folder of the output.
A run that ended by itself before the kill counts as none.
"""

import argparse
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


def one_kill(root, chance, ranks, longest):
    out = root / "out"
    out.mkdir(exist_ok=True)
    model = out / "m.lacuna"
    model.unlink(missing_ok=True)
    run = subprocess.Popen(["mpirun", "-n", str(ranks), PROGRAM, "fit", str(root / "train.csv"), "--target", "label",
                            "--model", "ls-svm", "--backend", "mpi", "-o", str(model)], env=ENVIRONMENT,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(chance.uniform(0.0, longest))
    processes = ranks_of(run.pid)
    killed = False
    if processes and run.poll() is None:
        try:
            os.kill(chance.choice(processes), signal.SIGKILL)
            killed = True
        except ProcessLookupError:
            pass
    begun = time.monotonic()
    try:
        run.communicate(timeout=PATIENCE if killed else 120)
    except subprocess.TimeoutExpired:
        for pid in processes:
            if is_alive(pid):
                os.kill(pid, signal.SIGKILL)
        run.kill()
        return f"still running {PATIENCE:.0f} s after the kill", killed
    while any(is_alive(pid) for pid in processes) and time.monotonic() - begun < PATIENCE:
        time.sleep(0.05)
    if any(is_alive(pid) for pid in processes):
        return "a rank has outlived the run", killed
    left = [p.name for p in out.iterdir() if p != model]
    if left:
        return f"left behind: {left}", killed
    if model.exists() and subprocess.run([PROGRAM, "inspect", str(model)], capture_output=True).returncode != 0:
        return "the model is not whole", killed
    if killed and run.returncode == 0 and not model.exists():
        return "success is said, and there is no model", killed
    return None, killed


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--kills", type=int, default=30)
    words.add_argument("--ranks", type=int, default=2)
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    chance = random.Random(given.seed)
    with tempfile.TemporaryDirectory(prefix="lacuna-ranks-") as folder:
        root = pathlib.Path(folder)
        (root / "train.csv").write_text(two_classes(301))
        begun = time.monotonic()
        problem, _ = one_kill(root, random.Random(0), 1, 0.0)  # also: does it run at all
        if problem:
            sys.exit(f"without ranks to kill: {problem}")
        longest = max(2.0, 1.2 * (time.monotonic() - begun))
        kills = 0
        for _ in range(10 * given.kills):
            if kills == given.kills:
                break
            problem, killed = one_kill(root, chance, given.ranks, longest)
            kills += killed
            if problem:
                sys.exit(f"kill {kills}: {problem}")
        print(f"{kills} kills of one of {given.ranks} ranks: all ended within {PATIENCE:.0f} s, nothing half-written")
        if kills < given.kills:
            sys.exit("too few runs lasted until they were killed")


if __name__ == "__main__":
    main()
