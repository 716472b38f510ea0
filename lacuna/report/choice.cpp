#include "lacuna/report/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/shown.hpp"

namespace lacuna {
namespace {

std::string number(double value, const char* none = "") {
  return std::isfinite(value) ? fmt::format("{:.4g}", value) : none;
}

}  // namespace

std::string choice_text(const FitReport& report) {
  if (!report.choice) return "";
  const FitReport::Choice& choice = *report.choice;
  std::size_t width = 9;
  for (const auto& c : choice.candidates) width = std::max(width, shown(c.name).size());
  std::string out = fmt::format("chosen by the loss of rows left out of everything ({} folds):\n", choice.folds);
  out += fmt::format("  {:<{}}  {:>9}  {:>9}  {:>9}  {:>6}  {:>7}\n", "candidate", width, "loss", "behind", "+-",
                     "weight", "seconds");
  for (const auto& c : choice.candidates) {
    out += fmt::format("  {:<{}}  ", shown(c.name), width);
    if (c.left.empty())
      out += fmt::format("{:>9}  {:>9}  {:>9}  {:>6}  {:>7.2f}\n", number(c.loss), number(c.difference),
                         number(c.standard_error), c.weight > 0.0 ? fmt::format("{:.3f}", c.weight) : "-", c.seconds);
    else
      out += fmt::format("{:<39}  {:>7.2f}\n", shown(c.left), c.seconds);
  }
  return out;
}

}  // namespace lacuna
