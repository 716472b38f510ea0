// Speed of one dual evaluation (Gram + fit + leave-one-out) against the bare LAPACK cost, of the gradient against the
// evaluation, and of leave-one-out against explicit cross-validation. One thread; ratios of least interleaved runs.
// "Limit" is the ratio that the same flops would have at the rate of one dgemm of that order, taken in the same run: a
// bar means the same on every processor when seen beside it. Exits with 1 when a bar is missed.
#include <cblas.h>
#include <fmt/format.h>
#include <lapacke.h>

#include <optional>

#include "benchmarks/whole/timing.hpp"
#include "lacuna/base/random.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/loo/refit.hpp"
#include "lacuna/select/select.hpp"

using namespace lacuna;

namespace {

bool all_met = true;

void row(const std::string& what, double ratio, const std::string& rule, bool met) {
  fmt::print("{:<58} {:>9.3f}   {:<34} {}\n", what, ratio, rule, met ? "met" : "MISSED");
  all_met = all_met && met;
}

struct Setting {
  RowMatrix X;
  Problem problem;
  Kernel kernel = kernels::Rbf{.theta = 1.0 / 40.0};
  double lambda = 0.1;
};

Setting make(Index l) {
  Setting s;
  Random random(1);
  s.X.resize(l, 20);
  for (Index i = 0; i < s.X.size(); ++i) s.X.data()[i] = random.normal();
  Matrix y(l, 1);
  for (Index i = 0; i < l; ++i) y(i, 0) = s.X.row(i).squaredNorm() + 4.0 * random.normal() > 20.0 ? 1.0 : -1.0;
  s.problem.learn.zeta = Vector::Ones(l);
  s.problem.learn.t = y;
  s.problem.truth = {y, {}, 0, Vector::Ones(l)};
  s.problem.partitions = {Folds{}};
  return s;
}

void bare_lapack(const Matrix& A, Matrix& work) {
  work = A;
  const int n = int(A.rows());
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, work.data(), n) != 0) std::abort();  // _work: no look for NaN first
  if (LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', n, work.data(), n) != 0) std::abort();
}

// Multiplications and additions of an evaluation, over l^3: factor and inverse of the factor, and the Gram matrix.
double flops(Index l, Index d) { return 2.0 / 3.0 + double(d) / double(l); }

// The bars are those of the larger sizes; at the small ones (`pass` empty) the ratios are for information.
void evaluation_against_lapack(Index l, int rounds, std::optional<double> pass = {}, double aim = 0.0) {
  Setting s = make(l);
  s.problem.X = s.X;
  Matrix A = compute::cpu::kernel_matrix(s.kernel, s.X, s.X) / s.lambda, work = A, product = A;
  const int n = int(l);
  A.diagonal().array() += 1.0;
  const auto t = bench::least_of_interleaved(
      rounds, {[&] { bare_lapack(A, work); }, [&] { criterion_at(s.problem, s.kernel, s.lambda, false); },
               [&] { criterion_at(s.problem, s.kernel, s.lambda, true); },
               [&] {
                 cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, A.data(), n, A.data(), n, 0.0,
                             product.data(), n);
               }});
  const double limit = flops(l, s.X.cols()) / 2.0 * t[3] / t[0];
  // The gradient adds the inverse, l^3/3, and the triangle of Q V Q, l^3.
  const double gradient_limit = (flops(l, s.X.cols()) + 4.0 / 3.0) / 2.0 * t[3] / t[1];
  fmt::print("l = {}: dpotrf + dtrtri {:.4f} s, evaluation {:.4f} s, with gradient {:.4f} s\n", l, t[0], t[1], t[2]);
  if (!pass) {
    fmt::print("{:<58} {:>9.3f}   limit {:.3f}\n", "  evaluation / (dpotrf + dtrtri)", t[1] / t[0], limit);
    fmt::print("{:<58} {:>9.3f}   limit {:.3f}\n", "  evaluation with gradient / without", t[2] / t[1], gradient_limit);
    return;
  }
  row(fmt::format("evaluation / (dpotrf + dtrtri), l = {}", l), t[1] / t[0],
      fmt::format("<= {} (aim {}), limit {:.3f}", *pass, aim, limit), t[1] / t[0] <= *pass);
  row(fmt::format("evaluation with gradient / without, l = {}", l), t[2] / t[1],
      fmt::format("<= 3.0, limit {:.3f}", gradient_limit), t[2] / t[1] <= 3.0);
}

void loo_against_explicit(Index l) {
  Setting s = make(l);
  s.problem.X = s.X;
  const Folds ten = k_folds(l, 10, {}, 1);
  const auto t = bench::least_of_interleaved(5, {[&] { criterion_at(s.problem, s.kernel, s.lambda, false); },
                                                 [&] {
                                                   const auto K = cpu_backend().gram(s.kernel, s.X);
                                                   refit_held_out(*K, s.problem.learn, s.lambda, ten);
                                                 },
                                                 [&] {  // as in the papers: the kernel is computed again in every fold
                                                   for (std::size_t f = 0; f < ten.size(); ++f) {
                                                     const auto K = cpu_backend().gram(s.kernel, s.X);
                                                     Folds one{ten[f]};
                                                     refit_held_out(*K, s.problem.learn, s.lambda, one);
                                                   }
                                                 }});
  row(fmt::format("explicit 10-fold (one Gram) / leave-one-out, l = {}", l), t[1] / t[0], ">= 2.8", t[1] / t[0] >= 2.8);
  fmt::print("{:<58} {:>9.3f}\n", "  the same with the kernel computed in every fold", t[2] / t[0]);
  const auto explicit_loo = bench::least_of_interleaved(1, {[&] {
                                                          const auto K = cpu_backend().gram(s.kernel, s.X);
                                                          refit_held_out(*K, s.problem.learn, s.lambda, {});
                                                        }});
  row(fmt::format("explicit leave-one-out / leave-one-out, l = {}", l), explicit_loo[0] / t[0], ">= 200",
      explicit_loo[0] / t[0] >= 200.0);
}

}  // namespace

int main() {
  const ThreadScope one(1);
  const auto workspace = cpu_backend().workspace();  // as every search has
  evaluation_against_lapack(150, 200);
  evaluation_against_lapack(400, 80);
  evaluation_against_lapack(1000, 60, 0.75, 0.6);
  evaluation_against_lapack(4000, 8, 0.95, 0.85);
  loo_against_explicit(1000);
  return all_met ? 0 : 1;
}
