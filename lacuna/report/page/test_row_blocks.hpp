// report/page/test_row_blocks.hpp -- what an evaluation knows of its test rows besides their scores, as blocks: scores
// by the levels of a column, and how often intervals hold the value. The numbers are those of report/test_rows.hpp.
#pragma once

#include "lacuna/evaluate/evaluate.hpp"
#include "lacuna/report/page/block.hpp"

namespace lacuna::page {

/// `names`: of the first contenders, as the page shows them. `main`: the score that is drawn; "": none.
std::vector<Json> level_blocks(const NestedValidation& evaluation, const std::vector<std::string>& names,
                               const std::string& main);
/// With a note how to get it where values were predicted without intervals; empty for classes.
std::vector<Json> coverage_blocks(const NestedValidation& evaluation, const std::vector<std::string>& names);

}  // namespace lacuna::page
