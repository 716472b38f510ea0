"""lacuna export --onnx: inputs as the training data had them, decisions and probabilities as predict makes them."""

import math
import random
import unittest

import numpy as np

from agreement import AgreementTest, ModelFile, feeds
from program import FIXED, counts, three_classes, two_classes, values


def mixed(rows=60, seed=4, gaps=False):
    """Numbers, categories (also some that are numbers) and, if asked for, gaps: age, colour, size, ill."""
    rng = random.Random(seed)
    lines = ["age,colour,size,ill"]
    for _ in range(rows):
        age, colour, size = rng.gauss(40, 12), rng.choice(("red", "blue", "dark green", "zinc, raw")), rng.randrange(3)
        ill = "yes" if age + 10 * (colour == "red") + 5 * size + rng.gauss(0, 8) > 47 else "no"
        cells = [f"{age:.3f}", f'"{colour}"', str(size)]
        if gaps and rng.random() < 0.3:
            cells[rng.randrange(3)] = ""
        lines.append(",".join([*cells, ill]))
    return "\n".join(lines) + "\n"


class Columns(AgreementTest):
    def fit(self, table, target, *options):
        self.ok("fit", self.file("train.csv", table), "-t", target, *options, "--quiet", "-o", "m.lacuna")
        return self.exported()

    def test_inputs_are_the_columns_by_their_names_and_types(self):
        run = self.fit(mixed(), "ill", "--categorical", "size", *FIXED)
        self.assertEqual([(i.name, i.type, i.shape[1]) for i in run.get_inputs()],
                         [("age", "tensor(double)", 1), ("colour", "tensor(string)", 1), ("size", "tensor(string)", 1)])
        self.assertEqual([(o.name, o.type) for o in run.get_outputs()],
                         [("label", "tensor(string)"), ("probabilities", "tensor(double)"),
                          ("output", "tensor(double)")])

    def test_intervals_follow_the_noise(self):
        rng = random.Random(3)
        xs = [rng.uniform(-3, 3) for _ in range(150)]
        table = "x,t\n" + "".join(f"{x!r},{math.sin(x) + (0.1 + 0.1 * (x + 3)) * rng.gauss(0, 1)!r}\n" for x in xs)
        run = self.fit(table, "t")
        new = "x\n" + "".join(f"{x}\n" for x in (-3, -1.5, 0, 1.5, 3, 5, 8, -8, 50))
        self.compare(run, new)
        _, lower, upper = run.run(None, feeds(run, new))
        self.assertGreater(upper[4, 0] - lower[4, 0], 2 * (upper[0, 0] - lower[0, 0]))
        self.assertLess((upper - lower).max(), 1.5 * (upper[4, 0] - lower[4, 0]))  # beyond the data no wider

    def test_categories_seen_and_unseen(self):
        run = self.fit(mixed(), "ill", "--categorical", "size", *FIXED)
        self.compare(run, mixed(200, seed=5))
        self.compare(run, 'age,colour,size\n40,red,1\n40,black,1\n-1e9,"zinc, raw",7\n1e-300,red,2\n')

    def test_numbers_of_several_spellings_are_the_category_of_their_value(self):
        table = "k,t\n" + "".join(f"{'1.50' if i % 3 else '007' if i % 2 else 'other'},{i % 5}\n" for i in range(30))
        run = self.fit(table, "t", "--task", "regression", "--categorical", "k", *FIXED)
        self.compare(run, "k\n1.50\n1.5\n007\n7\nother\nx\n")

    def test_missing_cells_are_filled_in_where_the_model_fills_them_in(self):
        run = self.fit(mixed(gaps=True), "ill", "--missing", "mean", "--categorical", "size", *FIXED)
        self.compare(run, mixed(100, seed=6, gaps=True))

    def test_indicators_of_missing_cells(self):
        run = self.fit(mixed(gaps=True), "ill", "--missing", "indicator", "--categorical", "size", *FIXED)
        self.compare(run, mixed(100, seed=6, gaps=True))
        body = "".join(f"{'' if i % 3 == 0 else i},{i % 7},{i * i % 11}\n" for i in range(40))
        run = self.fit(body, "3", "--missing", "indicator", "--no-header", *FIXED)
        self.assertEqual([(i.name, i.shape[1]) for i in run.get_inputs()], [("X", 2)])
        X = np.array([[float(c or "nan") for c in line.split(",")[:2]] for line in body.split()])
        self.compare(run, "train.csv", {"X": X})

    def test_missing_cells_and_numbers_beyond_all_bounds_have_no_prediction_elsewhere(self):
        table = "age,colour,size\n40,red,1\n,red,1\n40,,1\n40,NA,1\n40,red,\n41,blue,2\n1e300,red,1\n"
        for missing in ("drop", "error"):
            run = self.fit(mixed(), "ill", "--missing", missing, *FIXED)
            label, p, z = run.run(None, feeds(run, table))
            self.assertEqual([v == "" for v in label], [False, True, True, True, True, False, True])
            for number in (p[:, 0], z[:, 0]):
                self.assertEqual(np.isnan(number).tolist(), [v == "" for v in label])
        self.fit(mixed(), "ill", "--missing", "drop", *FIXED)
        said = self.table(self.ok("predict", "m.lacuna", self.file("new.csv", table.replace("1e300", "40")), "-q"))
        self.assertEqual([r["prediction"] == "" for r in said], [False, True, True, True, True, False, False])
        self.assertEqual([r["prediction"] for r in said][:6], list(label)[:6])

    def test_constant_columns_are_not_asked_for(self):
        run = self.fit("u,same,t\n" + "".join(f"{i},7,{i * i}\n" for i in range(20)), "t", *FIXED)
        self.assertEqual([i.name for i in run.get_inputs()], ["u"])

    def test_names_that_outputs_have_too(self):
        table = values().replace("u,v,t", "prediction,v1,t")
        run = self.fit(table, "t", *FIXED)
        self.assertEqual([o.name for o in run.get_outputs()], ["prediction_", "lower", "upper"])
        said = self.table(self.ok("predict", "m.lacuna", "train.csv", "-q"))
        ours = run.run(["prediction_"], feeds(run, table))[0][:, 0]
        np.testing.assert_allclose(ours, [float(r["prediction"]) for r in said], rtol=1e-12, atol=1e-12)

    def test_tables_without_names_are_an_array(self):
        body = values().split("\n", 1)[1]
        run = self.fit(body, "3", *FIXED)
        self.assertEqual([(i.name, i.shape[1]) for i in run.get_inputs()], [("X", 2)])
        X = np.array([[float(c) for c in line.split(",")[:2]] for line in body.split()])
        self.compare(run, "train.csv", {"X": X})

    def test_sparse_rows_are_an_array(self):
        rng = random.Random(3)
        X = np.array([[rng.gauss(0, 1) if rng.random() < 0.4 else 0.0 for _ in range(9)] for _ in range(50)])
        X[:, 4] = 0.0  # a column that never occurs

        def text(rows):
            return "\n".join(f"{'+1' if x[0] + x[1] > 0 else '-1'} " +
                             " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(x) if v) for x in rows.tolist()) + "\n"
        self.file("train.svm", text(X))
        for kernel in ("linear", "rbf:theta=0.2", "ard:theta=0.2", "poly2:c=1"):
            for model in ("klr", "ls-svm"):
                self.ok("fit", "train.svm", "--model", model, "--kernel", kernel, "--lambda", "0.5", "-q", "-o",
                        "m.lacuna")
                run = self.exported()
                self.assertEqual([(i.name, i.shape[1]) for i in run.get_inputs()], [("X", 9)])
                new = np.vstack([X, 3 * X[::-1], np.zeros((1, 9))])
                self.compare(run, self.file("new.svm", text(new)), {"X": new})
        # Terms of 1e7 and more cancel; there are no digits to lose then.
        for model in ("klr", "ls-svm", "gp-laplace"):
            for kernel in ("linear", "rbf:theta=1e-5", "poly3:c=1", "sum(rbf:theta=1e-4,linear)"):
                self.ok("fit", "train.svm", "--model", model, "--kernel", kernel, "--lambda", "1e-7", "-q", "-o",
                        "m.lacuna")
                with self.subTest(model=model, kernel=kernel):
                    run = self.exported()
                    self.compare(run, "new.svm", {"X": new})

    def test_rows_far_from_the_origin_keep_their_digits(self):
        rng = random.Random(6)
        table = "u,v,t\n" + "".join(f"{1e6 + rng.gauss(0, 1):.6f},{rng.gauss(0, 1):.6f},{rng.gauss(0, 1):.3f}\n"
                                    for _ in range(60))
        for kernel in ("rbf:theta=0.3", "linear"):
            run = self.fit(table, "t", "--no-standardise", "--kernel", kernel, "--lambda", "0.1")
            self.compare(run, table)


class Decisions(AgreementTest):
    def test_thresholds_and_recalibrated_probabilities(self):
        self.file("two.csv", two_classes(80))
        self.file("three.csv", three_classes(80))
        for file, target, new in (("two.csv", "label", two_classes(300, 9)),
                                  ("three.csv", "kind", three_classes(300, 9))):
            for model in ("klr", "kpr", "ls-svm", "l2-svm", "kfd"):
                for options in (("--recalibrate",), ("--no-recalibrate",), ("--threshold", "cost:1,5")):
                    if file == "three.csv" and "--threshold" in options:
                        continue
                    with self.subTest(model=model, file=file, options=options):
                        self.ok("fit", file, "-t", target, "--model", model, "--kernel", "rbf:theta=0.5", *options,
                                "--mu" if model == "kfd" else "--lambda", "0.1", "-q", "-o", "m.lacuna")
                        self.compare(self.exported(), new)

    def test_labels_of_several_classes_make_the_expected_cost_small(self):
        prices = [[0, 1, 1], [2, 0, 1], [20, 20, 0]]
        self.file("three.csv", three_classes(80))
        for words in ((), ("--effort", "best")):
            with self.subTest(words=words):
                self.ok("fit", "three.csv", "-t", "kind", "--cost", ";".join(",".join(map(str, row)) for row in prices),
                        "--threads", "1", "-q", "-o", "m.lacuna", *words)
                answers = self.compare(self.exported(), three_classes(300, 9), of_probabilities=10.0)
                p = answers["probabilities"]
                by_cost, likeliest = (p @ np.array(prices)).argmin(1), p.argmax(1)
                self.assertGreater((by_cost != likeliest).sum(), 10)
                names = sorted(set(answers["label"]))
                self.assertEqual([names[k] for k in by_cost], list(answers["label"]))

    def test_labels_are_numbers_where_classes_are(self):
        for labels, kind in ((("0", "1"), "tensor(int64)"), (("-1", "1"), "tensor(int64)"),
                             (("0.5", "2"), "tensor(double)"), (("a", "1"), "tensor(string)")):
            self.file("two.csv", two_classes(labels=labels))
            self.ok("fit", "two.csv", "-t", "label", *FIXED, "-q", "-o", "m.lacuna")
            run = self.exported()
            self.assertEqual(run.get_outputs()[0].type, kind)
            label = run.run(["label"], feeds(run, two_classes(labels=labels)))[0]
            said = [r["prediction"] for r in self.table(self.ok("predict", "m.lacuna", "two.csv", "-q"))]
            if kind == "tensor(string)":
                self.assertEqual(list(label), said)
            else:
                self.assertEqual([float(v) for v in label], [float(v) for v in said])
            none = run.run(["label"], {"x": np.array([[np.nan]]), "y": np.array([[0.0]])})[0][0]
            self.assertEqual(str(none), {"tensor(string)": "", "tensor(double)": "nan",
                                         "tensor(int64)": "-9223372036854775808"}[kind])

    def test_normal_probabilities_have_their_digits_in_both_tails(self):
        # A linear machine, so that rows reach any output: probabilities from 1e-300 to 1 - 1e-16.
        self.file("two.csv", two_classes(60))
        self.ok("fit", "two.csv", "-t", "label", "--model", "kpr", "--kernel", "linear", "--lambda", "1", "-q",
                "--no-recalibrate", "-o", "m.lacuna")
        run = self.exported()
        new = "x,y\n" + "".join(f"{x / 10},0\n" for x in range(-600, 600)) + "1e99,0\n-1e99,0\n"
        answers = self.compare(run, new)
        z, p = answers["output"][:, 0], answers["probabilities"]
        exact = [[0.5 * math.erfc(v / math.sqrt(2)), 0.5 * math.erfc(-v / math.sqrt(2))] for v in z]
        reached = [e for e in np.ravel(exact) if e > 1e-300]
        self.assertLess(min(reached), 1e-200)
        for ours, theirs in zip(p.ravel(), np.ravel(exact)):
            # The rounding of z itself moves a tail by |z|^2 eps, relative: 1e-13 at 1e-200.
            self.assertLessEqual(abs(ours - theirs), 1e-12 * theirs + 1e-300)

    def test_counts_with_exposure_and_offset(self):
        self.file("counts.csv", counts())
        for role, shown in (("--exposure", counts(200, 8)), ("--offset", counts(200, 8)), ("--ignore", counts(200, 8))):
            for model in ("poisson", "gamma"):
                train = counts() if model == "poisson" else counts().replace(",0\n", ",1\n")
                self.ok("fit", self.file("counts.csv", train), "-t", "n", role, "e", "--model", model, "--task",
                        "counts" if model == "poisson" else "regression", *FIXED, "-q", "-o", "m.lacuna")
                run = self.exported()
                self.assertEqual("e" in [i.name for i in run.get_inputs()], role != "--ignore")
                self.compare(run, shown)
        # Rates stop at e^700 and e^-700, as predict has it.
        self.ok("fit", "counts.csv", "-t", "n", "--exposure", "e", "--model", "poisson", "--task", "counts",
                "--kernel", "linear", "--lambda", "0.1", "-q", "-o", "m.lacuna")
        run = self.exported()
        self.compare(run, "u,v,e\n1e9,0,1\n-1e9,0,1\n0,0,1e-300\n")
        nothing = run.run(["prediction"], feeds(run, "u,v,e\n0,0,0\n0,0,-1\n0,0,NA\n0,0,2\n"))[0]
        self.assertEqual(np.isnan(nothing[:, 0]).tolist(), [True, True, True, False])


class GaussianProcesses(AgreementTest):
    def test_averaged_probabilities_of_narrow_and_wide_latent_outputs(self):
        # The prior variance is 1/lambda: deviations from 0.03 to 1000, means from far below to far above them.
        self.file("two.csv", two_classes(60))
        new = two_classes(200, 9) + "1e3,1e3,a\n0,30,a\n"
        for model in ("gp-laplace", "gp-laplace:probit", "gp-ep"):
            for scale in (1e3, 1.0, 0.3, 0.2, 0.05, 0.01, 1e-3, 1e-6):
                for mean in (("0", "1", "-3", "7.5") if scale < 1 else ("0", "-40")):
                    with self.subTest(model=model, scale=scale, mean=mean):
                        chosen = model + (",mean=" if ":" in model else ":mean=") + mean
                        self.ok("fit", "two.csv", "-t", "label", "--model", chosen, "--kernel", "rbf:theta=0.5",
                                "--lambda", str(scale), "-q", "-o", "m.lacuna")
                        self.compare(self.exported(), new)

    def test_variances_are_those_of_the_posterior(self):
        self.file("two.csv", two_classes(50))
        self.ok("fit", "two.csv", "-t", "label", "--model", "gp-ep", "--kernel", "rbf:theta=0.4", "--lambda", "0.2",
                "--no-standardise", "-q", "-o", "m.lacuna")
        run = self.exported()
        new = two_classes(40, 9)
        given = feeds(run, new)
        variance = run.run(["variance"], given)[0][:, 0]
        model = ModelFile(self.path("m.lacuna"))
        X, beta, N = model.array("X"), model.array("beta").ravel(), model.rows([given["x"], given["y"]])

        def k(A, B):
            return np.exp(-0.4 * ((A[:, None, :] - B[None, :, :]) ** 2).sum(2))
        M = k(X, X) + np.diag(0.2 / beta)
        expected = (1.0 - np.einsum("ij,ij->i", k(N, X), np.linalg.solve(M, k(N, X).T).T)) / 0.2
        np.testing.assert_allclose(variance, expected, rtol=1e-11, atol=1e-11)


if __name__ == "__main__":
    unittest.main()
