#include "lacuna/report/counts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lacuna/model/count_check.hpp"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

Json known(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// Of one side: that counts scatter more.
double p_value(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

}  // namespace

std::string variance_words(const Model& model) {
  const double a = std::get<losses::NegativeBinomial>(model.loss).overdispersion;
  std::string out = fmt::format("mean + {:.4g} mean^2: the overdispersion is {:.4g}", a, a);
  if (model.report.counts && std::isfinite(model.report.counts->overdispersion_error))
    out += fmt::format(", s.e. {:.2g}, the likeliest of held-out rows", model.report.counts->overdispersion_error);
  return out;
}

std::vector<std::pair<std::string, std::string>> count_lines(const FitReport& report) {
  if (!report.counts) return {};
  const FitReport::Counts& c = *report.counts;
  std::vector<std::pair<std::string, std::string>> out;
  out.emplace_back(
      "dispersion",
      fmt::format("{:<10.4g} Pearson's: their variance over the model's, 1 where the model is right", c.dispersion));
  if (std::isfinite(c.fitted_dispersion))
    out.emplace_back("", fmt::format("{:<10.4g} the same of the fitted rows; the fit has {:.4g} degrees of freedom",
                                     c.fitted_dispersion, c.degrees));
  if (std::isfinite(c.excess))
    out.emplace_back("", fmt::format("score test of Poisson against more variance: z = {:.2f}, p = {:.2g}", c.excess,
                                     p_value(c.excess)));
  if (std::isfinite(c.zeros))
    out.emplace_back("zeros", fmt::format("{:<10} of the rows; the model expects {:.4g} %",
                                          fmt::format("{:.4g} %", 100.0 * c.zeros), 100.0 * c.zeros_expected));
  return out;
}

Json counts_json(const Model& model) {
  const FitReport::Counts& c = *model.report.counts;
  Json out{{"dispersion", known(c.dispersion)},
           {"fitted_dispersion", known(c.fitted_dispersion)},
           {"degrees_of_freedom", known(c.degrees)}};
  if (std::isfinite(c.excess))
    out["score_test"] = {
        {"z", c.excess}, {"p", p_value(c.excess)}, {"level", 0.01}, {"rejected", c.excess > poisson_rejected}};
  else
    out["score_test"] = nullptr;
  out["zeros"] = {{"observed", known(c.zeros)}, {"expected", known(c.zeros_expected)}};
  out["standard_scores"] = {{"beyond_2", known(c.beyond_two)}, {"beyond_3", known(c.beyond_three)}};
  if (const auto* loss = std::get_if<losses::NegativeBinomial>(&model.loss)) {
    out["overdispersion"] = loss->overdispersion;
    out["overdispersion_error"] = known(c.overdispersion_error);
  }
  out["rootogram"] = Json::array();
  for (std::size_t k = 0; k < c.observed.size(); ++k)
    out["rootogram"].push_back({{"count", k}, {"observed", c.observed[k]}, {"expected", c.expected[k]}});
  if (!c.observed.empty()) out["rootogram"].back()["or_more"] = true;
  return out;
}

}  // namespace lacuna
