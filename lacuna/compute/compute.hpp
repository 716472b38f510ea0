// compute/compute.hpp -- the only door to heavy arithmetic. Algorithms call it for everything quadratic or cubic in the
// number of rows and never mention a device. A Backend makes a Gram matrix K; a Gram makes a Factor of
//
//   M = K + lambda B,  B = diag(1/beta),  through  A = I + D K D/lambda,  D = diag(sqrt(beta)),  M^-1 = D A^-1 D/lambda
//
// whose eigenvalues are >= 1 (method 3). Rows with beta = 0 leave the system: their rows and columns of M^-1 are 0.
//
// Matrices stay behind the door: nothing of l x l, l x folds or l x basis vectors is handed out or taken in. What
// crosses it is the rows themselves and a few numbers for each row and output, O(l (d + outputs)) in one evaluation of
// a criterion, so that a back end may keep its matrices on a device or spread them over machines. Closed forms that
// look at all of a matrix (folds, pairs, gradients, held-out fits) are therefore calls of their own.
//
// One thread calls: the objects made through a back end are called by the thread that made them, and parallelism is the
// back end's own. What comes back is immutable. reference/ is plain loops, the oracle for every other back end; cpu/ is
// BLAS and LAPACK; host/ is what the two share because their matrices are in the host's memory.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "lacuna/base/matrix.hpp"
#include "lacuna/base/rows.hpp"
#include "lacuna/compute/features.hpp"
#include "lacuna/compute/held_out.hpp"
#include "lacuna/data/split.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna {

namespace compute {

/// What a criterion's gradient needs of the kernel matrix (method 9):
///   G = (L R' + R L')/2 - Q diag(v) Q,    Q = M^-1 - xi xi'/(1'xi)
/// With curvature s (a loss other than the squared one; then L has one column) the weights move with the fit:
///   o_j = sum_{k != j} Q_jk^2 v_k,   w = -lambda o,   R - lambda Q (w o s) in place of R
/// With folds L is alpha, R is P' = dP/dz~, there is no v, and G is the sum over folds F of
///   sym( (alpha - Q_:F e_F) (Q_:F u_F)' ),   e_F = Q_FF^-1 alpha_F,   u_F = Q_FF^-1 P'_F        (loo/gradient.hpp)
/// and, with variances of held-out outputs, of Q_:F Q_FF^-1 diag(q_F)/lambda Q_FF^-1 Q_F:.
struct Adjoint {
  Matrix left, right;     ///< L and R, l x r
  Vector v;               ///< empty: no such term, and then no full inverse is formed
  Vector xi;              ///< M^-1 1; empty: no border, Q = M^-1 (Gaussian processes)
  Vector curvature = {};  ///< s; empty: none. Requires v or folds.
  double inverse = 0.0;   ///< kappa: G + kappa M^-1, without the border
  Folds folds = {};
  Vector q = {};  ///< with folds: dP/dv of their variances v; empty: none
};

struct AdjointResult {
  Vector d_log_kernel;  ///< <G, dK/d log theta_p> for every kernel parameter
  Vector diagonal;      ///< G_ii
  Vector w = {};        ///< -lambda o, when there is curvature
};

/// What a factor will be asked for: solving only, or also parts of the inverse.
enum class Want { solve, inverse };

class Factor {
 public:
  virtual ~Factor() = default;
  double log_determinant() const { return log_determinant_; }  ///< log det A >= 0
  virtual Matrix solve(const Matrix& B) const = 0;             ///< M^-1 B
  /// k'M^-1 k for the kernel values k of each row of X with the rows of the Gram matrix. Not for squared ones.
  virtual Vector explained(const RowsView& X) const = 0;
  /// Held-out fits of an iterated loss, followed to their optimum; this factor preconditions.
  virtual HeldOutOptimum follow(const FollowProblem& problem) const = 0;
  /// Gaussian processes (no border): what taking away the sites of each fold does to its rows. `pull` = lambda alpha.
  virtual SitesOut take_sites(const Folds& folds, const Vector& pull) const = 0;
  // The rest requires Want::inverse.
  virtual Vector inverse_diagonal() const = 0;  ///< diag(M^-1)
  /// Folds F left out of machines with these coefficients (l x m). Rows in the system: e_F = Q_FF^-1 alpha_F. Rows of a
  /// fold that are not: (k'Q_:F + xi_F'/1'xi) e_F, by how much the outputs fall. Rows of no fold: 0.
  virtual Matrix leave_out(const Folds& folds, const Vector& xi, const Matrix& alpha) const = 0;
  virtual Vector pair_areas(const PairsOut& pairs) const = 0;
  virtual AdjointResult contract(const Adjoint& adjoint) const = 0;
  /// How far a second Newton step would move the output of each row that is left out, about (loo/second_step.hpp), for
  /// one output column with this curvature (Adjoint).
  virtual Vector second_step(const Vector& xi, const Vector& alpha, const Vector& curvature) const = 0;

 protected:
  double log_determinant_ = 0.0;
};

class Gram {
 public:
  explicit Gram(const RowsView& X) : X_(X), size_(X.rows()) {}
  explicit Gram(Index size) : size_(size) {}  ///< of rows that are not at hand
  virtual ~Gram() = default;
  Index size() const { return size_; }
  const RowsView& rows() const { return X_; }
  virtual Vector diagonal() const = 0;
  virtual Matrix multiply(const Matrix& V) const = 0;  ///< K V
  virtual Vector eigenvalues() const = 0;              ///< ascending
  /// Null when A is not positive definite to working precision. Requires beta >= 0, some > 0, lambda > 0.
  virtual std::unique_ptr<Factor> factor(const Vector& beta, double lambda, Want want) const = 0;

 private:
  RowsView X_;
  Index size_;
};

/// How often a Gram matrix will be asked for something. For one factorisation it need not be stored: then it is made
/// where the factor wants it, and everything else makes it anew. `exactly`: the same, with all digits that distances
/// leave to kernel values, for predictions, which have to be the same whoever computes them.
enum class Use { once, repeatedly, exactly };

/// While it lives, a back end may keep the memory of matrices that were given up for the next ones. Hold one around
/// repeated evaluations, on the thread that makes them.
class Workspace {
 public:
  virtual ~Workspace() = default;
};

/// The rows that a Projection judges.
struct Judged {
  std::vector<Index> rows;
  Vector weights;  ///< how much each counts; empty: 1
  Index most = 0;  ///< vectors that may be added: memory is (|J| + most) most. 0: any; then all of rho is kept, |J|^2,
                   ///< and every look is at all rows judged
};

/// A basis that grows, and what it leaves of some rows J. With rho_jc = k(x_j, x_c) - k_Sj' K_SS^-1 k_Sc for a
/// candidate c and basis S, adding c takes sum_j w_j rho_jc^2 / rho_cc off the weighted sum of what is left.
class Projection {
 public:
  struct Candidates {
    Vector norm;   ///< k_cc
    Vector own;    ///< rho_cc
    Vector taken;  ///< sum_j w_j rho_jc^2
  };
  virtual ~Projection() = default;
  virtual Candidates look(std::span<const Index> rows) = 0;  ///< rows of X
  virtual void add(Index which) = 0;                         ///< of the candidates last looked at
  const Vector& left() const { return left_; }               ///< rho_jj of the rows judged
  double mean() const { return total_ > 0.0 ? weight_.dot(left_) / total_ : 0.0; }  ///< of rho_jj/k_jj, weighted

 protected:
  void judge(const Judged& judged, Vector norm);  ///< nothing is expressed yet; `norm` is k_jj

  Vector left_,
      weight_;  // w_j is the weight of a row over k_jj; 0 for a zero row, which is expressed by nothing at all
  double total_ = 0.0;
};

/// A Gram matrix of some of the rows: its factors are those of `K` with no weight on the others. K must outlive it.
std::shared_ptr<const Gram> subset(const Gram& K, std::vector<Index> rows);

}  // namespace compute

class Backend {
 public:
  explicit Backend(std::string_view name) : name_(name) {}
  virtual ~Backend() = default;
  std::string_view name() const { return name_; }
  virtual double memory() const = 0;  ///< bytes that are free for matrices now
  virtual std::unique_ptr<compute::Workspace> workspace() const { return nullptr; }
  /// K_ij = k(x_i, x_j). X must outlive the Gram and its factors. With column weights c >= 0 it is K diag(c) K: the
  /// Gram matrix of machines that penalise sum_j a_j^2/c_j of an expansion sum_j a_j k(x, x_j) in place of ||w||^2
  /// (method 6), whose factors differentiate through d(K C K) = dK C K + K C dK.
  virtual std::shared_ptr<const compute::Gram> gram(const Kernel& kernel, const RowsView& X,
                                                    compute::Use use = compute::Use::repeatedly,
                                                    const Vector& c = {}) const = 0;
  /// sum_j k(x, y_j) a_j for each row x of X: rows of X by columns of A. Y are the training rows (precomputed kernels
  /// count columns by them).
  virtual Matrix expand(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A) const = 0;
  /// How steep f_c(x) = sum_j k(x, y_j) a_jc is along each feature k: sum over the rows x_i of X, each with its weight,
  /// and over c of (df_c/dx_k)^2 at x_i (method 15). Requires has_slopes(kernel).
  virtual Vector squared_slopes(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A,
                                const Vector& weights) const = 0;
  /// Rows through these basis vectors (features.hpp), which are copied. Not for precomputed kernels. `rows`: how many
  /// rows are to be looked at, about; when they are many more than basis vectors a back end may take cheaper
  /// coordinates.
  virtual std::shared_ptr<const compute::Features> features(const Kernel& kernel, const RowsView& basis,
                                                            Index rows = 0) const = 0;
  /// X must outlive it.
  virtual std::unique_ptr<compute::Projection> projection(const Kernel& kernel, const RowsView& X,
                                                          compute::Judged judged) const = 0;

 private:
  std::string_view name_;
};

const Backend& reference_backend();
const Backend& cpu_backend();
/// "auto" (the fastest there is: cpu), "cpu" or "reference". Throws Error(usage) with the nearest name.
const Backend& backend_named(std::string_view name);

/// Bytes that a dual machine needs for l rows (2 l^2 doubles for a value, 4 l^2 with the gradient), and the bytes of
/// the host's memory that are free now; what is too large is refused before it is allocated.
double dual_bytes(Index rows, bool gradient);
double available_bytes();

}  // namespace lacuna
