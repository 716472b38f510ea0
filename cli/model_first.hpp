// cli/model_first.hpp -- commands that take a model and then data say so when they are given the other way round.
#pragma once

#include <fmt/format.h>

#include <string>

#include "lacuna/base/error.hpp"
#include "lacuna/model/file.hpp"

namespace lacuna::cli {

/// Commands that take data only.
inline void refuse_model_as_data(const std::string& verb, const std::string& data) {
  if (is_model_file(data))
    fail_usage(
        fmt::format("{0}: {1} is a model, not data; lacuna inspect {1} says what it is, lacuna predict {1} DATA "
                    "uses it",
                    verb, data));
}

inline void check_model_first(const std::string& verb, const std::string& model, const std::string& data) {
  if (!data.empty() && !is_model_file(model) && is_model_file(data))
    fail_usage(fmt::format("{0}: the model comes first: lacuna {0} {1} {2}", verb, data, model));
  if (!data.empty()) refuse_model_as_data(verb, data);
}

}  // namespace lacuna::cli
