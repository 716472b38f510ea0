#include "lacuna/model/predictor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/host/precise.hpp"
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

// Rows as the kernel sees them; none: as they are.
Rows seen(const Model& model, const RowsView& given) {
  if (model.representation.empty()) return model.centre.size() > 0 ? about(given, model.centre) : Rows();
  Rows out = represent(model.representation, given);
  return model.centre.size() > 0 ? about(RowsView(out), model.centre) : out;
}

}  // namespace

LinearWeights linear_weights(const Model& model) {
  return model.column_weights.size() > 0 ? LinearWeights(model.column_weights) : LinearWeights(model.X, model.alpha);
}

Predictor::Predictor(const Model& model, const Backend& backend)
    : model_(model), backend_(backend), precise_(wants_precision(model.kernel, model.X, model.alpha)) {
  if (std::holds_alternative<kernels::Linear>(model.kernel.form)) linear_.emplace(linear_weights(model));
  for (const Member& member : model.members) members_.emplace_back(member.machine, backend);
}

void Predictor::factor(bool shown) {
  // Targets of least squares share one factor.
  const Matrix beta = model_.process ? Matrix(model_.process->precision) : model_.sites;
  const bool can = !model_.process && has_precise_values(model_.kernel, model_.X);
  const auto precisely = [&](Index c) {
    return can && (shown || wants_precise_variance(model_.kernel, model_.X, beta.col(c), model_.lambda));
  };
  double kept = 1.0;  // matrices of n x n, with one to work in
  for (Index c = 0; c < beta.cols(); ++c) kept += precisely(c) ? double(slice_count) : 1.0;
  const double need = 8.0 * double(beta.rows()) * double(beta.rows()) * kept;
  if (need > backend_.memory())
    fail_data(
        fmt::format("predict: a Gaussian process of {} rows and {} outputs needs {:.1f} GB of memory; {:.1f} GB "
                    "are free",
                    beta.rows(), beta.cols(), need / 1e9, backend_.memory() / 1e9));
  std::shared_ptr<const compute::Gram> K;
  factors_.resize(std::size_t(beta.cols()));
  unexplained_.resize(std::size_t(beta.cols()));
  for (Index c = 0; c < beta.cols(); ++c) {
    auto& factor = factors_[std::size_t(c)];
    auto& precise = unexplained_[std::size_t(c)];
    if (precise || (factor && !(shown && can))) continue;
    if (precisely(c)) {
      precise.emplace(model_.kernel, model_.X, beta.col(c), model_.lambda);
      continue;
    }
    if (!K) K = backend_.gram(model_.kernel, model_.X, compute::Use::exactly);
    factor = K->factor(beta.col(c), model_.lambda, compute::Want::solve);
    if (!factor) fail_numerical("predict: the kernel matrix of the model is not positive definite");
  }
  if (model_.process && xi_.size() == 0) xi_ = factors_[0]->solve(Vector::Ones(beta.rows()));
}

Matrix Predictor::variances(const RowsView& rows, bool shown) {
  if (factors_.empty() || shown) factor(shown);
  const Vector self = kernel_diagonal(model_.kernel, rows);
  if (model_.process) {
    const Vector k_xi = backend_.expand(model_.kernel, rows, model_.X, xi_);
    const Vector of_bias = (1.0 - k_xi.array()).square() / xi_.sum();
    return ((self - factors_[0]->explained(rows)).cwiseMax(0.0) + of_bias) * model_.process->scale.transpose();
  }
  Matrix out(rows.rows(), model_.alpha.cols());
  for (Index c = 0; c < out.cols(); ++c) {
    const auto& precise = unexplained_[std::size_t(c)];
    const Vector v =
        precise ? precise->at(rows) : Vector((self - factors_[std::size_t(c)]->explained(rows)).cwiseMax(0.0));
    out.col(c) = v / model_.lambda;
  }
  return out;
}

Matrix Predictor::expansion(const RowsView& rows) const {
  if (linear_) return linear_->times(rows);
  return precise_ ? expand_precisely(model_.kernel, rows, model_.X, model_.alpha)
                  : backend_.expand(model_.kernel, rows, model_.X, model_.alpha);
}

Matrix Predictor::outputs(const RowsView& X, Matrix* variance, bool shown) {
  if (X.cols() != input_features(model_))
    fail_data(fmt::format("predict: the rows have {} features; the model has {}", X.cols(), input_features(model_)));
  if (X.is_sparse() != model_.X.is_sparse())
    fail_data(fmt::format("predict: the rows are {}; the model was trained on {} rows",
                          X.is_sparse() ? "sparse" : "dense", model_.X.is_sparse() ? "sparse" : "dense"));
  check_finite(X, "predict");
  const bool latent = variance != nullptr && (model_.inference || model_.process);
  if (variance != nullptr) variance->resize(latent ? X.rows() : 0, latent ? model_.alpha.cols() : 0);
  // The rows are the kernel, and the model keeps none.
  if (std::holds_alternative<kernels::Precomputed>(model_.kernel.form))
    return (X.dense().eigen() * model_.alpha).rowwise() + model_.b.transpose();
  Matrix z(X.rows(), model_.alpha.cols());
  constexpr Index block = 1024;  // so that memory does not grow with the number of rows to predict
  for (Index first = 0; first < X.rows(); first += block) {
    const Index count = std::min(block, X.rows() - first);
    const RowsView given = middle_rows(X, first, count);
    const Rows changed = seen(model_, given);
    const RowsView rows = changed.cols() > 0 ? RowsView(changed) : given;
    auto part = z.middleRows(first, count);
    if (members_.empty())
      part = expansion(rows).rowwise() + model_.b.transpose();
    else
      part = model_.b.transpose().replicate(count, 1);
    for (std::size_t m = 0; m < members_.size(); ++m) part += model_.members[m].weight * members_[m].outputs(given);
    if (latent) variance->middleRows(first, count) = variances(rows, shown);
  }
  return z;
}

Matrix Predictor::noise(const RowsView& X) const {
  const auto& noise = model_.intervals.noise;
  return noise ? noise_at(*noise, X, backend_) : Matrix();
}

// The ends of its level, and those that are quantiles.
void Predictor::set_jackknife(Predictions& said, const RowsView& X, const PredictOptions& options) {
  const Intervals& intervals = model_.intervals;
  if (!left_out_) left_out_ = std::make_shared<LeftOutMachines>(model_, backend_);
  constexpr Index block = 256;
  for (Index first = 0; first < X.rows(); first += block) {
    const RowsView given = middle_rows(X, first, std::min(block, X.rows() - first));
    const Rows changed = seen(model_, given);
    for (Index c = 0; c < said.value.cols(); ++c) {
      const Matrix f = left_out_->outputs(changed.cols() > 0 ? RowsView(changed) : given, c);
      for (Index k = 0; k < f.rows(); ++k) {
        const Index i = first + k;
        const auto ends = [&](double level) {
          return jackknife_ends(*intervals.jackknife, c, f.row(k), intervals.noise ? said.noise(i, c) : 1.0,
                                said.value(i, c), level);
        };
        const IntervalEnds own = ends(intervals.level);
        said.lower(i, c) = own.lower;
        said.upper(i, c) = own.upper;
        for (std::size_t q = 0; q < said.quantiles.size(); ++q)
          if (const double p = options.quantiles[q]; p != 0.5)
            said.quantiles[q](i, c) = p < 0.5 ? ends(1.0 - 2.0 * p).lower : ends(2.0 * p - 1.0).upper;
      }
    }
  }
}

Predictions Predictor::predict(const RowsView& X, const Vector& offset, std::span<const std::int64_t> row,
                               const PredictOptions& options) {
  check_wanted(model_, options);
  if (offset.size() > 0 && offset.size() != X.rows())
    fail_data(fmt::format("predict: {} offsets for {} rows", offset.size(), X.rows()));
  for (Index i = 0; i < offset.size(); ++i)
    if (!std::isfinite(offset[i]))
      fail_data(fmt::format("predict: row {}: offset {}; must be a finite number", i + 1, offset[i]));
  if (!options.prices.empty() && options.prices.value.rows() != X.rows())
    fail_data(fmt::format("predict: prices of {} rows for {}", options.prices.value.rows(), X.rows()));
  Matrix variance;
  Matrix z = outputs(X, options.variance || model_.inference ? &variance : nullptr, options.variance);
  require_finite(model_, z, variance, row);
  Predictions out = interpret(model_, std::move(z), offset, std::move(variance), noise(X), options);
  if (model_.intervals.jackknife) set_jackknife(out, X, options);
  return out;
}

Matrix outputs(const Model& model, const RowsView& X, Matrix* variance, const Backend& backend) {
  return Predictor(model, backend).outputs(X, variance);
}

Predictions predict(const Model& model, const RowsView& X, const Vector& offset, const Backend& backend,
                    const PredictOptions& options) {
  return Predictor(model, backend).predict(X, offset, {}, options);
}

}  // namespace lacuna
