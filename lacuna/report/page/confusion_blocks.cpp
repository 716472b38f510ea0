#include "lacuna/report/page/confusion_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lacuna/model/tally.hpp"

namespace lacuna::page {
namespace {

Json confusion_chart(const Matrix& c, const std::vector<std::string>& classes, const std::string& rows,
                     bool by_weight) {
  Json cells = columns_of({"true", "said", "rows", "share", "text"});
  const std::vector<std::string> names = briefly(classes, 24);  // a drawing tells classes by their names
  std::ptrdiff_t longest = 0;                                   // in characters
  for (const std::string& name : names)
    longest = std::max(longest, std::ranges::count_if(name, [](char byte) { return (byte & 0xC0) != 0x80; }));
  const auto told = [&](double cell) { return by_weight ? percent(cell / c.sum()) : digits(cell); };
  if (by_weight) cells["of_all"] = Json::array();
  for (Index i = 0; i < c.rows(); ++i)
    for (Index j = 0; j < c.cols(); ++j) {
      const double all = c.row(i).sum();
      cells["true"].push_back(names[std::size_t(i)]);
      cells["said"].push_back(names[std::size_t(j)]);
      cells["rows"].push_back(number(c(i, j)));
      cells["share"].push_back(all > 0.0 ? number(c(i, j) / all) : Json(0));
      cells["text"].push_back(c(i, j) == 0.0 || c.cols() > 14 ? "" : told(c(i, j)));
      if (by_weight) cells["of_all"].push_back(number(c(i, j) / c.sum()));
    }
  return chart("confusion", "Which classes are taken for which",
               rows + (by_weight ? ", in per cent of all rows, by weight:" : "") +
                   " by true class (down) and the class they were called (across); the darker, the larger the share "
                   "of the true class.",
               {{"cells", std::move(cells)}}, "cells",
               {{"true", "true class", false},
                {"said", "called", false},
                by_weight ? Column{"of_all", of_all_by_weight, true, ".1%"} : Column{"rows", "rows", true, ",.6~g"},
                {"share", "of the class", true, ".1%"}},
               {{"letters", longest * std::ptrdiff_t(names.size())}, {"classes", names.size()}});
}

Json class_table(const Matrix& confusion, const std::vector<std::string>& classes, const std::string& of,
                 bool by_weight) {
  const std::vector<ClassScores> scores = class_scores(confusion);
  Json rows = Json::array();
  const std::vector<std::string> names = briefly(classes, 60);
  constexpr std::size_t most = 200;
  for (std::size_t c = 0; c < std::min(most, scores.size()); ++c)
    rows.push_back({names[c], number(by_weight ? scores[c].rows / confusion.sum() : scores[c].rows),
                    number(scores[c].recall), number(scores[c].precision)});
  return table({.title = "Class by class", .caption = of + " of each class", .sortable = true},
               {{"", "class", false},
                by_weight ? Column{"", of_all_by_weight, true, ".1%"} : Column{"", "rows", true, ",.6~g"},
                {"", "found (recall)", true, ".1%"},
                {"", "right of those called so (precision)", true, ".1%"}},
               std::move(rows));
}

}  // namespace

std::vector<Json> confusion_blocks(const Matrix& confusion, const std::vector<std::string>& classes,
                                   const std::string& rows, bool by_weight) {
  if (confusion.size() == 0) return {};
  std::vector<Json> out;
  if (classes.size() <= 30) out.push_back(confusion_chart(confusion, classes, rows, by_weight));
  out.push_back(class_table(confusion, classes, rows, by_weight));
  return out;
}

}  // namespace lacuna::page
