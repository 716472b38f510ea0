#include "lacuna/model/predictor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/kernel/diagonal.hpp"

namespace lacuna {
namespace {

void require_finite(const Model& model, const Matrix& output, const Matrix& variance,
                    std::span<const std::int64_t> row) {
  for (Index i = 0; i < output.rows(); ++i)
    if (!output.row(i).allFinite() || (variance.rows() > 0 && !variance.row(i).allFinite()))
      fail_data(
          fmt::format("predict: row {}: its output is not a finite number; the row is too far from the training data "
                      "for a kernel {}; look for extreme values in it",
                      row.empty() ? std::int64_t(i) + 1 : row[std::size_t(i)],
                      std::visit([](const auto& k) { return std::string(k.id); }, model.kernel.form)));
}

}  // namespace

Predictor::Predictor(const Model& model, const Backend& backend) : model_(model), backend_(backend) {
  for (const Member& member : model.members) members_.emplace_back(member.machine, backend);
}

void Predictor::factor() {
  const Matrix& beta = model_.sites;
  const double need = 8.0 * double(beta.rows()) * double(beta.rows()) * double(beta.cols() + 1);
  if (need > backend_.memory())
    fail_data(
        fmt::format("predict: a Gaussian process of {} rows and {} outputs needs {:.1f} GB of memory; {:.1f} GB "
                    "are free",
                    beta.rows(), beta.cols(), need / 1e9, backend_.memory() / 1e9));
  const auto K = backend_.gram(model_.kernel, model_.X, beta.cols() > 1 ? Use::repeatedly : Use::once);
  std::vector<std::unique_ptr<Factor>> factors;
  for (Index c = 0; c < beta.cols(); ++c) {
    factors.push_back(K->factor(beta.col(c), model_.lambda, Want::solve));
    if (!factors.back()) fail_numerical("predict: the kernel matrix of the model is not positive definite");
  }
  factors_ = std::move(factors);
}

Matrix Predictor::variances(const RowsView& rows) {
  if (factors_.empty()) factor();
  const Vector self = kernel_diagonal(model_.kernel, rows);
  Matrix out(rows.rows(), model_.sites.cols());
  for (Index c = 0; c < out.cols(); ++c)
    out.col(c) = (self - factors_[std::size_t(c)]->explained(rows)).cwiseMax(0.0) / model_.lambda;
  return out;
}

Matrix Predictor::outputs(const RowsView& X, Matrix* variance) {
  if (X.cols() != input_features(model_))
    fail_data(fmt::format("predict: the rows have {} features; the model has {}", X.cols(), input_features(model_)));
  if (X.is_sparse() != model_.X.is_sparse())
    fail_data(fmt::format("predict: the rows are {}; the model was trained on {} rows",
                          X.is_sparse() ? "sparse" : "dense", model_.X.is_sparse() ? "sparse" : "dense"));
  check_finite(X, "predict");
  const bool latent = variance != nullptr && model_.inference.has_value();
  if (variance != nullptr) variance->resize(latent ? X.rows() : 0, latent ? model_.alpha.cols() : 0);
  if (std::holds_alternative<Precomputed>(model_.kernel.form))  // the rows are the kernel, and the model keeps none
    return (X.dense().eigen() * model_.alpha).rowwise() + model_.b.transpose();
  Matrix z(X.rows(), model_.alpha.cols());
  constexpr Index block = 1024;  // so that memory does not grow with the number of rows to predict
  for (Index first = 0; first < X.rows(); first += block) {
    const Index count = std::min(block, X.rows() - first);
    const RowsView given = middle_rows(X, first, count);
    const Rows seen = model_.representation.empty() ? Rows() : represent(model_.representation, given);
    const RowsView as_seen = model_.representation.empty() ? given : RowsView(seen);
    const Rows centred = model_.centre.size() > 0 ? about(as_seen, model_.centre) : Rows();
    const RowsView rows = model_.centre.size() > 0 ? RowsView(centred) : as_seen;
    auto part = z.middleRows(first, count);
    if (members_.empty())
      part = backend_.expand(model_.kernel, rows, model_.X, model_.alpha).rowwise() + model_.b.transpose();
    else
      part = model_.b.transpose().replicate(count, 1);
    for (std::size_t m = 0; m < members_.size(); ++m) part += model_.members[m].weight * members_[m].outputs(given);
    if (latent) variance->middleRows(first, count) = variances(rows);
  }
  return z;
}

Matrix Predictor::noise(const RowsView& X) const {
  const auto& noise = model_.intervals.noise;
  if (!noise) return {};
  const Rows centred = model_.centre.size() > 0 ? about(X, model_.centre) : Rows();
  return noise_at(*noise, model_.centre.size() > 0 ? RowsView(centred) : X, backend_);
}

Predictions Predictor::predict(const RowsView& X, const Vector& offset, std::span<const std::int64_t> row) {
  if (offset.size() > 0 && offset.size() != X.rows())
    fail_data(fmt::format("predict: {} offsets for {} rows", offset.size(), X.rows()));
  for (Index i = 0; i < offset.size(); ++i)
    if (!std::isfinite(offset[i]))
      fail_data(fmt::format("predict: row {}: offset {}; must be a finite number", i + 1, offset[i]));
  Matrix variance;
  Matrix z = outputs(X, &variance);
  require_finite(model_, z, variance, row);
  return interpret(model_, std::move(z), offset, std::move(variance), noise(X));
}

Matrix outputs(const Model& model, const RowsView& X, Matrix* variance, const Backend& backend) {
  return Predictor(model, backend).outputs(X, variance);
}

Predictions predict(const Model& model, const RowsView& X, const Vector& offset, const Backend& backend) {
  return Predictor(model, backend).predict(X, offset);
}

}  // namespace lacuna
