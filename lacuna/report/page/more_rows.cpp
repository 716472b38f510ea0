// report/page/more_rows.cpp (of subject.hpp) -- would more rows help: the learning curve.
#include <fmt/format.h>

#include <cmath>

#include "lacuna/curves/learning.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

// What the last doubling of the rows brought, and what that says.
std::string verdict(const LearningCurve& curve) {
  if (!curve.gain || !std::isfinite(curve.gain->standard_error)) return "";
  const auto& [from, to, gain, se] = *curve.gain;
  std::string out = fmt::format("From {} to {} rows the loss {} by {} ± {} (one standard error, on the same rows). ",
                                curve.sizes[from].rows, curve.sizes[to].rows, gain < 0.0 ? "rose" : "fell",
                                digits(std::abs(gain)), digits(se, 2));
  if (gain > 2.0 * se) return out + "It is still falling: more rows should help.";
  if (gain < -2.0 * se) return out + "More rows of this kind have not helped a machine of these hyper-parameters.";
  return out +
         fmt::format(
             "Whether more rows would help is not known from these: anything from a rise of {} to a fall of {} is "
             "within two standard errors.",
             digits(2.0 * se - gain, 2), digits(2.0 * se + gain, 2));
}

}  // namespace

std::vector<Json> more_rows(const Subject& about) {
  const LearningCurve curve = learning_curve(about.model, about.again, value_of(about.errors, main_score(about.model)),
                                             about.seed, about.options.observer);
  if (!curve.missing.empty())
    return {
        missing("The learning curve is", curve.missing,
                "lacuna evaluate DATA --splits 20:0.5 --report FILE judges fits of half of the rows; 20:0.1 those of "
                "nine tenths.")};
  Json sizes = columns_of({"rows", "loss", "lower", "upper", "repeats"});
  Json line = columns_of({"rows", "loss"});
  Json ticks = Json::array();
  for (const auto& s : curve.sizes) {
    ticks.push_back(s.rows);
    const double se = std::isfinite(s.standard_error) ? s.standard_error : 0.0;
    sizes["rows"].push_back(s.rows);
    sizes["loss"].push_back(number(s.loss));
    sizes["lower"].push_back(number(s.loss - se));
    sizes["upper"].push_back(number(s.loss + se));
    sizes["repeats"].push_back(s.repeats > 0        ? fmt::format("{} fits", s.repeats)
                               : curve.chosen_again ? "each held out, chosen again"
                                                    : "each held out");
    if (s.repeats == 0 && curve.chosen_again) continue;  // of another procedure: no line leads to it
    line["rows"].push_back(s.rows);
    line["loss"].push_back(number(s.loss));
  }
  const std::string last = curve.chosen_again
                               ? "the last point is all rows, held out of everything, the choice too: that is another "
                                 "procedure, and no line leads to it. "
                               : "the last point is all rows, each held out. ";
  std::vector<Json> out;
  if (const std::string said = verdict(curve); !said.empty()) out.push_back(words(said));
  out.push_back(
      chart("learning", "Loss of unseen rows by the number of training rows",
            "Fits of some of the rows, judged by the others; " + last +
                "Bars are one standard error, of the rows that were judged and of which were drawn to be seen; points "
                "share rows, so bars that overlap say little of their difference. Hyper-parameters are those chosen "
                "with all rows, so that small fits look a little too good.",
            {{"sizes", std::move(sizes)}, {"line", std::move(line)}}, "sizes",
            {{"rows", "training rows", true, ",.0f"},
             {"loss", curve.score, true, ".4~g"},
             {"lower", "less s.e.", true, ".4~g"},
             {"upper", "plus s.e.", true, ".4~g"},
             {"repeats", "from", false}},
            {{"name", curve.score}, {"ticks", std::move(ticks)}}));
  return out;
}

}  // namespace lacuna::page
