"""The tests of back end mpi on 1, 2, 3 and 4 ranks: the conformance suite, machines and closed forms, the command line.

    LACUNA_BUILD=build python3 tests/deep/ranks.py [--ranks 1,2,3,4]

Needs back end mpi (make mpi) and the test programs of conformance, machine and loo. Where cores are few, ranks share
them.
"""

import argparse
import os
import pathlib
import subprocess
import sys

BUILD = pathlib.Path(os.environ.get("LACUNA_BUILD", "build")).resolve()
PROGRAM = BUILD / "bin" / "lacuna"
SUITES = {"conformance": "Backends/*",
          "machine": "DualMachine.*:LsSvm.*:Kfd.*:Primal*",
          "loo": "LeaveOneOut.*:LeaveFoldOut.*:LeavePairOut.*:PrimalHeldOut.*:PrimalGradient.*"}
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "LACUNA_MPI_ROWS": "0", "LACUNA_TEST_BACKEND": "mpi"}


def on_ranks(name, ranks):
    words = ["mpirun", "-n", "1", str(BUILD / "bin" / f"test_{name}"), f"--gtest_filter={SUITES[name]}",
             "--gtest_brief=1"]
    if ranks > 1:
        words += [":", "-n", str(ranks - 1), str(PROGRAM), "--backend", "mpi"]
    return subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True)


def main():
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--ranks", default="1,2,3,4")
    ranks = given.parse_args().ranks
    failed = False
    for count in map(int, ranks.split(",")):
        for name in SUITES:
            done = on_ranks(name, count)
            bad = done.returncode != 0
            failed = failed or bad
            print(f"{name} on {count} ranks: {'FAILED' if bad else done.stdout.strip().splitlines()[-1]}", flush=True)
            if bad:
                print(done.stdout + done.stderr)
    script = pathlib.Path(__file__).resolve().parent.parent / "cli" / "test_ranks.py"
    environment = {**os.environ, "LACUNA_PROGRAM": str(PROGRAM), "LACUNA_BUILD": str(BUILD), "LACUNA_TEST_RANKS": ranks}
    failed = subprocess.run([sys.executable, "-B", str(script)], env=environment).returncode != 0 or failed
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
