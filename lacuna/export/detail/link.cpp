#include "lacuna/export/detail/link.hpp"

#include "lacuna/export/detail/normal.hpp"
#include "lacuna/model/probability.hpp"

namespace lacuna::onnx {
namespace {

// log of link(u). Losses without a link of their own have the logistic one.
Value log_link(const Loss& loss, const Value& u) {
  const Loss link = link_of(loss);
  if (const auto* probit = std::get_if<losses::Probit>(&link)) return log_normal(probit->s * u);
  return min(u, 0.0) - log(1.0 + exp(-abs(u)));
}

}  // namespace

Value probabilities(const Model& model, const Value& z) {
  const Calibration& c = model.calibration;
  const bool binary = model.alpha.cols() == 1;
  const Value scaled = c.scale * z;
  const Value u = min(max(binary ? scaled + c.shift : scaled, -1e100), 1e100);
  if (binary) return exp(beside({log_link(model.loss, -u), log_link(model.loss, u)}));
  const Value v = log_link(model.loss, u), most = row_maxima(v);
  return exp(v - (most + log(row_sums(exp(v - most)))));
}

}  // namespace lacuna::onnx
