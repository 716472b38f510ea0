// report/page/more_rows.cpp (of subject.hpp) -- would more rows help: the learning curve.
#include <fmt/format.h>

#include <cmath>

#include "lacuna/curves/learning.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

// Whether the last doubling of the rows made a difference that is not chance.
std::string verdict(const LearningCurve& curve) {
  const auto& all = curve.sizes.back();
  const LearningCurve::Size* half = nullptr;
  for (const auto& s : curve.sizes)
    if (s.repeats > 0 && double(s.rows) <= 0.55 * double(all.rows)) half = &s;
  if (half == nullptr) return "";
  const double fall = half->loss - all.loss;
  const double se = std::hypot(half->standard_error, std::isfinite(all.standard_error) ? all.standard_error : 0.0);
  std::string out = fmt::format("From {} to {} rows the loss went from {} to {}. ", half->rows, all.rows,
                                digits(half->loss), digits(all.loss));
  if (fall > 2.0 * se) return out + "It is still falling: more rows should help.";
  if (fall > se) return out + "That is more than one standard error, but less than two: more rows may help.";
  return out + "That is within chance: more rows of this kind will change little.";
}

}  // namespace

std::vector<Json> more_rows(const Subject& about) {
  const LearningCurve curve = learning_curve(about.model, about.again, value_of(about.errors, main_score(about.model)),
                                             0, about.options.observer);
  if (!curve.missing.empty())
    return {
        missing("The learning curve is", curve.missing,
                "lacuna evaluate DATA --splits 20:0.5 --report FILE judges fits of half of the rows; 20:0.1 those of "
                "nine tenths.")};
  Json sizes = columns_of({"rows", "loss", "lower", "upper", "repeats"});
  Json ticks = Json::array();
  for (const auto& s : curve.sizes) {
    ticks.push_back(s.rows);
    const double se = std::isfinite(s.standard_error) ? s.standard_error : 0.0;
    sizes["rows"].push_back(s.rows);
    sizes["loss"].push_back(number(s.loss));
    sizes["lower"].push_back(number(s.loss - se));
    sizes["upper"].push_back(number(s.loss + se));
    sizes["repeats"].push_back(s.repeats > 0 ? fmt::format("{} fits", s.repeats) : "each held out");
  }
  return {
      words(verdict(curve)),
      chart("learning", "Loss of unseen rows by the number of training rows",
            "Fits of some of the rows, judged by the others; the last point is all rows, each held out. Bars are one "
            "standard error. Hyper-parameters are those chosen with all rows, so that small fits look a little too "
            "good.",
            {{"sizes", std::move(sizes)}}, "sizes",
            {{"rows", "training rows", true, ",.0f"}, {"loss", curve.score, true, ".4~g"}, {"repeats", "from", false}},
            {{"name", curve.score}, {"ticks", std::move(ticks)}})};
}

}  // namespace lacuna::page
