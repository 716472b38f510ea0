// report/page/model_page.cpp (of page.hpp) -- the page of a model: its sections in the order in which a reader asks,
// and where each comes from.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "lacuna/curves/ranking.hpp"
#include "lacuna/curves/standard_errors.hpp"
#include "lacuna/explain/effects.hpp"
#include "lacuna/report/page/subject.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna {
namespace {

using namespace page;

std::string title_of(const Model& model) {
  const std::string target = model.target_names.empty() ? "the target" : listed(model.target_names, 3);
  return fmt::format("Predicting {}", target);
}

std::string subtitle_of(const Model& model, const PageOptions& options) {
  const FitReport& report = model.report;
  std::string out =
      fmt::format("{} on {} {} and {} {}", model.members.empty() ? report.model : "A stack of machines", report.rows,
                  report.rows == 1 ? "row" : "rows", report.features, report.features == 1 ? "feature" : "features");
  if (!options.data.empty()) out += fmt::format(" of {}", brief(options.data, 80));
  if (model.task == Task::binary)
    out += fmt::format("; classes {} (negative) and {} (positive)", brief(model.classes[0]), brief(model.classes[1]));
  else if (!model.classes.empty())
    out += fmt::format("; {} classes: {}", model.classes.size(), listed(model.classes));
  return out + ".";
}

// Of many classes those that are ranked worst, of whose rows some are held out and some are not.
std::vector<std::size_t> outputs_drawn(const Subject& about) {
  constexpr std::size_t most = 8, most_looked_at = 50;
  std::vector<std::size_t> out(told_outputs(about.model).size());
  std::iota(out.begin(), out.end(), std::size_t(0));
  if (about.model.classes.size() > 2 && about.counted.size() > 0)
    std::erase_if(out, [&](std::size_t c) { return !both(of_class(about, int(c))); });
  if (out.size() <= most) return out;
  if (about.counted.size() > 0 && about.model.classes.size() > 2) {
    out.resize(std::min(most_looked_at, out.size()));
    std::vector<std::pair<double, std::size_t>> by_area;
    for (const std::size_t c : out)
      by_area.emplace_back(ranking(class_score(about, c), of_class(about, int(c)), about.counted.weight).area, c);
    std::ranges::sort(by_area);
    for (std::size_t k = 0; k < most; ++k) out[k] = by_area[k].second;
  }
  out.resize(most);
  std::ranges::sort(out);
  return out;
}

Subject subject_of(const Model& model, const PageOptions& options) {
  Subject out{.model = model, .options = options};
  const ExplainRows own = rows_of_model(model);
  out.again = fit_again(model, own);
  if (model.report.repeat) out.seed = model.report.repeat->seed;
  out.rows = options.rows ? *options.rows : own;
  const HeldOutRows& h = model.held_out;
  out.judged = h.size() > 0;
  out.outputs_drawn = outputs_drawn(out);
  if (!out.judged) return out;
  out.said = held_out_predictions(model);
  out.loss = held_out_loss(model);
  out.errors = held_out_standard_errors(model);
  for (Index i = 0; i < h.rows(); ++i) out.once.push_back(i);
  out.counted = counted_rows(model);
  out.outputs_drawn = outputs_drawn(out);
  return out;
}

}  // namespace

std::vector<bool> page::of_class(const Subject& about, int label) {
  std::vector<bool> out;
  for (const Index i : about.counted.place) out.push_back(about.model.held_out.label[std::size_t(i)] == label);
  return out;
}

bool page::both(const std::vector<bool>& positive) {
  return std::ranges::find(positive, true) != positive.end() && std::ranges::find(positive, false) != positive.end();
}

Vector page::class_score(const Subject& about, std::size_t label) {
  const Matrix z = moderated(about.model, about.said.output, about.said.variance);
  return z(about.counted.place, Index(label));
}

Json page::dot_sizes(const Vector& weight, const std::vector<Index>& rows) {
  if (weight.size() == 0 || (weight.array() == weight[0]).all()) return nullptr;
  constexpr double plain = 28.0;  // pixels, of a dot of mean weight
  Json out = Json::array();
  for (const Index i : rows) out.push_back(number(std::clamp(plain * weight[i] / weight.mean(), 4.0, 10.0 * plain)));
  return out;
}

nlohmann::ordered_json model_page_json(const Model& model, const PageOptions& options) {
  const Subject about = subject_of(model, options);
  const bool classes = !model.classes.empty(), rates = !classes && gives_rates(model.loss);
  Json sections = Json::array();
  const auto add = [&](const char* id, const char* title, std::vector<Json> blocks) {
    if (!blocks.empty()) sections.push_back(section(id, title, std::move(blocks)));
  };
  add("how-good", "How good is it?", how_good(about));
  if (classes)
    add("trust", "Can I trust its probabilities?", trust_probabilities(about));
  else
    add("trust", rates ? "Do counts scatter as it says?" : "Can I trust its values?",
        rates ? trust_counts(about) : trust_values(about));
  add("more-rows", "Would more rows help?", more_rows(about));
  add("chosen", "What was chosen, and how sharp is the choice?", what_was_chosen(about));
  add("rows", "Which rows deserve a look?", rows_to_look_at(about));
  add("looks", "What does it look like?", what_it_looks_like(about));
  add("reproduce", "How to reproduce it", how_to_reproduce(about));
  return {{"title", title_of(model)},
          {"subtitle", subtitle_of(model, options)},
          {"footer", "Written by Lacuna " LACUNA_VERSION ". This file needs no network and sends nothing anywhere."},
          {"sections", std::move(sections)},
          {"fit", within_a_page(fit_json(model), "fit --json")}};
}

}  // namespace lacuna
