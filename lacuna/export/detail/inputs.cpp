#include "lacuna/export/detail/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lacuna/base/error.hpp"
#include "lacuna/data/detail/encode_rows.hpp"
#include "lacuna/read/cell.hpp"

namespace lacuna::onnx {
namespace {

constexpr std::int64_t not_a_level = -1, missing_cell = -2;

// Sparse rows have no columns, and bare rows no features.
bool by_column(const Encoding& e) {
  const auto categorical = [](const ColumnCode& c) { return c.categorical; };
  const bool table = !e.sparse && !e.features.empty();
  return table && (e.has_names || std::ranges::any_of(e.columns, categorical));
}

std::string offset_name(const Encoding& e) {
  return by_column(e) ? e.offset_column : e.offset_is_exposure ? "exposure" : "offset";
}

Shape column_of(std::int64_t columns) { return {std::string("N"), columns}; }

Value is_missing(const Value& x) { return x.graph->node("IsNaN", {x}); }

Value filled(const Encoding& e, const Value& x, const Value& fill) {
  return fills(e.missing) ? where(is_missing(x), fill, x) : x;
}

// Features of one column; `known` grows by what they say about missing cells.
class Columns {
 public:
  Columns(Graph& graph, const Encoding& e) : graph_(graph), e_(e) {}

  // Features [first, last) are of one column.
  void add(std::size_t first, std::size_t last) {
    const ColumnCode& code = e_.columns[std::size_t(e_.features[first].column)];
    if (!code.categorical) {
      const Value x = graph_.input(code.name, Element::real, column_of(1));
      for (std::size_t f = first; f < last; ++f)
        parts_.push_back(e_.features[f].level < 0 ? filled(e_, x, graph_.scalar(code.fill)) : as_real(is_missing(x)));
      return;
    }
    const Value level = level_of(code);
    std::vector<std::int64_t> wanted;
    for (std::size_t f = first; f < last; ++f)
      wanted.push_back(marks_missing(code, e_.features[f]) ? missing_cell : e_.features[f].level);
    parts_.push_back(as_real(equal(level, graph_.whole(wanted))));
    if (fills(e_.missing)) return;
    const Value here = graph_.node("Not", {equal(level, graph_.whole({missing_cell}))});
    known_ = known_ ? both(*known_, here) : here;
  }

  Value features() const { return beside(parts_); }
  const std::optional<Value>& known() const { return known_; }

 private:
  // Levels by their text, and those that are numbers also by the shortest text of their value; as LevelOf does.
  Value level_of(const ColumnCode& code) {
    std::vector<std::string> texts;
    std::vector<std::int64_t> levels;
    std::set<std::string> known;
    const auto add = [&](const std::string& text, std::int64_t level) {
      if (!known.insert(text).second) return;
      texts.push_back(text);
      levels.push_back(level);
    };
    for (std::size_t c = 0; c < code.levels.size(); ++c) add(code.levels[c], std::int64_t(c));
    for (std::size_t c = 0; c < code.levels.size(); ++c)
      if (const auto cell = lacuna::detail::read_cell(code.levels[c]); cell.kind == lacuna::detail::CellKind::number)
        add(number_text(cell.number), std::int64_t(c));
    for (const char* missing : lacuna::detail::missing_texts) add(missing, missing_cell);
    return graph_.node("LabelEncoder", {graph_.input(code.name, Element::text, column_of(1))},
                       {{"keys_strings", texts}, {"values_int64s", levels}, {"default_int64", not_a_level}},
                       "ai.onnx.ml");
  }

  Graph& graph_;
  const Encoding& e_;
  std::vector<Value> parts_;
  std::optional<Value> known_;
};

Value from_columns(Graph& graph, const Encoding& e, std::optional<Value>& known) {
  Columns columns(graph, e);
  for (std::size_t first = 0, last = 0; first < e.features.size(); first = last) {
    while (last < e.features.size() && e.features[last].column == e.features[first].column) ++last;
    columns.add(first, last);
  }
  known = columns.known();
  return columns.features();
}

// Bare rows are features already. Of a table or of sparse rows, some columns may be of no use.
Value from_array(Graph& graph, const Model& model) {
  const Encoding& e = model.encoding;
  const auto features = std::int64_t(input_features(model));
  if (e.features.empty()) return graph.input("X", Element::real, column_of(features));
  const std::int64_t columns = e.sparse ? e.sparse_columns : std::int64_t(e.columns.size());
  const Value X = graph.input("X", Element::real, column_of(columns));
  std::vector<std::int64_t> places;
  Vector fill = Vector::Zero(features), marks = Vector::Zero(features);
  for (const FeatureCode& f : e.features) {
    if (!e.sparse) fill[Index(places.size())] = e.columns[std::size_t(f.column)].fill;
    marks[Index(places.size())] = !e.sparse && f.level >= 0 ? 1.0 : 0.0;
    places.push_back(f.column);
  }
  const bool marked = !marks.isZero(0.0);
  const Value chosen = columns == features && !marked ? X : gather(X, graph.whole(places), 1);
  if (e.sparse) return chosen;
  const Value numbers = filled(e, chosen, graph.row(fill));
  return marked ? where(at_least(graph.row(marks), graph.scalar(1.0)), as_real(is_missing(chosen)), numbers) : numbers;
}

Value standardised(const Value& raw, const Encoding& e) {
  if (e.features.empty()) return raw;
  Vector centre(Index(e.features.size())), scale(Index(e.features.size()));
  for (Index f = 0; f < scale.size(); ++f) {
    centre[f] = e.features[std::size_t(f)].centre;
    scale[f] = e.features[std::size_t(f)].scale;
  }
  Graph& graph = *raw.graph;
  const Value centred = centre.isZero(0.0) ? raw : raw - graph.row(centre);
  return scale.isOnes(0.0) ? centred : centred / graph.row(scale);
}

}  // namespace

std::set<std::string> input_names(const Model& model) {
  const Encoding& e = model.encoding;
  std::vector<std::string> all;
  if (by_column(e)) {
    std::set<std::int32_t> used;
    for (const FeatureCode& f : e.features)
      if (used.insert(f.column).second) all.push_back(e.columns[std::size_t(f.column)].name);
  } else {
    all.emplace_back("X");
  }
  if (!e.offset_column.empty()) all.push_back(offset_name(e));
  std::set<std::string> out;
  for (const std::string& name : all) {
    if (name.empty()) fail_usage("export: a column of the model has no name, and inputs of an ONNX file need one");
    if (!out.insert(name).second) fail_usage(fmt::format("export: two columns of the model have the name {}", name));
  }
  return out;
}

Inputs add_inputs(Graph& graph, const Model& model) {
  const Encoding& e = model.encoding;
  std::optional<Value> known;
  const Value raw = by_column(e) ? from_columns(graph, e, known) : from_array(graph, model);
  const Value encoded = standardised(raw, e);
  const Value computable = row_all(at_most(abs(encoded), lacuna::detail::largest_feature));
  Inputs out{.encoded = encoded, .known = known ? both(*known, computable) : computable};
  if (e.offset_column.empty()) return out;
  const Value given = graph.input(offset_name(e), Element::real, column_of(1));
  out.offset = e.offset_is_exposure ? log(given) : given;
  out.known = both(out.known, at_most(abs(*out.offset), std::numeric_limits<double>::max()));
  return out;
}

}  // namespace lacuna::onnx
