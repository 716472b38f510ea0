"""lacuna export: what it refuses, and what it leaves behind. What an ONNX file computes is tested in tests/onnx."""

import unittest

from program import FIXED, ProgramTest, values


class Export(ProgramTest):
    def setUp(self):
        super().setUp()
        self.ok("fit", self.file("values.csv", values()), "-t", "t", *FIXED, "-q", "-o", "m.lacuna")

    def test_writes_the_file_or_standard_output(self):
        self.assertEqual(self.ok("export", "m.lacuna", "--onnx", "m.onnx"), "")
        written = self.contents("m.onnx")
        for name in (b"prediction", b"lower", b"upper", b"MatMul", b"lacuna"):
            self.assertIn(name, written)
        self.assertEqual(self.run_program("export", "m.lacuna", "--onnx", "-").stdout, written)

    def test_kernels_that_are_no_formulas_are_refused(self):
        self.file("k.csv", "a,b,c,y\n2,1,0,1\n1,2,1,2\n0,1,2,4\n")
        self.ok("fit", "k.csv", "-t", "y", "--kernel", "precomputed", "--lambda", "1", "-q", "-o", "k.lacuna")
        self.file("k.onnx", "before")
        self.refused(2, ["export", "precomputed"], "export", "k.lacuna", "--onnx", "k.onnx")
        self.assertEqual(self.contents("k.onnx"), b"before")

    def test_what_is_missing_is_said(self):
        self.refused(2, ["--onnx"], "export", "m.lacuna")
        self.refused(2, ["no model"], "export")
        self.refused(3, ["none.lacuna"], "export", "none.lacuna", "--onnx", "m.onnx")
        self.refused(3, ["no/m.onnx"], "export", "m.lacuna", "--onnx", "no/m.onnx")

    def test_a_model_is_not_written_over(self):
        before = self.contents("m.lacuna")
        self.refused(2, ["m.lacuna"], "export", "m.lacuna", "--onnx", "m.lacuna")
        self.assertEqual(self.contents("m.lacuna"), before)


if __name__ == "__main__":
    unittest.main()
