#include "experiment/annulus.hpp"

#include <fmt/format.h>

#include "experiment/chart.hpp"
#include "experiment/generate.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna {
namespace {

constexpr Index pattern_count = 200;
constexpr double reach = 1.8;  // of the plane, to either side

constexpr const char* plane_chart = R"json({
  "title": "Kernel Fisher discriminant on the annulus",
  "width": 420, "height": 420,
  "mark": "rect",
  "encoding": {
    "x": {"field": "x1", "type": "ordinal", "axis": {"labels": false, "ticks": false}},
    "y": {"field": "x2", "type": "ordinal", "sort": "descending", "axis": {"labels": false, "ticks": false}},
    "color": {"field": "output", "type": "quantitative", "scale": {"scheme": "blueorange", "domainMid": 0}}}})json";

}  // namespace

AnnulusPicture annulus_picture(std::uint64_t seed, const Observer& observer) {
  const Dataset data =
      encode(generate("annulus", pattern_count, seed), {.targets = {"label"}, .standardise = false}).data;
  const Model model = train(data, {.model = kfd(), .run = {.threads = 1, .observer = observer}});
  if (model.report.search.stop == Stop::interrupted) return {.interrupted = true};
  AnnulusPicture out;
  out.patterns = {"annulus", "The patterns of [KFD] figure 1.", {"x1", "x2", "class"}};
  out.patterns.detail = true;
  const RowMatrix X = data.X.dense();
  for (Index i = 0; i < data.size(); ++i)
    out.patterns.rows.push_back({X(i, 0), X(i, 1), data.classes[std::size_t(data.label[std::size_t(i)])]});
  out.plane = {
      "plane",
      fmt::format("The discriminant over the plane, kernel {}, mu = {:.4g} by leave-one-out of {} patterns; its "
                  "boundary is where the output is 0.",
                  kernel_text(model.kernel), model.lambda, pattern_count),
      {"x1", "x2", "output"}};
  out.plane.detail = true;
  const Vector at = Vector::LinSpaced(annulus_side, -reach, reach);
  RowMatrix grid(annulus_side * annulus_side, 2);
  for (Index k = 0; k < grid.rows(); ++k) grid.row(k) << at[k / annulus_side], at[k % annulus_side];
  const Matrix z = outputs(model, grid);
  for (Index k = 0; k < grid.rows(); ++k) out.plane.rows.push_back({grid(k, 0), grid(k, 1), z(k, 0)});
  out.chart = chart_of("annulus", out.plane, plane_chart);
  return out;
}

}  // namespace lacuna
