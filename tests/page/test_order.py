"""What is on a page in which order, and what is left out because it is not known; no browser."""

import collections
import json
import unittest

from pages import WithPages, blocks, lines_of


class Order(WithPages):
    def test_effects_are_in_the_order_of_how_far_their_lines_move(self):
        for kind in ("forty-columns", "multi-class"):
            page, _ = self.made(kind)
            ranges = []
            for _, b in blocks(page):
                if b["kind"] != "chart" or b["chart"] not in ("effect", "levels"):
                    continue
                lines = collections.defaultdict(list)
                for name, y in lines_of(b["data"]["curve" if b["chart"] == "effect" else "levels"], "of", "y"):
                    lines[name].append(y)
                ranges.append(max(max(line) - min(line) for line in lines.values()))
            self.assertGreater(len(ranges), 2)
            for a, b in zip(ranges, ranges[1:]):
                self.assertGreaterEqual(a, b - 1e-5)

    def test_what_three_rows_cannot_tell_is_not_told(self):
        page, fit = self.made("three-rows")
        self.assertNotIn("auc", fit["held_out"])
        drawn = [b["chart"] for _, b in blocks(page) if b["kind"] == "chart"]
        self.assertFalse({"roc", "precision"} & set(drawn))
        self.assertTrue([b for s, b in blocks(page) if s == "trust" and "ranked is not shown" in b.get("text", "")])
        self.assertNotIn("\u00b1 0 ", json.dumps(page, ensure_ascii=False))
        values = [row[-1] for s, b in blocks(page) if s == "rows" and b["kind"] == "table" for row in b["rows"]]
        self.assertEqual(sorted(values), [0, 1, 2])

    def test_optima_are_listed_best_first_and_the_choice_is_marked(self):
        listed = 0
        for kind in ("binary", "two-columns", "three-rows", "costs"):
            page, fit = self.made(kind)
            for _, b in blocks(page):
                if b["kind"] != "table" or b.get("title") != "Optima that were found":
                    continue
                listed += 1
                values = [r[0][0] if isinstance(r[0], list) else r[0] for r in b["rows"]]
                self.assertEqual(values, sorted(values))
                marked = [r for r in b["rows"] if isinstance(r[0], list)]
                self.assertEqual(len(marked), 1)
                self.nearly(marked[0][1], fit["lambda"])
        self.assertGreater(listed, 1)


if __name__ == "__main__":
    unittest.main()
