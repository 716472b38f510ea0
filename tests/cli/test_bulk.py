"""predict in bulk: kept columns, every score as JSON, a line for each row, training rows noticed."""

import json
import math
import os
import random
import threading
import unittest

from program import ProgramTest, counts, three_classes, values


def people(rows=60, seed=3, first=1):
    rng = random.Random(seed)
    lines = ["id,name,x,y,label"]
    for i in range(rows):
        c = i % 3 == 0
        name = f"\"Smith, {i}\"" if i % 5 == 0 else f"n{i}"
        lines.append(f"{first + i:04d},{name},{rng.gauss(1.5 * c, 1):.6f},{rng.gauss(c, 1):.6f},{'ab'[c]}")
    return "\n".join(lines) + "\n"


class Bulk(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("d.csv", people())
        self.file("new.csv", people(seed=4, first=100))
        self.ok("fit", "d.csv", "-t", "label", "--ignore", "id,name", "-o", "m.lacuna", "--quiet")

    def test_columns_are_kept_as_they_are(self):
        plain = self.ok("predict", "m.lacuna", "new.csv", "-q")
        kept = self.table(self.ok("predict", "m.lacuna", "new.csv", "-q", "--keep", "id,name,x"))
        self.assertEqual(list(kept[0])[:5], ["row", "id", "name", "x", "prediction"])
        for row, given, was in zip(kept, self.table(people(seed=4, first=100)), self.table(plain)):
            self.assertEqual((row["id"], row["name"]), (given["id"], given["name"]))  # 0100 keeps its zeros
            self.assertEqual(float(row["x"]), float(given["x"]))
            self.assertEqual({k: row[k] for k in was}, was)
        self.refused(2, ["no column", "name"], "predict", "m.lacuna", "new.csv", "--keep", "nam")

    def test_columns_may_be_counted(self):
        """x, the third column, is a number that the model takes."""
        by_name = self.ok("predict", "m.lacuna", "new.csv", "-q", "--keep", "x")
        self.assertEqual(self.ok("predict", "m.lacuna", "new.csv", "-q", "--keep", "3"), by_name)

    def test_rows_outside_the_data_are_marked(self):
        train = [[float(r["x"]), float(r["y"])] for r in self.table(people())]
        scale = []
        for column in zip(*train):
            mean = sum(column) / len(column)
            scale.append(math.sqrt(sum((v - mean) ** 2 for v in column) / len(column)))
        def distance(a, b):
            return math.sqrt(sum(((u - v) / s) ** 2 for u, v, s in zip(a, b, scale)))
        nearest = sorted(min(distance(a, b) for j, b in enumerate(train) if j != i) for i, a in enumerate(train))
        limit = nearest[math.ceil(0.99 * len(train)) - 1]
        lines = people(seed=4, first=100).splitlines()
        self.file("far.csv", "\n".join([*lines, "0200,far,40,0,a", "0201,gap,,1,a"]) + "\n")
        self.ok("fit", "d.csv", "-t", "label", "--ignore", "id,name", "--missing", "drop", "-o", "g.lacuna", "-q")
        done = self.run_program("predict", "g.lacuna", "far.csv", "--outside")
        rows = self.table(done.stdout.decode())
        self.assertEqual(list(rows[0])[-1], "outside")
        fresh = self.table("\n".join([*lines, "0200,far,40,0,a"]) + "\n")
        expected = [min(distance([float(r["x"]), float(r["y"])], b) for b in train) / limit for r in fresh]
        for row, ratio in zip(rows, expected):
            self.assertAlmostEqual(float(row["outside"]), ratio, delta=1e-6 * max(1, ratio))
        self.assertEqual(rows[-1]["outside"], "")
        count = sum(ratio > 1 for ratio in expected)
        self.assertIn(f"{count} of 61 rows are outside the data", done.stderr.decode())
        inside = self.table(self.ok("predict", "m.lacuna", "d.csv", "-q", "--outside"))
        self.assertEqual({r["outside"] for r in inside}, {"0"})

    def test_rows_left_out_have_a_line_with_their_columns(self):
        text = people(seed=4)
        lines = text.split("\n")
        cells = lines[3].split(",")
        lines[3] = ",".join([*cells[:-2], "", cells[-1]])
        self.file("gaps.csv", "\n".join(lines))
        self.ok("fit", "d.csv", "-t", "label", "--ignore", "id,name", "--missing", "drop", "-o", "g.lacuna", "-q")
        rows = self.table(self.ok("predict", "g.lacuna", "gaps.csv", "-q", "--keep", "id"))
        self.assertEqual([r["id"] for r in rows], [r["id"] for r in self.table(text)])
        self.assertEqual(rows[2]["prediction"], "")

    def test_scores_are_written(self):
        rows = self.table(self.ok("predict", "m.lacuna", "new.csv", "--json", "s.json", "--cost", "1,5"))
        scores = json.loads(self.contents("s.json"))
        truth = [r["label"] for r in self.table(people(seed=4))]
        wrong = [t != r["prediction"] for t, r in zip(truth, rows)]
        loss = [-math.log(float(r[f"probability:{t}"])) for t, r in zip(truth, rows)]
        self.assertEqual(scores["rows"], 60)
        self.assertAlmostEqual(scores["scores"]["error"], sum(wrong) / 60)
        self.assertAlmostEqual(scores["scores"]["xent"], sum(loss) / 60)
        self.assertAlmostEqual(scores["scores"]["bits"], 1 - sum(loss) / 60 / math.log(2))
        pairs = [(float(p["output"]) > float(n["output"])) for t, p in zip(truth, rows) if t == "b"
                 for u, n in zip(truth, rows) if u == "a"]
        self.assertAlmostEqual(scores["scores"]["auc"], sum(pairs) / len(pairs))
        self.assertAlmostEqual(scores["baseline"]["error"], 20 / 60)
        found = sum(t == r["prediction"] == "b" for t, r in zip(truth, rows))
        self.assertEqual(scores["confusion"][1][1], found)
        self.assertAlmostEqual(scores["by_class"][1]["recall"], found / 20)
        cost = sum(5 * (t == "b") + (t == "a") for t, w in zip(truth, wrong) if w) / 60
        self.assertAlmostEqual(scores["scores"]["cost"], cost)
        self.assertEqual(scores["cheapest"], "a" if 40 < 100 and 20 * 5 < 40 else "b")

    def test_scores_of_values_and_counts(self):
        self.file("v.csv", values(60))
        self.file("w.csv", values(60, seed=8))
        self.ok("fit", "v.csv", "-t", "t", "-o", "v.lacuna", "-q")
        rows = self.table(self.ok("predict", "v.lacuna", "w.csv", "--json", "s.json"))
        scores = json.loads(self.contents("s.json"))
        t = [float(r["t"]) for r in self.table(values(60, seed=8))]
        mean = sum(float(r["t"]) for r in self.table(values(60))) / 60  # of the training rows
        self.assertAlmostEqual(scores["scores"]["rmse"],
                               math.sqrt(sum((a - float(r["prediction"])) ** 2 for a, r in zip(t, rows)) / 60))
        self.assertAlmostEqual(scores["baseline"]["rmse"], math.sqrt(sum((a - mean) ** 2 for a in t) / 60))
        self.file("n.csv", counts(60))
        self.file("o.csv", counts(60, seed=8))
        self.ok("fit", "n.csv", "-t", "n", "--task", "counts", "--exposure", "e", "-o", "n.lacuna", "-q")
        self.ok("predict", "n.lacuna", "o.csv", "--json", "s.json", "-o", "p.csv")
        scores = json.loads(self.contents("s.json"))
        train, test = self.table(counts(60)), self.table(counts(60, seed=8))
        rate = sum(float(r["n"]) for r in train) / sum(float(r["e"]) for r in train)

        def deviance(n, mu):
            return 2 * ((n * math.log(n / mu) if n > 0 else 0.0) - n + mu)
        expected = sum(deviance(float(r["n"]), rate * float(r["e"])) for r in test) / 60
        self.assertAlmostEqual(scores["baseline"]["deviance"], expected, delta=1e-9)

    def test_without_a_target_there_are_no_scores(self):
        self.file("bare.csv", "x,y\n1,2\n3,4\n")
        self.ok("predict", "m.lacuna", "bare.csv", "--json", "s.json")
        self.assertIsNone(json.loads(self.contents("s.json")))

    def test_classes_that_training_never_saw_are_errors(self):
        self.file("odd.csv", people(seed=4).replace(",b\n", ",c\n", 1))
        self.ok("predict", "m.lacuna", "odd.csv", "--json", "s.json", "--cost", "1,5")
        scores = json.loads(self.contents("s.json"))
        self.assertEqual((scores["rows"], scores["unseen_classes"]), (60, 1))
        self.assertEqual(sum(map(sum, scores["confusion"])), 59)

    def test_training_rows_are_noticed(self):
        self.ok("predict", "m.lacuna", "d.csv")
        self.assertIn("60 of the 60 rows are training rows", self.stderr)
        self.ok("predict", "m.lacuna", "new.csv")
        self.assertNotIn("training rows", self.stderr)

    def test_some_training_rows_are_noticed_of_any_machine(self):
        old, new = people().split("\n", 1)[1], people(rows=90, seed=4).split("\n", 1)[1]
        some = "\n".join(old.split("\n")[:12]) + "\n"
        self.file("mixed.csv", "id,name,x,y,label\n" + new + some)
        for words in ([], ["--basis", "20"], ["--model", "l2-svm"], ["--stack"]):
            self.ok("fit", "d.csv", "-t", "label", "--ignore", "id,name", *words, "-o", "k.lacuna", "-q")
            self.ok("predict", "k.lacuna", "mixed.csv", "-o", "p.csv")
            self.assertIn("12 of the 102 rows are training rows", self.stderr, words)
            self.ok("predict", "k.lacuna", "mixed.csv", "-o", "p.csv", "--memory", "100K")
            self.assertIn("12 of the 102 rows are training rows", self.stderr, words)
            self.ok("predict", "k.lacuna", "new.csv", "-o", "p.csv")
            self.assertNotIn("training rows", self.stderr, words)

    def test_gaps_that_training_did_not_have(self):
        gaps = "\n".join(line if i % 7 or i == 0 else ",".join([*line.split(",")[:-2], "", line.split(",")[-1]])
                         for i, line in enumerate(people(seed=4).rstrip("\n").split("\n"))) + "\n"
        self.file("gaps.csv", gaps)
        message = self.refused(3, ["gaps.csv line 8", "column 4 (y)", "missing"], "predict", "m.lacuna", "gaps.csv")
        self.assertIn("--missing mean", message)
        self.assertIn("--missing drop", message)
        mean = sum(float(r["y"]) for r in self.table(people())) / 60
        self.file("filled.csv", gaps.replace(",,", f",{mean!r},"))
        filled = self.ok("predict", "m.lacuna", "filled.csv", "-q")
        for policy in ("mean", "indicator"):
            said = self.ok("predict", "m.lacuna", "gaps.csv", "--missing", policy)
            self.assertIn("y (8)", self.stderr)
            for a, b in zip(self.table(said), self.table(filled)):
                self.assertEqual((a["row"], a["prediction"]), (b["row"], b["prediction"]))
                self.assertAlmostEqual(float(a["output"]), float(b["output"]), delta=1e-12)
        self.assertEqual(self.ok("predict", "m.lacuna", "gaps.csv", "-q", "--missing", "mean", "--memory", "100K"),
                         self.ok("predict", "m.lacuna", "gaps.csv", "-q", "--missing", "mean"))
        dropped = self.table(self.ok("predict", "m.lacuna", "gaps.csv", "--missing", "drop"))
        self.assertEqual([r["row"] for r in dropped], [str(i) for i in range(1, 61)])
        self.assertEqual([r["prediction"] == "" for r in dropped], [i % 7 == 0 for i in range(1, 61)])
        # And the other way: a model that fills, asked not to.
        self.ok("fit", "d.csv", "-t", "label", "--ignore", "id,name", "--missing", "mean", "-o", "f.lacuna", "-q")
        self.refused(3, ["line 8", "missing"], "predict", "f.lacuna", "gaps.csv", "--missing", "error")
        self.refused(2, ["--missing", "median"], "predict", "m.lacuna", "gaps.csv", "--missing", "median")

    def test_labels_that_the_model_does_not_know_are_told(self):
        self.file("odd.csv", people(seed=4).replace(",b\n", ",B\n").replace(",a\n", ",A\n"))
        self.ok("predict", "m.lacuna", "odd.csv", "-o", "p.csv")
        self.assertIn('60 of 60 rows have a label in label that the model does not know', self.stderr)
        self.assertIn('"A" (40), "B" (20); it knows "a", "b"', self.stderr)
        self.ok("predict", "m.lacuna", "new.csv", "-o", "p.csv")
        self.assertNotIn("does not know", self.stderr)

    def test_no_two_columns_of_one_name(self):
        self.refused(2, ['"id"', "twice"], "predict", "m.lacuna", "new.csv", "--keep", "id,id")
        self.refused(2, ['"id"', "twice"], "predict", "m.lacuna", "new.csv", "--keep", "id,1")
        self.file("own.csv", people(seed=4).replace("id,name", "row,outside"))
        self.refused(2, ['"row"', "rename"], "predict", "m.lacuna", "own.csv", "--keep", "row")
        self.refused(2, ['"outside"', "rename"], "predict", "m.lacuna", "own.csv", "--keep", "outside", "--outside")
        self.assertIn("outside", self.ok("predict", "m.lacuna", "own.csv", "-q", "--keep", "outside").split("\n")[0])
        self.file("said.csv", people(seed=4).replace("id,name", "prediction,probability:b"))
        for name in ("prediction", "probability:b"):
            self.refused(2, [f'"{name}"', "rename"], "predict", "m.lacuna", "said.csv", "--keep", name, "-o", "no.csv")
        self.assertFalse(os.path.exists(self.path("no.csv")))

    def test_a_model_in_place_of_data(self):
        for words in (["fit", "m.lacuna", "-t", "label"], ["evaluate", "m.lacuna", "-t", "label"],
                      ["predict", "m.lacuna", "m.lacuna"], ["explain", "m.lacuna", "m.lacuna"]):
            self.refused(2, ["m.lacuna is a model, not data"], *words)

    def test_data_may_come_through_a_pipe(self):
        os.mkfifo(self.path("pipe"))
        writer = threading.Thread(target=self.file, args=("pipe", self.contents("new.csv")))
        writer.start()
        self.assertEqual(self.ok("predict", "m.lacuna", "pipe", "-q"), self.ok("predict", "m.lacuna", "new.csv", "-q"))
        writer.join()

    def test_outputs_are_not_inputs(self):
        self.refused(2, ["--json"], "predict", "m.lacuna", "new.csv", "--json", "new.csv")
        self.refused(2, ["--json"], "predict", "m.lacuna", "new.csv", "-o", "a.csv", "--json", "a.csv")


if __name__ == "__main__":
    unittest.main()
