#!/usr/bin/env python3
"""A kernel, a loss and a criterion are each a file and a place in a list. In a copy of the tree one of each is added by
nothing else, the program is built, and what it computes with them is checked:

    Cauchy kernel 1/(1 + theta d^2)      the rational quadratic kernel with alpha = 1 is the same
    log cosh loss                        held-out outputs against explicit refits
    fourth power of residuals            against the held-out rows that the program writes

usage: add_an_entry.py [BUILD_FOLDER]    the folder is kept for the next time; default: a temporary one
"""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

KERNEL = """#pragma once

#include "lacuna/kernel/geometry.hpp"

namespace lacuna::kernels {

struct Cauchy {
  double theta = 1.0;

  static constexpr std::string_view id = "cauchy";
  static constexpr Geometry geometry = Geometry::distance;
  static constexpr std::array<std::string_view, 1> names{"theta"};
  static constexpr std::array<double Cauchy::*, 1> members() { return {&Cauchy::theta}; }
  static constexpr std::size_t scale = 0;
  static std::array<double, 1> start(const DataScale& data) { return {data.theta}; }

  template <class Number>
  Number value(Number sq_dist) const {
    return 1.0 / (1.0 + theta * sq_dist);
  }
  double d_log(int, double sq_dist, double k) const { return -theta * sq_dist * k * k; }
};

}  // namespace lacuna::kernels
"""

LOSS = """#pragma once

#include <cmath>
#include <string_view>

#include "lacuna/loss/traits.hpp"

namespace lacuna::losses {

struct LogCosh {
  static constexpr std::string_view id = "log-cosh";
  static constexpr LossTraits traits{.model = "log-cosh"};
  LossAt at(double z, double t) const {
    const double r = z - t, a = std::abs(r), h = std::tanh(r), slope = 1.0 - h * h;
    return {.c = a + std::log1p(std::exp(-2.0 * a)) - std::log(2.0), .c1 = h, .c2 = slope, .c3 = -2.0 * h * slope};
  }
  double mean(double z) const { return z; }
};

}  // namespace lacuna::losses
"""

CRITERION = """#pragma once

#include "lacuna/criterion/score.hpp"

namespace lacuna {

struct FourthPower {
  static constexpr std::string_view id = "fourth";
  static constexpr Judges judges = Judges::residual;
  static constexpr bool differentiable = true;

  static double value(double z, double t) { return (t - z) * (t - z) * (t - z) * (t - z); }
  static double slope(double z, double t) { return -4.0 * (t - z) * (t - z) * (t - z); }
  static CriterionScore score(const Matrix& z, const Truth& truth, bool want_derivative, const CriterionOptions&) {
    return mean_over_rows(z, truth, want_derivative, FourthPower{});
  }
};

}  // namespace lacuna
"""

# The file, what is in it, and the list that it joins: where the include goes, and the entry before the new one.
ENTRIES = [
    ("kernel/cauchy.hpp", KERNEL, "kernel/kernel.hpp", "kernel/boolean.hpp", "RationalQuadratic,", "Cauchy,"),
    ("loss/log_cosh.hpp", LOSS, "loss/loss.hpp", "loss/logistic.hpp", "Gamma,", "LogCosh,"),
    ("criterion/fourth_power.hpp", CRITERION, "criterion/criterion.cpp", "criterion/error_rate.hpp",
     "BalancedErrorRate, Evidence", ", FourthPower"),
]


def copy_with_entries(folder):
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    for name in filter(None, files):
        if not (ROOT / name).exists():
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != (ROOT / name).read_bytes():
            shutil.copy2(ROOT / name, target)
    for name, text, in_list, include, before, entry in ENTRIES:
        (folder / "lacuna" / name).write_text(text)
        path = folder / "lacuna" / in_list
        source = path.read_text()
        line = f'#include "lacuna/{include}"\n'
        assert source.count(line) == 1 and before in source, f"{in_list} is not what this test knows"
        source = source.replace(line, f'{line}#include "lacuna/{name}"\n')
        at = source.rindex(before) + len(before)
        path.write_text(source[:at] + (" " if entry[0] != "," else "") + entry + source[at:])


def build(folder):
    subprocess.run(["cmake", "--preset", "release", "-Wno-dev"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "build", "--target", "lacuna_cli"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    return folder / "build" / "bin" / "lacuna"


def check(program, work):
    def run(*words):
        done = subprocess.run([program, *words], cwd=work, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def near(a, b, share, what):
        assert abs(a - b) <= share * max(1.0, abs(a)), f"{what}: {a} and {b}"

    run("generate", "sinc", "--rows", "60", "--seed", "1", "-o", "d.csv")
    run("generate", "sinc", "--rows", "20", "--seed", "2", "-o", "new.csv")
    fit = ["fit", "d.csv", "--target", "y", "--json"]

    one = json.loads(run(*fit, "--kernel", "cauchy", "-o", "m"))
    other = json.loads(run(*fit, "--kernel", "rq:alpha=1"))
    assert one["kernel"]["name"] == "cauchy"
    near(one["criterion"]["value"], other["criterion"]["value"], 1e-8, "criterion of the two kernels")
    near(one["kernel"]["theta"], other["kernel"]["theta"], 1e-3, "theta of the two kernels")
    assert len(run("predict", "m", "new.csv").splitlines()) == 21
    run("export", "m", "--onnx", "m.onnx")
    assert "cauchy" in run("fit", "--help") and "log-cosh" in run("fit", "--help") and "fourth" in run("fit", "--help")

    fixed = [*fit, "--model", "log-cosh", "--kernel", "rbf:theta=0.5", "--lambda", "0.05"]
    followed, refits = json.loads(run(*fixed, "-o", "m")), json.loads(run(*fixed, "--cv", "explicit:loo"))
    assert followed["loss"]["name"] == "log-cosh"
    near(followed["criterion"]["value"], refits["criterion"]["value"], 1e-5, "log cosh by refits")
    json.loads(run(*fit, "--model", "log-cosh"))  # with a search
    assert len(run("predict", "m", "new.csv").splitlines()) == 21

    chosen = json.loads(run(*fit, "--criterion", "fourth", "--loo", "loo.csv"))
    with open(work / "loo.csv") as file:
        rows = list(csv.DictReader(file))
    fourth = sum((float(r["target"]) - float(r["output"])) ** 4 for r in rows) / len(rows)
    near(chosen["criterion"]["value"], fourth, 1e-9, "the fourth power")
    assert chosen["search"]["gradients"] > 0 and chosen["criterion"]["name"] == "fourth"


def main():
    with tempfile.TemporaryDirectory(prefix="lacuna_entry_") as temporary:
        folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        copy_with_entries(folder)
        program = build(folder)
        work = pathlib.Path(temporary) / "work"
        work.mkdir(exist_ok=True)
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        check(program, work)
    print("a kernel, a loss and a criterion were added, each by its file and its place in a list")


if __name__ == "__main__":
    main()
