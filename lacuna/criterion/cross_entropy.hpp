// criterion/cross_entropy.hpp -- the machine's own loss of held-out outputs: cross-entropy for probabilities, the
// deviance for counts and positive values. The one criterion that knows the loss and its offset.
#pragma once

#include "lacuna/base/weights.hpp"
#include "lacuna/criterion/calibration.hpp"
#include "lacuna/criterion/joint_calibration.hpp"
#include "lacuna/criterion/score.hpp"

namespace lacuna {

struct CrossEntropy {
  static constexpr std::string_view id = "xent";
  static constexpr Judges judges = Judges::loss;
  static constexpr bool differentiable = true;

  /// Several classes, recalibrated: of the probabilities themselves, to which all outputs of a row belong.
  static bool is_joint(const Truth& truth, Index columns, const CriterionOptions& options) {
    return options.recalibrate && truth.classes > 2 && columns == truth.classes;
  }

  static CriterionScore score(const Matrix& z, const Truth& truth, bool want_derivative,
                              const CriterionOptions& options) {
    // A machine with probabilities of its own may be too timid, but not too bold: held-out outputs far off in size go
    // with small regularisers, and a small scale would hide it.
    const double least = truth.loss.index() == link_of(truth.loss).index() ? 1.0 : 0.0;
    if (is_joint(truth, z.cols(), options)) {
      JointCalibration best = calibrate_jointly(link_of(truth.loss), z, truth.label, truth.weights,
                                                weight_of_one_row(truth.counted()), least);
      return {best.value, want_derivative ? std::move(best.slope) : Matrix()};
    }
    if (options.recalibrate && truth.classes == 2 && z.cols() == 1) {
      Calibrated best = calibrate_two_classes(link_of(truth.loss), z.col(0), truth.label, truth.weights,
                                              weight_of_one_row(truth.counted()), least);
      return {best.value, want_derivative ? Matrix(best.slope) : Matrix()};
    }
    const Matrix& t = truth.t.size() > 0 ? truth.t : truth.targets;
    const double total = truth.weights.sum() * double(z.cols());
    CriterionScore out;
    if (want_derivative) out.d_output = Matrix::Zero(z.rows(), z.cols());
    for (Index c = 0; c < z.cols(); ++c)
      for (Index i = 0; i < z.rows(); ++i) {
        const double w = truth.weights[i] / total;
        if (!(w > 0.0)) continue;
        const losses::Cost cost =
            losses::cost(truth.loss, truth.offset.size() > 0 ? z(i, c) + truth.offset[i] : z(i, c), t(i, c));
        out.value += w * cost.value;
        if (want_derivative) out.d_output(i, c) = w * cost.slope;
      }
    return out;
  }
};

}  // namespace lacuna
