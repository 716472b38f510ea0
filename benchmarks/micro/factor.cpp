// benchmarks/micro/factor.cpp -- the cubic routines of compute/cpu/triangular.hpp against the BLAS and LAPACK calls
// they replace: least of interleaved runs, so that a busy machine disturbs both alike. Set OMP_NUM_THREADS=1 for the
// ratios of the design; "at dgemm's rate" is the ratio that would be reached if every flop ran as fast as one n x n
// dgemm.
//
// Usage: micro_factor [seconds per size, default 4] [n ...]
#include <cblas.h>
#include <fmt/format.h>
#include <lapacke.h>
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "lacuna/compute/cpu/triangular.hpp"

namespace {

using lacuna::Index;
using lacuna::Matrix;
using lacuna::Vector;

// With one thread the time the processor gave us, which leaves out what it gave to others; with more, the wall clock's.
double now() {
  if (omp_get_max_threads() > 1) return omp_get_wtime();
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

struct Task {
  const char* name;
  double gflop;
  std::function<void()> prepare;  // not timed
  std::function<void()> run;
  double least = std::numeric_limits<double>::infinity();
};

void measure(std::vector<Task>& tasks, double budget) {
  const double start = now();
  for (int round = 0; round < 3 || now() - start < budget; ++round) {
    for (Task& task : tasks) {
      task.prepare();
      const double begin = now();
      task.run();
      task.least = std::min(task.least, now() - begin);
    }
  }
}

void must(bool ok) {
  if (!ok) std::abort();
}

void benchmark(Index n, double budget) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  Matrix A = Matrix::NullaryExpr(n, n, [&] { return 0.1 * normal(generator) / std::sqrt(double(n)); });
  A = (A + A.transpose()).eval();
  A.diagonal().array() += 1.0;
  const Vector v = Vector::NullaryExpr(n, [&] { return normal(generator); });
  const int m = int(n);
  Matrix lapack(n, n), pair(n, n + 1), S(n, n), C(n, n), T(n, n), x(n, 2), many(n, 256);
  Vector d(n);

  const double cube = double(n) * double(n) * double(n) * 1e-9;
  const auto nothing = [] {};
  const auto load = [&] { lapack = A; };
  const auto load_pair = [&] { pair.leftCols(n) = A; };
  std::vector<Task> tasks = {
      {"dpotrf", cube / 3, load, [&] { must(LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, lapack.data(), m) == 0); }},
      {"dtrtri", cube / 3, nothing,
       [&] { must(LAPACKE_dtrtri_work(LAPACK_COL_MAJOR, 'L', 'N', m, lapack.data(), m) == 0); }},
      {"factor", cube / 3, load_pair, [&] { must(lacuna::compute::cpu::factor(n, pair.data(), n)); }},
      {"invert", cube / 3, nothing, [&] { lacuna::compute::cpu::invert(n, pair.data(), n); }},
      {"factor_and_invert", cube * 2 / 3, load_pair,
       [&] { must(lacuna::compute::cpu::factor_and_invert(n, pair.data(), n)); }},
      {"dlauum", cube / 3, [&] { S = lapack; },
       [&] { must(LAPACKE_dlauum_work(LAPACK_COL_MAJOR, 'L', m, S.data(), m) == 0); }},
      {"inverse", cube / 3, nothing, [&] { lacuna::compute::cpu::inverse(n, pair.data(), n, C.data(), n); }},
      {"dgemm", cube * 2, nothing,
       [&] {
         cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, m, m, 1.0, C.data(), m, C.data(), m, 0.0, T.data(),
                     m);
       }},
      {"weighted_square", cube, nothing,
       [&] { lacuna::compute::cpu::weighted_square(n, C.data(), n, v.data(), T.data(), n); }},
      {"inverse_diagonal", double(n) * double(n) * 1e-9, nothing,
       [&] { lacuna::compute::cpu::inverse_diagonal(n, pair.data(), n, d.data()); }},
      {"dpotrs, 2 columns", double(n) * double(n) * 4e-9, [&] { x.setOnes(); },
       [&] { must(LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', m, 2, pair.data(), m, x.data(), m) == 0); }},
      {"solve, 2 columns", double(n) * double(n) * 4e-9, [&] { x.setOnes(); },
       [&] { lacuna::compute::cpu::solve(n, pair.data(), n, 2, x.data(), n); }},
      {"dtrsm, 256 columns", double(n) * double(n) * 256e-9, [&] { many.setOnes(); },
       [&] {
         cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, m, 256, 1.0, pair.data(), m,
                     many.data(), m);
       }},
      {"solve_lower, 256", double(n) * double(n) * 256e-9, [&] { many.setOnes(); },
       [&] { lacuna::compute::cpu::solve_lower(n, pair.data(), n, 256, many.data(), n); }},
  };
  measure(tasks, budget);

  fmt::print("n = {}\n", n);
  for (const Task& t : tasks)
    fmt::print("  {:<20}{:>12.4f} ms {:>8.1f} GFLOP/s\n", t.name, t.least * 1e3, t.gflop / t.least);
  const auto least = [&](std::size_t i) { return tasks[i].least; };
  const double bare = least(0) + least(1);
  const double floor = least(7) / 3.0;  // 2/3 n^3 of dgemm's 2 n^3 flops
  fmt::print("  ratio factor_and_invert : dpotrf + dtrtri {:.3f} (at dgemm's rate {:.3f})\n", least(4) / bare,
             floor / bare);
  fmt::print("  ratio factor : dpotrf   {:.3f}   ratio invert : dtrtri  {:.3f}\n", least(2) / least(0),
             least(3) / least(1));
  fmt::print("  ratio inverse : dlauum  {:.3f}   ratio weighted_square : dgemm  {:.3f}\n", least(6) / least(5),
             least(8) / least(7));
  fmt::print("  ratio solve : dpotrs    {:.3f}   ratio solve_lower : dtrsm {:.3f}\n", least(11) / least(10),
             least(13) / least(12));
}

}  // namespace

int main(int argc, char** argv) {
  const double budget = argc > 1 ? std::atof(argv[1]) : 4.0;
  std::vector<Index> sizes;
  for (int a = 2; a < argc; ++a) sizes.push_back(Index(std::atol(argv[a])));
  if (sizes.empty()) sizes = {150, 400, 1000, 2000, 4000};
  for (const Index n : sizes) benchmark(n, n >= 4000 ? 5.0 * budget : budget);
}
