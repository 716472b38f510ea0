// loss/traits.hpp -- what a loss says of itself beside its formula; checks, names, model files and help follow from it.
#pragma once

#include <string_view>

namespace lacuna::losses {

/// A loss and its derivatives in z at one point.
struct LossAt {
  double c, c1, c2, c3;
};

/// What it may be given: labels, any numbers, either of them, numbers from 0 on, or numbers above 0.
enum class Targets { classes, values, either, counts, positive };

/// What an output z stands for, by the inverse link mean(z). Targets of classes are 0 and 1 for probabilities, -1 and 1
/// otherwise; the logarithm of a mean may have an offset.
enum class Outputs { value, probability, log_mean };

struct LossTraits {
  std::string_view model;  ///< the name of its machine
  Targets targets = Targets::values;
  Outputs outputs = Outputs::value;
  std::string_view words = "";          ///< what help says beside the name
  std::string_view criterion = "xent";  ///< by which it is judged: the loss itself, or another criterion
  bool quadratic = false;               ///< a fit solves a linear system, and held-out outputs are exact
};

/// A word for a value of a loss's parameter, "kpr:paper".
struct ParameterWord {
  std::string_view word;
  double value;
};

}  // namespace lacuna::losses
