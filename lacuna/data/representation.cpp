#include "lacuna/data/representation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "lacuna/base/normal_quantile.hpp"
#include "lacuna/data/standardise.hpp"

namespace lacuna {
namespace {

constexpr std::size_t fewest_codes = 3, most_codes = 8;
constexpr double heavy_tail = 6.0;  // kurtosis: 3 is normal, 6 Laplace, 9 exponential
constexpr std::size_t most_knots = 64;

// The distinct numbers of a column, ascending, and the share of the weight that each has.
struct Distribution {
  std::vector<double> at, share;
  Moments moments{};
  double kurtosis = 0.0;
};

Distribution distribution_of(const Vector& x, const Vector& weights) {
  std::map<double, double> sum;
  double total = 0.0;
  for (Index i = 0; i < x.size(); ++i) {
    const double w = weights.size() > 0 ? weights[i] : 1.0;
    if (!(w > 0.0)) continue;
    sum[x[i] + 0.0] += w;  // not -0
    total += w;
  }
  Distribution out;
  for (const auto& [value, w] : sum) {
    out.at.push_back(value);
    out.share.push_back(w / total);
  }
  out.moments = weighted_moments(out.at, out.share);
  for (std::size_t k = 0; k < out.at.size(); ++k)
    out.kurtosis += out.share[k] * std::pow((out.at[k] - out.moments.centre) / out.moments.scale, 4);
  return out;
}

// Features of one column, each to be 1 at one of its numbers and 0 at the others.
void add_codes(std::vector<SeenFeature>& to, std::int32_t column, const Distribution& of) {
  for (std::size_t k = 0; k < of.at.size(); ++k) {
    const Moments m = indicator_moments(of.share[k]);
    const double unit = of.moments.scale / m.scale, off = -m.centre * unit, on = (1.0 - m.centre) * unit;
    SeenFeature f{.column = column};
    if (k > 0) f.at.push_back(of.at[k - 1]), f.value.push_back(off);
    f.at.push_back(of.at[k]), f.value.push_back(on);
    if (k + 1 < of.at.size()) f.at.push_back(of.at[k + 1]), f.value.push_back(off);
    to.push_back(std::move(f));
  }
}

// Normal scores of ranks in the middle of ties. Of very many numbers, some whose scores are evenly apart.
void add_scores(std::vector<SeenFeature>& to, std::int32_t column, const Distribution& of) {
  std::vector<double> score;
  double before = 0.0;
  for (const double share : of.share) {
    score.push_back(normal_quantile(std::clamp(before + 0.5 * share, 1e-12, 1.0 - 1e-12)));
    before += share;
  }
  const Moments m = weighted_moments(score, of.share);
  const double apart = (score.back() - score.front()) / double(most_knots);
  SeenFeature f{.column = column};
  double last = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < score.size(); ++k) {
    if (score[k] < last + apart && k + 1 < score.size()) continue;
    last = score[k];
    f.at.push_back(of.at[k]);
    f.value.push_back(of.moments.centre + of.moments.scale * (score[k] - m.centre) / m.scale);
  }
  to.push_back(std::move(f));
}

double seen(const SeenFeature& f, double x) {
  if (f.at.empty()) return x;
  const auto above = std::ranges::upper_bound(f.at, x);
  if (above == f.at.begin()) return f.value.front();
  if (above == f.at.end()) return f.value.back();
  const auto k = std::size_t(above - f.at.begin());
  const double part = (x - f.at[k - 1]) / (f.at[k] - f.at[k - 1]);
  return f.value[k - 1] + part * (f.value[k] - f.value[k - 1]);
}

}  // namespace

Representation learn_representation(const RowsView& X, const Vector& weights, const Views& views) {
  if (X.is_sparse() || X.rows() == 0 || (!views.codes && !views.scores)) return {};
  Representation out{.inputs = X.cols()};
  bool changes = false;
  const auto rows = X.dense().eigen();
  for (Index j = 0; j < X.cols(); ++j) {
    const auto column = std::int32_t(j);
    const Distribution of = distribution_of(rows.col(j), weights);
    const std::size_t distinct = of.at.size();
    const bool code = distinct >= fewest_codes && distinct <= most_codes;
    if (views.codes && code) {
      add_codes(out.features, column, of);
      changes = true;
    } else if (views.scores && distinct > most_codes && of.kurtosis > heavy_tail && !of.moments.constant) {
      add_scores(out.features, column, of);
      changes = true;
    } else {
      out.features.push_back({.column = column});
    }
  }
  return changes ? out : Representation{};
}

Rows represent(const Representation& representation, const RowsView& X) {
  if (representation.empty()) return copy_rows(X);
  const auto rows = X.dense().eigen();
  RowMatrix out(X.rows(), Index(representation.features.size()));
  for (Index k = 0; k < out.cols(); ++k) {
    const SeenFeature& f = representation.features[std::size_t(k)];
    for (Index i = 0; i < out.rows(); ++i) out(i, k) = seen(f, rows(i, f.column));
  }
  return out;
}

std::vector<std::string> represented_names(const Representation& representation,
                                           const std::vector<std::string>& names) {
  if (representation.empty() || names.empty()) return names;
  std::vector<std::string> out;
  std::int32_t column = -1;
  int nth = 0;
  for (const SeenFeature& f : representation.features) {
    nth = f.column == column ? nth + 1 : 1;
    column = f.column;
    const bool one_of_several = f.at.size() > 0 && f.at.size() <= 3;  // of scores there are more
    out.push_back(names[std::size_t(column)] + (one_of_several ? "#" + std::to_string(nth) : ""));
  }
  return out;
}

}  // namespace lacuna
