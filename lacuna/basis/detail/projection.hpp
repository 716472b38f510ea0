// basis/detail/projection.hpp -- a growing basis and what it leaves of some rows J: the Cholesky factor K_SS = L L'
// gains a row with every vector added, and so does Phi_J = K_JS L^-T, of which delta_i = 1 - |phi_i|^2 / k_ii.
#pragma once

#include "lacuna/basis/basis.hpp"

namespace lacuna::detail {

/// Whether a basis that has just grown is to grow further; `choice.end` is set when not.
bool goes_on(const BasisOptions& options, const Observer& observer, BasisChoice& choice);

class Projection {
 public:
  /// At most `size` vectors. Memory: (|J| + size) * size doubles. Keeps references to kernel and X.
  Projection(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
             std::vector<Index> judged, Index size);

  /// Candidates seen from the basis: residual columns rho_jc = k(x_j, x_c) - phi_j'phi_c over the rows judged.
  struct Candidates {
    std::vector<Index> rows;
    Matrix phi;   // |S| x c
    Matrix rho;   // |J| x c
    Vector own;   // rho_cc
    Vector norm;  // k_cc
    /// What adding candidate c takes off the weighted sum of delta.
    Vector gain;
  };
  Candidates look(std::vector<Index> rows) const;
  void add(const Candidates& candidates, Index which);

  const std::vector<Index>& judged() const { return judged_; }
  const Vector& left() const { return left_; }  ///< k_jj delta_j of the rows judged
  double mean() const;                          ///< weighted mean of delta

  /// Adds, notes row and mean in `choice`, and says whether to go on; `choice.end` is set when not.
  bool grow(const Candidates& candidates, Index which, const BasisOptions& options, const Observer& observer,
            BasisChoice& choice);

 private:
  const Backend& backend_;
  const Kernel& kernel_;
  RowsView X_;
  std::vector<Index> judged_, chosen_;
  Rows judged_rows_;
  Vector weight_;  // w_j / k_jj
  Vector left_;
  double total_ = 0.0;
  Matrix L_;    // size x size, the leading |S| in use
  Matrix Phi_;  // |J| x size, likewise
};

/// Rows one after another in a given order, those that are combinations of earlier ones passed over.
BasisChoice in_order(const Backend& backend, const Kernel& kernel, const RowsView& X, const Vector& weights,
                     const std::vector<Index>& order, const BasisOptions& options, const Observer& observer);

}  // namespace lacuna::detail
