// compute/compute.hpp -- the only door to heavy arithmetic. Algorithms call it for everything quadratic or cubic in the
// number of rows and never mention a device. A Backend makes a Gram matrix K; a Gram makes a Factor of
//
//   M = K + lambda B,  B = diag(1/beta),   through   A = I + D K D / lambda,  D = diag(sqrt(beta)),  M^-1 = D A^-1 D / lambda
//
// whose eigenvalues are >= 1 (method 3). Rows with beta = 0 leave the system: their rows and columns of M^-1 are 0.
// What comes back is immutable. reference/ is plain loops, the oracle for every other back end; cpu/ is BLAS and LAPACK.
#pragma once

#include <memory>
#include <span>

#include "lacuna/base/matrix.hpp"
#include "lacuna/compute/features.hpp"
#include "lacuna/data/rows.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna {

/// What a criterion's gradient needs of the kernel matrix (method 9):
///   G = (L R' + R L')/2 - Q diag(v) Q,    Q = M^-1 - xi xi'/(1'xi)
/// With curvature s (a loss other than the squared one; then L has one column) the weights move with the fit:
///   o_j = sum_{k != j} Q_jk^2 v_k,   w = -lambda o,   R - lambda Q (w o s) in place of R
struct Adjoint {
  Matrix left, right;     ///< L and R, l x r
  Vector v;               ///< empty: no such term, and then no full inverse is formed
  Vector xi;              ///< M^-1 1
  Vector curvature = {};  ///< s; empty: none. Requires v.
  double inverse = 0.0;   ///< kappa: G + kappa M^-1, without the border. Alone (no v) it needs no xi.
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
  virtual Matrix solve(const Matrix& B) const = 0;  ///< M^-1 B
  virtual double log_determinant() const = 0;       ///< log det A >= 0
  // The rest requires Want::inverse.
  virtual Vector inverse_diagonal() const = 0;                          ///< diag(M^-1)
  virtual Matrix inverse_block(std::span<const Index> rows) const = 0;  ///< (M^-1)_FF
  virtual Matrix inverse() const = 0;                                   ///< all of M^-1, l^2 doubles more
  virtual AdjointResult contract(const Adjoint& adjoint) const = 0;
};

/// Eigenvalues (ascending) and eigenvectors (columns) of a symmetric matrix.
struct Spectrum {
  Vector omega;
  Matrix U;
};

class Gram {
 public:
  virtual ~Gram() = default;
  virtual Index size() const = 0;
  virtual Vector diagonal() const = 0;
  virtual Matrix multiply(const Matrix& V) const = 0;                                        ///< K V
  virtual Matrix block(std::span<const Index> rows, std::span<const Index> cols) const = 0;  ///< K_RC
  /// Null when A is not positive definite to working precision. Requires beta >= 0, some > 0, lambda > 0.
  virtual std::unique_ptr<Factor> factor(const Vector& beta, double lambda, Want want) const = 0;
  /// Of diag(d) K diag(d).
  virtual Spectrum spectrum(const Vector& d) const = 0;
};

/// How often a Gram matrix will be asked for something. For one factorisation it need not be stored: then it is made
/// where the factor wants it, and everything else makes it anew.
enum class Use { once, repeatedly };

/// While it lives, a back end may keep the memory of matrices that were given up for the next ones. Hold one around
/// repeated evaluations, on the thread that makes them.
class Workspace {
 public:
  virtual ~Workspace() = default;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<Workspace> workspace() const { return nullptr; }
  /// K_ij = k(x_i, x_j). X must outlive the Gram and its factors.
  virtual std::shared_ptr<const Gram> gram(const Kernel& kernel, const RowsView& X,
                                           Use use = Use::repeatedly) const = 0;
  /// K diag(c) K for the same K, c >= 0: the Gram matrix of machines that penalise sum_j a_j^2/c_j of an expansion
  /// sum_j a_j k(x, x_j) in place of ||w||^2 (method 6). Its factors differentiate through d(K C K) = dK C K + K C dK.
  virtual std::shared_ptr<const Gram> squared_gram(const Kernel& kernel, const RowsView& X, const Vector& c,
                                                   Use use = Use::repeatedly) const = 0;
  /// A symmetric matrix from elsewhere: no kernel, so contract() gives no kernel derivatives.
  virtual std::shared_ptr<const Gram> gram(Matrix K) const = 0;
  /// k(x_i, y_j), rows of X by rows of Y; Y are the training rows (precomputed kernels count columns by them).
  virtual Matrix cross(const Kernel& kernel, const RowsView& X, const RowsView& Y) const = 0;
  /// Rows through these basis vectors (features.hpp), which are copied. Not for precomputed kernels. `rows`: how many
  /// rows are to be looked at, about; when they are many more than basis vectors a back end may take cheaper coordinates.
  virtual std::shared_ptr<const Features> features(const Kernel& kernel, const RowsView& basis,
                                                   Index rows = 0) const = 0;
  virtual Matrix multiply(const Matrix& A, const Matrix& B) const = 0;  ///< A B
  /// S += V diag(w) V', w of any sign; the lower triangle counts. An empty S begins at zero.
  virtual void add_square(const Matrix& V, const Vector& w, Matrix& S) const = 0;
};

const Backend& reference_backend();
const Backend& cpu_backend();

/// Bytes that a dual machine needs for l rows (2 l^2 doubles for a value, 4 l^2 with the gradient), and the bytes of
/// memory that the machine has free now; what is too large is refused before it is allocated.
double dual_bytes(Index rows, bool gradient);
double available_bytes();

}  // namespace lacuna
