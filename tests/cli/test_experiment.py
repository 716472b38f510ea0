"""Experiments: the benchmark table on a small folder in the published layout, and where data are missing."""

import json
import os
import random
import unittest

from program import ProgramTest, two_classes


class Experiment(ProgramTest):
    def setUp(self):
        super().setUp()
        os.environ["XDG_CACHE_HOME"] = self.path("cache")

    def folder_of_two_sets(self):
        os.mkdir(self.path("sets"))
        rng = random.Random(1)
        for name, seed in (("heart", 1), ("small", 2)):
            lines = two_classes(rows=240 if name == "heart" else 60, seed=seed, labels=("-1", "1"))
            self.file(f"sets/{name}.csv", lines)
            n = lines.count("\n") - 1
            train, test = "", ""
            for k in (1, 2):
                rows = rng.sample(range(n), n)
                train += f"{k}," + ",".join(map(str, rows[:40])) + "\n"
                test += f"{k}," + ",".join(map(str, rows[40:])) + "\n"
            self.file(f"sets/{name}.train.csv", train)
            self.file(f"sets/{name}.test.csv", test)

    def test_ida(self):
        self.folder_of_two_sets()
        words = ("experiment", "ida", "--data", "sets", "--model", "klr,kfd", "--cv", "loo,explicit:3", "--splits", "6")
        text = self.ok(*words, "-o", "out")
        for name in ("ida.md", "ida.json", "ida-error.csv", "ida-bits.csv", "ida-splits.csv", "ida-selection.csv"):
            self.assertTrue(os.path.exists(self.path(f"out/{name}")), name)
        self.assertEqual(self.contents("out/ida.md").decode(), text)
        report = json.loads(self.contents("out/ida.json"))
        splits = report["sheets"]["splits"]
        self.assertEqual(len(splits), 2 * 2 * 2 * 6)
        self.assertEqual(sum(s["published"] == "yes" for s in splits), 2 * 2 * 2 * 2)
        medians = {(s["theta"], s["lambda"]) for s in splits
                   if (s["data"], s["model"], s["selection"]) == ("small", "kfd", "loo")}
        self.assertEqual(len(medians), 1)  # selected on five splits, one median for all
        chosen = {s["lambda"] for s in splits if (s["data"], s["model"], s["selection"]) == ("small", "klr", "loo")}
        self.assertGreater(len(chosen), 1)  # afresh in every split
        row = next(r for r in report["sheets"]["error"] if r["data"] == "heart" and r["paper's method"] == "LOO-KLR")
        self.assertEqual(row["paper"], "16.60 ± 0.31")
        errors = [100 * s["error"] for s in splits if (s["data"], s["model"], s["selection"]) == ("heart", "klr", "loo")]
        self.assertTrue(row["error"].startswith(f"{sum(errors) / 6:.2f} "), row["error"])

        # Again, from a journal that lost its end: the same figures.
        journal = self.contents("out/ida.journal")
        self.file("out/ida.journal", journal[: 2 * len(journal) // 3])
        self.ok(*words, "-o", "out")
        again = json.loads(self.contents("out/ida.json"))["sheets"]["splits"]
        strip = lambda rows: [{k: v for k, v in r.items() if k != "seconds"} for r in rows]
        self.assertEqual(strip(again), strip(splits))

    def test_what_is_missing_is_named(self):
        self.refused(2, ["ida", "--data"], "experiment", "ida")
        self.refused(3, ["nowhere", "--data"], "experiment", "ida", "--data", "nowhere")
        self.refused(2, ["idda", "did you mean 'ida'?"], "experiment", "idda")
        self.refused(2, ["boston.csv"], "experiment", "boston")
        os.mkdir(self.path("empty"))
        self.refused(3, ["empty"], "experiment", "ida", "--data", "empty")
        self.refused(3, ["mcycle.csv"], "experiment", "motorcycle", "--data", "empty")
        self.refused(2, ["protocol"], "experiment", "ida", "--data", "empty", "--protocol", "x")


if __name__ == "__main__":
    unittest.main()
