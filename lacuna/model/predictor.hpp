// model/predictor.hpp -- a model made ready to predict many blocks of rows on one back end. A Model is a value, and
// what predicting has to prepare belongs to the Predictor: for the variances of a Gaussian process,
//
//   (k(x, x) - k'M^-1 k)/lambda,   M = K + lambda diag(1/beta),
//
// M is factored from the precisions beta of its sites when a variance is first asked for, O(l^3) for each output, and
// the factors, l^2 doubles each, stay for the next rows. So it is for a least-squares machine whose variances are asked
// for, (k(x, x) - k'M^-1 k + (1 - k'xi)^2/1'xi) times the scale of the process, with M xi = 1: the bias is not known
// either. Outputs whose terms cancel are computed in twice the digits (compute/host/precise.hpp), and so are variances
// far below the prior's (compute/host/unexplained.hpp); those of a linear kernel come from one weight for each column
// (compute/host/linear_weights.hpp). Jackknife+ intervals have machines of their own (jackknife.hpp).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "lacuna/compute/host/linear_weights.hpp"
#include "lacuna/compute/host/unexplained.hpp"
#include "lacuna/model/jackknife.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna {

/// Of a machine with a linear kernel: its own column weights, or those that its rows add up to.
LinearWeights linear_weights(const Model& model);

/// Both must outlive it. One thread calls.
class Predictor {
 public:
  explicit Predictor(const Model& model, const Backend& backend = cpu_backend());

  /// Outputs of new rows and, when asked for, the variances of latent ones; see outputs() of model.hpp. Throws
  /// Error(data) when the factors do not fit in memory, Error(numerical) when M cannot be factored. `shown`: the
  /// variances themselves are looked at, to all their digits, and not only what is averaged with them.
  Matrix outputs(const RowsView& X, Matrix* variance = nullptr, bool shown = false);
  /// As predict() of model.hpp; `row` numbers the rows in messages (empty: from 1).
  Predictions predict(const RowsView& X, const Vector& offset = {}, std::span<const std::int64_t> row = {},
                      const PredictOptions& options = {});

 private:
  void factor(bool shown);
  Matrix expansion(const RowsView& rows) const;  // K alpha
  Matrix variances(const RowsView& rows, bool shown);
  Matrix noise(const RowsView& X) const;  // s(x), where it varies
  void set_jackknife(Predictions& said, const RowsView& X, const PredictOptions& options);

  const Model& model_;
  const Backend& backend_;
  std::optional<LinearWeights> linear_;                    // of a linear kernel
  bool precise_;                                           // the terms of outputs cancel (compute/host/precise.hpp)
  std::vector<std::unique_ptr<compute::Factor>> factors_;  // empty where no sums in doubles are asked for
  std::vector<std::optional<Unexplained>> unexplained_;    // then these
  Vector xi_;                                              // M^-1 1, of a least-squares machine
  std::shared_ptr<const LeftOutMachines> left_out_;
  std::vector<Predictor> members_;
};

}  // namespace lacuna
