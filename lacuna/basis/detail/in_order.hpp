// basis/detail/in_order.hpp -- a basis that grows (compute's Projection), and what it leaves of the rows judged:
// delta_j = rho_jj / k_jj.
#pragma once

#include "lacuna/basis/basis.hpp"

namespace lacuna::detail {

class Growing {
 public:
  /// `most` vectors may be added; 0: any (compute.hpp). X must outlive it.
  Growing(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
          const std::vector<Index>& judged, Index most);

  compute::Projection::Candidates look(const std::vector<Index>& rows) { return projection_->look(rows); }
  const Vector& left() const { return projection_->left(); }  ///< k_jj delta_j of the rows judged

  /// Adds candidate `which` of the last look, notes its `row` and the mean of delta in `choice`, and says whether to go
  /// on; `choice.end` is set when not.
  bool grow(Index row, Index which, const BasisOptions& options, const Observer& observer, BasisChoice& choice);

 private:
  std::unique_ptr<compute::Projection> projection_;
};

/// Rows one after another in a given order, those that are combinations of earlier ones passed over.
BasisChoice in_order(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                     const std::vector<Index>& order, const BasisOptions& options, const Observer& observer);

}  // namespace lacuna::detail
