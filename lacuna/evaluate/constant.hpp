// evaluate/constant.hpp -- an answer that looks at no column: the class shares and the commonest (or cheapest) class,
// the mean, or one common rate of the training rows. What a model is worth is what it gains over this.
#pragma once

#include <optional>

#include "lacuna/evaluate/split_result.hpp"

namespace lacuna {

/// Judged on rows that had no part in it.
SplitResult constant_answer(const Dataset& training, const Vector& test_offset, TestTruth truth,
                            const std::optional<Costs>& costs, const AskedOfRows& asked = {});

}  // namespace lacuna
