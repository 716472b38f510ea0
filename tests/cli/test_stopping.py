"""Ctrl-C and the time limit act in the middle of long arithmetic; whatever ends the program leaves nothing behind."""

import os
import pty
import random
import resource
import signal
import subprocess
import time
import unittest

from program import FIXED, PROGRAM, ProgramTest, two_classes, values


def many_classes(rows=2000, classes=800, seed=4):
    """One evaluation takes an iterated fit for each class: many minutes."""
    rng = random.Random(seed)
    lines = ["x,y,label"]
    for i in range(rows):
        c = i % classes
        lines.append(f"{rng.gauss(c % 37, 1):.4f},{rng.gauss(c // 37, 1):.4f},c{c}")
    return "\n".join(lines) + "\n"


# What takes many minutes must end within this; it is no measure of how soon it does.
SOON = 60


class Stopping(ProgramTest):
    def child(self, *words, **more):
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([PROGRAM, *words], cwd=self.folder, **more)

    def has_used(self, child, seconds):
        """Waits until the program has had so much processor time, and so is in the middle of its work."""
        tick = os.sysconf("SC_CLK_TCK")
        while child.poll() is None:
            with open(f"/proc/{child.pid}/stat") as f:
                fields = f.read().rsplit(")", 1)[1].split()
            if (int(fields[11]) + int(fields[12])) / tick >= seconds:
                return
            time.sleep(0.05)
        self.fail("the program ended by itself: " + child.communicate()[1].decode())

    def test_an_interrupt_stops_inside_an_evaluation(self):
        self.file("many.csv", many_classes())
        for words in (("fit", "many.csv", "-t", "label", "-o", "m.lacuna"),
                      ("fit", "many.csv", "-t", "label", "--model", "gp-laplace", "-o", "m.lacuna"),
                      ("evaluate", "many.csv", "-t", "label", "--journal", "none", "-o", "m.lacuna")):
            child = self.child(*words)
            self.has_used(child, 1.5)
            child.send_signal(signal.SIGINT)
            _, err = child.communicate(timeout=SOON)
            self.assertEqual(child.returncode, 130, err)
            self.assertIn(b"lacuna: interrupted", err)
            self.assertEqual(os.listdir(self.folder), ["many.csv"])

    def test_an_interrupt_is_acknowledged_on_a_terminal_and_a_second_ends_at_once(self):
        self.file("many.csv", many_classes())
        ours, theirs = pty.openpty()
        child = self.child("fit", "many.csv", "-t", "label", "-o", "m.lacuna", stderr=theirs)
        os.close(theirs)
        self.has_used(child, 1.5)
        # While it is stopped it cannot act on the first before the second is there.
        child.send_signal(signal.SIGINT)
        seen = b""
        while b"again" not in seen:
            seen += os.read(ours, 1000)
        self.assertIn(b"stopping", seen)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(timeout=SOON), 130)
        child.stdout.close()
        os.close(ours)
        self.assertEqual(os.listdir(self.folder), ["many.csv"])

    def test_a_time_limit_holds_inside_an_evaluation(self):
        self.file("many.csv", many_classes())
        began = time.monotonic()
        message = self.refused(2, ["time limit", "--basis"], "fit", "many.csv", "-t", "label", "--model", "klr",
                               "--time-limit", "1", "-o", "m.lacuna")
        self.assertLess(time.monotonic() - began, SOON, message)
        self.assertEqual(os.listdir(self.folder), ["many.csv"])

    def test_generate_interrupted_exits_130_and_leaves_nothing(self):
        for blow, code in ((signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP),
                           (signal.SIGKILL, -signal.SIGKILL)):
            child = self.child("generate", "ripley", "--rows", "1000000000", "-o", "big.csv")
            self.has_used(child, 0.3)
            child.send_signal(blow)
            child.communicate(timeout=SOON)
            self.assertEqual(child.returncode, code)
            self.assertEqual(os.listdir(self.folder), [])

    def test_leftovers_of_a_killed_writer_are_removed_and_others_are_not(self):
        self.file("train.csv", two_classes())
        self.file(".m.lacuna.123-0.tmp", "left by a process that is gone")
        self.file(".m.lacuna.notes.tmp", "somebody else's")
        self.file(".other.123-0.tmp", "another target's")
        self.ok("fit", "train.csv", "-t", "label", *FIXED, "-o", "m.lacuna")
        self.assertEqual(sorted(os.listdir(self.folder)),
                         [".m.lacuna.notes.tmp", ".other.123-0.tmp", "m.lacuna", "train.csv"])

    def test_a_file_size_limit_is_an_error(self):
        limited = subprocess.run([PROGRAM, "generate", "ripley", "--rows", "100000", "-o", "big.csv"], cwd=self.folder,
                                 capture_output=True, timeout=SOON,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000)))
        self.assertEqual(limited.returncode, 3, limited.stderr)
        self.assertIn(b"big.csv: File too large", limited.stderr)
        self.assertEqual(os.listdir(self.folder), [])

    def test_closed_standard_descriptors_never_become_files_of_ours(self):
        self.file("train.csv", two_classes())
        for closed in ((0,), (1,), (2,), (0, 1, 2)):
            done = subprocess.run([PROGRAM, "fit", "train.csv", "-t", "label", "--max-evaluations", "1",
                                   "-o", "n.lacuna"],
                                  cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SOON,
                                  preexec_fn=lambda: [os.close(d) for d in closed])
            # Without standard output there is nowhere to print to.
            self.assertEqual(done.returncode, 3 if 1 in closed else 0)
            if 1 not in closed:  # a warning on descriptor 2 would have damaged it
                self.ok("inspect", "n.lacuna")
                os.remove(self.path("n.lacuna"))
        journal = "j.journal"
        subprocess.run([PROGRAM, "evaluate", "train.csv", "-t", "label", *FIXED, "--splits", "3", "--journal", journal],
                       cwd=self.folder, preexec_fn=lambda: (os.close(1), os.close(2)), timeout=SOON)
        for line in self.contents(journal, "r").splitlines()[1:]:
            self.assertIn("\t", line)  # a key and a result, and no report

    def test_a_full_standard_output_fails_before_files_are_replaced(self):
        self.file("train.csv", two_classes())
        self.file("m.lacuna", "what was there")
        self.file("h.csv", "what was there")
        for words in (("fit", "train.csv", "-t", "label", *FIXED, "-o", "m.lacuna", "--loo", "h.csv"),
                      ("loo", "train.csv", "-t", "label", *FIXED, "-o", "h.csv")):
            with open("/dev/full", "w") as full:
                done = subprocess.run([PROGRAM, *words], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                      timeout=SOON)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(b"standard output cannot be written to", done.stderr)
            self.assertEqual(self.contents("m.lacuna"), b"what was there")
            self.assertEqual(self.contents("h.csv"), b"what was there")
        with open("/dev/full", "w") as full:
            for words in (("--help",), ("--version",), ("generate", "ripley", "--rows", "5"), ("completion", "bash")):
                done = subprocess.run([PROGRAM, *words], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                      timeout=SOON)
                self.assertEqual(done.returncode, 3, words)


class Prediction(ProgramTest):
    def test_every_row_has_a_line_also_where_values_are_missing(self):
        self.file("train.csv", two_classes())
        self.file("values.csv", values())
        self.file("new.csv", "x,y\n,1\n1,1\n2,\n0,0\n1,?\n")
        self.file("new_values.csv", "u,v\n1,0\n,1\n0,0\n")
        self.ok("fit", "train.csv", "-t", "label", "--missing", "drop", *FIXED, "-o", "m.lacuna")
        text = self.ok("predict", "m.lacuna", "new.csv")
        rows = self.table(text)
        self.assertEqual([r["row"] for r in rows], ["1", "2", "3", "4", "5"])
        self.assertEqual([r["prediction"] == "" for r in rows], [True, False, True, False, True])
        self.assertEqual(len({line.count(",") for line in text.splitlines()}), 1)  # all cells are there
        self.assertIn("3 of 5", self.stderr)
        whole = self.table(self.ok("predict", "m.lacuna", self.file("whole.csv", "x,y\n1,1\n0,0\n")))
        for cell in ("prediction", "output", "probability:a"):
            self.assertEqual([rows[1][cell], rows[3][cell]], [r[cell] for r in whole])
        self.ok("fit", "values.csv", "-t", "t", "--missing", "drop", *FIXED, "-o", "v.lacuna")
        text = self.ok("predict", "v.lacuna", "new_values.csv")
        self.assertEqual(text.splitlines()[2], "2,,,")
        self.assertEqual([r["row"] for r in self.table(text)], ["1", "2", "3"])

    def test_loo_of_a_model_refuses_options_of_fit_by_name(self):
        self.file("train.csv", two_classes())
        self.ok("fit", "train.csv", "-t", "label", *FIXED, "-o", "m.lacuna")
        self.refused(2, ["m.lacuna is a model", "--kernel", "--lambda"], "loo", "m.lacuna", "--kernel", "linear",
                     "--lambda", "1")
        for words in (("--model", "klr"), ("-t", "label"), ("--cv", "5"), ("--refit-flagged",), ("--seed", "0"),
                      ("--no-standardise",), ("--format", "csv"), ("--threads", "1")):
            name = "--target" if words[0] == "-t" else words[0]
            self.refused(2, [name], "loo", "m.lacuna", *words)
        self.ok("loo", "m.lacuna", "-q")
        self.ok("loo", "m.lacuna", "-o", "h.csv")


if __name__ == "__main__":
    unittest.main()
