"""--kernel relevance(A): weights of columns in reports, files, predictions and second fits."""

import json
import random
import unittest

from program import ProgramTest


def table(rows, noise_columns=6, seed=1, nominal=False):
    """t depends on a and b (and the nominal column, if there is one); n1, n2 ... are noise."""
    rng = random.Random(seed)
    names = ["a", "b"] + (["colour", "shape"] if nominal else []) + [f"n{k + 1}" for k in range(noise_columns)]
    lines = [",".join(names + ["t"])]
    for _ in range(rows):
        a, b = rng.gauss(0, 1), rng.gauss(5, 3)
        colour, shape = rng.choice(["red", "green", "blue"]), rng.choice(["round", "square", "flat", "long"])
        t = a * a + 0.3 * b + rng.gauss(0, 0.2) + (2.0 if nominal and colour == "red" else 0.0)
        cells = [f"{a:.5f}", f"{b:.5f}"] + ([colour, shape] if nominal else [])
        cells += [f"{rng.gauss(0, 1):.5f}" for _ in range(noise_columns)]
        lines.append(",".join(cells + [f"{t:.5f}"]))
    return "\n".join(lines) + "\n"


class Relevance(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file("train.csv", table(90))
        self.file("new.csv", table(40, seed=2))

    def test_reports_list_columns_by_weight_and_call_the_estimate_optimistic(self):
        report = self.fit_json("train.csv", "-t", "t", "--kernel", "relevance(rbf)")
        relevance = report["relevance"]
        self.assertTrue(relevance["learned"])
        columns = relevance["columns"]
        self.assertEqual({c["name"] for c in columns[:2]}, {"a", "b"})
        shares = [c["share"] for c in columns]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertAlmostEqual(sum(shares), 1.0, delta=1e-9)
        self.assertEqual(len(relevance["rounds"]), 4)
        self.assertAlmostEqual(min(relevance["rounds"]), relevance["rounds"][relevance["kept"]])
        self.assertTrue(report["criterion"]["optimistic"] and report["held_out"]["optimistic"])
        self.assertEqual(report["kernel"]["name"], "relevance")
        self.assertEqual(report["kernel"]["parts"][0]["name"], "rbf")
        self.assertEqual(len(report["kernel"]["weights"]), 8)
        text = self.ok("fit", "train.csv", "-t", "t", "--kernel", "relevance(rbf)")
        for part in ("relevance(rbf) theta = ", "of the columns, largest first", "learned: the criterion was ",
                     "the weights of the columns saw all rows"):
            self.assertIn(part, text)
        plain = self.ok("fit", "train.csv", "-t", "t")
        self.assertNotIn("saw all rows", plain)

    def test_many_columns_are_summarised(self):
        self.file("wide.csv", table(60, noise_columns=40))
        text = self.ok("fit", "wide.csv", "-t", "t", "--kernel", "relevance(rbf)", "--json", "-o", "m.lacuna")
        self.assertEqual(len(json.loads(text)["relevance"]["columns"]), 42)
        text = self.ok("inspect", "m.lacuna")
        self.assertRegex(text, r"and \d+ more, [0-9.e-]+ % together")

    def test_a_second_fit_from_the_printed_kernel_is_the_same_model(self):
        self.ok("fit", "train.csv", "-t", "t", "--kernel", "relevance(matern52)", "-o", "first.lacuna")
        told = json.loads(self.ok("inspect", "first.lacuna", "--json"))
        kernel = told["relevance"]["kernel"]
        self.assertIn(f'--kernel "{kernel}"', self.ok("inspect", "first.lacuna"))
        again = self.fit_json("train.csv", "-t", "t", "--kernel", kernel, "--lambda", repr(told["lambda"]), "--search",
                              "none", "-o", "second.lacuna")
        self.assertFalse(again["relevance"]["learned"])
        self.assertNotIn("rounds", again["relevance"])
        self.assertEqual(again["kernel"], told["kernel"])
        self.assertEqual(self.ok("predict", "first.lacuna", "new.csv").split("\n")[1].split(",")[:2],
                         self.ok("predict", "second.lacuna", "new.csv").split("\n")[1].split(",")[:2])
        self.assertEqual(self.ok("loo", "first.lacuna"), self.ok("loo", "second.lacuna"))

    def test_indicators_of_a_category_share_their_weight(self):
        self.file("nominal.csv", table(120, 3, nominal=True))
        report = self.fit_json("nominal.csv", "-t", "t", "--kernel", "relevance(rbf)", "-o", "m.lacuna")
        encoding = json.loads(self.ok("inspect", "m.lacuna", "--json"))["encoding"]
        weights = {}
        for feature, weight in zip(encoding, report["kernel"]["weights"]):
            weights.setdefault(feature["column"], set()).add(weight)
        self.assertTrue(all(len(w) == 1 for w in weights.values()), weights)
        self.assertGreater(max(weights["colour"]), max(weights["shape"]))
        names = [c["name"] for c in report["relevance"]["columns"]]
        self.assertEqual(len(names), len(set(names)))
        self.assertLess(names.index("colour"), names.index("shape"))

    def test_time_limit_keeps_the_rounds_there_were(self):
        report = self.fit_json("train.csv", "-t", "t", "--kernel", "relevance(rbf)", "--time-limit", "0.000001")
        self.assertEqual(report["search"]["stop"], "time-limit")
        self.assertIn("weights after 0 of 3 rounds", " ".join(report["warnings"]))

    def test_what_cannot_be_learned_is_refused(self):
        for kernel, words in (("relevance(ard)", "relevance(rbf)"), ("relevance(rbf):weights=1/2", "for 8 features"),
                              ("sum(relevance(rbf),linear)", "relevance(sum(A,B))")):
            self.refused(2, [words], "fit", "train.csv", "-t", "t", "--kernel", kernel)
        self.refused(2, ["weights of the features"], "fit", "train.csv", "-t", "t", "--kernel", "relevance(rbf:theta=1)",
                     "--lambda", "1", "--search", "none")

    def test_evaluate_learns_in_every_split(self):
        result = json.loads(self.ok("evaluate", "train.csv", "-t", "t", "--kernel", "relevance(rbf)", "--splits", "3",
                                    "--json"))
        self.assertIn("rmse", json.dumps(result))


if __name__ == "__main__":
    unittest.main()
