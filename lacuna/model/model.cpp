#include "lacuna/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lacuna/base/error.hpp"
#include "lacuna/base/weights.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/criterion/criterion.hpp"
#include "lacuna/data/centre.hpp"
#include "lacuna/kernel/diagonal.hpp"
#include "lacuna/machine/gp.hpp"
#include "lacuna/model/finite.hpp"
#include "lacuna/model/machine.hpp"

namespace lacuna {
namespace {

// Rates far from the data stop at e^-700 and e^700 (about 1e-304 and 1e304): all that follows from them is a number.
constexpr double largest_log_rate = 700.0;
Matrix rates(const Matrix& log_rate) { return log_rate.array().max(-largest_log_rate).min(largest_log_rate).exp(); }

// An end of an interval that no double can hold is the largest that one can.
Matrix within_doubles(const Matrix& m) {
  constexpr double most = std::numeric_limits<double>::max();
  return m.cwiseMax(-most).cwiseMin(most);
}

}  // namespace

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

Matrix outputs(const Model& model, const RowsView& X, Matrix* variance, const Backend& backend) {
  if (X.cols() != model.X.cols())
    fail_data(fmt::format("predict: the rows have {} features; the model has {}", X.cols(), model.X.cols()));
  if (X.is_sparse() != model.X.is_sparse())
    fail_data(fmt::format("predict: the rows are {}; the model was trained on {} rows",
                          X.is_sparse() ? "sparse" : "dense", model.X.is_sparse() ? "sparse" : "dense"));
  check_finite(X, "predict");
  const bool latent = variance != nullptr && model.posterior != nullptr;
  if (variance != nullptr) variance->resize(latent ? X.rows() : 0, latent ? model.alpha.cols() : 0);
  if (std::holds_alternative<Precomputed>(model.kernel.form))  // the rows are the kernel, and the model keeps none
    return (X.dense().eigen() * model.alpha).rowwise() + model.b.transpose();
  Matrix z(X.rows(), model.alpha.cols());
  constexpr Index block = 1024;  // so that memory does not grow with the number of rows to predict
  for (Index first = 0; first < X.rows(); first += block) {
    const Index count = std::min(block, X.rows() - first);
    const Rows centred = model.centre.size() > 0 ? about(middle_rows(X, first, count), model.centre) : Rows();
    const RowsView rows = model.centre.size() > 0 ? RowsView(centred) : middle_rows(X, first, count);
    z.middleRows(first, count) =
        backend.expand(model.kernel, rows, model.X, model.alpha).rowwise() + model.b.transpose();
    if (latent)
      variance->middleRows(first, count) =
          model.posterior->variance(backend, model.kernel, model.lambda, model.X, rows);
  }
  return z;
}

Vector interval_half_width(const Matrix& residual, const Vector& weights) {
  constexpr double level = 0.9, fewest = 10.0;
  const double total = weights.sum(), one = weight_of_one_row(weights), reach = level * (total + one);
  if (total < (fewest - weight_rounding) * one || reach > total) return {};
  Vector width(residual.cols());
  for (Index c = 0; c < width.size(); ++c) {
    std::vector<std::pair<double, double>> r;
    for (Index i = 0; i < residual.rows(); ++i)
      if (weights[i] > 0.0) r.emplace_back(std::abs(residual(i, c)), weights[i]);
    width[c] = value_at_weight(r, reach);
  }
  return width;
}

bool has_probabilities(const Model& model) {
  return !model.classes.empty() && (gives_probabilities(model.loss) || model.calibration.fitted);
}

Matrix moderated(const Model& model, const Matrix& output, const Matrix& variance) {
  if (variance.size() == 0) return output;
  Matrix z(output.rows(), output.cols());
  for (Index c = 0; c < z.cols(); ++c) z.col(c) = moderated(model.loss, {output.col(c), variance.col(c)});
  return z;
}

Predictions interpret(const Model& model, Matrix output, const Vector& offset, Matrix variance) {
  Predictions out;
  out.output = std::move(output);
  out.variance = std::move(variance);
  const auto classes = int(model.classes.size());
  if (classes > 0) {
    const Matrix z = moderated(model, out.output, out.variance);
    out.label = predicted_labels(z.array() - model.threshold, classes);
    if (has_probabilities(model)) out.probability = probabilities(model.loss, model.calibration, z, classes);
    return out;
  }
  if (gives_rates(model.loss)) {
    out.value = out.output;
    if (offset.size() > 0) out.value.colwise() += offset;
    out.value = rates(out.value);
    if (model.task == Task::counts) out.rate = rates(out.output);
    return out;
  }
  out.value = out.output;
  const Vector& width = model.intervals.half_width;
  if (width.size() == 0) return out;
  out.lower = within_doubles(out.output.rowwise() - width.transpose());
  out.upper = within_doubles(out.output.rowwise() + width.transpose());
  return out;
}

Predictions predict(const Model& model, const RowsView& X, const Vector& offset, const Backend& backend) {
  if (offset.size() > 0 && offset.size() != X.rows())
    fail_data(fmt::format("predict: {} offsets for {} rows", offset.size(), X.rows()));
  for (Index i = 0; i < offset.size(); ++i)
    if (!std::isfinite(offset[i]))
      fail_data(fmt::format("predict: row {}: offset {}; must be a finite number", i + 1, offset[i]));
  Matrix variance;
  Matrix z = outputs(model, X, &variance, backend);
  require_finite(model, z, variance, {});
  return interpret(model, std::move(z), offset, std::move(variance));
}

Predictions held_out_predictions(const Model& model) {
  const HeldOutRows& h = model.held_out;
  return interpret(model, h.output, h.offset, h.variance);
}

Vector held_out_loss(const Model& model) {
  const HeldOutRows& h = model.held_out;
  if (has_probabilities(model))
    return log_loss(model.loss, model.calibration, moderated(model, h.output, h.variance), h.label);
  Vector out = Vector::Zero(h.size());
  for (Index i = 0; i < h.size(); ++i)
    for (Index c = 0; c < h.output.cols(); ++c) {
      const bool classes = !h.label.empty();
      const bool own =
          h.output.cols() == 1 ? classes && h.label[std::size_t(i)] == 1 : classes && h.label[std::size_t(i)] == c;
      const double t = h.target.size() > 0 ? h.target(i, c) : own ? 1.0 : -1.0;
      double z = h.output(i, c) + (h.offset.size() > 0 ? h.offset[i] : 0.0);
      if (gives_rates(model.loss)) z = std::clamp(z, -largest_log_rate, largest_log_rate);
      const double loss = is_quadratic(model.loss) ? (t - z) * (t - z) : cost(model.loss, z, t).value;
      out[i] += loss / double(h.output.cols());
    }
  return out;
}

}  // namespace lacuna
