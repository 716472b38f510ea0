#include "options.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "lacuna/base/error.hpp"

namespace lacuna::python {
namespace {

using Set = std::function<void(nb::handle)>;

void apply(const nb::dict& given, const std::map<std::string, Set>& known) {
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    const auto set = known.find(name);
    if (set == known.end()) fail_usage("options: there is no `" + name + "`");
    if (value.is_none()) continue;
    try {
      set->second(value);
    } catch (const std::bad_cast&) {
      fail_usage("options: `" + name + "` cannot be " + nb::cast<std::string>(nb::repr(value)));
    }
  }
}

template <class T>
Set to(T& field) {
  return [&field](nb::handle value) { field = nb::cast<T>(value); };
}
template <class T>
Set to(std::optional<T>& field) {
  return [&field](nb::handle value) { field = nb::cast<T>(value); };
}
template <class Parse>
Set word(Parse parse) {
  return [parse](nb::handle value) { parse(nb::cast<std::string>(value)); };
}

Weighting weighting(const std::string& text) {
  if (text == "none") return Weighting::none;
  if (text == "balanced") return Weighting::balanced;
  return Weighting::column;
}

template <class Enum>
Enum choice(const char* what, const std::string& given, std::initializer_list<const char*> words) {
  int k = 0;
  for (const char* word : words) {
    if (given == word) return Enum(k);
    ++k;
  }
  fail_usage(std::string(what) + ": \"" + given + "\" is not understood");
}

}  // namespace

FitOptions fit_options(const nb::dict& given) {
  FitOptions all;
  TrainOptions& out = all.train;
  std::uint64_t seed = 0;
  apply(given, {{"model", word([&](const auto& text) { out.model = parse_machine(text); })},
                {"kernel", word([&](const auto& text) { out.kernel = parse_kernel(text); })},
                {"effort", word([&](const auto& text) { all.choose.effort = parse_effort(text); })},
                {"alpha", to(out.lambda)},
                {"basis", word([&](const auto& text) { out.basis = parse_basis(text); })},
                {"criterion", word([&](const auto& text) { out.select.criterion = parse_criterion(text); })},
                {"cv", word([&](const auto& text) { out.select.cv = parse_cross_validation(text); })},
                {"train_weights", word([&](const auto& text) { out.train_weights = weighting(text); })},
                {"select_weights", word([&](const auto& text) { out.select.weights = weighting(text); })},
                {"search", word([&](const auto& text) { out.select.search = search_method(text); })},
                {"max_evaluations", to(out.select.max_evaluations)},
                {"penalty", to(out.select.penalty)},
                {"threads", to(out.run.threads)},
                {"memory", to(out.run.memory_bytes)},
                {"keep_held_out", to(out.held_out.keep)},
                {"intervals", to(out.held_out.intervals)},
                {"interval_method", word([&](const auto& text) {
                   out.held_out.interval_method =
                       choice<IntervalMethod>("interval_method", text, {"follow", "constant", "jackknife+"});
                 })},
                {"refit_flagged", to(out.held_out.refit_flagged)},
                {"verify", to(out.held_out.verify)},
                {"recalibrate", to(out.held_out.recalibrate)},
                {"threshold", word([&](const auto& text) { out.held_out.threshold = parse_threshold(text); })},
                {"cost", word([&](const auto& text) { out.held_out.costs = parse_costs(text); })},
                {"cost_classes", to(all.cost_classes)},
                {"time_limit", to(out.select.search_options.seconds)},
                {"seed", to(seed)},
                {"backend", word([&](const auto& text) { out.run.backend = &backend_named(text); })}});
  if (out.basis && !out.basis->file.empty())
    fail_usage("basis: \"" + out.basis->file + "\" is neither a number of rows, auto, none, nor METHOD:N");
  out.select.search_options.seed = seed;
  out.select.criterion_options.seed = seed;
  return all;
}

Costs in_order(const Costs& costs, const std::vector<std::string>& given, const std::vector<std::string>& classes) {
  check_costs(costs, classes.size());
  std::vector<Index> at;
  for (const std::string& name : classes) at.push_back(std::ranges::find(given, name) - given.begin());
  Costs out{costs.price(at, at)};
  const auto place = [&](int of) { return int(std::ranges::find(at, Index(of)) - at.begin()); };
  for (const PriceColumn& c : costs.columns) out.columns.push_back({place(c.truth), place(c.decided), c.name});
  std::ranges::sort(out.columns, {}, [](const PriceColumn& c) { return std::pair(c.truth, c.decided); });
  return out;
}

bool takes_kernel_matrix(const TrainOptions& options) {
  return uses_geometry(options.kernel.kernel, kernels::Geometry::given);
}

void set_basis(TrainOptions& options, Rows rows) {
  options.basis = BasisRequest{.file = "given", .rows = std::move(rows)};
}

void set_observer(TrainOptions& options, Observer observer) { options.run.observer = std::move(observer); }

DataOptions data_options(const nb::dict& given) {
  DataOptions out;
  apply(
      given,
      {{"targets", to(out.targets)},
       {"task", word([&](const auto& text) {
          out.task = choice<DataOptions::TaskRequest>("task", text, {"auto", "classification", "regression", "counts"});
        })},
       {"missing", word([&](const auto& text) {
          out.missing = choice<Missing>("missing", text, {"error", "mean", "drop", "indicator"});
        })},
       {"positive", to(out.positive)},
       {"ignore", to(out.ignore)},
       {"categorical", to(out.categorical)},
       {"weights", to(out.weights)},
       {"train_weights", to(out.train_weights)},
       {"select_weights", to(out.select_weights)},
       {"group", to(out.group)},
       {"exposure", to(out.exposure)},
       {"prices", to(out.prices)},
       {"offset", to(out.offset)},
       {"standardise", to(out.standardise)},
       {"encode_features", to(out.encode_features)}});
  return out;
}

ExplainOptions explain_options(const nb::dict& given) {
  ExplainOptions out;
  apply(given, {{"columns", to(out.columns)},
                {"rows", to(out.rows)},
                {"importance", to(out.importance)},
                {"permutations", to(out.permutations)},
                {"pairs", to(out.pairs)},
                {"curves", to(out.curves)},
                {"row", [&](nb::handle value) { out.row = nb::cast<std::int64_t>(value) + 1; }},
                {"neighbours", to(out.neighbours)},
                {"seed", to(out.seed)}});
  return out;
}

}  // namespace lacuna::python
