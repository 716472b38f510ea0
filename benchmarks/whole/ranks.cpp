// Seconds of one evaluation, or of one pass, on back end mpi: benchmarks/evidence/ranks.py runs this on several numbers
// of ranks and prints the tables. Alone it does nothing.
//
//     mpirun -n 1 bench_ranks WHAT ROWS BASIS RUNS : -n 1 lacuna --backend mpi
//
//   evaluation   Gram matrix of ROWS rows of 20 columns, factor, held-out outputs and their criterion
//   gradient     the same, and the gradient of the criterion
//   pass         ROWS rows of 10 columns through BASIS vectors: outputs, weights, sums Z'WZ and Z'R
//   held-out     the same rows: outputs and variances, of which held-out outputs are made
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <string>

#include "lacuna/base/random.hpp"
#include "lacuna/compute/features.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/select/select.hpp"

using namespace lacuna;

namespace {

// Of the clock, not the processor time of benchmarks/whole/timing.hpp: rank 0 uses none while others have the cores,
// and four ranks on two cores looked four times as fast as one.
template <class Work>
double least_seconds(int runs, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const auto began = std::chrono::steady_clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  return least;
}

RowMatrix rows_of(Index rows, Index columns) {
  RowMatrix X(rows, columns);
  Random random(1);
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = random.normal();
  return X;
}

Matrix classes_of(const RowMatrix& X) {
  Random random(2);
  Matrix y(X.rows(), 1);
  for (Index i = 0; i < X.rows(); ++i) y(i, 0) = X.row(i).squaredNorm() + 4.0 * random.normal() > X.cols() ? 1.0 : -1.0;
  return y;
}

double evaluation(const Backend& backend, Index rows, bool gradient, int runs) {
  const RowMatrix X = rows_of(rows, 20);
  Problem problem;
  problem.backend = &backend;
  problem.X = X;
  problem.learn.zeta = Vector::Ones(rows);
  problem.learn.t = classes_of(X);
  problem.truth = {problem.learn.t, {}, 0, Vector::Ones(rows)};
  problem.partitions = {Folds{}};
  const auto workspace = backend.workspace();
  return least_seconds(runs, [&] { criterion_at(problem, kernels::Rbf{.theta = 1.0 / 40.0}, 0.1, gradient); });
}

double pass(const Backend& backend, Index rows, Index basis, bool held_out, int runs) {
  const RowMatrix X = rows_of(rows, 10);
  const Matrix y = classes_of(X);
  const auto features = backend.features(kernels::Rbf{.theta = 1.0 / 20.0}, middle_rows(X, 0, basis), rows);
  const Matrix p = Matrix::Zero(features->size(), 1);
  const auto sums = [&] {
    return features->normal(X, p, [&](Index first, const Matrix& z, Vector& beta, Matrix& R) {
      beta = Vector::Ones(z.rows());
      R = y.middleRows(first, z.rows());
    });
  };
  if (!held_out) return least_seconds(runs, sums);
  const auto factor = sums()->factor(0.1);
  return least_seconds(runs, [&] { factor->moments(X, p); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print("benchmarks/evidence/ranks.py runs this on several ranks\n");
    return 0;
  }
  const std::string what = argv[1];
  const Index rows = std::atol(argv[2]), basis = std::atol(argv[3]);
  const int runs = std::atoi(argv[4]);
  const ThreadScope one(1);
  const Backend& backend = backend_named("mpi");
  const double seconds = what == "pass" || what == "held-out" ? pass(backend, rows, basis, what == "held-out", runs)
                                                              : evaluation(backend, rows, what == "gradient", runs);
  fmt::print("{:.6f}\n", seconds);
}
