// evaluate/detail/notes.hpp -- what a reader of an evaluation should know besides its scores.
#pragma once

#include <string>
#include <vector>

#include "lacuna/evaluate/evaluate.hpp"

namespace lacuna::detail {

/// A contender that fails now and then, or always, is noted; only when all fail is there nothing to report (Error).
void check_some_worked(const std::vector<NestedValidation::Results>& contenders, Warnings& notes);
/// A row may be trained on and its twin tested.
void note_twins(const Dataset& all, Warnings& notes);
/// Rows of classes that training did not have, and classes of which no row was tested.
void note_classes(NestedValidation& evaluation);

}  // namespace lacuna::detail
