"""Runs an exported model in ONNX Runtime on the rows of a table, and says how far it is from `lacuna predict`.

Differences are told in units of the larger of 1 and the value, rates by their logarithms, which are the outputs. A test
that compares with sums of its own in doubles gives a magnitude: the sum of |k(x, x_j) alpha_j|, whose last digits such
sums cannot have. Probabilities are told as they are, and labels are the same or they are not.
"""

import csv
import io
import json
import math
import os
import struct
import sys

import numpy as np
import onnx
import onnxruntime

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from program import ProgramTest  # noqa: E402

TOLERANCE = 1e-12
MISSING = ("", "NA", "N/A", "?", "null", "NULL")


def session(path):
    onnx.checker.check_model(path, full_check=True)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def feeds(run, text):
    """One array for each input, from the columns of a table of that name."""
    rows = list(csv.DictReader(io.StringIO(text)))
    out = {}
    for i in run.get_inputs():
        cells = [r[i.name] for r in rows]
        if i.type == "tensor(string)":
            out[i.name] = np.array(cells, dtype=object).reshape(-1, 1)
        else:
            out[i.name] = np.array([math.nan if c in MISSING else float(c) for c in cells]).reshape(-1, 1)
    return out


class ModelFile:
    """The arrays of a model file, and its outputs computed from them."""

    def __init__(self, path):
        with open(path, "rb") as f:
            size = struct.unpack("<Q", f.read(8))[0]
            self.header, self.data = json.loads(f.read(size)), f.read()
        self.features = json.loads(self.header["__metadata__"]["model"])["encoding"]["features"]

    def array(self, name):
        first, last = self.header[name]["data_offsets"]
        return np.frombuffer(self.data[first:last]).reshape(self.header[name]["shape"])

    def rows(self, columns):
        """Encoded rows, from one column of numbers for each feature."""
        x = [(c - f["centre"]) / f["scale"] for c, f in zip(columns, self.features)]
        return np.column_stack(x) - (self.array("centre") if "centre" in self.header else 0.0)

    def outputs(self, kernel, x):
        """z = K alpha + b, and the sum of the magnitudes of its terms."""
        K, alpha, b = kernel(x, self.array("X")), self.array("alpha"), self.array("b")
        return K @ alpha + b, np.abs(K) @ np.abs(alpha) + np.abs(b)


class AgreementTest(ProgramTest):
    def exported(self, model="m.lacuna", onnx_file="m.onnx"):
        self.ok("export", model, "--onnx", onnx_file)
        return session(self.path(onnx_file))

    def difference(self, name, ours, predicted, magnitude=1.0):
        """The largest, in units of max(1, |value|, magnitude); kept in self.worst."""
        predicted = np.asarray(predicted, dtype=float)
        self.assertEqual(ours.shape, predicted.shape)
        self.assertTrue(np.isfinite(ours).all() and np.isfinite(predicted).all(), name)
        unit = np.maximum(np.maximum(1.0, np.abs(predicted)), magnitude)
        self.worst[name] = float(np.max(np.abs(ours - predicted) / unit, initial=0.0))

    def columns(self, said, name):
        """`name` or `name:...` of what predict wrote, as a matrix."""
        heads = [h for h in said[0] if h == name or h.startswith(name + ":")]
        return [[float(r[h]) for h in heads] for r in said]

    def compare(self, run, table, given=None, magnitude=1.0, tolerance=TOLERANCE, of_probabilities=1.0):
        """All that predict says about `table`, a text or the name of a file, against ONNX Runtime; the answers."""
        file = table if "\n" not in table else self.file("compared.csv", table)
        answers = dict(zip([o.name for o in run.get_outputs()],
                           run.run(None, given if given is not None else feeds(run, table))))
        more = ["--variance"] if "variance" in answers else []
        said = self.table(self.ok("predict", "m.lacuna", file, "--threads", "1", "--quiet", *more))
        self.worst = {}
        if more:
            self.difference("variance", answers["variance"], self.columns(said, "variance"))
        if "label" in answers:
            self.difference("output", answers["output"], self.columns(said, "output"), magnitude)
            has = all(r[h] != "" for r in said for h in r if h.startswith("probability:"))
            self.assertEqual(has, "probabilities" in answers)
            if has:
                self.difference("probabilities", answers["probabilities"], self.columns(said, "probability"),
                                of_probabilities)
            self.assertEqual([str(v) for v in answers["label"]], [r["prediction"] for r in said])
        else:
            rates = not any(cell for r in said for head, cell in r.items() if head.startswith("lower"))
            for name in ("prediction", "rate", "lower", "upper"):
                if name not in answers:
                    self.assertFalse(any(r[h] for r in said for h in r if h.startswith(name)), name)
                elif rates:
                    self.difference(name, np.log(answers[name]), np.log(self.columns(said, name)), magnitude)
                else:
                    self.difference(name, answers[name], self.columns(said, name), magnitude)
        for name, value in self.worst.items():
            self.assertLessEqual(value, tolerance, name)
        return answers
