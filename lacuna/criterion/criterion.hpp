// criterion/criterion.hpp -- criterion/ has one file per score of held-out outputs (method 8). Each is a weighted mean
// over rows, so that values compare across data sets, with its derivative in every output where it has one. Several
// output columns (one-versus-rest classes, several targets) are averaged, except for error and ber, which judge the
// predicted label.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/loss/loss.hpp"

namespace lacuna {

/// What held-out outputs are judged against. For classification `targets` are +1/-1: one column for binary problems
/// (class 1 is +1), one for each class otherwise.
struct Truth {
  Matrix targets;                 ///< l x m
  std::vector<int> label;         ///< class of each row; empty for regression
  int classes = 0;                ///< 0: regression
  Vector weights;                 ///< selection weights omega >= 0, one for each row
  Loss loss = losses::Squared{};  ///< the machine's own, for xent
  Matrix t = {};                  ///< targets as the loss wants them; empty: `targets`
  Vector offset = {};             ///< of the loss; empty: none
  /// l x m, > 0: |target| of classes that the machine does not code as +1 and -1 (kfd); empty: all 1. Residuals are
  /// then those of its own targets, margins of z_i / scale_i, and ranks of z over half the distance between the two
  /// targets.
  Matrix scale = {};
  /// The weights with copies that are held out together put on the first of them (base/weights.hpp), for rules that
  /// count rows; empty: no copies are.
  Vector gathered = {};
  const Vector& counted() const { return gathered.size() > 0 ? gathered : weights; }

  /// The same for output columns first ... first + count - 1 alone.
  Truth columns(Index first, Index count) const;
};

struct CriterionScore {
  double value = 0.0;
  Matrix d_output = {};  ///< dP/dz, l x m; empty when it was not asked for or there is none
};

/// A place in the list of criterion.cpp: these have names in code, any is found by parse_criterion.
enum class Criterion : int { press, error, smooth_error, hinge, hinge2, wmw, xent, ber, evidence };

/// Parameters of the criteria that have one.
struct CriterionOptions {
  double gain = 10.0;      ///< smooth-error and wmw: steepness of the sigmoid
  std::uint64_t seed = 0;  ///< wmw: which pairs are sampled above 10^7
  /// xent of two classes: the scale (no less than 1 where the machine has probabilities of its own) and the shift of
  /// the outputs that suit these rows best come first (calibration.hpp).
  bool recalibrate = false;
};

std::string_view name_of(Criterion criterion);
/// Throws Error(usage) with the nearest name.
Criterion parse_criterion(std::string_view text);
const std::vector<std::string>& criterion_names();
bool is_differentiable(Criterion criterion);
bool needs_classes(Criterion criterion);

/// P(z) of held-out outputs z (l x m). Not for evidence (throws Error).
CriterionScore criterion_score(Criterion criterion, const Matrix& z, const Truth& truth, bool want_derivative,
                               const CriterionOptions& options = {});

/// The predicted class of every row: z >= 0 for binary problems, else the largest output (the first of equals).
std::vector<int> predicted_labels(const Matrix& z, int classes);

}  // namespace lacuna
