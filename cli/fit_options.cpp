#include "cli/fit_options.hpp"

#include <CLI/CLI.hpp>

#include "experiment/generate.hpp"
#include "experiment/study.hpp"
#include "lacuna/base/names.hpp"

namespace lacuna::cli {
namespace {

void list_option(CLI::App& verb, const std::string& name, std::vector<std::string>& to, const std::string& help) {
  verb.add_option(name, to, help)->type_name("COL,...")->allow_extra_args(false);
}

// "a, b or c".
std::string either(std::vector<std::string> words) {
  const std::string last = words.back();
  words.pop_back();
  return join(words) + " or " + last;
}

}  // namespace

void add_read_options(CLI::App& verb, ReadArguments& given) {
  verb.add_option("--format", given.format, "auto, csv or libsvm (default auto)")->type_name("NAME")->group("Reading");
  verb.add_option("--delimiter", given.delimiter, "one character, or tab, space, comma, semicolon (default: detected)")
      ->type_name("CHAR")
      ->group("Reading");
  verb.add_option("--decimal", given.decimal, "the decimal sign: point or comma (default point)")
      ->type_name("CHAR")
      ->group("Reading");
  verb.add_flag("--header", given.header, "the first row holds names (default: detected)")->group("Reading");
  verb.add_flag("--no-header", given.no_header, "the first row is data already")->group("Reading");
}

void add_fit_options(CLI::App& verb, FitArguments& given) {
  verb.option_defaults()->group("Columns (by name, or by number from 1)");
  list_option(verb, "-t,--target", given.target, "what to predict; several for regression on several at once");
  list_option(verb, "--features", given.features, "only these columns as features (default: all that are left)");
  list_option(verb, "--ignore", given.ignore, "columns to leave out");
  list_option(verb, "--categorical", given.categorical, "columns of numbers that stand for categories");
  verb.add_option("--task", given.task, "auto, classification, regression or counts (default auto)")->type_name("NAME");
  verb.add_option("--positive", given.positive, "the positive of two classes (default: the later in order)")
      ->type_name("LABEL");
  verb.add_option("--weights", given.weights, "weight of each row: as if it stood there that many times")
      ->type_name("COL");
  verb.add_option("--train-weights", given.train_weights, "none, balanced, or a column: in training only")
      ->type_name("NAME|COL");
  verb.add_option("--select-weights", given.select_weights, "none, balanced, or a column: in selection only")
      ->type_name("NAME|COL");
  verb.add_option("--group", given.group, "rows of one group belong together: they are held out, and split, together")
      ->type_name("COL");
  verb.add_option("--exposure", given.exposure,
                  "counts are per this much: time at risk, area, ... (poisson, negbin, gamma)")
      ->type_name("COL");
  verb.add_option("--offset", given.offset, "the same as a logarithm")->type_name("COL");
  verb.add_option("--missing", given.missing,
                  "missing cells: error, mean, drop, or indicator: the mean, and a column of 0 and 1 says where "
                  "(default error)")
      ->type_name("NAME");
  verb.add_flag("--no-standardise", given.no_standardise, "take numbers as they are");

  verb.option_defaults()->group("Model");
  verb.add_option(
          "--model", given.model,
          "auto, " + either(machine_usage()) +
              "; the prior of a Gaussian process has mean 0 unless given: gp-ep:mean=0.5, or mean=auto, which is "
              "selected (default auto: klr for two classes, ls-svm for more, poisson for counts, ls-svm for values)")
      ->type_name("NAME");
  verb.add_option("--kernel", given.kernel,
                  either(kernel_usage()) +
                      "; a parameter that is given is kept (rbf:theta=0.5), others are selected; auto chooses one "
                      "as --effort normal does (default rbf)")
      ->type_name("KERNEL");
  verb.add_option("--effort", given.effort,
                  "quick: one kernel; normal: kernels and ways to see columns are compared on rows left out of "
                  "everything, and one is chosen; best: several are stacked (default quick)")
      ->type_name("NAME");
  verb.add_flag("--stack", given.stack, "the same as --effort best");
  verb.add_option("--lambda", given.lambda, "regulariser, > 0 (default: selected)")->type_name("NUMBER");
  verb.add_option("--mu", given.mu, "the regulariser of kfd")->type_name("NUMBER");
  verb.add_option(
          "--basis", given.basis,
          "express the machine in N rows, for data of many: N, auto (as many as are worth it), greedy:N, stochastic:N, "
          "pivoted:N, random:N, kmeans:N, a file of rows with the data's columns, or none: all rows, however long that "
          "takes (default: all rows, or auto where that takes more than some minutes)")
      ->type_name("N|HOW|FILE");

  verb.option_defaults()->group("Selection");
  verb.add_option("--criterion", given.criterion,
                  "auto, " + either(criterion_names()) +
                      "; evidence is of a Gaussian process, the others of held-out rows (default auto: press for "
                      "ls-svm and kfd, "
                      "hinge2 for l2-svm, evidence for gp-laplace and gp-ep, else xent, the model's own loss)")
      ->type_name("NAME");
  verb.add_option(
          "--cv", given.cv,
          "how rows are held out: loo, K folds, KxR folds R times, group:COL; explicit:loo and explicit:K refit "
          "(slow); loo:one-step and K:one-step are the papers' approximation (default loo; by group with "
          "--group, which folds keep together too)")
      ->type_name("HOW");
  verb.add_option("--search", given.search, "auto, lbfgs, scg, nelder-mead, grid or none (default auto)")
      ->type_name("NAME");
  verb.add_option("--max-evaluations", given.max_evaluations, "most evaluations of the criterion")->type_name("N");
  verb.add_option("--penalty", given.penalty, "strength of a penalty that keeps kernel parameters near their start")
      ->type_name("NUMBER");
  verb.add_option("--seed", given.seed, "for folds and whatever else is random (default 0)")->type_name("N");

  verb.option_defaults()->group("Held-out rows and decisions");
  verb.add_flag("--refit-flagged", given.refit_flagged,
                "refit without them the rows whose held-out output one Newton step may miss (a tenth at most)");
  CLI::Option* recalibrate = verb.add_flag(
      "--recalibrate", given.recalibrate,
      "fit the probabilities to the held-out outputs, and choose by their xent where that is the criterion; "
      "ls-svm, kfd and l2-svm get some by it (default: for two classes with nothing about the model given, and for "
      "more with no model, --train-weights or --select-weights named)");
  verb.add_flag("--no-recalibrate", given.no_recalibrate, "take the probabilities as the machine gives them")
      ->excludes(recalibrate);
  verb.add_option("--threshold", given.threshold,
                  "two classes: choose the cut on held-out outputs for least error, ber, or cost:FP,FN; or cut at "
                  "this probability")
      ->type_name("RULE");
  verb.add_option("--cost", given.cost,
                  "what mistakes cost: a false positive and a false negative, or for more classes a matrix, true by "
                  "decided class (\"0,1,5;1,0,1;9,9,0\"); a price may be a column, such as 1,col:amount; the cost a "
                  "row is reported, "
                  "and decisions make it small")
      ->type_name("FP,FN");

  verb.add_option(
          "--interval", given.interval,
          "values: the share of new ones that intervals are to hold (default 0.9); LEVEL:constant has one width "
          "for all rows, LEVEL:jackknife+ looks at the machines without each row (ls-svm, small data)")
      ->type_name("LEVEL");

  verb.option_defaults()->group("Resources");
  verb.add_option("--threads", given.threads, "default: all")->type_name("N");
  verb.add_option(
          "--memory", given.memory,
          "most memory to use, such as 4G (default: what is free); with --basis, rows that do not fit stay on disk")
      ->type_name("SIZE");
  verb.add_option("--time-limit", given.time_limit,
                  "stop the search after this time, such as 90, 5m or 2h; the final fit comes after it")
      ->type_name("TIME");
  add_backend_option(verb, given.backend);
  verb.option_defaults()->group("Options");
  verb.add_flag("-q,--quiet", given.quiet, "no progress, no warnings");
  add_read_options(verb, given.read);
}

void add_backend_option(CLI::App& verb, std::string& given) {
  verb.add_option("--backend", given,
                  "what does the arithmetic: auto, cpu, mpi (several ranks, under mpirun; a plug-in), or reference "
                  "(plain loops, slow; default: auto)")
      ->type_name("NAME");
}

std::vector<std::string> option_choices(const std::string& option) {
  if (option == "--task") return {"auto", "classification", "regression", "counts"};
  if (option == "--missing") return {"error", "mean", "drop", "indicator"};
  if (option == "--backend") return {"auto", "cpu", "mpi", "reference"};
  if (option == "--format") return {"auto", "csv", "libsvm"};
  if (option == "--model") {
    std::vector<std::string> names{"auto"};
    names.insert(names.end(), machine_names().begin(), machine_names().end());
    return names;
  }
  if (option == "--threshold") return {"error", "ber", "cost:"};
  if (option == "--basis") {
    std::vector<std::string> words{"auto", "none"};
    for (const std::string& method : basis_method_names()) words.push_back(method + ":");
    return words;
  }
  if (option == "--search") return {"auto", "lbfgs", "scg", "nelder-mead", "grid", "none"};
  if (option == "--train-weights" || option == "--select-weights") return {"none", "balanced"};
  if (option == "--delimiter") return {"comma", "semicolon", "tab", "space"};
  if (option == "--decimal") return {"point", "comma"};
  if (option == "--splits") return {"100", "100:0.1", "folds:10", "folds:10x3", "groups", "files:"};
  if (option == "--cv") return {"loo", "5", "10", "10x3", "group:", "explicit:loo", "explicit:10", "loo:one-step"};
  if (option == "--effort") return {"quick", "normal", "best"};
  if (option == "--kernel") {
    std::vector<std::string> names{"auto"};
    names.insert(names.end(), kernel_names().begin(), kernel_names().end());
    return names;
  }
  if (option == "NAME") return {generator_names().begin(), generator_names().end()};
  if (option == "EXPERIMENT") return experiment_names();
  if (option == "--protocol") return {"split", "median", "unweighted", "all"};
  if (option == "SHELL") return {"bash", "zsh", "fish"};
  if (option != "--criterion") return {};
  std::vector<std::string> names{"auto"};
  names.insert(names.end(), criterion_names().begin(), criterion_names().end());
  return names;
}

}  // namespace lacuna::cli
