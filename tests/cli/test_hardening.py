"""Hostile files, names, and numbers: refused with a message, or answered with numbers; never anything else."""

import gzip
import json
import math
import os
import struct
import subprocess
import unittest
import zlib

from program import PROGRAM, ProgramTest, counts, three_classes, two_classes, values

HOSTILE = "x\x1b]0;t\x07\nlacuna: warning: forged\r\x9b2J\u202e"


def parts_of(file):
    """The model's text, and type, shape and bytes of each array."""
    (length,) = struct.unpack("<Q", file[:8])
    header = json.loads(file[8 : 8 + length])
    data = file[8 + length :]
    text = json.loads(header.pop("__metadata__")["model"])
    return text, {n: [t["dtype"], t["shape"], data[slice(*t["data_offsets"])]] for n, t in header.items()}


def file_of(text, arrays):
    """A model file with the right checksum, whatever it holds."""
    model = json.dumps(text)
    crc = zlib.crc32(model.encode())
    header = {"__metadata__": {"format": "lacuna", "version": "3", "model": model}}
    data = b""
    for name in sorted(arrays):
        dtype, shape, raw = arrays[name]
        crc = zlib.crc32(f"{name}\0{dtype}[{','.join(map(str, shape))}]".encode() + raw, crc)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    header["__metadata__"]["checksum"] = f"crc32:{crc:08x}"
    out = json.dumps(header).encode()
    return struct.pack("<Q", len(out)) + out + data


class Hardening(ProgramTest):
    def assert_no_commands(self, text):
        """Nothing that a terminal obeys; `text` is bytes."""
        decoded = text.decode()  # what is not UTF-8 does not get this far
        for c in decoded:
            command = ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160 or c in "\u202e\u2066\u2028"
            self.assertFalse(command, repr(decoded))

    # Files

    def test_model_files_with_wrong_content_and_a_right_checksum(self):
        self.file("d.csv", values(30))
        self.ok("fit", "d.csv", "-t", "t", "-o", "m", "--lambda", "1", "--kernel", "rbf:theta=1")
        text, arrays = parts_of(self.contents("m"))
        self.file("same", file_of(text, arrays))
        self.ok("predict", "same", "d.csv")

        def refused(change, *words):
            copy, some = json.loads(json.dumps(text)), {n: list(a) for n, a in arrays.items()}
            change(copy, some)
            self.file("bad", file_of(copy, some))
            for verb in (["predict", "bad", "d.csv"], ["loo", "bad"], ["inspect", "bad"]):
                self.refused(3, ["bad", "corrupted model file", *words], *verb)

        refused(lambda m, a: m["encoding"].update(target_positions=[0]), "two roles")
        refused(lambda m, a: a["held_out.row"].__setitem__(slice(1, 3), [[0], b""]), "there are none")
        refused(lambda m, a: a.pop("held_out.row"), "does not belong")
        refused(lambda m, a: a["held_out.output"].__setitem__(2, struct.pack("<30d", *[math.nan] * 30)), "not finite")
        features = lambda m: m["encoding"]["features"]
        refused(lambda m, a: features(m).__setitem__(1, features(m)[0]), "do not ascend")

    def test_journal_with_wrong_content_and_a_right_checksum(self):
        self.file("d.csv", two_classes(40))
        words = ["evaluate", "d.csv", "-t", "label", "--splits", "2", "--lambda", "1", "--kernel", "rbf:theta=1"]
        self.ok(*words, "--journal", "j")
        lines = self.contents("j", "r").splitlines()
        for old, new in (('"confusion":[', '"confusion":[1,1,1,1,1,'), ('"trained":', '"trained":-'),
                         ('"scores"', '"x"')):
            changed = [lines[0]]
            for line in lines[1:]:
                self.assertIn(old, line)
                rest = line[9:].replace(old, new)
                changed.append(f"{zlib.crc32(rest.encode()):08x} {rest}")
            self.file("bad", "\n".join(changed) + "\n")
            self.refused(3, ["journal"], *words, "--journal", "bad", "-q")

    def test_output_that_is_any_input_by_any_name(self):
        self.file("d.csv", two_classes(30))
        self.file("basis.csv", two_classes(8))
        self.file("s.train.csv", "1," + ",".join(map(str, range(20))) + "\n")
        self.file("s.test.csv", "1," + ",".join(map(str, range(20, 30))) + "\n")
        os.link(self.path("basis.csv"), self.path("hard"))
        os.symlink("basis.csv", self.path("soft"))
        fit = ["-t", "label", "--lambda", "1", "--kernel", "rbf:theta=1"]
        self.ok("fit", "d.csv", *fit, "-o", "m")
        kept = {n: self.contents(n) for n in os.listdir(self.folder)}
        for name in ("basis.csv", "./basis.csv", "hard", "soft"):
            for verb in (["fit"], ["loo"], ["evaluate", "--splits", "2"]):
                self.refused(2, ["input", "basis"], verb[0], "d.csv", *fit, *verb[1:], "--basis", "basis.csv", "-o",
                             name)
            self.refused(2, ["input", "basis"], "fit", "d.csv", *fit, "--basis", "basis.csv", "--loo", name)
        for name in ("s.train.csv", "s.test.csv", "d.csv"):
            self.refused(2, ["input"], "evaluate", "d.csv", *fit, "--splits", "files:s", "-o", name)
            self.refused(2, ["input"], "evaluate", "d.csv", *fit, "--splits", "files:s", "--journal", name)
        self.refused(2, ["input", "model"], "predict", "m", "d.csv", "-o", "m")
        self.refused(2, ["same file"], "evaluate", "d.csv", *fit, "--journal", "new", "-o", "./new")
        with open(self.path("d.csv")) as data:  # /dev/stdin and - are the file behind them
            for name in ("-", "/dev/stdin"):
                done = subprocess.run([PROGRAM, "fit", name, *fit, "-o", "d.csv"], stdin=data, cwd=self.folder,
                                      capture_output=True)
                self.assert_one_line(done, 2, "d.csv", "input")
        with open(self.path("d.csv"), "a") as out:  # a shell's >>
            done = subprocess.run([PROGRAM, "predict", "m", "d.csv"], stdout=out, stderr=subprocess.PIPE,
                                  cwd=self.folder)
        self.assert_one_line(done, 2, "standard output", "input")
        self.assertEqual({n: self.contents(n) for n in os.listdir(self.folder)}, kept)

    def test_text_after_gzip_data(self):
        first, second = two_classes(30).encode(), two_classes(30, seed=9).split("\n", 1)[1].encode()
        self.file("two.gz", gzip.compress(first) + gzip.compress(second))
        self.file("both.csv", first + second)
        fit = ["-t", "label", "--lambda", "1", "--kernel", "rbf:theta=1", "--json"]
        report = lambda name: json.loads(self.ok("fit", name, *fit))
        self.assertEqual(report("two.gz")["held_out"], report("both.csv")["held_out"])
        self.file("padded.gz", gzip.compress(first) + b"\0" * 3000)
        self.assertEqual(report("padded.gz")["rows"], 30)
        for rest in (second, b"\n", b"\0\0x", b"\x1f"):
            self.file("more.gz", gzip.compress(first) + rest)
            self.refused(3, ["more.gz", "follows the gzip data"], "fit", "more.gz", *fit)

    # Numbers

    def assert_numbers(self, text, empty=()):
        lines = text.splitlines()
        names = lines[0].split(",")
        for line in lines[1:]:
            for name, cell in zip(names, line.split(",")):
                if name in ("target", "prediction") and cell.isalpha() and cell not in ("inf", "nan"):
                    continue
                if cell == "" and name in empty:
                    continue
                self.assertTrue(math.isfinite(float(cell)), f"{name}: {line}")

    def test_rates_far_from_the_data_are_numbers(self):
        self.file("d.csv", counts(60))
        self.ok("fit", "d.csv", "-t", "n", "--model", "poisson", "--exposure", "e", "--kernel", "linear", "--lambda",
                    "0.01", "-o", "m")
        self.file("far.csv", "u,v,e\n5000,0,1\n-5000,0,1\n1e90,0,2\n-1e90,1e90,1e300\n")
        out = self.ok("predict", "m", "far.csv")
        self.assert_numbers(out)
        self.assertAlmostEqual(math.log(float(out.splitlines()[1].split(",")[1])), 700, places=6)
        self.file("judged.csv", "u,v,e,n\n5000,0,1,0\n-5000,0,1,3\n")
        done = self.run_program("predict", "m", "judged.csv")
        self.assertEqual(done.returncode, 0)
        self.assertNotIn(b"inf", done.stderr)
        self.assertNotIn(b"nan", done.stderr)

    def test_huge_inputs_give_numbers_or_are_refused_by_row(self):
        self.file("v.csv", values(30))
        self.file("c.csv", two_classes(30))
        for data, target, columns in (("v.csv", "t", "u,v"), ("c.csv", "label", "x,y")):
            for kernel in ("rbf:theta=1", "matern32:theta=1", "matern52:theta=1", "linear", "poly3:c=1",
                           "poly:degree=9,c=1", "boolean:eta=1", "rq:theta=1,alpha=1"):
                self.ok("fit", data, "-t", target, "--kernel", kernel, "--lambda", "1", "-o", "m", "-q")
                for x in ("1e3", "-1e6", "1e60", "-1e99", "1e155", "1e300", "-1.7e308"):
                    self.file("far.csv", f"{columns}\n0,0\n{x},{x}\n")
                    done = self.run_program("predict", "m", "far.csv")
                    if done.returncode == 0:
                        self.assert_numbers(done.stdout.decode())
                    else:
                        self.assertEqual(done.returncode, 3, done.stderr)
                        self.assertRegex(done.stderr, b"row 2|line 3", f"{kernel} {x}")

    def test_a_huge_cell_is_answered_alike_far_away_or_refused_whatever_the_model(self):
        """1e300 in a cell is refused by its place. What can be computed with is answered by its model, and by kernels
        that fall off with distance as anything is that lies far away; a row whose posterior variance is too large for
        a number is refused rather than given even chances."""
        self.file("two.csv", two_classes(30))
        self.file("three.csv", three_classes(36))
        self.file("v.csv", values(30))
        self.file("n.csv", counts(40))
        rows = [line.rsplit(",", 1) for line in values(30).splitlines()[1:]]
        self.file("pos.csv", "u,v,t\n" + "".join(f"{x},{abs(float(t)) + 0.1}\n" for x, t in rows))
        falling = ("rbf:theta=1", "ard:theta=1", "matern32:theta=1", "matern52:theta=1", "rq:theta=1,alpha=1")
        growing = ("linear", "poly3:c=1", "boolean:eta=1", "sum(linear,rbf:theta=1)")
        for data, target, columns, models in (
                ("two.csv", "label", 2, ("ls-svm", "klr", "kpr", "kfd", "l2-svm", "gp-laplace", "gp-ep")),
                ("three.csv", "kind", 2, ("ls-svm", "klr", "gp-laplace")), ("v.csv", "t", 2, ("ls-svm", "huber")),
                ("n.csv", "n", 3, ("poisson",)), ("pos.csv", "t", 2, ("gamma",))):
            header = self.contents(data, "r").split("\n")[0].rsplit(",", 1)[0]
            lines = [",".join([x] * columns) for x in ("1e10", "-1e20", "1e60", "-9e90", "1e300")]
            for name, some in (("far.csv", lines[:4]), ("huge.csv", lines), ("last.csv", lines[3:4])):
                self.file(name, header + "\n" + "\n".join(some) + "\n")
            for model in models:
                for kernel in falling + growing:
                    said = f"{model} {kernel} {data}"
                    self.ok("fit", data, "-t", target, "--model", model, "--kernel", kernel, "--no-standardise", "-q",
                            "-o", "m", "--mu" if model == "kfd" else "--lambda", "1")
                    if kernel in ("rbf:theta=1", "linear"):
                        self.refused(3, ["huge.csv line 6, column 1", "too large"], "predict", "m", "huge.csv")
                    done = self.run_program("predict", "m", "far.csv", "-q")
                    if done.returncode != 0:
                        self.assertIn(kernel, growing, said)
                        self.assertRegex(done.stderr, rb"row \d: its output is not a finite number", said)
                        continue
                    cells = [line.split(",")[1:] for line in done.stdout.decode().splitlines()]
                    # No number of a kind for any row (an ls-svm has no probabilities), or one for each.
                    empty = [n for k, n in enumerate(cells[0]) if not any(row[k] for row in cells[1:])]
                    self.assert_numbers(done.stdout.decode(), empty)
                    if kernel in falling and not kernel.startswith("rq"):  # which falls off slowly
                        self.assertTrue(all(row == cells[1] for row in cells[1:]), said)
                if model.startswith("gp"):
                    self.ok("fit", data, "-t", target, "--model", model, "--kernel", "poly3:c=1", "--no-standardise",
                            "--lambda", "1", "-q", "-o", "m")
                    self.refused(3, ["row 1: its output is not a finite"], "predict", "m", "last.csv", "-o", "p")

    def test_predicting_from_many_columns(self):
        """In time that grows linearly with them: looking each of them up among all others took more than a minute, and
        longer where names are alike at their beginnings. Names in another order, and no names at all."""
        count = 100_000
        names = [f"a column whose name begins like all others: {j}" for j in range(count)]
        cells = [[f"{(i * 37 + j * j) % 11}" for j in range(count)] for i in range(4)]
        with_target = lambda head, rows: head + "".join(",".join(c) + f",{i}.5\n" for i, c in enumerate(rows))
        self.file("d.csv", with_target(",".join(names) + ",t\n", cells))
        self.ok("fit", "d.csv", "-t", "t", "--kernel", "linear", "--lambda", "1", "-o", "m", "-q")
        expected = self.ok("predict", "m", "d.csv", "-q")
        self.file("turned.csv", ",".join(names[::-1]) + "\n" + "".join(",".join(c[::-1]) + "\n" for c in cells))
        self.assertEqual(self.ok("predict", "m", "turned.csv", "-q"), expected)
        self.file("bare.csv", "".join(",".join(c) + "\n" for c in cells))
        self.assertEqual(self.ok("predict", "m", "bare.csv", "--no-header", "-q"), expected)
        self.file("fewer.csv", ",".join(names[:-1]) + "\n" + "".join(",".join(c[:-1]) + "\n" for c in cells))
        self.refused(3, ["has no column", f": {count - 1}"], "predict", "m", "fewer.csv")

    def test_extreme_scales_are_fitted_with_numbers_or_refused_by_name(self):
        for model in ("ls-svm", "huber"):
            for power in (15, 60, 99, 101, 155, 200, 300, -60, -99, -155, -200, -300):
                rows = [line.split(",") for line in values(30).splitlines()[1:]]
                self.file("d.csv", "u,v,t\n" + "".join(f"{u},{v},{float(t) * 10.0 ** power!r}\n" for u, v, t in rows))
                done = self.run_program("fit", "d.csv", "-t", "t", "--model", model, "--kernel", "rbf:theta=0.5",
                                        "--json",
                                        "--loo", "loo.csv", "--max-evaluations", "12")
                if abs(power) > 100:
                    self.assertEqual(done.returncode, 3, done.stderr)
                    self.assertRegex(done.stderr, b"t: .*(too large|too small)")
                    continue
                self.assertEqual(done.returncode, 0, f"{model} {power} {done.stderr}")
                scores = json.loads(done.stdout)["held_out"]
                self.assertGreater(scores["r2"], 0.5, f"{model} {power}")
                numbers = [*scores.pop("baseline").values(), *scores.values()]
                self.assertTrue(all(isinstance(v, (int, float)) for v in numbers), scores)
                self.assert_numbers(self.contents("loo.csv", "r"), empty=("probability", "trust"))

    def test_features_of_extreme_scales_without_standardisation(self):
        for power in (60, 99, 101, 200, -60, -155, -300):
            rows = [line.split(",") for line in values(30).splitlines()[1:]]
            self.file("d.csv", "u,v,t\n" + "".join(
                f"{float(u) * 10.0 ** power!r},{float(v) * 10.0 ** power!r},{t}\n" for u, v, t in rows))
            done = self.run_program("fit", "d.csv", "-t", "t", "--no-standardise", "--max-evaluations", "12", "--json")
            if abs(power) > 100:
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(b"to be computed with", done.stderr)
                if power > 0:
                    self.assertRegex(done.stderr, rb"line \d+, column \d \([uv]\)")
            else:
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertGreater(json.loads(done.stdout)["held_out"]["r2"], 0.5)

    # Names

    def test_names_cannot_command_a_terminal_or_forge_a_line(self):
        quoted = '"' + HOSTILE + '"'
        lines = two_classes(30, labels=("a", "b")).splitlines()
        self.file("d.csv", f'{quoted},y,"{HOSTILE}2"\n' + "\n".join(
            line.replace(",a", "," + quoted).replace(",b", f',"{HOSTILE}b"') for line in lines[1:]) + "\n")
        target = HOSTILE + "2"
        fit = ["-t", target, "--lambda", "1", "--kernel", "rbf:theta=1"]
        done = self.run_limited("fit", "d.csv", *fit, "-o", "m")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in (["fit", "d.csv", *fit], ["inspect", "m"], ["predict", "m", "d.csv", "-o", "p"],
                      ["loo", "m", "-o", "l"], ["evaluate", "d.csv", *fit, "--splits", "2"]):
            done = self.run_limited(*words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assert_no_commands(done.stdout)
            self.assert_no_commands(done.stderr)
            for line in (done.stdout + done.stderr).splitlines():
                self.assertFalse(line.startswith(b"lacuna: warning: forged"), line)
        for words in (["fit", HOSTILE], ["fit", "d.csv", "-t", HOSTILE + "3"],
                      ["fit", "d.csv", "-t", "y", "--model", HOSTILE],
                      ["fit", "d.csv", *fit, "--ignore", HOSTILE + "9"], ["predict", "m", HOSTILE], [HOSTILE],
                      ["fit", "--" + HOSTILE], ["fit", "d.csv", *fit, "-o", HOSTILE + "/x"], ["inspect", HOSTILE],
                      ["fit", "d.csv", *fit, "--kernel", HOSTILE], ["fit", "d.csv", *fit, "--lambda", HOSTILE]):
            done = self.run_limited(*words)
            self.assertIn(done.returncode, (2, 3), words)
            self.assert_no_commands(done.stderr)
            self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        # Data stay exact: the label is what it was.
        self.assertIn(quoted.encode(), self.contents("p"))
        self.assertIn(HOSTILE, json.loads(self.run_limited("inspect", "m", "--json").stdout)["classes"])


if __name__ == "__main__":
    unittest.main()
