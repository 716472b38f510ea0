#include "lacuna/report/test_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "lacuna/base/shown.hpp"
#include "lacuna/report/csv_line.hpp"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_levels = 30;  // in a text for people

void write_cells(CsvLine& line, const Matrix& m, Index i, std::size_t width) {
  for (std::size_t c = 0; c < width; ++c) {
    const double value = Index(c) < m.cols() ? m(i, Index(c)) : std::nan("");
    line << (std::isfinite(value) ? number_text(value) : "");
  }
}

void write_split(const NestedValidation& e, const std::string& model, std::size_t split, const TestRows& rows,
                 bool intervals, std::ostream& out) {
  const std::size_t classes = e.classes.size(), targets = std::max<std::size_t>(1, e.target_names.size());
  for (Index i = 0; i < rows.size(); ++i) {
    CsvLine line(out);
    if (e.contenders.size() > 1) line << csv_cell(model);
    line << std::to_string(split + 1);
    line.number(rows.row[std::size_t(i)]);
    if (classes > 0) {
      line << csv_cell(e.classes[std::size_t(rows.label[std::size_t(i)])]);
      line << csv_cell(e.classes[std::size_t(rows.decided[std::size_t(i)])]);
      write_cells(line, rows.output, i, classes == 2 ? 1 : classes);
      write_cells(line, rows.probability, i, classes);
      continue;
    }
    write_cells(line, rows.target, i, targets);
    write_cells(line, rows.value, i, targets);
    write_cells(line, rows.output, i, targets);
    if (!intervals) continue;
    write_cells(line, rows.lower, i, targets);
    write_cells(line, rows.upper, i, targets);
  }
}

// The splits as if they had the rows of one level only; those that have none of it failed.
std::vector<SplitResult> of_level(const std::vector<SplitResult>& splits, const std::string& level) {
  std::vector<SplitResult> out;
  for (const SplitResult& r : splits) {
    SplitResult one;
    const auto at = std::ranges::find(r.by, level, [](const auto& l) { return l.first; });
    if (r.failure.empty() && at != r.by.end()) {
      one.test.tally = at->second;
      one.test.scores = scores_of(at->second);
    } else {
      one.failure = "no rows";
    }
    out.push_back(std::move(one));
  }
  return out;
}

double weight_of(const Tally& t) { return t.confusion.size() > 0 ? t.confusion.sum() : t.weight; }

struct Level {
  std::string name;
  double rows = 0.0;  // of all splits
  std::vector<SplitResult> splits;
};

std::vector<Level> levels_of(const NestedValidation::Results& of) {
  std::vector<Level> out;
  for (const SplitResult& r : of.splits)
    for (const auto& [name, tally] : r.by) {
      auto at = std::ranges::find(out, name, &Level::name);
      if (at == out.end()) at = out.insert(out.end(), Level{name, 0.0, {}});
      at->rows += weight_of(tally);
    }
  std::ranges::stable_sort(out, std::ranges::greater{}, &Level::rows);
  for (Level& level : out) level.splits = of_level(of.splits, level.name);
  return out;
}

std::string level_figure(std::string_view score, double value) {
  if (!std::isfinite(value)) return "-";
  return score == "error" ? fmt::format("{:.3g} %", 100.0 * value) : fmt::format("{:.4g}", value);
}

}  // namespace

void write_test_predictions(const NestedValidation& e, std::ostream& out) {
  const auto some = [&](const auto& has) {
    for (const auto& of : e.contenders)
      if (std::ranges::any_of(of.splits, has)) return true;
    return false;
  };
  const bool intervals = some([](const SplitResult& r) { return r.rows.lower.size() > 0; });
  {
    CsvLine heading(out);
    if (e.contenders.size() > 1) heading << "model";
    heading << "split";
    heading << "row";
    const bool classes = !e.classes.empty();
    const auto targets = e.target_names.size() > 1 && !classes ? e.target_names : std::vector<std::string>{};
    const auto outputs = e.classes.size() > 2 ? e.classes : targets;
    heading.heading("target", targets).heading("prediction", targets).heading("output", outputs);
    if (classes) heading.heading("probability", e.classes);
    if (intervals) heading.heading("lower", targets).heading("upper", targets);
  }
  for (const auto& of : e.contenders)
    for (std::size_t k = 0; k < of.splits.size(); ++k) write_split(e, of.name, k, of.splits[k].rows, intervals, out);
}

std::string rows_of_splits(const NestedValidation& e) {
  return e.weighted ? "rows of all splits; per cent of all rows, by weight" : "rows of all splits";
}

std::string level_text(const NestedValidation& e, const NestedValidation::Results& of) {
  const std::vector<Level> levels = levels_of(of);
  if (levels.empty()) return "";
  std::vector<std::string> scores;
  for (const char* score : {"error", "bits", "cost", "rmse", "deviance", "nll"})
    if (std::ranges::count(score_names(of), score) > 0) scores.emplace_back(score);
  std::size_t width = shown(e.by).size();
  for (std::size_t k = 0; k < levels.size() && k < most_levels; ++k)
    width = std::max(width, shown(levels[k].name).size());
  double all = 0.0;
  for (const Level& level : levels) all += level.rows;
  std::string out = fmt::format("  by {} ({}):\n    {:<{}}  {:>8}", shown(e.by), rows_of_splits(e), "", width, "rows");
  for (const std::string& score : scores) out += fmt::format("  {:>10} {:<9}", score, "s.e.");
  out += '\n';
  for (std::size_t k = 0; k < levels.size() && k < most_levels; ++k) {
    const PooledScores pooled(levels[k].splits);
    const std::string rows =
        e.weighted ? fmt::format("{:.3g} %", 100.0 * levels[k].rows / all) : fmt::format("{:.6g}", levels[k].rows);
    out += fmt::format("    {:<{}}  {:>8}", shown(levels[k].name), width, rows);
    for (const std::string& score : scores) {
      const Estimate m = pooled.estimate(score, e.tested_to_trained);
      out += fmt::format("  {:>10} {:<9}", level_figure(score, m.value), level_figure(score, m.se));
    }
    out += '\n';
  }
  if (levels.size() > most_levels)
    out += fmt::format("    and {} more (--json has them all)\n", levels.size() - most_levels);
  return out;
}

Json level_json(const NestedValidation& e, const NestedValidation::Results& of) {
  const std::vector<Level> levels = levels_of(of);
  if (levels.empty()) return nullptr;
  Json out{{"column", e.by}, {"levels", Json::array()}};
  for (const Level& level : levels) {
    const PooledScores pooled(level.splits);
    Json one{{"level", level.name}, {"rows", level.rows}, {"scores", Json::object()}};
    for (const std::string& score : score_names(of)) {
      const Estimate m = pooled.estimate(score, e.tested_to_trained);
      if (std::isfinite(m.value))
        one["scores"][score] = {{"mean", m.value}, {"se", std::isfinite(m.se) ? Json(m.se) : Json(nullptr)}};
    }
    out["levels"].push_back(std::move(one));
  }
  return out;
}

namespace {

Coverage all_coverage(const NestedValidation::Results& of) {
  Coverage out;
  for (const SplitResult& r : of.splits) {
    out.inside += r.coverage.inside;
    out.all += r.coverage.all;
    out.width += r.coverage.width;
  }
  return out;
}

}  // namespace

std::string coverage_text(const NestedValidation& e, const NestedValidation::Results& of) {
  const Coverage c = all_coverage(of);
  if (!(c.all > 0.0)) return "";
  return fmt::format(
      "  coverage    {:.4g} % of the test values lie in their {:.4g} % intervals, which are {:.4g} wide on "
      "average\n",
      100.0 * c.inside / c.all, 100.0 * e.level, c.width / c.all);
}

Json coverage_json(const NestedValidation& e, const NestedValidation::Results& of) {
  const Coverage c = all_coverage(of);
  if (!(c.all > 0.0)) return nullptr;
  return {{"level", e.level}, {"inside", c.inside / c.all}, {"width", c.width / c.all}};
}

}  // namespace lacuna
