#include "lacuna/steps/bytes.hpp"

#include <fmt/format.h>

#include "lacuna/model/file.hpp"
#include "lacuna/steps/detail/archive.hpp"

namespace lacuna {
namespace {

using detail::ArchiveReader;
using detail::ArchiveWriter;

}  // namespace

// Fields, type by type; found by their argument's namespace.

namespace compute {
template <class A>
void archive(A& a, FeatureSums& s) {
  a(s.ZWZ, s.right);
}
}  // namespace compute

template <class A>
void archive(A& a, Rows& rows) {
  RowMatrix dense = A::reads ? RowMatrix() : rows.dense();
  a(dense);
  if constexpr (A::reads) rows = std::move(dense);
}

template <class A>
void archive(A& a, ColumnDescription::Level& level) {
  a(level.rows, level.weight);
}

template <class A>
void archive(A& a, ColumnDescription& c) {
  a(c.name, c.position, c.text, c.numbers, c.dates, c.listed, c.missing, c.low, c.high, c.weight, c.first, c.second,
    c.levels);
}

template <class A>
void archive(A& a, CountedRows& c) {
  a(c.empty, c.rows, c.features, c.targets, c.unit, c.weight);
}

template <class A>
void archive(A& a, Description& d) {
  a(static_cast<CountedRows&>(d), d.rows_read, d.table_columns, d.has_names, d.offset_column, d.offset_position,
    d.weight_column, d.weight_position, d.pending);
}

template <class A>
void archive(A& a, TextCells& t) {
  a(t.cells, t.numbers, t.dates, t.other_decimals, t.first_stray, t.stray);
}

template <class A>
void archive(A& a, Column& c) {
  a(c.name, c.is_text, c.number, c.code, c.levels, c.missing, c.first_missing, c.whole, c.dates, c.largest, c.text,
    c.levels_complete);
}

template <class A>
void archive(A& a, Table& t) {
  a(t.source, t.columns, t.rows, t.has_header);
  if constexpr (A::reads)
    for (std::int64_t i = 0; i < t.rows; ++i) t.line.push_back(i + 1);
}

template <class A>
void archive(A& a, Sample& s) {
  a(s.size, s.rows, s.key, s.number, s.stratum, s.empty);
}

template <class A>
void archive(A& a, StepSums& s) {
  a(s.sums, s.loss, s.pulls, s.rows);
}

template <class A>
void archive(A& a, Statistics& s) {
  a(s.pass, s.rows, s.kept, s.parts);
}

template <class A>
void archive(A& a, StepPass& p) {
  a(p.p, p.right, p.loss, p.pulls, p.rows, p.step, p.sums);
}

template <class A>
void archive(A& a, StepWalk& w) {
  a(w.next, w.passes, w.again, w.stop, w.factorisations, w.stationarity, w.objective, w.at, w.sums, w.p);
}

template <class A>
void archive(A& a, DataOptions& o) {
  a(o.targets, o.task, o.positive, o.features, o.ignore, o.categorical, o.weights, o.offset, o.exposure, o.missing,
    o.standardise, o.encode_features);
}

template <class A>
void archive(A& a, ColumnCode& c) {
  a(c.name, c.categorical, c.date, c.levels, c.fill, c.position);
}

template <class A>
void archive(A& a, FeatureCode& f) {
  a(f.column, f.level, f.centre, f.scale, f.name);
}

template <class A>
void archive(A& a, Encoding& e) {
  a(e.has_names, e.missing, e.columns, e.features, e.table_columns, e.target_positions, e.offset_position,
    e.offset_column, e.offset_is_exposure, e.weight_column, e.weight_position, e.train_weight_column,
    e.select_weight_column);
}

template <class A>
void archive(A& a, TableCode& c) {
  a(c.options, c.encoding, c.task, c.classes, c.target_names, c.weight_unit, c.empty);
}

// What is asked for once the choice is made (report_stage() of model/detail/stages.hpp).
template <class A>
void archive(A& a, TrainOptions& o) {
  std::string cv = cross_validation_text(o.select.cv), backend(o.run.backend != nullptr ? o.run.backend->name() : "");
  auto& h = o.held_out;
  std::string threshold = h.threshold ? threshold_text(*h.threshold) : "", costs = h.costs ? costs_text(*h.costs) : "";
  auto& s = o.select;
  a(cv, backend, threshold, costs, o.lambda, o.train_weights, s.criterion, s.criterion_options.gain,
    s.criterion_options.seed, s.criterion_options.recalibrate, s.weights, s.search_options.seed, s.penalty, h.keep,
    h.most, h.recalibrate, h.intervals, h.level, h.interval_method, o.run.threads, o.run.memory_bytes);
  if constexpr (A::reads) {
    s.cv = parse_cross_validation(cv);
    if (!backend.empty()) o.run.backend = &backend_named(backend);
    if (!threshold.empty()) h.threshold = parse_threshold(threshold);
    if (!costs.empty()) h.costs = parse_costs(costs);
  }
}

template <class A>
void archive(A& a, Plan& p) {
  // The model says its loss and kernel, with a coefficient for every basis vector and output, which is not known yet.
  std::string model;
  bool named = p.options.model.has_value();
  if constexpr (!A::reads) {
    Model so_far = p.model;
    const Index outputs = p.walks.size() == 1 && !p.walks[0].done() ? p.walks[0].next.cols()
                          : p.walks.size() == 1                     ? p.walks[0].p.cols()
                                                                    : Index(p.walks.size());
    so_far.X = p.basis;
    so_far.alpha = Matrix::Zero(p.basis.rows(), outputs);
    so_far.b = Vector::Zero(outputs);
    so_far.encoding = p.code.encoding;
    so_far.centre = {};
    model = model_to_bytes(so_far);
  }
  a(p.code, p.options, model, named, p.lambda, p.unit, p.centre, p.basis, p.rows, p.of_class, p.on_some, p.searched,
    p.parameters_chosen, p.far, p.walks, p.passes);
  if constexpr (A::reads) {
    p.model = model_from_bytes(model, "the plan");
    p.machine = parse_machine(p.model.report.model);
    p.machine.loss = p.model.loss;
    if (named) p.options.model = p.machine;
    p.options.kernel.kernel = p.model.kernel;
    p.options.basis = BasisRequest{.rows = p.basis};
    p.model.X = {};
    p.model.alpha.resize(0, 0);
    p.model.b.resize(0);
  }
}

template <class A>
void archive(A& a, HeldOutPart& h) {
  Dataset& d = h.data;
  a(d.task, d.classes, d.label, d.targets, d.target_names, d.feature_names, d.feature_column, d.weights, d.weight_unit,
    d.offset, d.source_row, h.output, h.fitted, h.leverage);
}

namespace {

template <class T>
std::string written(const char* kind, const T& value) {
  ArchiveWriter a;
  std::string begin = fmt::format("lacuna {} {}", LACUNA_VERSION, kind);
  a(begin, const_cast<T&>(value));  // a writer changes nothing
  return a.take();
}

template <class T>
T read(const char* kind, std::string_view bytes) {
  ArchiveReader a(bytes);
  std::string begin;
  T value;
  a(begin);
  if (const std::string wanted = fmt::format("lacuna {} {}", LACUNA_VERSION, kind); begin != wanted)
    fail_data(
        fmt::format("steps: these bytes are not \"{}\"; all places need the same version of the library", wanted));
  a(value);
  return value;
}

}  // namespace

std::string to_bytes(const Description& description) { return written("description", description); }
std::string to_bytes(const Sample& sample) { return written("sample", sample); }
std::string to_bytes(const Plan& plan) { return written("plan", plan); }
std::string to_bytes(const Statistics& statistics) { return written("statistics", statistics); }
std::string to_bytes(const HeldOutPart& part) { return written("held-out rows", part); }

Description description_from(std::string_view bytes) { return read<Description>("description", bytes); }
Sample sample_from(std::string_view bytes) { return read<Sample>("sample", bytes); }
Plan plan_from(std::string_view bytes) { return read<Plan>("plan", bytes); }
Statistics statistics_from(std::string_view bytes) { return read<Statistics>("statistics", bytes); }
HeldOutPart held_out_from(std::string_view bytes) { return read<HeldOutPart>("held-out rows", bytes); }

}  // namespace lacuna
