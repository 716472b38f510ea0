// compute/host/held_out_machines.hpp -- held-out fits that were followed to their optimum, kept behind the door, and
// the derivative of what they say (loo/held_out_optimum.hpp has the formulas).
#pragma once

#include <Eigen/Cholesky>
#include <functional>
#include <vector>

#include "lacuna/compute/held_out.hpp"

namespace lacuna::compute::host {

/// What the derivative needs of the factor that preconditioned. All must live as long as what is made of it.
struct AdjointSystem {
  std::function<Matrix(const Matrix& G)> apply_Q;
  std::function<Matrix(const std::vector<Index>& rows)> columns_of_Q;
  /// What rows that are not in the system pull in: the response Q K p + xi 1'p/1'xi of the machine to outputs p there.
  std::function<Vector(const Vector& p)> respond;
  /// The derivative of sum a' f, column by column, in the logarithm of each kernel parameter, f the machine of these
  /// coefficients and outputs: <sym(alpha a'), dK/d log theta> of a dual one. y are the outputs that a gives.
  std::function<Vector(const Matrix& alpha, const Matrix& z, const Matrix& a, const Matrix& y)> contract;
};

/// One fold that has arrived.
struct Arrived {
  std::vector<Index> members;  ///< all of its rows
  std::vector<Index> inside;   ///< those in the system, ascending
  Eigen::LLT<Eigen::MatrixXd> Q_FF;
  Vector z;  ///< outputs of the machine without it, for all rows in the system
};

class FollowedMachines final : public HeldOutMachines {
 public:
  FollowedMachines(const FollowProblem& problem, AdjointSystem system, std::vector<Arrived> folds)
      : learn_(problem.learn),
        column_(problem.column),
        options_(problem.options),
        lambda_(problem.lambda),
        beta_(problem.beta),
        system_(std::move(system)),
        folds_(std::move(folds)) {}

  CriterionGradient gradient(const Vector& d_output) const override;

 private:
  struct Block;
  void begin(Block& block, const Vector& d_output) const;
  bool step(Block& block) const;

  const Supervision& learn_;
  Index column_;
  FollowOptions options_;
  double lambda_;
  Vector beta_;
  AdjointSystem system_;
  std::vector<Arrived> folds_;
};

}  // namespace lacuna::compute::host
