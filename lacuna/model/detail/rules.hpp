// model/detail/rules.hpp -- what a value of a file may be. A field cannot be described without a rule, so none can be
// read without having been checked.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna::detail {

enum class Number {
  any,             ///< also NaN and infinities: figures that are only shown
  finite,          ///<
  finite_or_none,  ///< NaN stands for "there is none"
  from_zero,       ///< finite, 0 or more
  positive,        ///< finite, above 0
};

/// What is wrong with the value, "is not finite"; "" when nothing is.
inline std::string_view breach(Number rule, double value) {
  if (rule == Number::any || (rule == Number::finite_or_none && std::isnan(value))) return "";
  if (!std::isfinite(value)) return "is not finite";
  if (rule == Number::from_zero && value < 0.0) return "is negative";
  if (rule == Number::positive && value <= 0.0) return "is not positive";
  return "";
}

enum class Texts { any, distinct };

inline std::string_view breach(Texts rule, const std::vector<std::string>& texts) {
  const std::unordered_set<std::string_view> different(texts.begin(), texts.end());
  return rule == Texts::distinct && different.size() < texts.size() ? "holds a name twice" : "";
}

/// How long an array is to be, where that is known before it is read.
using Extent = std::optional<Index>;
inline constexpr Extent any_extent{};

/// One of the words that a field can hold, and what it stands for.
template <class E>
struct Word {
  std::string_view text;
  E value;
};

}  // namespace lacuna::detail
