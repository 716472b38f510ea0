#include "lacuna/export/detail/label_nodes.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "lacuna/data/dataset.hpp"

namespace lacuna::onnx {
namespace {

// The numbers that these texts are, if each is written as that number would be: labels must read as they did.
template <class Number, class Text>
std::optional<std::vector<Number>> all_numbers(const std::vector<std::string>& texts, Text&& text) {
  std::vector<Number> out;
  for (const std::string& t : texts) {
    Number value{};
    const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), value);
    if (error != std::errc() || end != t.data() + t.size() || text(value) != t) return std::nullopt;
    out.push_back(value);
  }
  return out;
}

// The first of equals.
Value place_of_largest(const Value& rows) {
  return rows.graph->node("ArgMax", {rows}, {{"axis", std::int64_t(1)}, {"keepdims", std::int64_t(0)}});
}

}  // namespace

LabelList label_list(Graph& graph, const std::vector<std::string>& classes) {
  if (auto whole = all_numbers<std::int64_t>(classes, [](std::int64_t v) { return std::to_string(v); })) {
    whole->push_back(std::numeric_limits<std::int64_t>::min());
    return {graph.whole(*whole), Element::int64};
  }
  if (auto numbers = all_numbers<double>(classes, number_text)) {
    numbers->push_back(std::nan(""));
    return {graph.list(*numbers), Element::real};
  }
  std::vector<std::string> texts = classes;
  texts.emplace_back("");
  return {graph.texts(texts), Element::text};
}

Value predicted_class(const Value& z, std::int64_t outputs) {
  if (outputs > 1) return place_of_largest(z);
  return reshape(z.graph->node("Cast", {at_least(z, 0.0)}, {{"to", std::int64_t(Element::int64)}}), {-1});
}

Value cheapest_class(const Value& probabilities, const Matrix& price) {
  Graph& graph = *probabilities.graph;
  const Value saved = -product(probabilities, graph.matrix(price));
  return place_of_largest(where(at_least(saved, row_maxima(saved)), probabilities, graph.scalar(-1.0)));
}

}  // namespace lacuna::onnx
