// steps/plan.hpp -- steps/ is train() for rows that nobody sees together: partitions of a cluster, files, ranks. Any
// engine that can run a function on each part and add up what comes back can train a machine on a basis:
//
//   describe(part)  +  ...                            what has to be known of all rows (data/description.hpp)
//   draw(part)      +  ...                            a sample of them (sample.hpp)
//   make_plan(sample, description)                    encoding, hyper-parameters and basis, as train() chooses them
//   until plan.done():  statistics(part, plan) + ...  sums over rows, of a few hundred rows' size (steps.hpp)
//                       solve(plan, sums)             least squares: done after one pass; other losses: some more
//   hold_out(part, plan)                              the held-out output of each row of a part
//   finish(plan, held out rows)                       a Model like any other
//
// The machine is that of train() on all rows with these hyper-parameters and this basis, to rounding, however the rows
// are divided. Where the sample is all rows, that is what train() does: losses other than the squared one with
// held-out outputs that are one Newton step (cv=loo:one-step), since following a row's refit needs all other rows.
#pragma once

#include <memory>

#include "lacuna/data/description.hpp"
#include "lacuna/machine/primal_steps.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna {

/// What every place needs. A value: steps/bytes.hpp writes and reads it.
struct Plan {
  TableCode code{};
  TrainOptions options{};
  Machine machine{};
  Model model{};        ///< what is known of it so far
  double lambda = 1.0;  ///< where weights have no unit
  double unit = 1.0;    ///< of the regulariser, in that of the data's weights
  Vector centre{};      ///< taken from every encoded row; empty: none
  Rows basis{};
  Index rows = 0;        ///< in all places
  Vector of_class{};     ///< the weight of each class, over all rows
  bool on_some = false;  ///< the sample was not all rows
  bool searched = false;
  bool parameters_chosen = false;
  std::string far{};
  std::vector<StepWalk> walks{};  ///< one for each output; of least squares one for all
  int passes = 0;                 ///< that were made

  bool done() const;
};

/// Chooses what is open on the sample, rows of a table in memory. `all` describes the rows of all places; null: the
/// sample is all of them, and when it describes no more rows the sample teaches the encoding. Throws Error as encode()
/// and train() do, and Error(usage) for what needs all rows in one place: groups, folds, refits, all rows as basis.
Plan make_plan(const Table& sample, const DataOptions& columns, TrainOptions options, const Description* all = nullptr);

namespace detail {
/// The basis as the back end sees it. Made once for a basis and kernel in a process, which keeps the last few.
std::shared_ptr<const compute::Features> features_of(const Plan& plan);
/// Rows of a part as the kernel sees them, and what they teach.
struct PartRows {
  Dataset data;
  Supervision learn;
};
PartRows rows_of_part(const Table& part, const Plan& plan, std::int64_t first_row);
}  // namespace detail

}  // namespace lacuna
