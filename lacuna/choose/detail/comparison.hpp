// choose/detail/comparison.hpp -- candidates tried one after the other, each followed as long as it may still win.
#pragma once

#include <chrono>

#include "lacuna/base/paired.hpp"
#include "lacuna/choose/choose.hpp"
#include "lacuna/choose/detail/assemble.hpp"

namespace lacuna::detail {

/// Weighted mean over rows of the honest loss.
double mean_loss(const Tried& tried, const Vector& weights);

/// Keeps references to the data and the options.
class Comparison {
 public:
  Comparison(const Dataset& data, const TrainOptions& options, const ChooseOptions& how);
  /// The plain kernel on rows seen in every way; the other kernels on rows seen in the best of these; for a stack, the
  /// best kernels on rows seen in the other ways too.
  void try_all();

  const Compared& compared() const { return compared_; }
  /// The plain machine first; it alone where it could not be followed to the end.
  const std::vector<Tried>& tried() const { return tried_; }
  /// Those that were followed to the end.
  std::vector<const Tried*> finished() const;
  Stop stop() const { return stop_; }  ///< none: all that was planned was tried
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool try_plain();
  void try_other(const Candidate& candidate);
  bool goes_on();
  bool follow(Tried& tried);
  Paired compared_on(const Vector& difference, std::span<const Index> rows) const;
  bool left(const Tried& tried) const;
  std::vector<Index> part() const;
  Vector loss_of_part(const Candidate& candidate, const Beginning& beginning, const std::vector<Index>& rows);
  bool behind_on_a_part(const Tried& tried);
  void train_on_all(Tried& tried, const TrainOptions& how);
  TrainOptions watched(const std::string& what);

  const TrainOptions& options_;
  const Effort effort_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point deadline_ = Clock::time_point::max();
  Compared compared_;
  std::vector<Tried> tried_;
  std::size_t leader_ = 0;
  Vector plain_on_part_;     // by row
  std::size_t planned_ = 0;  // candidates
  Stop stop_ = Stop::none;
};

}  // namespace lacuna::detail
