"""--group COL: rows that belong together are held out together, in every command."""

import json
import os
import random
import unittest

from program import FIXED, ProgramTest


def repeated(groups=16, copies=4):
    """Rows that come in nearly identical groups, with labels that have nothing to do with where they are."""
    rng = random.Random(7)
    lines = ["x1,x2,label,patient"]
    for g in range(groups):
        x, y, label = rng.gauss(0, 1), rng.gauss(0, 1), rng.choice("ab")
        lines += [f"{x + rng.gauss(0, 0.01):.5f},{y + rng.gauss(0, 0.01):.5f},{label},p{g}" for _ in range(copies)]
    return "\n".join(lines) + "\n"


class Groups(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["XDG_CACHE_HOME"] = self.path("cache")
        self.file("d.csv", repeated())

    def fit(self, *words):
        return json.loads(self.ok("fit", "d.csv", "-t", "label", "--model", "ls-svm", *words, "--json"))

    def test_too_few_groups_for_an_interval_are_said(self):
        lines = ["x,g,y"] + [f"{i / 9},{i % 8},{(i * 7 % 11) / 5 + i / 20}" for i in range(32)]
        self.file("v.csv", "\n".join(lines) + "\n")
        words = ["fit", "v.csv", "-t", "y", "--group", "g", "--kernel", "rbf:theta=0.3", "--lambda", "0.5"]
        self.assertIn("none of 90 %: 8 held-out groups allow 88 % at most", self.ok(*words))
        self.assertIn("about 88 % of new values", self.ok(*words, "--interval", "0.88"))

    def test_groups_of_copies_are_rows_with_weights(self):
        rng = random.Random(2)
        rows = [([rng.gauss(0, 1) for _ in range(3)], g) for g in range(60)]
        rows = [(",".join(map(str, x)), "ab"[x[0] + rng.gauss(0, 0.5) > 0], g, rng.choice([1, 1, 2, 3])) for x, g in rows]
        self.file("w.csv", "a,b,c,y,w\n" + "".join(f"{x},{y},{w}\n" for x, y, g, w in rows))
        self.file("g.csv", "a,b,c,y,g\n" + "".join(f"{x},{y},{g}\n" * w for x, y, g, w in rows))
        for model in ("klr", "kpr", "l2-svm", "ls-svm"):
            a, b = (json.loads(self.ok("fit", *words, "-t", "y", "--model", model, "--json", "-q"))
                    for words in (("w.csv", "--weights", "w"), ("g.csv", "--group", "g")))
            self.assertEqual(a["kernel"], b["kernel"])
            self.assertAlmostEqual(a["criterion"]["value"], b["criterion"]["value"], delta=1e-12)

    def test_fit_holds_out_groups(self):
        plain, grouped = self.fit("--ignore", "patient"), self.fit("--group", "patient")
        self.assertLess(plain["held_out"]["error"], 0.05)
        self.assertGreater(grouped["held_out"]["error"], 0.25)
        self.assertEqual((grouped["criterion"]["cv"], grouped["criterion"]["group"]), ("group:patient", "patient"))
        self.assertNotIn("group", plain["criterion"])
        same = self.fit("--cv", "group:patient")
        self.assertEqual((same["lambda"], same["held_out"]), (grouped["lambda"], grouped["held_out"]))
        folds = self.fit("--group", "patient", "--cv", "4x2")
        self.assertGreater(folds["held_out"]["error"], 0.25)
        self.assertEqual((folds["criterion"]["cv"], folds["criterion"]["group"]), ("4x2", "patient"))
        text = self.ok("fit", "d.csv", "-t", "label", "--group", "patient", "--cv", "4", *FIXED)
        self.assertIn("in 4 folds that keep patient together", text)

    def test_what_would_part_them_is_refused(self):
        words = ("d.csv", "-t", "label", "--group", "patient")
        for verb in ("fit", "loo", "evaluate"):
            self.refused(2, ["--group patient", "--cv loo", "group:patient"], verb, *words, "--cv", "loo")
            self.refused(2, ["explicit:group:patient"], verb, *words, "--cv", "explicit:loo")
            self.refused(2, ["one group"], verb, *words, "--cv", "group:x1")
        self.refused(3, ["17 folds", "16"], "fit", *words, "--cv", "17", *FIXED)

    def test_evaluate_holds_them_out_inside_the_splits(self):
        report = json.loads(self.ok("evaluate", "d.csv", "-t", "label", "--model", "ls-svm", "--group", "patient",
                                    "--splits", "groups", "--json"))
        model = report["models"][0]
        self.assertEqual(report["splits"]["group"], "patient")
        self.assertGreater(model["inside_the_fit"]["error"]["mean"], 0.25)
        self.assertGreater(model["scores"]["error"]["mean"], 0.25)
        self.assertFalse(any("beyond chance" in w for w in report["warnings"]))

    def test_a_gap_between_inside_and_outside_is_said(self):
        parts = [range(8 * k, 8 * k + 8) for k in range(8)]
        for name, inside in (("train", False), ("test", True)):
            lines = [[k + 1, *(i for i in range(64) if (i in part) == inside)] for k, part in enumerate(parts)]
            self.file(f"s.{name}.csv", "".join(",".join(map(str, line)) + "\n" for line in lines))
        self.ok("evaluate", "d.csv", "-t", "label", "--model", "ls-svm", "--ignore", "patient", "--splits", "files:s")
        self.assertIn("a gap beyond chance", self.stderr)

    def test_one_group_is_said(self):
        head, *lines = repeated().splitlines()
        self.file("d.csv", "\n".join([head] + [line.rsplit(",", 1)[0] + ",p" for line in lines]) + "\n")
        self.ok("fit", "d.csv", "-t", "label", "--group", "patient", *FIXED)
        self.assertIn("all rows are of one group", self.stderr)


if __name__ == "__main__":
    unittest.main()
