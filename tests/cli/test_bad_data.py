"""Every bad input that data can hold is refused by file, line, column, value and rule, or warned about."""

import unittest
from datetime import date, timedelta

from program import FIXED, ProgramTest, two_classes, values


class BadData(ProgramTest):
    def fit(self, code, parts, contents, *words, target="label"):
        self.file("d.csv", contents)
        self.file("m.lacuna", "what was here before")
        message = self.refused(code, parts, "fit", "d.csv", "--target", target, "-o", "m.lacuna", *words)
        self.assertEqual(self.contents("m.lacuna"), b"what was here before")
        return message

    def warned(self, parts, contents, *words, target="label"):
        self.file("d.csv", contents)
        self.ok("fit", "d.csv", "--target", target, *FIXED, *words)
        self.assertIn("lacuna: warning: ", self.stderr)
        for part in parts:
            self.assertIn(part, self.stderr)
        self.ok("fit", "d.csv", "--target", target, *FIXED, *words, "--quiet")
        self.assertEqual(self.stderr, "")

    def test_file_that_is_not_there(self):
        self.refused(3, ["nothing.csv", "No such file"], "fit", "nothing.csv", "--target", "label")

    def test_folder_as_data(self):
        self.refused(3, [], "fit", ".", "--target", "label")

    def test_empty_file(self):
        self.fit(3, ["d.csv", "empty"], "")

    def test_header_only(self):
        self.fit(3, ["d.csv", "no rows"], "x,y,label\n")

    def test_ragged_row(self):
        self.fit(3, ["d.csv line 3", "2 fields", "3 expected"], "x,y,label\n1,2,a\n3,4\n5,6,b\n")

    def test_unknown_target_suggests_the_nearest(self):
        self.fit(2, ["d.csv", '"lable"', "did you mean 'label'?"], two_classes(), target="lable")

    def test_no_target(self):
        self.file("d.csv", two_classes())
        self.refused(2, ["--target"], "fit", "d.csv")

    def test_text_in_a_column_of_numbers(self):
        rows = two_classes().replace("\n", "\nn/a?,1,a\n", 1)
        self.fit(3, ["d.csv line 2", "column 1 (x)", '"n/a?"'], rows)

    def test_nan_and_inf(self):
        for bad in ("-nan", "inf", "-Infinity", "1e999"):
            rows = two_classes().replace("\n", f"\n1,{bad},a\n", 1)
            self.fit(3, ["d.csv line 2", "column 2 (y)", f'"{bad}"', "finite"], rows)

    def test_missing_value(self):
        for cell in ("", "NA", "N/A", "NaN", "nan", "?", "null"):
            rows = two_classes() + f"1,{cell},a\n"
            self.fit(3, ["d.csv line 42", "column 2 (y)", "missing"], rows)
        self.ok("fit", "d.csv", "--target", "label", *FIXED, "--missing", "mean")
        self.assertEqual(self.fit_json("d.csv", "--target", "label", *FIXED, "--missing", "drop")["rows"], 40)

    def test_dates(self):
        rows = lambda day: "x,day,t\n" + "".join(f"{i % 7},{day(i)},{i * i % 11}\n" for i in range(30))
        self.file("iso.csv", rows(lambda i: f"2021-0{1 + i % 9}-{1 + i % 28:02}"))
        report = self.fit_json("iso.csv", "--target", "t", "--task", "regression", *FIXED)
        self.assertEqual((report["features"], report["warning_codes"]), (2, ["dates-as-days"]))
        self.file("days.csv", rows(lambda i: (date(2021, 1 + i % 9, 1 + i % 28) - date(1970, 1, 1)).days))
        days = self.fit_json("days.csv", "--target", "t", "--task", "regression", *FIXED)
        self.assertEqual(report["held_out"], days["held_out"])
        self.file("d.csv", rows(lambda i: f"{1 + i % 28}/{1 + i % 9}/2021"))
        self.refused(3, ["column 2 (day)", '"1/1/2021"', "2021-04-03", "--ignore day"], "fit", "d.csv", "--target", "t")

    def test_other_dates(self):
        days = [date(2020, 1, 1) + timedelta(i % 330) for i in range(600)]
        fit = lambda text: (self.file("d.csv", "x,day,t\n" + "".join(f"{i % 7},{text(day)},{i * i % 11}\n"
                                                                     for i, day in enumerate(days))),
                            self.fit_json("d.csv", "--target", "t", "--task", "regression", *FIXED))[1]
        iso = fit(lambda day: day.isoformat())
        for form in ("%Y.%m.%d", "%Y/%m/%d"):
            self.assertEqual(fit(lambda day: day.strftime(form))["held_out"], iso["held_out"], form)
        month = fit(lambda day: f"{day:%Y-%m-01}")
        for form in ("%Y-%m", "%Y/%m"):
            report = fit(lambda day: day.strftime(form))
            self.assertEqual((report["held_out"], report["features"]), (month["held_out"], 2), form)
            self.assertIn("dates-as-days", report["warning_codes"])
        for form in ("%d %b %Y", "%b-%d-%Y", "%A %d %B %Y", "%B %d, %Y", "%d%b%Y", "%a %b %d %H:%M:%S %Y", "%d-%b-%y"):
            self.file("d.csv", "x,day,t\n" + "".join(f'{i % 7},"{day.strftime(form)}",{i * i % 11}\n'
                                                      for i, day in enumerate(days)))
            self.refused(3, ["column 2 (day)", days[0].strftime(form), "year first", "2021-04-03", "--ignore day"],
                         "fit", "d.csv", "--target", "t")
        report = fit(lambda day: day.strftime("%Y%m%d"))
        self.assertEqual(report["features"], 2)
        self.assertIn("dates-as-numbers", report["warning_codes"])
        self.assertIn("day", report["warnings"][report["warning_codes"].index("dates-as-numbers")])
        self.assertNotIn("dates-as-numbers", fit(lambda day: 20200000 + 91 * day.day)["warning_codes"])

    def test_words_with_numbers_are_no_dates(self):
        self.file("d.csv", "c,x,t\n" + "".join(f"{w} {i % 3},{i % 7},{i * i % 11}\n"
                                               for i, w in enumerate(["Ford", "mare", "June A", "dec"] * 20)))
        self.ok("fit", "d.csv", "--target", "t", "--task", "regression", *FIXED)

    def test_columns_may_have_the_names_of_months(self):
        self.file("d.csv", "who,2020-09,2020-10,t\n" + "".join(f"{'ab'[i % 2]},{i % 7},{i % 5},{i * i % 11}\n"
                                                               for i in range(40)))
        self.assertEqual(self.fit_json("d.csv", "--target", "t", "--task", "regression", *FIXED)["features"], 4)

    def test_many_categories_are_told(self):
        self.file("d.csv", "c,x,t\n" + "".join(f"c{i % 150},{i % 7},{i * i % 11}\n" for i in range(400)))
        self.assertEqual(self.fit_json("d.csv", "--target", "t", "--task", "regression", *FIXED)["warning_codes"], ["many-categories"])

    def test_decimal_commas(self):
        point = "x;y;label\n" + two_classes().replace(",", ";").split("\n", 1)[1]
        self.file("point.csv", point)
        self.file("comma.csv", point.replace(".", ","))
        one = self.fit_json("point.csv", "--target", "label", *FIXED)
        other = self.fit_json("comma.csv", "--target", "label", *FIXED, "--decimal", "comma")
        self.assertEqual(one["held_out"], other["held_out"])
        self.refused(3, ["decimal comma", "--decimal comma"], "fit", "comma.csv", "--target", "label")
        self.refused(3, ["decimal point", "--decimal point"], "fit", "point.csv", "--target", "label", "--decimal", "comma")
        self.file("t.csv", values(80).replace(",", ";"))
        for task in ("auto", "regression"):
            self.refused(3, ["column 3 (t)", "decimal point", "--decimal point"], "fit", "t.csv", "--target", "t",
                         "--task", task, "--ignore", "u", "--decimal", "comma")

    def test_only_these_features(self):
        self.file("d.csv", two_classes())
        report = self.fit_json("d.csv", "--target", "label", *FIXED, "--features", "y")
        self.assertEqual(report["features"], 1)
        self.refused(2, ["no column", '"z"', "feature"], "fit", "d.csv", "--target", "label", "--features", "y,z")
        self.refused(2, ['no columns "r" (group), "z" (feature), "q" (feature)'], "fit", "d.csv", "--target", "label",
                     "--features", "y,z,q", "--group", "r")
        self.refused(2, ["label", "one role"], "fit", "d.csv", "--target", "label", "--features", "label")

    def test_arguments_in_the_wrong_order(self):
        self.file("d.csv", two_classes())
        self.refused(2, ["--target label"], "fit", "d.csv", "label")
        self.refused(2, ["the data come first"], "fit", "label", "d.csv")
        self.ok("fit", "d.csv", "--target", "label", *FIXED, "-o", "m")
        for command in ("predict", "explain"):
            self.refused(2, [f"the model comes first: lacuna {command} m d.csv"], command, "d.csv", "m")
        self.file("other.csv", "a\n1\n")
        self.refused(3, ['no columns "x", "y"'], "predict", "m", "other.csv")

    def test_missing_target(self):
        self.fit(3, ["d.csv line 42", "column 3 (label)", "missing"], two_classes() + "1,2,\n")

    def test_one_class(self):
        self.fit(3, ["d.csv", "label", "class", '"a"'], two_classes(labels=("a", "a")))

    def test_class_with_one_row(self):
        self.warned(['"c"', "single row"], two_classes() + "9,9,c\n")

    def test_constant_target(self):
        self.fit(3, ["d.csv", "column 2 (t)", "4"], "u,t\n1,4\n2,4\n3,4\n4,4\n", target="t")

    def test_constant_column_is_left_out(self):
        rows = "\n".join(line + (",k" if i == 0 else ",7") for i, line in enumerate(two_classes().splitlines()))
        self.warned(["constant", "k"], rows)

    def test_duplicate_column(self):
        rows = "\n".join(line + "," + ("x2" if i == 0 else line.split(",")[0])
                         for i, line in enumerate(two_classes().splitlines()))
        self.warned(["x", "x2", "same numbers"], rows)

    def test_duplicate_header(self):
        self.fit(3, ["d.csv line 1", "columns 1 and 2", '"x"'], two_classes().replace("x,y", "x,x"))

    def test_negative_weights(self):
        rows = "\n".join(line + ("," + ("w" if i == 0 else "-1" if i == 5 else "1"))
                         for i, line in enumerate(two_classes().splitlines()))
        self.fit(3, ["d.csv line 6", "column 4 (w)", "-1"], rows, "--weights", "w")

    def test_all_zero_weights(self):
        rows = "\n".join(line + ("," + ("w" if i == 0 else "0")) for i, line in enumerate(two_classes().splitlines()))
        self.fit(3, ["d.csv", "column 4 (w)", "no weight is positive"], rows, "--weights", "w")

    def test_negative_counts(self):
        self.fit(3, ["d.csv line 4", "column 2 (n)", "-2", "count"], "u,n\n1,0\n2,3\n3,-2\n4,1\n", "--task", "counts",
                 target="n")

    def test_duplicated_rows(self):
        rows = two_classes()
        self.warned(["repeat", "--group COL"], rows + "".join(line + "\n" for line in rows.splitlines()[1:5]))

    def test_too_many_rows_for_the_memory_allowed(self):
        self.fit(3, ["400 rows", "GB"], two_classes(400), "--memory", "1M")

    def test_lambda_must_be_positive(self):
        for bad in ("0", "-0.1", "x", "nan"):
            self.fit(2, ["--lambda", bad, "> 0"], two_classes(), "--lambda", bad)

    def test_kernel_parameter_must_be_positive(self):
        self.fit(2, ["theta", "-1", "> 0"], two_classes(), "--kernel", "rbf:theta=-1")

    def test_kernel_matrix_that_is_not_positive_definite(self):
        rows = ["k1,k2,k3,k4,t"]
        for i in range(4):
            rows.append(",".join("1" if i == j else "5" for j in range(4)) + f",{i * i}")
        self.fit(4, ["positive definite", "-4"], "\n".join(rows), "--kernel", "precomputed", "--lambda", "0.001",
                 target="t")

    def test_kernel_matrix_that_is_not_square(self):
        self.fit(3, ["square", "x 2"], values(), "--kernel", "precomputed", target="t")

    def test_optimum_on_a_bound(self):
        self.ok("generate", "friedman1", "--rows", "100", "-o", "d.csv")  # half of its features do not matter
        report = self.fit_json("d.csv", "--target", "y", "--kernel", "ard")
        self.assertEqual(report["search"]["stop"], "at-bound")
        self.assertTrue(any("bound" in w and "theta" in w for w in report["warnings"]), report["warnings"])

    def test_column_that_is_all_different_texts(self):
        rows = "\n".join(line + (",id" if i == 0 else f",name{i}") for i, line in enumerate(two_classes().splitlines()))
        self.fit(3, ["column 4 (id)", "--ignore id"], rows)

    def test_balanced_weights_need_classes(self):
        self.fit(2, ["balanced", "classes"], values(), "--train-weights", "balanced", target="t")

    def test_positive_label_that_does_not_occur(self):
        self.fit(2, ['"c"', "a, b"], two_classes(), "--positive", "c")

    def test_group_that_holds_everything(self):
        rows = "\n".join(line + ("," + ("g" if i == 0 else "same")) for i, line in enumerate(two_classes().splitlines()))
        self.file("d.csv", rows)
        done = self.run_program("fit", "d.csv", "--target", "label", "--cv", "group:g")
        self.assertIn(done.returncode, (2, 3))
        self.assertIn("group", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
