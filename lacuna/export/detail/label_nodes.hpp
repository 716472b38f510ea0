// export/detail/label_nodes.hpp -- decisions, and the names of classes as a caller expects them: whole numbers where
// all are whole numbers, numbers where all are numbers, else texts.
#pragma once

#include <string>
#include <vector>

#include "lacuna/export/detail/value.hpp"

namespace lacuna::onnx {

/// One for each class, and one more that stands for "none": "", the least whole number, or NaN.
struct LabelList {
  Value list;
  Element element;
};
LabelList label_list(Graph& graph, const std::vector<std::string>& classes);

/// The place of each row's class, N: whether its one output is 0 or more, or the first of its largest outputs.
Value predicted_class(const Value& z, std::int64_t outputs);
/// The place of the class of the least expected cost; the likelier of equals. `price` as in Costs.
Value cheapest_class(const Value& probabilities, const Matrix& price);

}  // namespace lacuna::onnx
