// select/search_method.hpp -- what a user says of a search: its name, --search auto|lbfgs|scg|nelder-mead|grid|none
// (method 11), and how long and how closely it looks.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lacuna {

enum class SearchMethod { automatic, lbfgs, scg, nelder_mead, grid, none };

/// "auto", "lbfgs", "scg", "nelder-mead", "grid", "none" (everything is given; never passed to search()).
std::string_view name_of(SearchMethod method);
/// The other way; throws Error with the nearest name when there is none.
SearchMethod search_method(std::string_view word);

struct SearchOptions {
  int max_evaluations = 60;       ///< of the criterion over all starts; a value with its gradient counts once
  double log_tolerance = 1e-4;    ///< stop a descent when no log-parameter moves more than this
  double value_tolerance = 1e-5;  ///< ... or when the criterion falls by less than this, relative
  std::optional<double> seconds = std::nullopt;  ///< time limit for the whole search; holds inside a point too
  std::uint64_t seed = 0;                        ///< for what is random; same seed, same answer
};

}  // namespace lacuna
