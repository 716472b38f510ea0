// report/page/rows_to_look_at.cpp (of subject.hpp) -- suspected wrong labels, values far off, rows of high leverage,
// rows whose held-out output is doubtful: one table with row numbers and values, and leverage against loss.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "lacuna/base/weights.hpp"
#include "lacuna/explain/columns.hpp"
#include "lacuna/model/held_out_rows.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

constexpr std::size_t most_columns = 12;  // of the data, beside each row
constexpr double doubtful = 0.5;          // trust below which one Newton step is not to be relied on
constexpr std::size_t most_worth = 100;   // rows that anybody looks at
constexpr int as_in_the_data = 10;        // digits of a value that the data have
constexpr Index most_worst_drawn = 300;   // of many rows; beside them an even sample of the others

double leverage_at(const Subject& about, Index i) {
  const Vector& l = about.model.held_out.leverage;
  return i < l.size() ? l[i] : std::nan("");
}
double trust_at(const Subject& about, Index i) {
  const Vector& t = about.model.held_out.trust;
  return i < t.size() ? t[i] : std::nan("");
}

// Of several targets: where a row is off most, by how many root mean squares of the target's residuals.
struct Miss {
  Index target = 0;
  double size = 0.0;
};
std::vector<Miss> misses(const Subject& about) {
  const Matrix& was = about.model.held_out.target;
  if (!about.model.classes.empty() || was.cols() < 2) return {};
  const Matrix off = (was - about.said.value).cwiseAbs();
  Vector unit(off.cols());
  for (Index c = 0; c < off.cols(); ++c) {
    double squares = 0.0, weight = 0.0;
    for (Index k = 0; k < about.counted.size(); ++k) {
      const double r = off(about.counted.place[std::size_t(k)], c), w = about.counted.weight[k];
      if (std::isfinite(r)) squares += w * r * r, weight += w;
    }
    unit[c] = weight > 0.0 && squares > 0.0 ? std::sqrt(squares / weight) : 1.0;
  }
  std::vector<Miss> out(std::size_t(off.rows()));
  for (Index i = 0; i < off.rows(); ++i)
    for (Index c = 0; c < off.cols(); ++c)
      if (const double size = off(i, c) / unit[c]; size > out[std::size_t(i)].size) out[std::size_t(i)] = {c, size};
  return out;
}

// Why a row is worth a look, in words; "" where it is not.
struct Limits {
  double loss = 0.0, leverage = 0.0;
  std::vector<Miss> miss{};  // of several targets
  double size = 0.0;         // of a miss
};
Limits limits_of(const Subject& about) {
  Limits out{.miss = misses(about)};
  std::vector<std::pair<double, double>> loss, size;
  double leverage = 0.0, known = 0.0;
  const Vector& weight = about.counted.weight;
  for (Index k = 0; k < about.counted.size(); ++k) {
    const Index i = about.counted.place[std::size_t(k)];
    if (std::isfinite(about.loss[i])) loss.emplace_back(about.loss[i], weight[k]);
    if (!out.miss.empty()) size.emplace_back(out.miss[std::size_t(i)].size, weight[k]);
    if (const double h = leverage_at(about, i); std::isfinite(h)) leverage += weight[k] * h, known += weight[k];
  }
  out.loss = loss.empty() ? 0.0 : value_at_weight(loss, 0.98 * weight.sum());
  out.size = size.empty() ? 0.0 : value_at_weight(size, 0.98 * weight.sum());
  // No leverage is three times a mean above a third: many rows decide their own outputs then, and none stands out.
  out.leverage = known > 0.0 && 3.0 * leverage < known ? 3.0 * leverage / known : 2.0;
  return out;
}

std::string reason(const Subject& about, Index i, const Limits& limits) {
  const Model& model = about.model;
  std::vector<std::string> why;
  const bool far = about.loss[i] >= limits.loss && about.loss[i] > 0.0;
  if (!model.classes.empty()) {
    const bool wrong = about.said.label[std::size_t(i)] != model.held_out.label[std::size_t(i)];
    if (wrong && far)
      why.emplace_back("suspected wrong label");
    else if (wrong)
      why.emplace_back("wrong class");
  } else if (!limits.miss.empty()) {
    const Miss& miss = limits.miss[std::size_t(i)];
    if (miss.size >= limits.size && miss.size > 0.0) why.emplace_back("far from its prediction");
  } else if (far) {
    why.emplace_back("far from its prediction");
  }
  if (leverage_at(about, i) > limits.leverage) why.emplace_back("high leverage");
  if (trust_at(about, i) < doubtful) why.emplace_back("doubtful held-out output");
  std::string out;
  for (const std::string& w : why) out += (out.empty() ? "" : ", ") + w;
  return out;
}

// The data's own values of the rows, where they are known, by row number.
struct Values {
  std::vector<InputColumn> columns{};
  std::vector<Vector> of{};
  std::map<std::int64_t, Index> place{};
  bool more = false;
};
Values values_of_rows(const Subject& about) {
  Values out;
  const ExplainRows& rows = about.rows;
  if (!rows.missing.empty() || rows.size() == 0 || (about.model.report.basis && !about.options.rows)) return out;
  out.columns = input_columns(about.model);
  out.more = out.columns.size() > most_columns;
  if (out.more) out.columns.resize(most_columns);
  for (const InputColumn& c : out.columns) out.of.push_back(column_values(c, rows.X));
  for (Index i = 0; i < rows.size(); ++i) out.place.emplace(rows.row[std::size_t(i)], i);
  return out;
}

Json leverage_chart(const Subject& about, const std::vector<Index>& order, const Limits& limits) {
  Json rows = columns_of({"row", "leverage", "y", "look"});
  Json named = columns_of({"row", "leverage", "y"});
  const auto add = [&](Json& to, Index i) {
    to["row"].push_back(about.model.held_out.row[std::size_t(i)]);
    to["leverage"].push_back(number(leverage_at(about, i)));
    to["y"].push_back(number(about.loss[i]));
  };
  std::vector<Index> known;
  for (const Index i : order)
    if (std::isfinite(leverage_at(about, i))) known.push_back(i);
  if (known.empty()) return nullptr;
  const auto all = Index(known.size());
  std::vector<std::pair<double, double>> labelled;
  double most_x = 0.0, most_y = 0.0;
  for (const Index i : known) {
    most_x = std::max(most_x, leverage_at(about, i));
    most_y = std::max(most_y, about.loss[i]);
  }
  // The worst rows, and of the others as many as there is room for.
  std::vector<Index> drawn = known;
  if (all > most_points) {
    drawn.resize(std::size_t(most_worst_drawn));
    for (const Index k : thinned(all - most_worst_drawn, most_points - most_worst_drawn))
      drawn.push_back(known[std::size_t(most_worst_drawn + k)]);
  }
  for (const Index i : drawn) {
    const double x = leverage_at(about, i), y = about.loss[i];
    const bool look = y >= limits.loss || x > limits.leverage;
    add(rows, i);
    rows["look"].push_back(look);
    const auto near = [&](const auto& p) {  // numbers that would lie on each other
      return std::abs(p.first - x) < 0.09 * most_x && std::abs(p.second - y) < 0.05 * most_y;
    };
    if (!look || labelled.size() >= 12 || std::ranges::any_of(labelled, near)) continue;
    labelled.emplace_back(x, y);
    add(named, i);
  }
  std::string sample;
  if (all > most_points)
    sample = fmt::format(" Drawn are the {} rows most worth a look and an even sample of {} of the other {}.",
                         most_worst_drawn, most_points - most_worst_drawn, all - most_worst_drawn);
  return chart(
      "leverage", "Leverage against held-out loss",
      "Orange rows have one of the largest losses, or a leverage of three times the mean; numbers are rows of the "
      "data." +
          sample,
      {{"rows", std::move(rows)}, {"named", std::move(named)}}, "rows",
      {{"row", "row", true, "d"}, {"leverage", "leverage", true, ".4f"}, {"y", "loss", true, ".4~g"}},
      {{"yname", "held-out loss"}});
}

}  // namespace

std::vector<Json> rows_to_look_at(const Subject& about) {
  if (!about.judged)
    return {missing("Rows are", "the model keeps no held-out outputs",
                    "lacuna loo DATA lists them for the data it was fitted on.")};
  const Model& model = about.model;
  const HeldOutRows& h = model.held_out;
  const Limits limits = limits_of(about);
  std::vector<Index> order = about.once;
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](Index i) {
    const double loss = limits.miss.empty() ? about.loss[i] : limits.miss[std::size_t(i)].size;
    return std::pair(!reason(about, i, limits).empty(), std::isfinite(loss) ? loss : -1.0);
  });
  const Values values = values_of_rows(about);
  const bool classes = !model.classes.empty(), stated = about.said.probability.size() > 0;
  std::vector<Column> columns{{"", "row", true, "d"}, {"", "why", false}};
  if (classes) {
    columns.insert(columns.end(), {{"", "label", false}, {"", "held out", false}});
    if (stated) columns.push_back({"", "P(label)", true, ".3f"});
  } else {
    if (!limits.miss.empty()) columns.push_back({"", "target it misses most", false});
    columns.insert(columns.end(), {{"", "observed", true, ".7~g"}, {"", "predicted", true, ".5~g"}});
  }
  const bool leverage = h.leverage.size() > 0 && h.leverage.array().isFinite().any();
  const bool trust = h.trust.size() > 0 && h.trust.array().isFinite().any();
  const bool weighted = model.report.weighted && knows_weights(model);
  Vector counts;  // they have a unit that nobody states
  if (weighted) {
    counts = judged_weights(h);
    counts /= counts.mean();
    columns.push_back({"", "weight (1 is the mean)", true, ".4~g"});
  }
  columns.push_back({"", "loss", true, ".4~g"});
  if (leverage) columns.push_back({"", "leverage", true, ".3f"});
  if (trust) columns.push_back({"", "trust", true, ".3f"});
  const char* own = values.columns.size() > 8 ? ".5~g" : ".7~g";  // more digits of many columns are not on the paper
  for (const InputColumn& c : values.columns) columns.push_back({"", brief(c.name, 24), !c.categorical, own});
  const std::vector<std::string> targets = briefly(model.target_names, 40), labels = briefly(model.classes, 60);
  Json rows = Json::array();
  std::size_t worth = 0;
  for (const Index i : order) {
    const std::string why = reason(about, i, limits);
    worth += why.empty() ? 0 : 1;
    if (Index(rows.size()) == most_rows_listed) continue;
    Json row{h.row[std::size_t(i)], why};
    if (classes) {
      const int label = h.label[std::size_t(i)];
      row.push_back(labels[std::size_t(label)]);
      row.push_back(labels[std::size_t(about.said.label[std::size_t(i)])]);
      if (stated) row.push_back(number(about.said.probability(i, label)));
    } else {
      const Index target = limits.miss.empty() ? 0 : limits.miss[std::size_t(i)].target;
      if (!limits.miss.empty()) row.push_back(targets[std::size_t(target)]);
      row.push_back(number(h.target(i, target), as_in_the_data));
      row.push_back(number(about.said.value(i, target)));
    }
    if (weighted) row.push_back(number(counts[i]));
    row.push_back(number(about.loss[i]));
    if (leverage) row.push_back(number(leverage_at(about, i)));
    if (trust) row.push_back(number(trust_at(about, i)));
    const auto at = values.place.find(h.row[std::size_t(i)]);
    for (std::size_t c = 0; c < values.columns.size(); ++c) {
      if (at == values.place.end())
        row.push_back(nullptr);
      else if (const double v = values.of[c][at->second]; values.columns[c].categorical)
        row.push_back(brief(value_text(values.columns[c], v)));
      else
        row.push_back(number(v, as_in_the_data));
    }
    rows.push_back(std::move(row));
  }
  const std::string largest = limits.miss.empty() ? "held-out losses" : "misses, in root mean squares of their target";
  std::string text =
      worth <= most_worth
          ? fmt::format("{} of {} rows are worth a look; they come first, with the largest {} at the top.", worth,
                        about.once.size(), largest)
          : fmt::format(
                "{} of {} rows have a reason to be looked at, more than anybody will: look at the first {}, which have "
                "the largest {} of them.",
                worth, about.once.size(), most_worth, largest);
  if (Index(about.once.size()) > most_rows_listed)
    text += fmt::format(" Listed are {}; lacuna loo MODEL writes all of them.", most_rows_listed);
  if (values.more) text += fmt::format(" Of the data's columns the first {} are shown.", most_columns);
  if (values.columns.empty()) text += " The model does not keep the rows' values; lacuna report MODEL DATA shows them.";
  std::vector<Json> out{table({.text = text, .caption = "Held-out rows", .sortable = true, .searchable = true}, columns,
                              std::move(rows))};
  if (Json c = leverage_chart(about, order, limits); !c.is_null()) out.push_back(std::move(c));
  return out;
}

}  // namespace lacuna::page
