#include "lacuna/curves/surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/stopping.hpp"

namespace lacuna {
namespace {

// So many decades to either side, and room for the other optima.
Vector spread(double centre, double decades, int points, const std::vector<double>& also) {
  double low = std::log10(centre) - decades, high = std::log10(centre) + decades;
  for (const double v : also) {
    if (!(v > 0.0) || std::abs(std::log10(v / centre)) > 2.0 * decades) continue;
    low = std::min(low, std::log10(v) - 0.3);
    high = std::max(high, std::log10(v) + 0.3);
  }
  // One of the points is the centre itself: slices of the grid go through it.
  const double middle = std::log10(centre);
  int at = 1;
  const auto step = [&](int k) { return std::max((middle - low) / k, (high - middle) / (points - 1 - k)); };
  for (int k = 2; k < points - 1; ++k)
    if (step(k) < step(at)) at = k;
  Vector out(points);
  for (int k = 0; k < points; ++k) out[k] = centre * std::pow(10.0, step(at) * (k - at));
  return out;
}

std::vector<double> of_optima(const FitReport::Search& search, std::size_t parameter) {
  std::vector<double> out;
  for (const auto& o : search.optima)
    if (parameter < o.values.size()) out.push_back(o.values[parameter]);
  return out;
}

}  // namespace

CriterionSurface criterion_surface(const Model& model, const FitAgain& again, const Observer& observer) {
  CriterionSurface out;
  out.missing = again.missing;
  if (out.missing.empty() && again.data.size() > most_rows_for_surface)
    out.missing = fmt::format("a grid of fits of more than {} rows would take long", most_rows_for_surface);
  if (!out.missing.empty()) return out;
  const std::vector<std::string> names = parameter_names(model.kernel);
  const std::vector<double> values = kernel_parameters(model.kernel);
  std::vector<std::size_t> widths;
  for (std::size_t p = 0; p < names.size(); ++p)
    if (names[p].find("theta") != std::string::npos) widths.push_back(p);
  const Index n = again.data.size();
  const int points = n <= 150 ? 17 : n <= 250 ? 13 : n <= 400 ? 9 : 7;  // contours of few points are not smooth
  out.x_name = model.report.regulariser();
  out.x = spread(model.lambda, 2.5, points, of_optima(model.report.search, 0));
  out.y = Vector::Ones(1);
  const bool one = widths.size() == 1;
  if (!widths.empty()) {
    out.y_name = one ? names[widths[0]] : "theta (times)";
    out.y = one ? spread(values[widths[0]], 1.2, points, of_optima(model.report.search, widths[0] + 1))
                : spread(1.0, 1.2, points, {});
    out.y_scale = one ? 1.0 : values[widths[0]];
  }
  out.value = Matrix::Constant(out.x.size(), out.y.size(), std::nan(""));
  TrainOptions options = again.options;
  options.held_out.keep = false;
  options.run.observer = observer;
  for (Index i = 0; i < out.x.size(); ++i)
    for (Index j = 0; j < out.y.size(); ++j) {
      if (!go_on(observer, {"criterion", i * out.y.size() + j, out.value.size()})) throw Stopped{};
      options.lambda = out.x[i];
      for (const std::size_t p : widths) options.kernel.given[p] = one ? out.y[j] : values[p] * out.y[j];
      try {
        const Model at = train(again.data, options);
        out.value(i, j) = at.report.criterion_value;
      } catch (const Error& error) {
        if (error.kind() != Error::Kind::numerical) throw;
      }
    }
  return out;
}

}  // namespace lacuna
