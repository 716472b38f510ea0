#include "lacuna/explain/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/host/precise.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/explain/coefficients.hpp"
#include "lacuna/explain/effects.hpp"
#include "lacuna/explain/held_out_machines.hpp"
#include "lacuna/explain/importance.hpp"
#include "lacuna/explain/neighbours.hpp"
#include "lacuna/model/held_out_rows.hpp"

namespace lacuna {
namespace {

// The machine whose rows are those of the data: the model, or a member of a stack that sees columns as they are.
const Model* with_plain_rows(const Model& model) {
  if (model.members.empty()) return model.representation.empty() ? &model : nullptr;
  for (const Member& m : model.members)
    if (m.machine.representation.empty()) return &m.machine;
  return nullptr;
}

// Rows beyond which an explanation would take longer than some seconds. A variance of a Gaussian process costs a solve
// for every row.
Index affordable_rows(const Model& model, std::size_t columns, const ExplainOptions& options) {
  constexpr double work = 1e11;
  constexpr Index fewest = 30;
  double of_one = 1.0;
  const auto machine = [&](const Model& m) {
    const auto l = double(m.alpha.rows());
    const double of_pair = 2.0 * double(m.X.cols()) + 30.0;
    const double digits = wants_precision(m.kernel, m.X, m.alpha) ? 15.0 : 1.0;
    of_one += m.inference ? 2.0 * l * l * double(m.alpha.cols()) : l * of_pair * digits;
  };
  machine(model);
  for (const Member& m : model.members) machine(m.machine);
  const double predictions =
      double(columns) * (2.0 + (options.importance ? options.permutations : 0) + (options.curves ? options.points : 0));
  return std::max(fewest, std::min(options.rows, Index(std::min(work / of_one / predictions, 1e9))));
}

std::vector<InputColumn> chosen_columns(const Model& model, const std::vector<std::string>& wanted) {
  std::vector<InputColumn> all = input_columns(model);
  if (wanted.empty()) return all;
  std::vector<std::string> names;
  for (const InputColumn& c : all) names.push_back(c.name);
  std::vector<InputColumn> out;
  for (const std::string& name : wanted) {
    const auto at = std::ranges::find(names, name);
    if (at == names.end())
      fail_usage(fmt::format("explain: the model has no column \"{}\"{}", name, did_you_mean(name, names)));
    if (std::ranges::count(wanted, name) > 1) fail_usage(fmt::format("explain: column \"{}\" is named twice", name));
    out.push_back(all[std::size_t(at - names.begin())]);
  }
  return out;
}

void add_effects(const Model& model, const ExplainRows& rows, const std::vector<InputColumn>& columns,
                 const ExplainOptions& options, const Backend& backend, Explanation& out) {
  const std::vector<Index> sample =
      sample_rows(std::vector<bool>(std::size_t(rows.size()), true), options.rows, options.seed);
  const Vector weight = rows.weight.size() > 0 ? rows.weight : Vector(Vector::Ones(rows.size()));
  const EffectRows some{model, take_rows(rows.X, sample),
                        rows.offset.size() > 0 ? Vector(rows.offset(sample)) : Vector(), weight(sample), rows.size()};
  out.rows = Index(sample.size());
  out.of_rows = rows.size();
  Predictor predictor(model, backend);
  std::vector<std::size_t> order(columns.size());
  std::vector<Effect> effects;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!go_on(options.observer, {"explaining", Index(j), Index(columns.size())})) throw Stopped{};
    const Vector values = column_values(columns[j], rows.X);
    order[j] = j;
    const Observed observed{values, weight};
    effects.push_back(effect_of(predictor, some, columns[j], span_of(columns[j], observed, options.low, options.high)));
    if (!options.curves) continue;
    std::vector<CurvePoint> curve = curve_of(predictor, some, columns[j], observed, options.points);
    out.curves.insert(out.curves.end(), curve.begin(), curve.end());
  }
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t j) { return effects[j].size; });
  for (const std::size_t j : order) out.effects.push_back(effects[j]);
  if (!options.pairs) return;
  order.resize(std::min(order.size(), std::size_t(options.pair_columns)));
  for (std::size_t a = 0; a < order.size(); ++a)
    for (std::size_t b = a + 1; b < order.size(); ++b) {
      const auto ends = [&](std::size_t j) { return Ends{&columns[j], effects[j].from_value, effects[j].to_value}; };
      out.pairs.push_back(pair_of(predictor, some, ends(order[a]), ends(order[b])));
    }
  std::ranges::stable_sort(out.pairs, std::ranges::greater{}, &PairEffect::size);
}

}  // namespace

ExplainRows rows_of_model(const Model& model) {
  ExplainRows out;
  if (uses_geometry(model.kernel, kernels::Geometry::given)) {
    out.missing = "the kernel of the model is a matrix, which has no columns";
    return out;
  }
  const Model* machine = with_plain_rows(model);
  if (machine == nullptr || machine->X.rows() == 0) {
    out.missing = "the model keeps its rows as its kernel sees them, not as the data have them";
    return out;
  }
  out.X = machine->centre.size() > 0 ? about(RowsView(machine->X), -machine->centre) : machine->X;
  const HeldOutRows& h = model.held_out;
  const Index l = out.X.rows();
  const std::vector<Index> place = places_in_expansion(h, l), first = rows_of_expansion(h, l);
  if (place.empty() || machine->report.basis) {
    out.row.resize(std::size_t(l));  // of a basis: which they were is not known
    std::iota(out.row.begin(), out.row.end(), std::int64_t(1));
    out.no_target = no_held_out_machines(model);
    return out;
  }
  out.trained_on = true;
  for (const Index i : first) {
    out.row.push_back(h.row[std::size_t(i)]);
    if (!h.label.empty()) out.label.push_back(h.label[std::size_t(i)]);
    if (!h.group.empty()) out.group.push_back(h.group[std::size_t(i)]);
  }
  if (h.offset.size() > 0) out.offset = h.offset(first);
  if (model.classes.empty() && h.target.size() > 0) out.target = h.target(first, Eigen::all);
  if (h.weight.size() > 0 || Index(place.size()) > l) {
    const Vector weight = row_weights(h);
    out.weight = Vector::Zero(l);
    for (std::size_t i = 0; i < place.size(); ++i) out.weight[place[i]] += weight[Index(i)];
  }
  return out;
}

ExplainRows rows_that_count(const ExplainRows& rows) {
  if (rows.weight.size() == 0 || (rows.weight.array() > 0.0).all()) return rows;
  std::vector<Index> some;
  for (Index i = 0; i < rows.size(); ++i)
    if (rows.weight[i] > 0.0) some.push_back(i);
  if (some.empty())
    fail_data(fmt::format("explain: every row has weight 0{}; none counts",
                          rows.counted_by.empty() ? "" : " in column " + rows.counted_by));
  ExplainRows out = rows;
  out.X = take_rows(rows.X, some);
  out.weight = rows.weight(some);
  if (rows.offset.size() > 0) out.offset = rows.offset(some);
  if (rows.target.size() > 0) out.target = rows.target(some, Eigen::all);
  const auto take = [&](const auto& from, auto& to) {
    to.clear();
    for (const Index i : some)
      if (!from.empty()) to.push_back(from[std::size_t(i)]);
  };
  take(rows.row, out.row);
  take(rows.label, out.label);
  take(rows.group, out.group);
  return out;
}

Explanation explain(const Model& model, const ExplainRows& all_rows, const ExplainOptions& given,
                    const Backend& backend) {
  // Rows trained on are those of the held-out machines, one by one.
  const ExplainRows rows = all_rows.trained_on ? all_rows : rows_that_count(all_rows);
  Explanation out{.predicts = told_name(model), .outputs = told_outputs(model)};
  out.trained_on = rows.trained_on;
  out.weighted = rows.weight.size() > 0;
  out.counted_by = rows.counted_by;
  out.basis = model.report.basis.has_value();
  out.missing = rows.missing;
  if (uses_geometry(model.kernel, kernels::Geometry::given)) return out;
  const std::vector<InputColumn> all = input_columns(model), columns = chosen_columns(model, given.columns);
  if (given.pairs && columns.size() < 2)
    fail_usage(fmt::format("explain: pairs are of two columns, and {} one",
                           given.columns.empty() ? "the model has" : "`columns` names"));
  ExplainOptions options = given;
  options.rows = affordable_rows(model, columns.size(), given);
  const StopScope stopping(options.observer);
  if (rows.missing.empty()) add_effects(model, rows, columns, options, backend, out);
  if (options.importance) out.importance = importance_of(model, rows, columns, options, backend);
  out.coefficients = coefficients_of(model, all, backend);
  if (options.row && rows.missing.empty())
    out.neighbourhood = neighbourhood_of(model, all_rows, *options.row, options.neighbours, backend);
  return out;
}

}  // namespace lacuna
