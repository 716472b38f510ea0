"""Model files that are damaged, outputs that cannot be written, programs that are stopped: what was there stays."""

import os
import random
import signal
import stat
import subprocess
import time
import unittest

from program import FIXED, PROGRAM, ProgramTest, two_classes


class Files(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("d.csv", two_classes())

    def fit(self, *words):
        return self.ok("fit", "d.csv", "--target", "label", *FIXED, *words)

    def leftovers(self):
        return [n for n in os.listdir(self.folder) if n.endswith(".tmp")]

    def test_damaged_model_files_each_have_their_sentence(self):
        self.fit("-o", "m.lacuna")
        whole = self.contents("m.lacuna")
        middle = bytearray(whole)
        middle[-20] ^= 1
        cases = {
            "truncated": (whole[:-9], "truncated model file"),
            "short": (whole[:200], "truncated model file"),
            "corrupted": (bytes(middle), "corrupted model file"),
            "foreign": (b"x,y,label\n1,2,a\n", "not a lacuna model file"),
            "empty": (b"", "not a lacuna model file"),
            "newer": (whole.replace(b'"version":"3"', b'"version":"9"'), "version 9"),
        }
        for name, (contents, sentence) in cases.items():
            self.file(name, contents)
            for words in (["inspect", name], ["predict", name, "d.csv"]):
                self.refused(3, [name, sentence], *words)
        self.refused(3, ["none.lacuna", "No such file"], "inspect", "none.lacuna")
        for name in ("truncated", "corrupted", "newer"):
            self.refused(3, [name, cases[name][1]], "loo", name)

    def test_unwritable_output_is_refused_before_the_data_is_read(self):
        for words in (["-o", "no/such/folder/m.lacuna"], ["-o", "."], ["--loo", "no/such/loo.csv"]):
            self.refused(3, [words[1]], "fit", "data that is not there either.csv", "--target", "label", *words)
        self.fit("-o", "m.lacuna")
        self.refused(3, ["no/such/p.csv"], "predict", "m.lacuna", "d.csv", "-o", "no/such/p.csv")
        self.refused(3, ["no/such/g.csv"], "generate", "ripley", "--rows", "5", "-o", "no/such/g.csv")
        self.assertEqual(self.leftovers(), [])

    def test_read_only_file_is_not_replaced(self):
        if os.geteuid() == 0:
            self.skipTest("root may write anything")
        self.file("m.lacuna", "keep me")
        os.chmod(self.path("m.lacuna"), 0o444)
        self.refused(3, ["m.lacuna"], "fit", "d.csv", "--target", "label", "-o", "m.lacuna")
        self.assertEqual(self.contents("m.lacuna"), b"keep me")

    def test_output_that_is_the_input(self):
        before = self.contents("d.csv")
        self.refused(2, ["d.csv", "input"], "fit", "d.csv", "--target", "label", "-o", "d.csv")
        self.refused(2, ["d.csv", "input"], "loo", "d.csv", "--target", "label", "-o", "./d.csv")
        self.refused(2, ["same file"], "fit", "d.csv", "--target", "label", "-o", "a", "--loo", "a")
        self.assertEqual(self.contents("d.csv"), before)

    def test_special_files_are_written_to_not_replaced(self):
        self.fit("-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_full_device(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "generate", "ripley", "--rows", "5000"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 3)

    def test_killing_the_program_leaves_the_old_file_or_the_new_one(self):
        """Killed at moments spread over the whole run, with a large model so that writing takes part of it."""
        rng = random.Random(8)
        wide = ["label," + ",".join(f"x{j}" for j in range(300))]
        for i in range(600):
            wide.append("ab"[i % 2] + "," + ",".join(f"{rng.gauss(i % 2, 1):.3f}" for _ in range(300)))
        self.file("wide.csv", "\n".join(wide))
        command = [PROGRAM, "fit", "wide.csv", "--target", "label", *FIXED, "-o", "m.lacuna", "--quiet"]
        began = time.monotonic()
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        whole = time.monotonic() - began
        self.fit("-o", "m.lacuna")
        old = self.ok("inspect", "m.lacuna")
        killed = 0
        for k in range(24):
            child = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(whole * (0.4 + 0.03 * k) * rng.uniform(0.9, 1.1))
            child.kill()
            killed += child.wait() == -signal.SIGKILL
            now = self.ok("inspect", "m.lacuna")  # whole and readable in any case
            if child.returncode != 0 and "600 rows" not in now:
                self.assertEqual(now, old)
            if "600 rows" in now:
                self.fit("-o", "m.lacuna")
        self.assertGreater(killed, 0)

    def test_kill_while_the_file_is_being_written(self):
        """Stopped as soon as the temporary file appears: the old file must still be there, whole."""
        self.fit("-o", "m.lacuna")
        old = self.contents("m.lacuna")
        self.ok("generate", "twonorm", "--rows", "900", "-o", "big.csv")
        target = self.contents("big.csv", "r").splitlines()[0].split(",")[-1]
        for _ in range(3):
            child = subprocess.Popen([PROGRAM, "fit", "big.csv", "--target", target, *FIXED, "-o", "m.lacuna", "--quiet"],
                                     cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.05)  # past the moment at which the output is only tried
            while child.poll() is None and not self.leftovers():
                pass
            child.kill()
            child.wait()
            if self.leftovers():
                self.assertEqual(self.contents("m.lacuna"), old)
            self.ok("inspect", "m.lacuna")
            for name in self.leftovers():
                os.remove(self.path(name))
            self.fit("-o", "m.lacuna")
            old = self.contents("m.lacuna")

    def test_interrupt_stops_the_search_and_writes_nothing(self):
        self.ok("generate", "twonorm", "--rows", "1200", "-o", "big.csv")
        target = self.contents("big.csv", "r").splitlines()[0].split(",")[-1]
        self.file("m.lacuna", "before")
        child = subprocess.Popen([PROGRAM, "fit", "big.csv", "--target", target, "--kernel", "ard", "--search", "nelder-mead",
                                  "--max-evaluations", "100000", "-o", "m.lacuna"], cwd=self.folder,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(2.0)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=120)
        self.assertEqual(child.returncode, 130, err)
        self.assertEqual(out, b"")
        self.assertIn(b"lacuna: interrupted", err)
        self.assertEqual(self.contents("m.lacuna"), b"before")
        self.assertEqual(self.leftovers(), [])

    def test_time_limit_stops_the_search_and_still_gives_a_model(self):
        self.ok("generate", "twonorm", "--rows", "600", "-o", "big.csv")
        target = self.contents("big.csv", "r").splitlines()[0].split(",")[-1]
        report = self.fit_json("big.csv", "--target", target, "--kernel", "ard", "--search", "nelder-mead",
                               "--max-evaluations", "100000", "--time-limit", "1")
        self.assertEqual(report["search"]["stop"], "time-limit")


if __name__ == "__main__":
    unittest.main()
