"""Prediction: the same bits in another process, columns by name, categories, intervals."""

import unittest

from program import FIXED, ProgramTest, three_classes, two_classes, values


class Predict(ProgramTest):
    def model(self, contents, target, *words):
        self.file("train.csv", contents)
        self.ok("fit", "train.csv", "--target", target, *words, "-o", "m.lacuna")

    def test_training_rows_in_another_process_give_identical_bits(self):
        for contents, target in ((two_classes(), "label"), (three_classes(), "kind"), (values(), "t")):
            self.model(contents, target)
            first = self.ok("predict", "m.lacuna", "train.csv", "--threads", "1")
            self.assertEqual(self.ok("predict", "m.lacuna", "train.csv", "--threads", "1"), first)
            self.ok("predict", "m.lacuna", "train.csv", "--threads", "1", "-o", "p.csv")
            self.assertEqual(self.contents("p.csv", "r"), first)

    def test_a_model_written_twice_is_the_same_but_for_its_clock(self):
        self.file("train.csv", two_classes())
        for name in ("a", "b"):
            self.ok("fit", "train.csv", "--target", "label", *FIXED, "-o", name)
        self.assertEqual(self.ok("predict", "a", "train.csv"), self.ok("predict", "b", "train.csv"))

    def test_columns_of_classes(self):
        self.model(two_classes(), "label", *FIXED)
        rows = self.table(self.ok("predict", "m.lacuna", "train.csv"))
        self.assertEqual(list(rows[0]), ["row", "prediction", "output", "probability:a", "probability:b"])
        for r in rows:
            self.assertEqual(r["prediction"], "b" if float(r["output"]) >= 0 else "a")
        self.model(three_classes(), "kind", *FIXED)
        rows = self.table(self.ok("predict", "m.lacuna", "train.csv"))
        self.assertEqual(list(rows[0])[:5], ["row", "prediction", "output:p", "output:q", "output:r"])
        for r in rows:
            self.assertEqual(r["prediction"], max("pqr", key=lambda c: float(r["output:" + c])))

    def test_intervals_of_values_cover_most_new_rows(self):
        self.model(values(200), "t")
        self.file("new.csv", values(400, seed=77))
        rows = self.table(self.ok("predict", "m.lacuna", "new.csv"))
        self.assertEqual(list(rows[0]), ["row", "prediction", "lower", "upper"])
        truth = [float(line.split(",")[2]) for line in values(400, seed=77).splitlines()[1:]]
        inside = sum(float(r["lower"]) <= t <= float(r["upper"]) for r, t in zip(rows, truth))
        self.assertTrue(0.83 < inside / 400 < 0.97, inside)
        self.assertRegex(self.stderr, r"lacuna: rmse 0\.\d+ on 400 rows")

    def test_performance_is_said_only_where_the_target_is_there(self):
        self.model(two_classes(), "label", *FIXED)
        self.ok("predict", "m.lacuna", "train.csv")
        self.assertRegex(self.stderr, r"error \d+\.?\d* %, \d+\.?\d* bits on 40 rows")
        self.ok("predict", "m.lacuna", "train.csv", "--quiet")
        self.assertEqual(self.stderr, "")
        self.file("new.csv", "x,y\n1,2\n")
        self.ok("predict", "m.lacuna", "new.csv")
        self.assertEqual(self.stderr, "")

    def test_columns_are_matched_by_name_in_any_order(self):
        self.model(two_classes(), "label", *FIXED)
        expected = self.ok("predict", "m.lacuna", "train.csv")
        rows = [line.split(",") for line in two_classes().splitlines()]
        self.file("moved.csv", "\n".join(f"{'more' if i == 0 else i},{r[1]},{r[0]}" for i, r in enumerate(rows)))
        self.assertEqual(self.ok("predict", "m.lacuna", "moved.csv"), expected)
        self.assertEqual(self.ok("predict", "m.lacuna", "-", stdin=self.contents("moved.csv")), expected)

    def test_a_column_that_is_not_there(self):
        self.model(two_classes(), "label", *FIXED)
        self.file("new.csv", "x,z\n1,2\n")
        self.refused(3, ["new.csv", '"y"'], "predict", "m.lacuna", "new.csv")

    def test_wrong_number_of_columns_without_names(self):
        self.model(two_classes().split("\n", 1)[1], "3", *FIXED)
        self.file("new.csv", "1,2,3,4,5\n1,2,3,4,5\n")
        self.refused(3, ["new.csv", "5 columns"], "predict", "m.lacuna", "new.csv")
        self.file("new.csv", "1,2\n3,4\n")
        self.assertEqual(len(self.table(self.ok("predict", "m.lacuna", "new.csv"))), 2)

    def test_text_where_numbers_were(self):
        self.model(two_classes(), "label", *FIXED)
        self.file("new.csv", "x,y\n1,2\nhigh,3\n")
        self.refused(3, ["new.csv line 3", "column 1 (x)", '"high"'], "predict", "m.lacuna", "new.csv")

    def test_filled_cells_are_said(self):
        self.model(two_classes(), "label", *FIXED, "--missing", "mean")
        self.file("gaps.csv", "x,y\n,0.5\n0.1,\n,1\n")
        self.assertEqual(len(self.table(self.ok("predict", "m.lacuna", "gaps.csv"))), 3)
        self.assertIn("missing cells filled with the mean of the training rows", self.stderr)
        self.assertIn("x (2), y (1)", self.stderr)
        self.ok("predict", "m.lacuna", "gaps.csv", "--quiet")
        self.assertEqual(self.stderr, "")

    def test_missing_cell(self):
        self.model(two_classes(), "label", *FIXED)
        self.file("new.csv", "x,y\n1,2\n,3\n")
        self.refused(3, ["new.csv line 3", "column 1 (x)", "missing"], "predict", "m.lacuna", "new.csv")
        self.model(two_classes(), "label", *FIXED, "--missing", "drop")
        rows = self.table(self.ok("predict", "m.lacuna", "new.csv"))
        self.assertEqual([r["row"] for r in rows], ["1", "2"])
        self.assertEqual([r["prediction"] == "" for r in rows], [False, True])

    def test_unseen_category_is_warned_about_and_encoded_as_none(self):
        rows = [line.split(",") for line in two_classes().splitlines()]
        coloured = "\n".join(",".join(r + ["colour" if i == 0 else ("red", "green")[i % 3 == 0]])
                             for i, r in enumerate(rows))
        self.model(coloured, "label", *FIXED)
        self.file("new.csv", "x,y,colour\n1,2,red\n1,2,mauve\n")
        self.assertEqual(len(self.table(self.ok("predict", "m.lacuna", "new.csv"))), 2)
        self.assertIn("lacuna: warning: ", self.stderr)
        for part in ("colour", '"mauve"', "not seen"):
            self.assertIn(part, self.stderr)

    def test_labels_that_need_quotes(self):
        self.model(two_classes(labels=('"a, ""one"""', "b")), "label", *FIXED)
        labels = {r["prediction"] for r in self.table(self.ok("predict", "m.lacuna", "train.csv"))}
        self.assertEqual(labels, {'a, "one"', "b"})

    def test_precomputed_kernel(self):
        points = [i / 3 for i in range(12)]
        targets = [p * (4 - p) for p in points]
        kernel = lambda a, b: (a * b + 1) ** 2
        head = ",".join(f"k{i}" for i in range(12))
        train = [head + ",t"] + [",".join(repr(kernel(a, b)) for b in points) + f",{t!r}" for a, t in zip(points, targets)]
        self.model("\n".join(train), "t", "--kernel", "precomputed", "--lambda", "0.001")
        new = [0.5, 1.7]
        self.file("new.csv", "\n".join([head] + [",".join(repr(kernel(a, b)) for b in points) for a in new]))
        by_matrix = [float(r["prediction"]) for r in self.table(self.ok("predict", "m.lacuna", "new.csv"))]
        self.model("\n".join(["p,t"] + [f"{p!r},{t!r}" for p, t in zip(points, targets)]), "t", "--kernel", "poly2:c=1",
                   "--lambda", "0.001", "--no-standardise")
        self.file("new.csv", "\n".join(["p"] + [repr(p) for p in new]))
        by_rows = [float(r["prediction"]) for r in self.table(self.ok("predict", "m.lacuna", "new.csv"))]
        for a, b in zip(by_matrix, by_rows):
            self.assertAlmostEqual(a, b, delta=1e-8)

    def test_sparse_model(self):
        sparse = "".join("{2} 1:{0} 7:{1}\n".format(*line.split(",")) for line in two_classes().splitlines()[1:])
        self.file("train.svm", sparse)
        self.ok("fit", "train.svm", *FIXED, "-o", "m.lacuna")
        self.file("new.svm", "b 1:2 7:1 9:5\na 7:-1\n")
        rows = self.table(self.ok("predict", "m.lacuna", "new.svm"))
        self.assertEqual(rows[0]["prediction"], "b")
        self.refused(3, ["train.csv"], "predict", "m.lacuna", self.file("train.csv", two_classes()))


if __name__ == "__main__":
    unittest.main()
