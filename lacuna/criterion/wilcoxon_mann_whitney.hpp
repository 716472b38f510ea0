// criterion/wilcoxon_mann_whitney.hpp -- 1 - AUC with its step smoothed: the mean over pairs of a positive row i and a
// negative row j of sigma(g (z_j - z_i)). All pairs, or a seeded sample of 10^7 of them when there are more.
#pragma once

#include <cmath>

#include "lacuna/base/random.hpp"
#include "lacuna/criterion/score.hpp"

namespace lacuna {
namespace detail {

inline constexpr std::uint64_t most_pairs = 10'000'000;

class PairSum {
 public:
  PairSum(const Matrix& z, Index column, const Truth& truth, double gain, CriterionScore& out)
      : z_(z), c_(column), truth_(truth), gain_(gain), out_(out) {}

  void add(Index i, Index j, double scale) {
    const double w = scale * truth_.weights[i] * truth_.weights[j];
    const double s = 1.0 / (1.0 + std::exp(gain_ * (z_(i, c_) - z_(j, c_))));
    out_.value += w * s;
    if (out_.d_output.size() == 0) return;
    const double slope = w * gain_ * s * (1.0 - s);
    out_.d_output(i, c_) -= slope;
    out_.d_output(j, c_) += slope;
  }

 private:
  const Matrix& z_;
  Index c_;
  const Truth& truth_;
  double gain_;
  CriterionScore& out_;
};

}  // namespace detail

struct WilcoxonMannWhitney {
  static constexpr std::string_view id = "wmw";
  static constexpr Judges judges = Judges::rank;
  static constexpr bool differentiable = true;

  static CriterionScore score(const Matrix& z, const Truth& truth, bool want_derivative,
                              const CriterionOptions& options) {
    CriterionScore out;
    if (want_derivative) out.d_output = Matrix::Zero(z.rows(), z.cols());
    for (Index c = 0; c < z.cols(); ++c) {
      std::vector<Index> up, down;
      double up_weight = 0.0, down_weight = 0.0;
      for (Index i = 0; i < z.rows(); ++i) {
        if (!(truth.weights[i] > 0.0)) continue;
        (truth.targets(i, c) > 0.0 ? up : down).push_back(i);
        (truth.targets(i, c) > 0.0 ? up_weight : down_weight) += truth.weights[i];
      }
      if (up.empty() || down.empty()) continue;
      detail::PairSum sum(z, c, truth, options.gain, out);
      const double scale = 1.0 / (up_weight * down_weight * double(z.cols()));
      const std::uint64_t pairs = std::uint64_t(up.size()) * down.size();
      if (pairs <= detail::most_pairs) {
        for (const Index i : up)
          for (const Index j : down) sum.add(i, j, scale);
      } else {
        Random random(options.seed);
        const double stands_for = scale * double(pairs) / double(detail::most_pairs);
        for (std::uint64_t k = 0; k < detail::most_pairs; ++k) {
          const Index i = up[random.below(up.size())], j = down[random.below(down.size())];
          sum.add(i, j, stands_for);
        }
      }
    }
    return out;
  }
};

}  // namespace lacuna
