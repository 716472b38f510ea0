// report/page/confusion_blocks.hpp -- which classes are taken for which: the table as a drawing, up to thirty classes,
// and of each class how many of its rows were found and how many called so are right.
#pragma once

#include "lacuna/base/matrix.hpp"
#include "lacuna/report/page/block.hpp"

namespace lacuna::page {

/// `confusion`: true class by decided class. `rows` says of which: "Held-out rows". Empty where there is nothing. By
/// weight, in a unit that nobody states, what people read is in per cent of all rows.
std::vector<Json> confusion_blocks(const Matrix& confusion, const std::vector<std::string>& classes,
                                   const std::string& rows, bool by_weight);

}  // namespace lacuna::page
