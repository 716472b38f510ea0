// model/detail/describe_model.hpp -- the one description of a model file, for writing and for reading (fields.hpp,
// arrays.hpp): every field and array with its shape, its range and how it depends on others. Whoever adds a field adds
// it here, with its rule; prediction and reports rely on what is said here and do not ask again.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "lacuna/kernel/specification.hpp"
#include "lacuna/model/detail/arrays.hpp"
#include "lacuna/model/detail/describe_encoding.hpp"
#include "lacuna/model/detail/describe_report.hpp"
#include "lacuna/model/machine.hpp"

namespace lacuna::detail {

inline constexpr std::array<Word<Task>, 4> task_words{{{"binary", Task::binary},
                                                       {"multiclass", Task::multiclass},
                                                       {"regression", Task::regression},
                                                       {"counts", Task::counts}}};
inline constexpr std::array<Word<Inference>, 2> inference_words{
    {{"laplace", Inference::laplace}, {"ep", Inference::ep}}};

/// The text of a kernel that reads back to the same kernel; Error(usage) for what a user wrote in C++, which never
/// does.
std::string checked_kernel_text(const Kernel& kernel);
/// Throws Error for what is no loss.
Loss loss_named(std::string_view name);
/// What does not fit between the parts, as a sentence; "" when everything does.
std::string kernel_misfit(const Kernel& kernel, Index features);
std::string sparse_misfit(const SparseMatrix& rows);
std::string task_misfit(const Model& model);
std::string likelihood_misfit(const Model& model);
std::string member_misfit(const Model& stack, const Model& member);

template <class At>
void describe_loss(At& at, Loss& loss) {
  at.word("name", std::string(name_of(loss)), [&loss](const std::string& text) { loss = loss_named(text); });
  for_each_parameter(loss, [&](std::string_view name, double& value) {
    at.number(std::string(name).c_str(), value, Number::positive);
  });
}

/// Prices some of which columns have.
template <class At>
void describe_row_costs(At& at, Costs& costs) {
  Index classes = costs.price.rows();
  at.whole("classes", classes, 2, 1000);
  std::vector<double> price(costs.price.reshaped<Eigen::RowMajor>().begin(),
                            costs.price.reshaped<Eigen::RowMajor>().end());
  at.numbers("price", price, classes * classes, Number::from_zero);
  if constexpr (At::reading) costs.price = Eigen::Map<const RowMatrix>(price.data(), classes, classes);
  at.list("columns", costs.columns, [classes](auto& of, PriceColumn& c) {
    of.whole("truth", c.truth, 0, classes - 1);
    of.whole("decided", c.decided, 0, classes - 1);
    of.text("name", c.name);
  });
  at.require(by_row(costs), "prices of rows have no column");
  at.require(costs_misfit(costs).empty(), costs_misfit(costs));
}

template <class At>
void describe_decision(At& at, Model& model) {
  at.number("scale", model.calibration.scale, Number::positive);
  at.number("shift", model.calibration.shift, Number::finite);
  at.flag("recalibrated", model.calibration.fitted);
  at.number("threshold", model.threshold, Number::finite);
  at.word("rule", model.threshold_rule ? threshold_text(*model.threshold_rule) : "", [&model](const std::string& rule) {
    if (!rule.empty()) model.threshold_rule = parse_threshold(rule);
  });
  const bool rows_have_prices = model.costs && by_row(*model.costs);
  if (at.optional("costs", model.costs && !rows_have_prices))
    at.word("costs", model.costs ? costs_text(*model.costs) : "",
            [&model](const std::string& costs) { model.costs = parse_costs(costs); });
  if (!at.optional("row_costs", rows_have_prices)) return;
  if constexpr (At::reading) model.costs.emplace();
  at.object("row_costs", [&model](auto& of) { describe_row_costs(of, *model.costs); });
}

template <class At>
void describe_intervals(At& at, Intervals& i) {
  at.flag("selected", i.selected);
  at.whole("folds", i.folds, 0);
  std::vector<double> width(i.half_width.begin(), i.half_width.end());
  at.numbers("half_width", width, any_extent, Number::from_zero);
  if constexpr (At::reading) i.half_width = Eigen::Map<const Vector>(width.data(), Index(width.size()));
  at.require(i.folds == 0 || i.selected, "parameters are chosen again in folds and were not chosen");
  if (at.optional("deviation", i.deviation.size() > 0)) {
    std::vector<double> deviation(i.deviation.begin(), i.deviation.end());
    at.numbers("deviation", deviation, Index(width.size()), Number::from_zero);
    if constexpr (At::reading) i.deviation = Eigen::Map<const Vector>(deviation.data(), Index(deviation.size()));
  }
  if (at.optional("level", i.level != 0.9)) at.number("level", i.level, Number::positive);
  at.require(i.level < 1.0, "the level of its intervals is 1 or more");
  if (at.optional("noise", i.noise.has_value())) {
    if constexpr (At::reading) i.noise.emplace();
    at.word("noise", At::reading ? "" : checked_kernel_text(i.noise->kernel),
            [&i](const std::string& text) { i.noise->kernel = parse_kernel(text).kernel; });
  }
  if (at.optional("thirds", !i.thirds.empty())) {
    at.list("thirds", i.thirds, [](auto& of, Intervals::SizeThird& t) {
      of.number("rows", t.rows, Number::positive);
      of.number("width", t.width, Number::from_zero);
      of.numbers("inside", t.inside, 19, Number::from_zero);
    });
    at.require(i.noise && i.thirds.size() == 3 * std::size_t(i.half_width.size()),
               "rows are in thirds by the size of their noise, and it has none or these are not three for each target");
  }
  if (!at.optional("by_percent", i.by_percent.rows() > 0)) return;
  std::vector<std::vector<double>> rows;
  for (Index k = 0; k < i.by_percent.rows(); ++k)
    rows.emplace_back(i.by_percent.row(k).begin(), i.by_percent.row(k).end());
  at.list("by_percent", rows,
          [&i](auto& of, std::vector<double>& row) { of.numbers(row, i.half_width.size(), Number::from_zero); });
  at.require(rows.size() <= 99, "intervals hold more than 99 % of new values");
  if constexpr (At::reading) {
    i.by_percent.resize(Index(rows.size()), i.half_width.size());
    for (std::size_t k = 0; k < rows.size(); ++k)
      i.by_percent.row(Index(k)) = Eigen::Map<const Vector>(rows[k].data(), i.half_width.size()).transpose();
  }
}

template <class At>
void describe_representation(At& at, Representation& r) {
  at.whole("inputs", r.inputs, 1, most_of<std::int32_t>);
  at.list("features", r.features, [&r](auto& of, SeenFeature& f) {
    of.whole("column", f.column, 0, r.inputs - 1);
    of.numbers("at", f.at, any_extent, Number::finite);
    of.numbers("value", f.value, Index(f.at.size()), Number::finite);
    of.require(std::ranges::adjacent_find(f.at, std::ranges::greater_equal{}) == f.at.end(),
               "its numbers do not ascend");
  });
  at.require(!r.features.empty(), "rows are seen another way and have no features");
}

/// Everything but the arrays.
template <class At>
void describe_fields(At& at, Model& model) {
  at.choice("task", model.task, task_words);
  at.texts("classes", model.classes, Texts::distinct);
  at.texts("target_names", model.target_names, Texts::distinct);
  at.word("kernel", At::reading ? "" : checked_kernel_text(model.kernel),
          [&model](const std::string& text) { model.kernel = parse_kernel(text).kernel; });
  at.number("lambda", model.lambda, Number::positive);
  // Version 1 had the squared loss only, and no decision but the sign.
  if (at.optional("loss", true)) at.object("loss", [&model](auto& of) { describe_loss(of, model.loss); });
  if (at.optional("decision", true)) at.object("decision", [&model](auto& of) { describe_decision(of, model); });
  at.object("encoding", [&model](auto& of) { describe(of, model.encoding); });
  at.object("report", [&model](auto& of) { describe(of, model.report); });
  if (at.optional("price_columns", !model.held_out.prices.empty()))
    at.texts("price_columns", model.held_out.prices.name, Texts::distinct);
  if (at.optional("metadata", !model.metadata.empty()))
    at.list("metadata", model.metadata, [](auto& of, std::pair<std::string, std::string>& one) {
      of.text("name", one.first);
      of.text("text", one.second);
    });
  if (at.optional("inference", model.inference.has_value())) {
    if constexpr (At::reading) model.inference.emplace();
    at.choice("inference", *model.inference, inference_words);
  }
  // Files before the intervals were kept hold held-out rows to make them of (file.cpp).
  if (at.optional("intervals", model.classes.empty()))
    at.object("intervals", [&model](auto& of) { describe_intervals(of, model.intervals); });
  at.require(model.classes.empty() || model.intervals.half_width.size() == 0, "classes have intervals");
  at.require(likelihood_misfit(model).empty(), likelihood_misfit(model));
  if (at.optional("representation", !model.representation.empty()))
    at.object("representation", [&model](auto& of) { describe_representation(of, model.representation); });
  if (at.optional("members", !model.members.empty()))
    at.list("members", model.members, [&model](auto& of, Member& m) {
      of.text("name", m.name);
      of.number("weight", m.weight, Number::positive);
      of.require(!of.optional("members", !m.machine.members.empty()), "a member of a stack is a stack");
      describe_fields(of, m.machine);
      of.require(member_misfit(model, m.machine).empty(), member_misfit(model, m.machine));
    });
  at.require(model.members.empty() || (!model.inference && model.representation.empty()),
             "a stack is a Gaussian process or sees rows another way itself");
}

/// Rows of an expansion, dense or sparse, in arrays whose names begin like this.
template <class At>
void describe_rows(At& at, Rows& X, const std::string& name) {
  if (!at.optional(name + ".row_start", X.is_sparse())) {
    if constexpr (At::reading) {
      RowMatrix dense;
      at.numbers(name, dense, any_extent, any_extent, Number::finite);
      X = std::move(dense);
    } else {
      at.numbers(name, X.dense(), any_extent, any_extent, Number::finite);
    }
    return;
  }
  SparseMatrix read;
  SparseMatrix& s = At::reading ? read : const_cast<SparseMatrix&>(X.sparse());
  at.wholes(name + ".row_start", s.row_start, any_extent, 0, most_of<std::int64_t>);
  at.require(!s.row_start.empty(), "the sparse rows have no beginning");
  std::vector<std::int64_t>& columns = at.keep({s.cols});
  at.wholes(name + ".columns", columns, 1, 0, most_of<std::int32_t>);
  at.wholes(name + ".column", s.column, any_extent, 0, columns[0] - 1);
  at.numbers(name + ".value", s.value, Index(s.column.size()), Number::finite);
  if constexpr (At::reading) s.rows = Index(s.row_start.size()) - 1, s.cols = Index(columns[0]);
  at.require(s.rows == Index(s.row_start.size()) - 1, "the sparse rows do not add up");
  at.require(sparse_misfit(s).empty(), sparse_misfit(s));
  if constexpr (At::reading) X = std::move(read);
}

/// Of rows like those the model takes, with its outputs.
template <class At>
void describe_noise(At& at, Noise& noise, const Model& model) {
  describe_rows(at, noise.X, "noise.X");
  const Index d = noise.X.cols();
  at.require(d == input_features(model) && noise.X.is_sparse() == model.X.is_sparse(),
             "the rows of its noise are not like those it takes");
  if (at.optional("noise.centre", noise.centre.size() > 0)) at.numbers("noise.centre", noise.centre, d, Number::finite);
  at.require(kernel_misfit(noise.kernel, d).empty(), kernel_misfit(noise.kernel, d));
  at.require(!uses_geometry(noise.kernel, kernels::Geometry::given), "its noise has a precomputed kernel");
  at.numbers("noise.alpha", noise.alpha, noise.X.rows(), model.alpha.cols(), Number::finite);
  at.numbers("noise.b", noise.b, model.alpha.cols(), Number::finite);
  if (!at.optional("noise.least", noise.least.size() > 0)) return;
  at.numbers("noise.least", noise.least, model.alpha.cols(), Number::finite);
  at.numbers("noise.largest", noise.largest, model.alpha.cols(), Number::finite);
  at.require((noise.least.array() <= noise.largest.array()).all(), "the range of its noise is empty");
}

/// What variances and jackknife+ intervals need of a least-squares machine of all rows.
template <class At>
void describe_process(At& at, Model& model) {
  const Index n = model.X.rows(), m = model.alpha.cols();
  if (at.optional("process.precision", model.process.has_value())) {
    if constexpr (At::reading) model.process.emplace();
    at.require(model.classes.empty() && is_quadratic(model.loss) && model.members.empty() && n > 0,
               "it is no least-squares machine of rows and has the variances of one");
    at.numbers("process.precision", model.process->precision, n, Number::from_zero);
    at.require(model.process->precision.maxCoeff() > 0.0, "no row of its Gaussian process counts");
    at.numbers("process.scale", model.process->scale, m, Number::from_zero);
    at.numbers("process.noise", model.process->noise, m, Number::from_zero);
  }
  auto& jackknife = model.intervals.jackknife;
  if (!at.optional("jackknife.residual", jackknife.has_value())) return;
  if constexpr (At::reading) jackknife.emplace();
  at.require(model.process && model.intervals.half_width.size() > 0,
             "it has residuals for jackknife+ and no machine or no level for them");
  at.numbers("jackknife.residual", jackknife->residual, n, m, Number::from_zero);
  at.numbers("jackknife.weights", jackknife->weights, n, Number::from_zero);
  at.require(jackknife->weights.maxCoeff() > 0.0, "no residual for jackknife+ counts");
}

template <class At>
void describe_held_out(At& at, HeldOutRows& h, const Model& model) {
  const bool there = at.optional("held_out.row", h.size() > 0), classes = !model.classes.empty();
  at.require(there || h.prices.empty(), "prices of held-out rows are announced and there are no rows");
  if (!there) return;
  const Index m = model.alpha.cols();
  at.wholes("held_out.row", h.row, any_extent, 1, most_of<std::int64_t>);
  const Index n = h.size();
  at.require(n > 0, "held-out rows are announced and there are none");
  const auto optional_matrix = [&](const char* name, Matrix& a, Number rule) {
    if (at.optional(name, a.size() > 0)) at.numbers(name, a, n, m, rule);
  };
  at.numbers("held_out.output", h.output, n, m, Number::finite);
  optional_matrix("held_out.fitted", h.fitted, Number::finite);
  if (model.inference) at.numbers("held_out.variance", h.variance, n, m, Number::from_zero);
  if (at.optional("held_out.offset", h.offset.size() > 0)) at.numbers("held_out.offset", h.offset, n, Number::finite);
  const losses::Targets domain = targets_of(model.loss);
  const Number target = domain == losses::Targets::positive ? Number::positive
                        : domain == losses::Targets::counts ? Number::from_zero
                                                            : Number::finite;
  // Classes that are coded +1 and -1 have no targets: the array is empty then.
  at.numbers("held_out.target", h.target, any_extent, any_extent, target);
  const bool none = h.target.size() == 0;
  at.require(none ? classes : h.target.rows() == n && h.target.cols() == m, "held-out targets do not fit the outputs");
  at.wholes("held_out.label", h.label, classes ? n : 0, 0, std::int64_t(model.classes.size()) - 1);
  at.numbers("held_out.leverage", h.leverage, any_extent, Number::finite_or_none);
  at.numbers("held_out.trust", h.trust, any_extent, Number::finite_or_none);
  for (const Vector* v : {&h.leverage, &h.trust})
    at.require(v->size() == 0 || v->size() == n, "leverages or trusts are not one for each held-out row");
  const auto optional_weights = [&](const char* name, Vector& w) {
    if (!at.optional(name, w.size() > 0)) return;
    at.numbers(name, w, n, Number::from_zero);
    at.require(w.head(h.rows()).maxCoeff() > 0.0, "none of its held-out rows counts");
  };
  const auto priced = Index(h.prices.name.size());
  if (priced > 0) at.numbers("held_out.price", h.prices.value, n, priced, Number::from_zero);
  optional_weights("held_out.weight", h.weight);
  optional_weights("held_out.judged", h.judged);
  if (at.optional("held_out.group", !h.group.empty())) at.wholes("held_out.group", h.group, n, 0, n - 1);
  if (!at.optional("held_out.copy_of", !h.copy_of.empty())) return;
  at.wholes("held_out.copy_of", h.copy_of, n, 0, h.rows() - 1);
  for (Index i = 0; i < h.rows(); ++i) {
    const std::int64_t first = h.copy_of[std::size_t(i)];
    at.require(first <= i && h.copy_of[std::size_t(first)] == first, "a held-out row is the copy of none");
  }
}

/// The arrays, once the fields are known.
template <class At>
void describe_arrays(At& at, Model& model) {
  describe_rows(at, model.X, "X");
  const Index d = model.X.cols();
  const Index seen = model.representation.empty() ? d : Index(model.representation.features.size());
  at.require(seen == d && (model.representation.empty() || !model.X.is_sparse()),
             "the number of features seen another way is not that of the rows");
  at.require(model.encoding.features.empty() || Index(model.encoding.features.size()) == input_features(model),
             "the number of features encoded is not that of the rows");
  at.require(model.encoding.features.empty() || model.encoding.sparse == model.X.is_sparse(),
             "rows are sparse and their encoding is not, or the other way round");
  at.require(kernel_misfit(model.kernel, d).empty(), kernel_misfit(model.kernel, d));
  // A model of a kernel matrix keeps no rows, only how many there were: its coefficients count columns.
  const bool matrix = std::holds_alternative<kernels::Precomputed>(model.kernel.form);
  const Index l = matrix ? d : model.X.rows();
  at.require(!uses_geometry(model.kernel, kernels::Geometry::given) || (d == l && !model.X.is_sparse()),
             "its kernel matrix is not square");
  if (at.optional("centre", model.centre.size() > 0)) {
    at.require(!matrix, "a kernel matrix has a centre");
    at.numbers("centre", model.centre, d, Number::finite);
  }
  at.numbers("alpha", model.alpha, l, any_extent, Number::finite);
  const Index m = model.alpha.cols();
  at.require(m >= 1, "it has no outputs");
  at.numbers("b", model.b, m, Number::finite);
  if (at.optional("column_weights", model.column_weights.size() > 0)) {
    at.require(std::holds_alternative<kernels::Linear>(model.kernel.form), "its kernel has no weights for columns");
    at.numbers("column_weights", model.column_weights, d, m, Number::finite);
  }
  const Index widths = model.intervals.half_width.size();
  at.require(widths == 0 || widths == m, "its intervals are not one for each output");
  if (model.intervals.noise) describe_noise(at, *model.intervals.noise, model);
  describe_process(at, model);
  at.require(task_misfit(model).empty(), task_misfit(model));
  // Machines on all rows have had precisions since explanations need them.
  if (model.inference || at.optional("beta", model.sites.size() > 0))
    at.numbers("beta", model.sites, l, m, model.inference ? Number::positive : Number::from_zero);
  describe_held_out(at, model.held_out, model);
  at.require(model.members.empty() || l == 0, "a stack has rows of its own");
  for (std::size_t k = 0; k < model.members.size(); ++k) {
    Model& member = model.members[k].machine;
    at.within(fmt::format("member.{}.", k), [&] { describe_arrays(at, member); });
    at.require(member.alpha.cols() == m && input_features(member) == d && member.X.is_sparse() == model.X.is_sparse(),
               "a member of a stack takes other rows or has other outputs");
  }
}

}  // namespace lacuna::detail
