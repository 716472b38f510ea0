// Where the structure of data is far finer than most distances between rows, a search begins there too: against grids
// of all widths and regularisers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lacuna/base/random.hpp"
#include "lacuna/select/select.hpp"
#include "lacuna/select/start_design.hpp"

namespace lacuna {
namespace neighbours_test {

// One feature x, targets t(x, random), one row left out at a time.
struct Line {
  RowMatrix X;
  Matrix t;
  Problem problem;
};

template <class Place, class Target>
void make(Line& line, Index rows, const Loss& loss, std::uint64_t seed, const Place& place, const Target& target) {
  Random random(seed);
  line.X.resize(rows, 1);
  line.t.resize(rows, 1);
  for (Index i = 0; i < rows; ++i) {
    line.X(i, 0) = place(i, random);
    line.t(i, 0) = target(line.X(i, 0), random);
  }
  line.problem.X = line.X;
  line.problem.learn = {.loss = loss, .zeta = Vector::Ones(rows), .t = line.t};
  line.problem.truth = {
      .targets = line.t, .label = {}, .classes = 0, .weights = Vector::Ones(rows), .loss = loss, .t = line.t};
  if (!std::holds_alternative<losses::Squared>(loss)) line.problem.criterion = Criterion::xent;
  line.problem.partitions = {{}};
}

// Over theta = 2^from ... 2^to, and lambda.
double least_on_a_grid(const Problem& problem, const KernelSpec& spec, int from, int to) {
  double best = std::numeric_limits<double>::infinity();
  for (int a = from; a <= to; ++a)
    for (int k = -20; k <= 6; k += 2) {
      const Kernel kernel = with_parameters(spec.kernel, std::vector{std::exp2(a)});
      const double value = criterion_at(problem, kernel, std::exp2(k), false).value;
      if (std::isfinite(value)) best = std::min(best, value);
    }
  return best;
}

double count(double rate, Random& random) {
  double k = 0.0, product = random.uniform(0.0, 1.0);
  for (; product > std::exp(-rate); ++k) product *= random.uniform(0.0, 1.0);
  return k;
}

TEST(StartDesign, GoesOnInPowersOfTenToWhereNeighboursAreToldApart) {
  SearchSpace space;
  space.box = {Vector::Constant(2, -50.0), Vector::Constant(2, 50.0)};
  space.start = Vector::Zero(2);
  space.regulariser = 0;
  space.scales = {1};
  const std::size_t plain = start_design(space).size();
  for (const auto& [powers, more] : {std::pair{2.5, 0u}, {4.0, 2u}, {5.9, 6u}, {8.6, 12u}}) {
    space.neighbours = powers * std::log(10.0);
    const auto points = start_design(space);
    EXPECT_EQ(points.size(), plain + more) << powers;
    for (const Vector& x : points) EXPECT_LE(x[1], std::max(space.neighbours, 2.8 * std::log(10.0)) + 1e-9) << powers;
    EXPECT_EQ(default_max_evaluations(space), 60 + int(more));
  }
}

// Most pairs of rows are a thousand apart, and all there is to learn lies within the clusters. A kernel that does not
// resolve them has 30 times the criterion; among the hollows of one that does, any will do.
TEST(StartDesign, ClustersFarApartAreResolved) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Line line;
    make(
        line, 90, losses::Squared{}, seed,
        [](Index i, Random& random) { return 1000.0 * double(i % 3) + random.uniform(-3.0, 3.0); },
        [](double x, Random& random) { return std::sin(2.0 * std::remainder(x, 1000.0)) + 0.1 * random.normal(); });
    const KernelSpec spec = bind_kernel(parse_kernel("rbf"), 1);
    EXPECT_LE(select(line.problem, spec, {}, {}).criterion, 1.3 * least_on_a_grid(line.problem, spec, -26, 8)) << seed;
  }
}

// Counts tell little of each row, so that a fast wave needs both a narrow kernel and a large regulariser.
TEST(StartDesign, AFastWaveOfCountsIsFound) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    Line line;
    make(
        line, 100, losses::Poisson{}, seed, [](Index, Random& random) { return random.uniform(-1.7, 1.7); },
        [](double x, Random& random) { return count(std::exp(0.3 + 0.9 * std::sin(60.0 * x)), random); });
    const KernelSpec spec = bind_kernel(parse_kernel("rbf"), 1);
    EXPECT_LE(select(line.problem, spec, {}, {}).criterion, 1.02 * least_on_a_grid(line.problem, spec, -8, 14)) << seed;
  }
}

}  // namespace neighbours_test
}  // namespace lacuna
