#include "lacuna/criterion/criterion.hpp"

#include <fmt/format.h>

#include <array>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/criterion/balanced_error_rate.hpp"
#include "lacuna/criterion/cross_entropy.hpp"
#include "lacuna/criterion/error_rate.hpp"
#include "lacuna/criterion/hinge.hpp"
#include "lacuna/criterion/press.hpp"
#include "lacuna/criterion/smooth_error.hpp"
#include "lacuna/criterion/wilcoxon_mann_whitney.hpp"

namespace lacuna {
namespace {

// The odd one: no score of held-out outputs, but of a Gaussian process (machine/gp.hpp, machine/evidence.hpp).
struct Evidence {
  static constexpr std::string_view id = "evidence";
  static constexpr Judges judges = Judges::model;
  static constexpr bool differentiable = true;
  static CriterionScore score(const Matrix&, const Truth&, bool, const CriterionOptions&) {
    throw Error(Error::Kind::internal, "criterion: the evidence is no score of held-out outputs");
  }
};

struct Entry {
  std::string_view name;
  CriterionScore (*score)(const Matrix&, const Truth&, bool, const CriterionOptions&);
  bool differentiable;
  Judges judges;
};

template <class... C>
constexpr std::array<Entry, sizeof...(C)> entries() {
  return {{{C::id, C::score, C::differentiable, C::judges}...}};
}

// The list, first those that Criterion has names for.
constexpr auto list = entries<Press, ErrorRate, SmoothError, Hinge, HingeSquared, WilcoxonMannWhitney, CrossEntropy,
                              BalancedErrorRate, Evidence>();

static_assert(list[std::size_t(Criterion::press)].name == "press");
static_assert(list[std::size_t(Criterion::error)].name == "error");
static_assert(list[std::size_t(Criterion::smooth_error)].name == "smooth-error");
static_assert(list[std::size_t(Criterion::hinge)].name == "hinge");
static_assert(list[std::size_t(Criterion::hinge2)].name == "hinge2");
static_assert(list[std::size_t(Criterion::wmw)].name == "wmw");
static_assert(list[std::size_t(Criterion::xent)].name == "xent");
static_assert(list[std::size_t(Criterion::ber)].name == "ber");
static_assert(list[std::size_t(Criterion::evidence)].name == "evidence");

const Entry& entry(Criterion criterion) { return list[std::size_t(criterion)]; }

// The unit of each output: |target| for margins; for ranks one for all rows of a column, half the distance between the
// two targets, since a unit of each row's own would change the order of rows of different classes.
Matrix units(Judges judges, const Truth& truth) {
  if (judges == Judges::margin) return truth.scale;
  Matrix unit = truth.scale;
  for (Index c = 0; c < unit.cols(); ++c)
    unit.col(c).setConstant(0.5 * (truth.scale.col(c).maxCoeff() + truth.scale.col(c).minCoeff()));
  return unit;
}

}  // namespace

Truth Truth::columns(Index first, Index count) const {
  Truth out{targets.middleCols(first, count), label, classes, weights, loss, {}, offset};
  if (t.size() > 0) out.t = t.middleCols(first, count);
  if (scale.size() > 0) out.scale = scale.middleCols(first, count);
  out.gathered = gathered;
  return out;
}

std::string_view name_of(Criterion criterion) { return entry(criterion).name; }
bool is_differentiable(Criterion criterion) { return entry(criterion).differentiable; }
bool needs_classes(Criterion criterion) {
  const Judges judges = entry(criterion).judges;
  return judges != Judges::residual && judges != Judges::loss && judges != Judges::model;
}

const std::vector<std::string>& criterion_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& e : list) all.emplace_back(e.name);
    return all;
  }();
  return names;
}

Criterion parse_criterion(std::string_view text) {
  for (std::size_t k = 0; k < list.size(); ++k)
    if (list[k].name == text) return Criterion(int(k));
  fail_usage(fmt::format("criterion: unknown name '{}'{}; known: {}", text, did_you_mean(text, criterion_names()),
                         join(criterion_names())));
}

CriterionScore criterion_score(Criterion criterion, const Matrix& z, const Truth& truth, bool want_derivative,
                               const CriterionOptions& options) {
  const Entry& e = entry(criterion);
  const bool derivative = want_derivative && e.differentiable;
  if (truth.scale.size() == 0 || e.judges == Judges::label || e.judges == Judges::loss)
    return e.score(z, truth, derivative, options);
  if (e.judges == Judges::residual) {
    Truth own = truth;
    own.targets = truth.targets.cwiseProduct(truth.scale);
    return e.score(z, own, derivative, options);
  }
  const Matrix unit = units(e.judges, truth);
  CriterionScore out = e.score(z.cwiseQuotient(unit), truth, derivative, options);
  if (out.d_output.size() > 0) out.d_output = out.d_output.cwiseQuotient(unit);
  return out;
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
