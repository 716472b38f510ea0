"""DATA that is a folder: the parts of one table, read one after another."""

import os
import unittest

from program import FIXED, ProgramTest, two_classes


class Parts(ProgramTest):
    def setUp(self):
        super().setUp()
        names, *rows = two_classes(90).splitlines()
        self.file("all.csv", "\n".join([names, *rows]) + "\n")
        os.mkdir(self.path("parts"))
        for k, (begin, end) in enumerate([(0, 40), (40, 40), (40, 41), (41, 90)]):
            self.file(f"parts/part-{k}.csv", "\n".join([names, *rows[begin:end]]) + "\n")
        self.file("parts/_SUCCESS", "")

    def test_are_the_file_that_they_were(self):
        for data in ("all.csv", "parts"):
            self.ok("fit", data, "--target", "label", *FIXED, "-o", data + ".lacuna", "--loo", data + ".loo.csv")
        self.assertEqual(self.contents("parts.loo.csv"), self.contents("all.csv.loo.csv"))
        ways = [(model, data) for model in ("all.csv.lacuna", "parts.lacuna") for data in ("all.csv", "parts")]
        self.assertEqual(len({self.ok("predict", *way) for way in ways}), 1)

    def test_stay_on_disk_where_memory_is_short(self):
        names = [f"n{k}" for k in range(100)] + ["t"]
        rows = [",".join([f"{(i * 7 + k * 11) % 13 / 7 + i / 1e4:.5f}" for k in range(101)]) for i in range(3000)]
        os.mkdir(self.path("big"))
        for k in range(3):
            self.file(f"big/{k}.csv", "\n".join([",".join(names), *rows[1000 * k : 1000 * (k + 1)]]) + "\n")
        self.file("big.csv", "\n".join([",".join(names), *rows]) + "\n")
        said = []
        for data in ("big", "big.csv"):
            self.ok("fit", data, "--target", "t", "--basis", "random:20", *FIXED, "--memory", "4M", "--loo", "loo.csv")
            said.append(self.contents("loo.csv"))
            self.assertIn(f"lacuna: {data}: 3000 rows in a cache", self.stderr)
        self.assertEqual(*said)

    def test_a_line_is_that_of_all_files_together(self):
        self.file("parts/part-3.csv", self.contents("parts/part-3.csv", "r").replace("\n", "\n1,inf,a\n", 1))
        together = "".join(self.contents(f"parts/part-{k}.csv", "r") for k in range(4)).splitlines()
        line = together.index("1,inf,a") + 1
        self.refused(3, [f"parts line {line}, column 2 (y)", "inf"], "fit", "parts", "--target", "label", *FIXED)

    def test_of_other_columns_are_refused(self):
        self.file("parts/part-2.csv", "y,x,label\n1,2,a\n")
        self.refused(3, ["parts/part-2.csv", "parts/part-0.csv", "same columns"], "fit", "parts", "--target", "label")

    def test_nothing_is_written_among_them(self):
        for words in (["-o", "parts/m.lacuna"], ["--loo", "parts/part-1.csv"], ["-o", "./parts/../parts/m.lacuna"]):
            self.refused(2, ["parts", "read"], "fit", "parts", "--target", "label", *FIXED, *words)
        os.link(self.path("parts/part-1.csv"), self.path("link.csv"))
        self.refused(2, ["link.csv", "input"], "fit", "parts", "--target", "label", *FIXED, "-o", "link.csv")


if __name__ == "__main__":
    unittest.main()
