// model/work.hpp -- what a fit will take, said before it begins, and the way that the size of the data asks for.
//
//   all rows   the dual machine: O(l^3) an evaluation, 4 l^2 numbers
//   columns    a linear kernel with few of them, d: O(l d^2), the same machine
//   basis      n rows that the machine is expressed in: O(l n^2)
//
// The way is chosen by counting operations, so that the same data take the same way on any machine. How long it will
// take is estimated from the rate of this one: two small problems go through the back end that will do the work, some
// milliseconds each, and every way knows about how often it repeats them.
#pragma once

#include "lacuna/model/train.hpp"

namespace lacuna {

struct WorkEstimate {
  enum class Way { all_rows, columns, basis } way = Way::all_rows;
  Index rows = 0;
  Index features = 0;
  Index basis = 0;             ///< its rows, or the most that will be tried
  bool grows = false;          ///< the size of the basis is found
  bool by_size = false;        ///< nobody asked for the basis
  double seconds = 0.0;        ///< of a basis that grows: on hard data, where it grows to the end
  double least_seconds = 0.0;  ///< and on easy data, where few rows are enough; 0: it does not grow
  double bytes = 0.0;
  double seconds_of_all_rows = 0.0;  ///< what the machine of all rows would take
  double bytes_of_all_rows = 0.0;
};

/// From here on a caller is told what is to come.
inline constexpr double long_seconds = 3.0;

/// The basis that data of this size ask for where nothing was said about it: `auto` with a limit. Empty: none, since
/// the machine of all rows takes no more than some minutes on two cores, or since it is the only one there is: kfd,
/// Gaussian processes, precomputed kernels, the evidence, jackknife+. `outputs`: columns of targets.
std::optional<BasisRequest> basis_by_size(Index rows, Index features, Index outputs, const Machine& machine,
                                          const TrainOptions& options);

/// A basis that nobody asked for is found on a sample of so many rows; the fit is of all.
inline constexpr Index rows_by_size = 10'000;

/// Takes some milliseconds, for it measures. Of `options` as they will be used: basis_by_size() comes before.
WorkEstimate estimate_work(Index rows, Index features, Index outputs, const Machine& machine,
                           const TrainOptions& options);

}  // namespace lacuna
