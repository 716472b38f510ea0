// compute/mpi/sweep.hpp -- a sweep over rows that rank 0 has or reads, divided over the ranks: in each round rank k
// works on block k of as many blocks as there are ranks, so its share is that of lane k on one computer
// (compute/lanes.hpp), and sums of the shares are joined in one order. Rank 0 sends blocks one round ahead of the work;
// the others keep none.
#pragma once

#include <functional>
#include <span>

#include "lacuna/compute/mpi/session.hpp"

namespace lacuna::compute::mpi {

/// What of a sweep is on rank 0 alone.
struct Sweep {
  const cpu::CpuFeatures& features;
  const RowSource& X;
  const Reweigh* reweigh;
};

/// A block of rows that another rank works on.
struct Share {
  Index first, count;
  int rank;
};

/// body(first, block, others) for this rank's block of each round; `others`, on rank 0, are those of the other ranks. X
/// is null but on rank 0.
using RoundBody = std::function<void(Index first, const RowsView& block, std::span<const Share> others)>;
void in_rounds(const Team& team, const RowSource* X, Index rows, const RoundBody& body);

}  // namespace lacuna::compute::mpi
