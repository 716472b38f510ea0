// compute/held_out.hpp -- what closed forms of held-out outputs hand to the door and get from it. The forms themselves
// look at all of a matrix and are computed behind it (compute.hpp, features.hpp); what they mean is derived in loo/.
#pragma once

#include <memory>
#include <vector>

#include "lacuna/data/split.hpp"
#include "lacuna/loss/supervision.hpp"

namespace lacuna::compute {

/// The derivative of a criterion.
struct CriterionGradient {
  Vector d_log_kernel;  ///< in the logarithm of each kernel parameter
  double d_log_lambda = 0.0;
  double d_mean = 0.0;  ///< Gaussian processes: in the mean of the prior itself, which has either sign
};

/// Pairs of a positive and a negative row, left out together and compared, for each output column.
struct Pairs {
  Matrix side;  ///< l x m: the weight of a positive row, minus that of a negative one; 0: the row is in no pair
  Vector tie;   ///< m: outputs that differ by no more are ties, and count one half
};

/// The same (loo/leave_pair_out.hpp) for dual machines or, without a border, Gaussian processes.
struct PairsOut {
  Pairs pairs;
  Matrix alpha, z;       ///< l x m
  Matrix eta = {};       ///< l x m; not needed without a border
  Vector xi = {};        ///< M^-1 1; empty: no border, and then m = 1
  Vector variance = {};  ///< without a border: of the posterior, l
  double spread = 0.0;   ///< ... whose outputs of variance v are ranked by z/sqrt(1 + spread v)
};

/// Of rows whose fold has lost its sites (loo/gp_held_out.hpp): S (I - W S)^-1 with S the posterior covariance of the
/// fold.
struct SitesOut {
  Vector variance;  ///< its diagonal; NaN for rows of no fold
  Vector shift;     ///< its product with the pull
};

struct FollowOptions {
  int max_steps = 100;      ///< of each fold
  double tolerance = 1e-6;  ///< on each held-out output, by the bound of loo/held_out_optimum.hpp, relative to the
                            ///< loss's unit + how far it has moved
  bool keep = false;        ///< the machines without the folds, for a gradient
};

/// The fit of all rows for output `column`, from which held-out fits are followed (loo/held_out_optimum.hpp), and the
/// weights of the factor that is asked to do it.
struct FollowProblem {
  const Supervision& learn;
  Index column;
  const Folds& folds;  ///< empty: leave one out
  FollowOptions options;
  double lambda;
  Vector self;      ///< k(x, x)
  Vector beta;      ///< of the factor; 0: not in the system
  Vector alpha, z;  ///< of the fit
  Vector xi = {};   ///< M^-1 1 of a dual factor
};

/// The machines without each fold, at their optimum. They stay behind the door until it is known what their outputs are
/// worth.
class HeldOutMachines {
 public:
  virtual ~HeldOutMachines() = default;
  /// Of a criterion of their outputs; `d_output` is dP/dz~ of every row, of which those of their folds count.
  virtual CriterionGradient gradient(const Vector& d_output) const = 0;
};

struct HeldOutOptimum {
  Vector z;  ///< held-out output of every row; rows of no fold keep theirs
  /// About how far each may still be from its optimum. Infinite: there is none (the last row of a class), and z is what
  /// one would say of a kind of which half a row has been seen, anywhere.
  Vector left;
  std::vector<std::size_t>
      unfinished;  ///< folds (rows, where those are left out one by one) that did not arrive, worst first
  long steps = 0;
  /// Where FollowOptions::keep asked for them. They refer to the problem and the factor. Folds without an optimum are
  /// not among them: what is said of their rows is not differentiated.
  std::shared_ptr<const HeldOutMachines> machines = {};
};

}  // namespace lacuna::compute
