#include "lacuna/criterion/criterion.hpp"

#include <fmt/format.h>

#include <array>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/criterion/scores.hpp"

namespace lacuna {
namespace {

struct Entry {
  Criterion criterion;
  std::string_view name;
  Score (*score)(const Matrix&, const Truth&, bool, const CriterionOptions&);
  bool differentiable;
  bool needs_classes;
};

constexpr std::array<Entry, 8> list{{
    {Criterion::press, "press", press, true, false},
    {Criterion::error, "error", error_rate, false, true},
    {Criterion::smooth_error, "smooth-error", smooth_error, true, true},
    {Criterion::hinge, "hinge", hinge, true, true},
    {Criterion::hinge2, "hinge2", squared_hinge, true, true},
    {Criterion::wmw, "wmw", wilcoxon_mann_whitney, true, true},
    {Criterion::xent, "xent", cross_entropy, true, false},
    {Criterion::ber, "ber", balanced_error_rate, false, true},
}};

const Entry& entry(Criterion criterion) {
  for (const Entry& e : list)
    if (e.criterion == criterion) return e;
  throw Error(Error::Kind::internal, "criterion: not in the list");
}

}  // namespace

Truth Truth::columns(Index first, Index count) const {
  Truth out{targets.middleCols(first, count), label, classes, weights, loss, {}, offset};
  if (t.size() > 0) out.t = t.middleCols(first, count);
  return out;
}

std::string_view name(Criterion criterion) { return entry(criterion).name; }
bool is_differentiable(Criterion criterion) { return entry(criterion).differentiable; }
bool needs_classes(Criterion criterion) { return entry(criterion).needs_classes; }

const std::vector<std::string>& criterion_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& e : list) all.emplace_back(e.name);
    return all;
  }();
  return names;
}

Criterion parse_criterion(std::string_view text) {
  for (const Entry& e : list)
    if (e.name == text) return e.criterion;
  fail_usage(fmt::format("criterion: unknown name '{}'{}; known: {}", text, did_you_mean(text, criterion_names()),
                         join(criterion_names())));
}

Score score(Criterion criterion, const Matrix& z, const Truth& truth, bool want_derivative,
            const CriterionOptions& options) {
  return entry(criterion).score(z, truth, want_derivative && is_differentiable(criterion), options);
}

std::vector<int> predicted_labels(const Matrix& z, int classes) {
  std::vector<int> label(std::size_t(z.rows()));
  for (Index i = 0; i < z.rows(); ++i) {
    if (classes == 2 && z.cols() == 1) {
      label[std::size_t(i)] = z(i, 0) >= 0.0 ? 1 : 0;
    } else {
      Index best = 0;
      z.row(i).maxCoeff(&best);
      label[std::size_t(i)] = int(best);
    }
  }
  return label;
}

}  // namespace lacuna
