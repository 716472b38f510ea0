// cli/fit_options.hpp -- the options of fit and loo: from words on the command line to the library's options. All of
// them are checked before any data is read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "lacuna/choose/choose.hpp"
#include "lacuna/data/dataset.hpp"

namespace lacuna::cli {

/// How a file is to be read, as given.
struct ReadArguments {
  std::string format = "auto";
  std::string delimiter, decimal = ".";
  bool header = false, no_header = false;
};
void add_read_options(CLI::App& verb, ReadArguments& given);
ReadOptions read_options(const ReadArguments& given);

/// The words as they were given; empty means not given.
struct FitArguments {
  std::string data;
  ReadArguments read;
  std::vector<std::string> target, features, ignore, categorical;
  std::string task = "auto", positive, missing = "error";
  std::string model = "auto", kernel = "rbf", lambda, mu, basis, effort;
  std::string search = "auto", criterion = "auto", cv = "auto", penalty, max_evaluations;
  std::string offset, exposure, threshold, cost, interval;
  std::string group;
  std::string weights, train_weights = "none", select_weights = "none";
  std::string seed = "0", threads, memory, time_limit, backend = "auto";
  std::string cache_folder;  // where rows that do not fit into memory go meanwhile; not an option of its own
  bool stack = false;
  bool no_standardise = false, refit_flagged = false, recalibrate = false, no_recalibrate = false, quiet = false;
};
void add_fit_options(CLI::App& verb, FitArguments& given);
void add_backend_option(CLI::App& verb, std::string& given);

/// What the words mean.
struct FitPlan {
  ReadOptions read;
  DataOptions data;
  TrainOptions train;
  ChooseOptions choose{};
};
FitPlan fit_plan(const FitArguments& given);

/// What the words name to be read: the data, and a file of basis rows.
Files inputs_of(const FitArguments& given, const FitPlan& plan);
/// "" where no file has the basis rows.
std::string basis_file(const FitPlan& plan);

/// Lists of columns given as a,b taken apart, and whether there is a target at all: what only the table can tell.
void settle_columns(const Table& table, FitPlan& plan);

/// Reads, encodes and trains, watched; the encoding is in the model. Throws Interrupted after Ctrl-C, unless a choice
/// has a best so far: that is a model like any other, and end_if_interrupted() comes after it was written.
Model fit_model(const FitArguments& given, FitPlan plan);
void end_if_interrupted(const Model& model);

/// The words that an option can take, for shell completion; empty when they are not a list.
std::vector<std::string> option_choices(const std::string& option);

}  // namespace lacuna::cli
