// Weights for the rows of a fold are those of the other folds alone: learned by hand from these rows, and blind to what
// the fold holds.
#include "lacuna/choose/detail/blend.hpp"

#include <gtest/gtest.h>

#include "tests/support/problems.hpp"

namespace lacuna::detail {
namespace blend_test {

// Outputs of four machines for values: one that is off, two that are right but for noise, one that says nothing.
struct Machines {
  Dataset data;
  TrainOptions options;
  std::vector<Tried> tried;
  Compared compared{data, options};

  explicit Machines(Index l, std::uint64_t seed) {
    Random random(seed);
    Yardstick& judged = compared.judged;
    judged.t.resize(l, 1);
    judged.weights = testing::random_weights(l, seed, 3);
    for (Index i = 0; i < l; ++i) judged.t(i, 0) = random.normal();
    compared.folds = k_folds(l, 4, {}, seed);
    for (const double noise : {0.9, 0.7, 0.75, 2.0}) {
      Tried one{.z = judged.t};
      for (Index i = 0; i < l; ++i) one.z(i, 0) += noise * random.normal(), one.rows.push_back(i);
      one.loss = row_losses(judged, one.z);
      tried.push_back(one);
    }
  }
  std::vector<const Tried*> among() const {
    std::vector<const Tried*> out;
    for (const Tried& t : tried) out.push_back(&t);
    return out;
  }
};

// The same with the rows outside a fold alone.
Machines without(const Machines& all, const std::vector<Index>& fold) {
  const std::vector<Index> rest = all_but(all.compared.judged.t.rows(), fold);
  Machines out(Index(rest.size()), 1);
  out.compared.judged.t = all.compared.judged.t(rest, Eigen::all);
  out.compared.judged.weights = all.compared.judged.weights(rest);
  for (std::size_t k = 0; k < all.tried.size(); ++k) {
    out.tried[k].z = all.tried[k].z(rest, Eigen::all);
    out.tried[k].loss = all.tried[k].loss(rest);
  }
  return out;
}

TEST(Blend, WeightsForAFoldAreThoseOfTheOtherRows) {
  const Machines all(80, 3);
  for (const Effort effort : {Effort::normal, Effort::best}) {
    const Blend found = blend(all.compared, all.among(), effort);
    ASSERT_EQ(found.without.size(), all.compared.folds.size());
    std::vector<Matrix> z;
    for (const Tried& t : all.tried) z.push_back(t.z);
    const Matrix held = held_out(found, all.compared.folds, z);
    for (std::size_t f = 0; f < all.compared.folds.size(); ++f) {
      const Machines rest = without(all, all.compared.folds[f]);
      const Vector by_hand = blend(rest.compared, rest.among(), effort).weights;
      // Sums in another order; the weights end within the tolerance of their Newton steps.
      EXPECT_LT((found.without[f] - by_hand).cwiseAbs().maxCoeff(), 1e-6);
      for (const Index i : all.compared.folds[f]) {
        double sum = 0.0;
        for (std::size_t k = 0; k < z.size(); ++k) sum += by_hand[Index(k)] * z[k](i, 0);
        EXPECT_NEAR(held(i, 0), sum, 1e-5);
      }
    }
  }
}

TEST(Blend, TargetsOfAFoldDoNotChangeItsOwnWeights) {
  const Machines before(60, 5);
  Machines after(60, 5);
  for (const Index i : after.compared.folds[1]) after.compared.judged.t(i, 0) *= -3.0;
  for (Tried& t : after.tried) t.loss = row_losses(after.compared.judged, t.z);
  for (const Effort effort : {Effort::normal, Effort::best}) {
    const Blend a = blend(before.compared, before.among(), effort), b = blend(after.compared, after.among(), effort);
    EXPECT_EQ(a.without[1], b.without[1]);
    EXPECT_NE(blend(before.compared, before.among(), Effort::best).weights,
              blend(after.compared, after.among(), Effort::best).weights);
  }
}

// Many machines of equal worth: the best of them looks better than it is, and the held-out loss does not.
TEST(Blend, TheHeldOutLossIsThatOfFreshRows) {
  double chosen = 0.0, honest = 0.0;
  const int draws = 200;
  for (int draw = 0; draw < draws; ++draw) {
    Random random(std::uint64_t(draw) + 1);
    Machines m(40, std::uint64_t(draw) + 1);
    m.compared.judged.weights.setOnes();
    std::vector<Matrix> z;
    for (int k = 0; k < 8; ++k) {
      Tried one = m.tried[0];
      for (Index i = 0; i < 40; ++i) one.z(i, 0) = m.compared.judged.t(i, 0) + random.normal();
      one.loss = row_losses(m.compared.judged, one.z);
      z.push_back(one.z);
      if (std::size_t(k) < m.tried.size())
        m.tried[std::size_t(k)] = one;
      else
        m.tried.push_back(one);
    }
    const Blend found = blend(m.compared, m.among(), Effort::normal);
    Index which = 0;
    found.weights.maxCoeff(&which);
    chosen += m.tried[std::size_t(which)].loss.mean() / draws;
    honest += row_losses(m.compared.judged, held_out(found, m.compared.folds, z)).mean() / draws;
  }
  // Every machine has the expected loss 1; the mean over 200 draws of 40 squares has the standard error 0.016.
  EXPECT_LT(chosen, 0.9);
  EXPECT_NEAR(honest, 1.0, 0.05);
}

}  // namespace blend_test
}  // namespace lacuna::detail
