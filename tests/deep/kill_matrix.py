"""Kills the program at random moments and looks at what is left: four signals x five commands x many kills.

    LACUNA_PROGRAM=build/bin/lacuna python3 tests/deep/kill_matrix.py [--kills 50] [--named 10] [--seed 1]

Half of the kills come at a moment drawn from the whole run time, start of the program included. The others are aimed:
the disk is made slow (disk.c, preloaded), and they come a random while after the program was seen to have a file open
in the folder it writes to, or when a file there has a name for a moment to replace another. After each kill
  - every output is what it was before (also: not there), or whole;
  - nothing else lies in the folder of the outputs. Only SIGKILL may leave a file, where files cannot be without a name;
    the next write must remove it;
  - no input has changed, and the exit status is the documented one;
  - evaluate, started again, ends with the numbers of a run that nobody disturbed.
--named repeats the matrix, with so many kills, on a file system without unnamed files (disk.c again).
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
from program import PROGRAM, two_classes, values  # noqa: E402

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
FIXED = ["--kernel", "rbf:theta=0.5", "--lambda", "0.1"]
LEFTOVER = re.compile(r"\.(.+)\.[0-9]+-[0-9]+\.tmp")


def heed_signals():
    """What this script was started to ignore (in the background, under nohup) the program would ignore too."""
    for number in SIGNALS[:3]:
        signal.signal(number, signal.SIG_DFL)


class Finding(Exception):
    pass


def contents(folder):
    return {p.name: p.read_bytes() for p in sorted(folder.iterdir())}


def untimed(report):
    """An evaluation's report without what no two runs share."""
    if isinstance(report, dict):
        return {k: untimed(v) for k, v in report.items() if "seconds" not in k}
    return [untimed(v) for v in report] if isinstance(report, list) else report


class Matrix:
    def __init__(self, root, seed, shim, named):
        self.root = root
        self.named = named
        self.random = random.Random(seed)
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(root / "cache")}
        if named:
            self.environment.update({"LD_PRELOAD": str(shim), "TEST_NO_UNNAMED_FILES": "1"})
        self.slow = {"LD_PRELOAD": str(shim), "TEST_SLOW_DISK": "3000"}
        for name in ("in", "out", "kept", "cache"):
            (root / name).mkdir(parents=True)
        self.make_inputs()
        self.inputs = contents(root / "in")
        self.commands = {
            "fit": ["fit", "in/train.csv", "-t", "label", "--max-evaluations", "25", "-o", "out/m",
                    "--loo", "out/h.csv"],
            "predict": ["predict", "in/m", "in/rows.csv", "-o", "out/p.csv"],
            "generate": ["generate", "ripley", "--rows", "150000", "--seed", "3", "-o", "out/g.csv"],
            "loo": ["loo", "in/values.csv", "-t", "t", *FIXED, "-o", "out/l.csv"],
            "evaluate": ["evaluate", "in/train.csv", "-t", "label", *FIXED, "--splits", "8", "--json",
                         "--journal", "kept/journal", "-o", "out/e.json"],
        }
        for words in self.commands.values():
            if words[0] != "generate":
                words += ["--threads", "1"]

    def make_inputs(self):
        inside = self.root / "in"
        (inside / "train.csv").write_text(two_classes(200))
        (inside / "values.csv").write_text(values(500))
        (inside / "rows.csv").write_text(two_classes(30000, seed=4))
        self.finish(["fit", "in/train.csv", "-t", "label", *FIXED, "-o", "in/m"])

    def start(self, words, slow=False):
        return subprocess.Popen([PROGRAM, *words], cwd=self.root, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, preexec_fn=heed_signals,
                                env={**self.environment, **(self.slow if slow else {})})

    def finish(self, words):
        child = self.start(words)
        err = child.communicate(timeout=300)[1].decode(errors="replace")
        if child.returncode != 0:
            raise Finding(f"undisturbed, {' '.join(words)} exits {child.returncode}: {err}")

    def clear(self):
        for name in ("out", "kept"):
            shutil.rmtree(self.root / name)
            (self.root / name).mkdir()

    def undisturbed(self, verb):
        """Seconds of a run, and what it writes."""
        self.clear()
        began = time.monotonic()
        self.finish(self.commands[verb])
        return time.monotonic() - began, contents(self.root / "out")

    def is_whole(self, verb, name, new, expected):
        if verb == "fit" and name == "m":  # times are in it
            return subprocess.run([PROGRAM, "inspect", f"out/{name}"], cwd=self.root, env=self.environment,
                                  capture_output=True, timeout=60).returncode == 0
        if verb == "evaluate":
            try:
                return untimed(json.loads(new)) == untimed(json.loads(expected))
            except ValueError:
                return False
        return new == expected

    def writes(self, child):
        """Whether the program has a file of the output folder open, with a name or without."""
        folder = f"/proc/{child.pid}/fd"
        begin = f"{self.root}/out/"
        try:
            return any(os.readlink(f"{folder}/{d}").startswith(begin) for d in os.listdir(folder))
        except OSError:
            return False

    def replaces(self):
        """Whether a file has a name for the moment, to take the place of another."""
        return any(LEFTOVER.fullmatch(name) for name in os.listdir(self.root / "out"))

    def wait_for_the_moment(self, child, seconds, aimed, outputs, older):
        if not aimed:
            time.sleep(self.random.uniform(0.0, seconds))
            return
        if older and self.random.random() < 0.3:
            while child.poll() is None and not self.replaces():
                pass
            return
        # Each output is tried first and written later.
        for _ in range(self.random.randint(1, 2 * outputs)):
            while child.poll() is None and self.writes(child):
                pass
            while child.poll() is None and not self.writes(child):
                pass
        time.sleep(self.random.choice((0.0, 0.003, 0.03)) * self.random.random())

    def handles(self, child, number):
        """Whether the program has got as far as having a handler for this signal."""
        try:
            status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
            return bool(int(re.search(r"SigCgt:\s*([0-9a-f]+)", status).group(1), 16) >> (number - 1) & 1)
        except (OSError, AttributeError):
            return True

    def kill_once(self, verb, number, seconds, expected, aimed, counts):
        self.clear()
        old = {name: b"what was there" for name in expected} if self.random.random() < 0.5 else {}
        for name, data in old.items():
            (self.root / "out" / name).write_bytes(data)
        child = self.start(self.commands[verb], slow=aimed)
        self.wait_for_the_moment(child, seconds, aimed, len(expected), bool(old))
        handled, writing = self.handles(child, number), self.writes(child)
        child.send_signal(number)
        err = child.communicate(timeout=120)[1].decode(errors="replace")
        self.check_status(child.returncode, number, handled, err)
        counts["killed" if child.returncode != 0 else "too late"] += 1
        counts["writing"] += writing and child.returncode != 0

        left = contents(self.root / "out")
        for name, before in {name: old.get(name) for name in expected}.items():
            now = left.pop(name, None)
            if now != before and (now is None or not self.is_whole(verb, name, now, expected[name])):
                raise Finding(f"{name} is neither the old file nor a whole one ({len(now or b'')} bytes)")
            if child.returncode == 0 and now == before:
                raise Finding(f"exit 0, and {name} was not written")
            counts["new"] += now != before
        for name in left:
            if number != signal.SIGKILL or not self.named or not LEFTOVER.fullmatch(name):
                raise Finding(f"left behind: {name}")
        counts["leftovers"] += len(left)
        if contents(self.root / "in") != self.inputs:
            raise Finding("an input has changed")
        if contents(self.root / "cache"):
            raise Finding("something is left in the cache")
        if left or verb == "evaluate":
            self.finish_after(verb, expected)

    def check_status(self, code, number, handled, err):
        allowed = {0, -number}
        if number == signal.SIGINT:
            allowed = {0, 130} if handled else {0, 130, -number}
            if code == 130 and "lacuna: interrupted" not in err:
                raise Finding(f"exit 130 without a word: {err}")
        if code not in allowed:
            raise Finding(f"exit status {code}: {err}")

    def finish_after(self, verb, expected):
        """The same command once more: it goes on from the journal, and removes what was left behind."""
        journal = self.root / "kept" / "journal"
        kept = journal.read_bytes() if journal.exists() else b""
        self.finish(self.commands[verb])
        left = contents(self.root / "out")
        if sorted(left) != sorted(expected):
            raise Finding(f"after the next write there are {sorted(left)}")
        for name, data in left.items():
            if not self.is_whole(verb, name, data, expected[name]):
                raise Finding(f"started again, it writes another {name}")
        whole_lines = kept[: kept.rfind(b"\n") + 1]
        if verb == "evaluate" and not journal.read_bytes().startswith(whole_lines):
            raise Finding("what the journal kept was not gone on with")


def run(root, kills, seed, shim, named):
    if kills == 0:
        return 0
    print(f"{'every file has a name' if named else 'files without a name'}: {kills} kills each", flush=True)
    matrix, findings, total = Matrix(root, seed, shim, named), 0, collections.Counter()
    for verb in matrix.commands:
        matrix.undisturbed(verb)  # warm
        seconds, expected = matrix.undisturbed(verb)
        for number in SIGNALS:
            counts = collections.Counter()
            for k in range(kills):
                try:
                    matrix.kill_once(verb, number, seconds, expected, k % 2 == 1, counts)
                except (Finding, subprocess.TimeoutExpired) as finding:
                    findings += 1
                    print(f"  FINDING: {verb}, {number.name}, kill {k}: {finding}", flush=True)
            total.update(counts)
            if kills >= 10 and 5 * counts["killed"] < kills:
                findings += 1
                print("  FINDING: most kills came too late or had no effect", flush=True)
            print(f"  {verb:9} {number.name:8} {counts['killed']:3} ended by it ({counts['writing']} while a file was "
                  f"open), {counts['too late']} too late; {counts['new']} new outputs, {counts['leftovers']} leftovers",
                  flush=True)
    print(f"  all: {kills * len(SIGNALS) * len(matrix.commands)} kills, {total['killed']} ended the program, "
          f"{total['writing']} while a file was open; {total['leftovers']} leftovers; {findings} findings", flush=True)
    return findings


def can_be_unnamed(folder):
    try:
        os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
        return True
    except (AttributeError, OSError):
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="for each signal and command")
    parser.add_argument("--named", type=int, default=10, help="the same, without unnamed files")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not PROGRAM:
        sys.exit("kill_matrix: LACUNA_PROGRAM does not name the program")
    root = pathlib.Path(tempfile.mkdtemp(prefix="lacuna-kill-")).resolve()
    try:
        shim = root / "disk.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", shim, HERE / "disk.c", "-ldl"], check=True)
        findings = run(root / "a", given.kills, given.seed, shim, not can_be_unnamed(root))
        findings += run(root / "b", given.named, given.seed + 1, shim, True)
        sys.exit(1 if findings else 0)
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    main()
