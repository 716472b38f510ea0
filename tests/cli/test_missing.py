"""Missing cells that say something: --missing indicator is a table with a column of 0 and 1 for each that has gaps."""

import json
import random
import unittest

from program import FIXED, ProgramTest


def gaps(rows=120, seed=41):
    """x, kind and z of two classes; x is missing more often in class b, kind in class a."""
    rng = random.Random(seed)
    out = []
    for i in range(rows):
        b = i % 2 == 1
        x = "" if rng.random() < (0.5 if b else 0.1) else f"{rng.gauss(0.4 * b, 1):.6f}"
        kind = "NA" if rng.random() < (0.1 if b else 0.4) else rng.choice("pq")
        out.append((x, kind, f"{rng.gauss(0, 1):.6f}", "ab"[b]))
    return out


def csv_of(rows, header="x,kind,z,label"):
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


class Indicators(ProgramTest):
    FIT = ("-t", "label", "--model", "klr", *FIXED, "--quiet")

    def setUp(self):
        super().setUp()
        self.train, self.new = gaps(), gaps(60, seed=42)
        self.file("d.csv", csv_of(self.train))
        self.file("new.csv", csv_of(self.new))
        known = [float(r[0]) for r in self.train if r[0]]
        self.mean = sum(known) / len(known)

    def by_hand(self, rows):
        """x filled in, whether it was missing, and missing kinds as a kind of their own."""
        return csv_of([(x or repr(self.mean), str(int(not x)), "zz" if kind == "NA" else kind, z, label)
                       for x, kind, z, label in rows], "x,gap,kind,z,label")

    def test_it_is_the_table_with_the_gaps_as_columns(self):
        self.ok("fit", "d.csv", *self.FIT, "--missing", "indicator", "-o", "m.lacuna")
        self.file("hand.csv", self.by_hand(self.train))
        self.file("hand-new.csv", self.by_hand(self.new))
        self.ok("fit", "hand.csv", *self.FIT, "-o", "hand.lacuna")
        for words in (("loo", "m.lacuna"), ("loo", "hand.lacuna")), (("predict", "m.lacuna", "new.csv"),
                                                                    ("predict", "hand.lacuna", "hand-new.csv")):
            one, other = (self.table(self.ok(*w, "--quiet")) for w in words)
            self.assertEqual(len(one), len(other))
            for a, b in zip(one, other):
                self.assertEqual(a["prediction"], b["prediction"])
                self.assertAlmostEqual(float(a["output"]), float(b["output"]), delta=1e-9)
        encoding = json.loads(self.ok("inspect", "m.lacuna", "--json"))
        self.assertEqual([f["name"] for f in encoding["encoding"]],
                         ["x", "x missing", "kind=p", "kind=q", "kind missing", "z"])
        self.assertEqual([f["name"] for f in encoding["encoding"] if f.get("missing")], ["x missing", "kind missing"])
        self.assertEqual(encoding["missing"], "indicator")

    def test_gaps_that_tell_the_class_are_worth_their_columns(self):
        words = ("d.csv", "-t", "label", "--kernel", "linear", "--lambda", "5", "--quiet")
        bits = [self.fit_json(*words, "--missing", how)["held_out"]["bits"] for how in ("mean", "indicator")]
        self.assertGreater(bits[1], bits[0] + 0.05)
        report = json.loads(self.ok("evaluate", *words, "--missing", "indicator", "--compare", "--missing mean",
                                    "--splits", "folds:5", "--json", "--journal", "none"))
        scores = [m["scores"]["bits"]["mean"] for m in report["models"]]
        self.assertGreater(scores[0], scores[1])

    def test_explain_gives_a_value_to_rows_that_miss_it(self):
        self.ok("fit", "d.csv", *self.FIT, "--missing", "indicator", "-o", "m.lacuna")
        effects = {e["column"]: e for e in
                   json.loads(self.ok("explain", "m.lacuna", "new.csv", "--json", "--quiet"))["effects"]}
        self.assertEqual(set(effects), {"x", "kind", "z"})

        def mean_with(place, value):
            rows = [tuple(value if k == place else cell for k, cell in enumerate(row)) for row in self.new]
            self.file("changed.csv", csv_of(rows))
            said = self.table(self.ok("predict", "m.lacuna", "changed.csv", "--quiet"))
            return sum(float(r["probability:b"]) for r in said) / len(said)

        for place, column in enumerate(("x", "kind", "z")):
            e = effects[column]
            ends = ["NA" if e[end] == "(missing)" else e[end] for end in ("from", "to")]
            self.assertAlmostEqual(self.only(e["at_from"]), mean_with(place, ends[0]), delta=1e-9, msg=column)
            self.assertAlmostEqual(self.only(e["at_to"]), mean_with(place, ends[1]), delta=1e-9, msg=column)

    def only(self, by_output):
        return by_output if isinstance(by_output, float) else by_output["b"]

    def test_a_linear_kernel_has_a_coefficient_for_a_gap(self):
        self.ok("fit", "d.csv", "-t", "label", "--kernel", "linear", "--lambda", "1", "--missing", "indicator", "-o",
                "m.lacuna", "--quiet")
        terms = json.loads(self.ok("explain", "m.lacuna", "--json", "--quiet"))["coefficients"]["columns"]
        self.assertEqual([(c["column"], c.get("level")) for c in terms],
                         [("x", None), ("x", "(missing)"), ("kind", "p"), ("kind", "q"),
                          ("kind", "(missing)"), ("z", None)])

    def test_an_older_program_would_not_see_the_gaps(self):
        self.ok("fit", "d.csv", *self.FIT, "--missing", "indicator", "-o", "m.lacuna")
        self.assertIn(b'"version":"7"', self.contents("m.lacuna"))
        self.ok("fit", "d.csv", *self.FIT, "--missing", "mean", "-o", "m.lacuna")
        self.assertIn(b'"version":"3"', self.contents("m.lacuna"))


if __name__ == "__main__":
    unittest.main()
