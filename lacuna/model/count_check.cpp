#include "lacuna/model/count_check.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/base/weights.hpp"
#include "lacuna/model/detail/largest_log_rate.hpp"

namespace lacuna {
namespace {

using detail::largest_log_rate;

constexpr Index most_numbers = 51;  // 0, 1 ... 49, and 50 or more

double log_rate(const Truth& truth, const Matrix& z, Index i, Index c) {
  const double at = z(i, c) + (truth.offset.size() > 0 ? truth.offset[i] : 0.0);
  return std::clamp(at, -largest_log_rate, largest_log_rate);
}

// f(weight, t, log m) for every row that counts and target.
template <class F>
void for_each_count(const Truth& truth, const Matrix& z, const F& f) {
  for (Index i = 0; i < z.rows(); ++i)
    if (truth.weights[i] > 0.0)
      for (Index c = 0; c < z.cols(); ++c) f(truth.weights[i], truth.targets(i, c), log_rate(truth, z, i, c));
}

// Means can be e^-700, and sums of what follows are no numbers: they stop where every sum still is one.
double pearson(const Loss& loss, double t, double m) { return std::min((t - m) * (t - m) / variance(loss, m), 1e280); }

bool whole_numbers(const Matrix& t) { return (t.array() == t.array().round()).all(); }

// How many rows have 0, 1, 2 ... and how many the model expects, the last of both being all that is left.
void count_numbers(FitReport::Counts& to, const Truth& truth, const Matrix& z) {
  const auto most = Index(std::min(truth.targets.maxCoeff() + 2.0, double(most_numbers)));
  std::vector<double> normalisers;
  for (Index k = 0; k < most; ++k) normalisers.push_back(normaliser(truth.loss, double(k)));
  to.observed.resize(std::size_t(most));
  to.expected.resize(std::size_t(most));
  for_each_count(truth, z, [&](double w, double t, double log_m) {
    to.observed[std::size_t(std::min(t, double(most - 1)))] += w;
    double left = 1.0;
    for (Index k = 0; k + 1 < most; ++k) {
      const double p = std::exp(-at(truth.loss, log_m, double(k)).c - normalisers[std::size_t(k)]);
      to.expected[std::size_t(k)] += w * p;
      left -= p;
    }
    to.expected.back() += w * std::max(0.0, left);
  });
}

// The score test, from sums of w ((t - m)^2 - t) and w 2 m^2.
double score_test(double excess, double variance, double weight, double rows) {
  return excess / std::sqrt(weight * variance) * std::sqrt(rows);
}

double rows_of(const Truth& truth) { return rows_counted(truth.counted()) * double(truth.targets.cols()); }
double weight_of(const Truth& truth) { return truth.weights.sum() * double(truth.targets.cols()); }

}  // namespace

bool says_how_counts_scatter(const Loss& loss) {
  return targets_of(loss) == losses::Targets::counts && has_likelihood(loss);
}

void check_held_out_counts(FitReport::Counts& to, const Truth& truth, const std::vector<Matrix>& z) {
  const double all = weight_of(truth) * double(z.size());
  double squares = 0.0, two = 0.0, three = 0.0;
  to.observed.clear();
  to.expected.clear();
  for (const Matrix& one : z)
    for_each_count(truth, one,
                   [&](double w, double t, double log_m) { squares += w * pearson(truth.loss, t, std::exp(log_m)); });
  to.dispersion = squares / all;
  for (const Matrix& one : z)
    for_each_count(truth, one, [&](double w, double t, double log_m) {
      const double score = pearson(truth.loss, t, std::exp(log_m)) / to.dispersion;
      if (score > 4.0) two += w;
      if (score > 9.0) three += w;
    });
  to.beyond_two = two / all;
  to.beyond_three = three / all;
  if (!whole_numbers(truth.targets)) return;
  for (const Matrix& one : z) count_numbers(to, truth, one);
  to.zeros = to.observed[0] / all;
  to.zeros_expected = to.expected[0] / all;
  // Of rows, and each held out once.
  const double one_row = weight_of_one_row(truth.counted()) * double(z.size());
  for (auto* numbers : {&to.observed, &to.expected})
    for (double& n : *numbers) n /= one_row;
}

void check_fitted_counts(FitReport::Counts& to, const Truth& truth, const Matrix& fitted, const Vector& leverage) {
  const double rows = rows_of(truth), weight = weight_of(truth);
  const bool known = leverage.size() == fitted.rows() && leverage.allFinite();
  if (known) to.degrees = leverage.sum() * double(fitted.cols());
  double squares = 0.0, excess = 0.0, variance = 0.0;
  for_each_count(truth, fitted, [&](double w, double t, double log_m) {
    const double m = std::exp(log_m);
    squares += w * pearson(truth.loss, t, m);
    excess += w * ((t - m) * (t - m) - t);
    variance += w * 2.0 * m * m;
  });
  if (known && to.degrees < rows) to.fitted_dispersion = squares / weight * rows / (rows - to.degrees);
  if (std::holds_alternative<losses::Poisson>(truth.loss) && whole_numbers(truth.targets))
    to.excess = score_test(excess, variance, weight, rows);
}

void test_held_out_counts(FitReport::Counts& to, const Truth& truth, const Matrix& z, double most_degrees) {
  if (!std::holds_alternative<losses::Poisson>(truth.loss) || !whole_numbers(truth.targets)) return;
  const double rows = rows_of(truth), weight = weight_of(truth);
  double excess = 0.0, variance = 0.0, sum = 0.0;
  for_each_count(truth, z, [&](double w, double t, double log_m) {
    const double m = std::exp(log_m);
    excess += w * ((t - m) * (t - m) - t);
    variance += w * 2.0 * m * m;
    sum += w * m;
  });
  to.excess = score_test(excess - sum * most_degrees / rows, variance, weight, rows);
}

Matrix standard_scores(const Model& model) {
  const Matrix mean = held_out_predictions(model).value;
  const double dispersion = model.report.counts->dispersion;
  Matrix out = model.held_out.target - mean;
  for (Index k = 0; k < out.size(); ++k) {
    const double deviation = std::sqrt(dispersion * variance(model.loss, mean.reshaped()[k]));
    out.reshaped()[k] = deviation > 0.0 ? out.reshaped()[k] / deviation : 0.0;
  }
  return out;
}

}  // namespace lacuna
