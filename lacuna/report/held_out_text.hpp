// report/held_out_text.hpp -- scores of held-out rows for people: how rows were held out, each score with what it
// means, and what an answer that is the same for all rows would have scored.
#pragma once

#include <string>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// A heading and a line for each score; counts and the confusion of classes below.
std::string held_out_lines(const Model& model);

}  // namespace lacuna
