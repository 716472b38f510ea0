"""Limits on memory, address space, threads and places to write: kept, or refused, and what was needed is named."""

import gzip
import json
import math
import os
import resource
import subprocess
import unittest

from program import PROGRAM, ProgramTest, two_classes, values


class Limits(ProgramTest):
    def test_memory_bounds_reading(self):
        fit = ["-t", "label", "--memory", "20M"]
        self.file("bomb.gz", gzip.compress(b"x,label\n" + b"1,a\n2,b\n" * 8_000_000))
        self.refused(3, ["bomb.gz", "20 MB", "allowed"], "fit", "bomb.gz", *fit)
        self.file("line.csv", "x,label\n" + "1" * 30_000_000 + ",a\n")
        self.refused(3, ["line.csv", "30 MB", "20 MB"], "fit", "line.csv", *fit)
        self.file("cells.csv", "x,label\n" + "1,2\n" * 2_000_000)  # 8 MB of text, 32 MB of cells
        self.refused(3, ["cells.csv", "MB of memory", "20 MB"], "fit", "cells.csv", *fit)
        self.file("wide.csv", ",".join(f"x{j}" for j in range(20000)) + ",label\n" + "\n".join(
            ",".join(["0", "1"][(i * j) % 2] for j in range(20000)) + f",{i % 2}" for i in range(120)) + "\n")
        self.refused(3, ["wide.csv", "20 MB"], "fit", "wide.csv", *fit)
        self.file("d.csv", two_classes(40))
        self.refused(3, ["/dev/zero", "zero bytes"], "fit", "/dev/zero", *fit)
        self.refused(3, ["zero bytes"], "fit", "d.csv", *fit, "--basis", "/dev/zero")
        self.refused(3, ["ordinary file"], "evaluate", "d.csv", *fit, "--journal", "/dev/zero")
        self.refused(3, ["bomb.gz", "20 MB"], "fit", "d.csv", *fit, "--basis", "bomb.gz")
        self.refused(3, ["20 MB"], "evaluate", "line.csv", *fit)
        done = self.run_limited("fit", "-", *fit, stdin=b"x,label\n" + b"1,a\n2,b\n" * 8_000_000)
        self.assert_one_line(done, 3, "standard input", "20 MB")

    def test_memory_bounds_repetitions(self):
        self.file("d.csv", two_classes(40))
        fit = ["-t", "label", "--memory", "20M"]
        self.refused(3, ["1000000", "GB", "allowed"], "fit", "d.csv", *fit, "--cv", "5x1000000")
        self.refused(3, ["100000 splits", "GB", "allowed"], "evaluate", "d.csv", *fit, "--splits", "folds:5x20000")
        for name, row in (("s.train.csv", 0), ("s.test.csv", 1)):  # 2 MB of text, 8 MB of rows and 40 MB of results
            self.file(name, "".join(f"{k},{row}\n" for k in range(20000)))
        self.refused(3, ["20000 splits", "GB", "allowed"], "evaluate", "d.csv", *fit, "--splits", "files:s")
        self.file("s.train.csv", "1" + ",0" * 3_000_000 + "\n")
        self.refused(3, ["s.train.csv", "20 MB"], "evaluate", "d.csv", *fit, "--splits", "files:s")
        self.file("g.csv", "x,g,label\n" + "".join(f"{i % 7},{i},{'ab'[i % 2]}\n" for i in range(3000)))  # 72 MB
        self.refused(3, ["3000 splits", "GB", "allowed"], "evaluate", "g.csv", *fit, "--group", "g", "--splits",
                     "groups")

    def test_limits_on_address_space(self):
        self.file("d.csv", values(30))
        fit = ["fit", "d.csv", "-t", "t", "--lambda", "1", "--kernel", "rbf:theta=1", "--json"]
        free = json.loads(self.run_limited(*fit).stdout)["held_out"]
        self.assert_one_line(self.run_limited(*fit, memory=250 << 20), 3, "address space", "MB")
        self.assert_one_line(self.run_limited("--version", memory=250 << 20), 3, "address space", "MB")
        for memory, threads in ((420 << 20, "1"), (420 << 20, "32"), (1 << 30, "32"), (3 << 30, "32")):
            for environment, words in (({"OMP_NUM_THREADS": threads}, []), ({}, ["--threads", threads])):
                done = self.run_limited(*fit, *words, memory=memory, environment=environment)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["held_out"].keys(), free.keys())

    def test_threads_that_cannot_be_started(self):
        self.file("d.csv", values(30))
        os.chmod(self.folder, 0o755)

        def limit():  # the limit does not hold for root
            resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)

        try:
            words = ["fit", self.path("d.csv"), "-t", "t", "--threads", "8", "--lambda", "1", "-q"]
            done = subprocess.run([PROGRAM, *words], capture_output=True, preexec_fn=limit, timeout=60)
        except PermissionError:
            self.skipTest("another user may not run the program")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, b"")

    def test_a_bad_folder_for_temporary_files(self):
        self.file("d.csv", ",".join(f"x{j}" for j in range(100)) + ",y\n" + "".join(
            ",".join(f"{math.sin(i * 31 + j * 7):.5f}" for j in range(100)) + f",{i % 7}\n" for i in range(1000)))
        fit = ["fit", "d.csv", "-t", "y", "--basis", "5", "--memory", "1.3M", "--lambda", "1",
               "--kernel", "rbf:theta=1", "-q"]
        # In pieces, and without -o: in the folder for temporary files.
        self.assertEqual(self.run_limited(*fit).returncode, 0)
        self.assert_one_line(self.run_limited(*fit, environment={"TMPDIR": "/no/such"}), 3, "TMPDIR", "/no/such")


if __name__ == "__main__":
    unittest.main()
