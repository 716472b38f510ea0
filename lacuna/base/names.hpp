// base/names.hpp -- the nearest of the names that exist, for "unknown kernel 'rfb'; did you mean 'rbf'?".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

/// " (did you mean 'x'?)" for the nearest candidate within a third of the length, or "" when none is near.
std::string did_you_mean(std::string_view given, std::span<const std::string> candidates);

/// "a, b, c"
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

}  // namespace lacuna
