// model/predictor.hpp -- a model made ready to predict many blocks of rows on one back end. A Model is a value, and
// what predicting has to prepare belongs to the Predictor: for the variances of a Gaussian process,
//
//   (k(x, x) - k'M^-1 k)/lambda,   M = K + lambda diag(1/beta),
//
// M is factored from the precisions beta of its sites when a variance is first asked for, O(l^3) for each output, and
// the factors, l^2 doubles each, stay for the next rows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

/// Both must outlive it. One thread calls.
class Predictor {
 public:
  explicit Predictor(const Model& model, const Backend& backend = cpu_backend());

  /// Outputs of new rows and, when asked for, the variances of latent ones; see outputs() of model.hpp. Throws
  /// Error(data) when the factors do not fit in memory, Error(numerical) when M cannot be factored.
  Matrix outputs(const RowsView& X, Matrix* variance = nullptr);
  /// As predict() of model.hpp; `row` numbers the rows in messages (empty: from 1).
  Predictions predict(const RowsView& X, const Vector& offset = {}, std::span<const std::int64_t> row = {});

 private:
  void factor();
  Matrix variances(const RowsView& rows);
  Matrix noise(const RowsView& X) const;  // s(x), where it varies

  const Model& model_;
  const Backend& backend_;
  std::vector<std::unique_ptr<Factor>> factors_;
  std::vector<Predictor> members_;
};

}  // namespace lacuna
