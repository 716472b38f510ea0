"""Words the program does not know, help, completion, the manual page."""

import os
import re
import shutil
import subprocess
import unittest

from program import FIXED, PROGRAM, ProgramTest, two_classes, values

VERBS = ("fit", "predict", "loo", "evaluate", "inspect", "report", "explain", "export", "generate", "experiment", "completion")
MANUAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "lacuna.1")


class Usage(ProgramTest):
    def fit_refused(self, parts, *words):
        self.file("d.csv", two_classes())
        return self.refused(2, parts, "fit", "d.csv", "--target", "label", *words)

    def test_unknown_names_suggest_the_nearest(self):
        self.refused(2, ['"fti"', "did you mean 'fit'?"], "fti")
        self.fit_refused(["--kernal", "did you mean '--kernel'?"], "--kernal", "rbf")
        self.fit_refused(["rfb", "did you mean 'rbf'?"], "--kernel", "rfb")
        self.fit_refused(["pres", "did you mean 'press'?"], "--criterion", "pres")
        self.fit_refused(["lbgfs", "did you mean 'lbfgs'?"], "--search", "lbgfs")
        self.fit_refused(["ls-smv", "did you mean 'ls-svm'?"], "--model", "ls-smv")
        self.fit_refused(["regresion", "did you mean 'regression'?"], "--task", "regresion")
        self.fit_refused(["men", "did you mean 'mean'?"], "--missing", "men")
        self.refused(2, ["riply", "did you mean 'ripley'?"], "generate", "riply", "--rows", "10")

    def test_values_that_cannot_be(self):
        for option, bad in (("--cv", "1"), ("--cv", "ten"), ("--seed", "-1"), ("--threads", "0"), ("--memory", "much"),
                            ("--time-limit", "0"), ("--max-evaluations", "0.5"), ("--penalty", "-1"),
                            ("--delimiter", "ab"), ("--format", "xls")):
            self.fit_refused([bad], option, bad)

    def test_options_that_could_do_nothing(self):
        self.fit_refused(["--max-evaluations", "--search none"], "--search", "none", "--max-evaluations", "9", *FIXED)
        for verb in ("fit", "evaluate"):
            self.refused(2, ["--interval", "values"], verb, "d.csv", "--target", "label", "--interval", "0.8")

    def test_one_target_is_named_once(self):
        self.file("values.csv", values())
        for twice in ("t,t", "t,3"):
            self.refused(2, ["(t)", "given as a target twice"], "fit", "values.csv", "--target", twice)

    def test_one_theta_of_ard_holds_for_every_feature(self):
        self.file("values.csv", values())
        both = [self.fit_json("values.csv", "--target", "t", "--kernel", f"ard:theta={theta}", "--lambda", "0.1")
                for theta in ("0.5", "0.5/0.5")]
        self.assertEqual(both[0]["kernel"], both[1]["kernel"])
        self.assertEqual(both[0]["criterion"], both[1]["criterion"])

    def test_empty_value_is_not_the_same_as_none(self):
        self.fit_refused(["--lambda", "empty"], "--lambda", "")

    def test_search_none_needs_every_parameter(self):
        self.fit_refused(["none"], "--search", "none")

    def test_missing_arguments(self):
        self.assertEqual(self.run_program().returncode, 2)
        for verb in VERBS:
            self.refused(2, [verb], verb)
        self.fit_refused(["--kernel needs a value"], "--kernel")
        self.fit_refused(["unexpected", "more.csv"], "more.csv")

    def test_help_as_a_word(self):
        self.assertEqual(self.ok("help"), self.ok("--help"))
        self.assertEqual(self.ok("help", "fit"), self.ok("fit", "--help"))
        self.refused(2, ["fitt", "fit"], "help", "fitt")

    def test_help_lists_every_command_with_examples(self):
        main = self.ok("--help")
        for verb in VERBS:
            self.assertIn(verb, main)
            text = self.ok(verb, "--help")
            self.assertIn("Examples:", text)
        self.assertRegex(self.ok("--version"), r"^lacuna \d+\.\d+\.\d+\n$")

    def options(self, verb):
        return sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", self.ok(verb, "--help").split("Examples:")[0])))

    def test_manual_page_names_every_command_and_option(self):
        with open(MANUAL) as f:
            manual = f.read().replace("\\-", "-")
        for verb in VERBS:
            self.assertIn(f".B {verb}", manual)
            for option in self.options(verb):
                self.assertIn(option, manual)

    def test_manual_page_is_well_formed(self):
        if not shutil.which("man"):
            self.skipTest("man is not installed")
        done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", MANUAL], capture_output=True,
                              env={**os.environ, "MANWIDTH": "100"})
        self.assertEqual(done.stderr.decode(), "")

    def test_completion_scripts(self):
        bash = self.ok("completion", "bash")
        self.file("c.bash", bash)
        check = subprocess.run(["bash", "-n", self.path("c.bash")], capture_output=True)
        self.assertEqual((check.returncode, check.stderr), (0, b""))
        for option in self.options("fit"):
            self.assertIn(option, bash)
        self.assertIn("#compdef lacuna", self.ok("completion", "zsh"))
        self.assertIn("complete -c lacuna", self.ok("completion", "fish"))
        for shell in ("zsh", "fish"):
            if shutil.which(shell):
                self.file("c", self.ok("completion", shell))
                self.assertEqual(subprocess.run([shell, "-n", self.path("c")]).returncode, 0)
        self.refused(2, ["tcsh", "bash, zsh, fish"], "completion", "tcsh")

    def complete(self, *words):
        self.file("c.bash", self.ok("completion", "bash"))
        script = (f"source {self.path('c.bash')}; COMP_WORDS=({' '.join(repr(w) for w in words)}); "
                  f"COMP_CWORD={len(words) - 1}; _lacuna; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "PATH": path})
        return done.stdout.split()

    def test_bash_completes(self):
        self.assertEqual(self.complete("lacuna", "insp"), ["inspect"])
        self.assertEqual(self.complete("lacuna", "fit", "--ker"), ["--kernel"])
        self.assertEqual(self.complete("lacuna", "fit", "d.csv", "--search", "neld"), ["nelder-mead"])
        self.assertEqual(self.complete("lacuna", "generate", "rip"), ["ripley"])

    def test_bash_completes_columns_of_the_file_that_came_before(self):
        self.file("d.csv", values(30))
        self.ok("fit", "d.csv", "-t", "t", *FIXED, "-o", "m.lacuna", "-q")
        for words in (("fit", "d.csv", "--ignore"), ("evaluate", "d.csv", "--by"),
                      ("predict", "m.lacuna", "d.csv", "--keep")):
            self.assertEqual(self.complete("lacuna", *words, ""), ["u", "v", "t"], words)
        self.assertEqual(self.complete("lacuna", "fit", "d.csv", "--features", "t,u"), ["t,u"])
        self.assertEqual(self.complete("lacuna", "explain", "m.lacuna", "--columns", ""), ["u", "v"])


if __name__ == "__main__":
    unittest.main()
