// model/detail/stages.hpp -- training between and beside its fit: what is decided before the machine of all rows is
// fitted, and what is said of it afterwards. train() fits it here and now (final_fit.hpp); where rows are in several
// places it comes in steps (steps/).
#pragma once

#include <chrono>

#include "lacuna/model/detail/choose.hpp"
#include "lacuna/model/detail/final_fit.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna::detail {

struct Stage {
  Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  std::chrono::steady_clock::time_point began{};
  TrainOptions options{};
  Machine machine{};
  Selection chosen{};
  Problem problem{};  ///< of all rows, with the basis that was chosen
  RowsWanted wanted{};
  bool on_some = false;            ///< the choice saw a sample of the rows
  bool searched = false;           ///< something was open
  bool parameters_chosen = false;  ///< the loss had a parameter that nobody gave
  std::string far{};               ///< a warning about rows far from the origin; empty: none
};

/// What train() does before the fit: checks, the choice of hyper-parameters and basis, and what the report says of it.
/// `data` says everything about the rows but their inputs, which are X; both must stay where they are. Throws Stopped
/// when the observer says so.
void choose_stage(Stage& stage, Model& model, const Dataset& data, const RowSource& X, Index features,
                  const TrainOptions& options);

/// What train() does with the fit: coefficients, decisions, scores, intervals, warnings, held-out outputs. It asks for
/// inputs of rows only where the problem has them in memory.
void report_stage(Model& model, const Dataset& data, Stage& stage, FinalFit& fit);

/// What lies between train() and its stages: checks, weights without a unit, rows about their mean, copies joined.
using FitStages =
    std::function<void(Model& model, const Dataset& data, const RowSource& X, Index features, const TrainOptions&)>;
void train_around(Model& model, const Dataset& data, const RowSource& X, Index features, const TrainOptions& options,
                  const FitStages& fit);

}  // namespace lacuna::detail
