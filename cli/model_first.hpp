// cli/model_first.hpp -- commands that take a model and then data say so when they are given the other way round.
#pragma once

#include <fmt/format.h>

#include <string>

#include "lacuna/base/error.hpp"
#include "lacuna/model/file.hpp"

namespace lacuna::cli {

inline void check_model_first(const std::string& verb, const std::string& model, const std::string& data) {
  if (!data.empty() && !is_model_file(model) && is_model_file(data))
    fail_usage(fmt::format("{0}: the model comes first: lacuna {0} {1} {2}", verb, data, model));
}

}  // namespace lacuna::cli
