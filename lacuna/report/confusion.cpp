#include "lacuna/report/confusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lacuna/base/shown.hpp"
#include "lacuna/model/tally.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_classes = 12;

std::string percent(double share) { return std::isnan(share) ? "-" : fmt::format("{:.3g} %", 100.0 * share); }

}  // namespace

std::string confusion_text(const Matrix& confusion, const std::vector<std::string>& classes, const std::string& what,
                           bool by_weight) {
  if (confusion.size() == 0 || classes.size() > most_classes) return "";
  std::size_t width = by_weight ? 10 : 8;
  for (const std::string& c : classes) width = std::max(width, shown(c).size() + 1);
  const std::vector<ClassScores> scores = class_scores(confusion);
  const double all = confusion.sum();
  const auto cell = [&](double rows) { return by_weight ? percent(rows / all) : fmt::format("{:.6g}", rows); };
  std::string out = fmt::format("  true class, and what was predicted ({}{}):\n    {:<{}}", what,
                                by_weight ? "; per cent of all rows, by weight" : "", "", width);
  for (const std::string& c : classes) out += fmt::format("{:>{}}", shown(c), width);
  out += fmt::format("{:>10}", "recall");
  for (std::size_t i = 0; i < classes.size(); ++i) {
    out += fmt::format("\n    {:<{}}", shown(classes[i]), width);
    for (Index k = 0; k < confusion.cols(); ++k) out += fmt::format("{:>{}}", cell(confusion(Index(i), k)), width);
    out += fmt::format("{:>10}", percent(scores[i].recall));
  }
  out += fmt::format("\n    {:<{}}", "precision", width);
  for (std::size_t i = 0; i < classes.size(); ++i) out += fmt::format("{:>{}}", percent(scores[i].precision), width);
  return out + "\n";
}

nlohmann::ordered_json confusion_json(const Matrix& confusion) {
  auto out = nlohmann::ordered_json::array();
  for (Index i = 0; i < confusion.rows(); ++i) {
    const Vector row = confusion.row(i);
    out.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return out;
}

nlohmann::ordered_json class_scores_json(const Matrix& confusion, const std::vector<std::string>& classes) {
  using Json = nlohmann::ordered_json;
  const auto share = [](double value) { return std::isnan(value) ? Json(nullptr) : Json(value); };
  const std::vector<ClassScores> scores = class_scores(confusion);
  Json out = Json::array();
  for (std::size_t k = 0; k < classes.size() && k < scores.size(); ++k)
    out.push_back({{"class", classes[k]},
                   {"rows", scores[k].rows},
                   {"recall", share(scores[k].recall)},
                   {"precision", share(scores[k].precision)}});
  return out;
}

}  // namespace lacuna
