#include "lacuna/evaluate/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lacuna {

PooledScores::PooledScores(const std::vector<SplitResult>& splits, const std::vector<bool>& leave_out)
    : without_(splits.size()) {
  const auto counts = [&](std::size_t k) { return splits[k].failure.empty() && (leave_out.empty() || !leave_out[k]); };
  Tally all;
  for (std::size_t k = 0; k < splits.size(); ++k) {
    if (!counts(k)) continue;
    add_tally(all, splits[k].test.tally);
    ++count_;
  }
  all_ = scores_of(all);
  for (std::size_t k = 0; k < splits.size() && count_ > 1; ++k) {
    if (!counts(k)) continue;
    Tally rest = all;
    add_tally(rest, splits[k].test.tally, -1.0);
    without_[k] = scores_of(rest);
  }
}

std::vector<double> PooledScores::parts(std::string_view score) const {
  std::vector<double> out;
  const double all = value(score), n = count_;
  for (const NamedScores& rest : without_) out.push_back(n * all - (n - 1.0) * value_of(rest, score));
  return out;
}

Estimate PooledScores::estimate(std::string_view score, double tested_to_trained) const {
  return {value(score), corrected_error(mean_of(parts(score)), tested_to_trained)};
}

Tally pooled_tally(const std::vector<SplitResult>& splits) {
  Tally out;
  for (const SplitResult& r : splits) add_tally(out, r.test.tally);
  return out;
}

std::vector<std::string> score_names(const NestedValidation::Results& results) {
  // Those of the split that has most: one that tests unknown classes only has no probabilities to judge.
  std::vector<std::string> out;
  for (const SplitResult& r : results.splits) {
    if (r.test.scores.size() <= out.size()) continue;
    out.clear();
    for (const auto& [name, value] : r.test.scores) out.push_back(name);
  }
  return out;
}

bool comparable(const NestedValidation::Results& a, const NestedValidation::Results& b, std::string_view score) {
  return (score != "deviance" && score != "d2") || (!a.likelihood.empty() && a.likelihood == b.likelihood);
}

std::vector<std::pair<std::string, PairedDifference>> paired_differences(const NestedValidation::Results& a,
                                                                         const NestedValidation::Results& b,
                                                                         double tested_to_trained) {
  std::vector<bool> leave_out;
  for (std::size_t k = 0; k < a.splits.size(); ++k)
    leave_out.push_back(!a.splits[k].failure.empty() || !b.splits[k].failure.empty());
  const PooledScores of_a(a.splits, leave_out), of_b(b.splits, leave_out);
  std::vector<std::pair<std::string, PairedDifference>> out;
  for (const std::string& score : score_names(a)) {
    if (!comparable(a, b, score)) continue;
    const std::vector<double> parts_a = of_a.parts(score), parts_b = of_b.parts(score);
    std::vector<double> d;
    for (std::size_t k = 0; k < parts_a.size(); ++k) d.push_back(parts_a[k] - parts_b[k]);
    const PairedDifference p = paired_difference(of_a.value(score) - of_b.value(score), d, tested_to_trained);
    if (p.difference.count >= 2) out.emplace_back(score, p);
  }
  return out;
}

namespace {

// The mean loss that a score stands for, larger for worse: of the test rows, inside the fits, and how sure the first
// is.
struct Losses {
  double outside = 0.0, inside = 0.0;
  double variance = 0.0;  // of one row; not above 0: not known
};

Losses losses_of(const Tally& t, const std::vector<double>& inside, std::string_view score, double outside) {
  const auto mean = [&](auto&& f) {
    std::vector<double> values;
    for (const double v : inside) values.push_back(f(v));
    return mean_of(values).mean;
  };
  const auto as_it_is = [](double v) { return v; };
  const auto about = [](double squares, double weight, double at) { return squares / weight - at * at; };
  if (score == "error") return {outside, mean(as_it_is), outside * (1.0 - outside)};
  if (score == "bits") {
    constexpr double bit = std::numbers::ln2;
    return {-outside, mean([](double v) { return -v; }),
            about(t.loss_squares, t.foreseen, t.log_loss / t.foreseen) / (bit * bit)};
  }
  if (score == "deviance") return {outside, mean(as_it_is), about(t.loss_squares, t.weight, outside)};
  const double square = outside * outside;  // rmse
  return {square, mean([](double v) { return v * v; }), about(t.square_squares, t.weight, square)};
}

// `gap` in standard errors; 0 where nothing is known of how sure it is.
double in_errors(double gap, double se) { return se > 0.0 && std::isfinite(se) ? gap / se : 0.0; }

// By how many standard errors the test rows fare worse.
double beyond(const NestedValidation& e, const NestedValidation::Results& of, const PooledScores& test,
              std::string_view score, const std::vector<double>& inside) {
  const double outside = test.value(score), rows = double(e.tested);
  if (e.group.empty()) {
    const Losses l = losses_of(pooled_tally(of.splits), inside, score, outside);
    // As if one row more had been as bad, and one as good, as they can be: no variance is not certainty.
    const double least = score == "error" ? (1.0 - 1.0 / (rows + 2.0)) / (rows + 2.0) : 0.0;
    return in_errors(l.outside - l.inside, std::sqrt(std::max(l.variance, least) / rows));
  }
  std::vector<double> gap = test.parts(score);
  const double worse = score == "bits" ? -1.0 : 1.0;
  for (std::size_t k = 0; k < gap.size(); ++k) gap[k] = worse * (gap[k] - inside[k]);
  const SampleMean m = mean_of(gap);
  return in_errors(worse * (outside - mean_of(inside).mean), corrected_error(m, e.tested_to_trained));
}

}  // namespace

std::string gap_warning(const NestedValidation& e, const NestedValidation::Results& of) {
  constexpr double rare = 3.5;  // standard errors: one in some thousand evaluations without a gap
  constexpr int enough = 5;     // splits
  if (std::ranges::count_if(of.splits, [](const SplitResult& r) { return r.failure.empty(); }) < enough) return "";
  const PooledScores test(of.splits);
  for (const std::string_view score : {"error", "bits", "rmse", "deviance"}) {
    const std::vector<double> inside = held_out_values(of.splits, score);
    const double many = beyond(e, of, test, score, inside);
    if (!(many > rare)) continue;
    const double in_percent = score == "error" ? 100.0 : 1.0;
    const char* unit = score == "error" ? " %" : "";
    return fmt::format(
        "{}: {} is {:.3g}{} on the rows held out inside the fits and {:.3g}{} on the test rows, a gap beyond chance "
        "({:.2g} standard errors): {}, or the selection over-fits (fewer parameters, or `penalty`, help)",
        of.name, score, in_percent * mean_of(inside).mean, unit, in_percent * test.value(score), unit, many,
        e.group.empty() ? "rows may belong together (`group=COL` keeps them so)"
                        : "rows of different groups, too, may belong together");
  }
  return "";
}

}  // namespace lacuna
