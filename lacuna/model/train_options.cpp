// model/train_options.cpp (of train.hpp) -- words for the options of train.hpp, and data sets from bare rows.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/model/train.hpp"

namespace lacuna {
namespace {

// A whole number >= 1 that is all of `text`.
std::optional<int> whole(std::string_view text) {
  int v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc() || end != text.data() + text.size() || v < 1) return std::nullopt;
  return v;
}

}  // namespace

bool recalibrates(const Dataset& data, const TrainOptions& options) {
  const bool no_weights = options.train_weights == Weighting::none && options.select.weights == Weighting::none;
  const bool chosen = !options.model && no_weights && !data.label.empty();
  // Of several classes the machine that is chosen has no probabilities of its own.
  const bool all_open = !options.lambda && !options.select.criterion;
  return options.held_out.recalibrate.value_or(chosen && (all_open || data.classes.size() > 2));
}

TrainOptions from_optimum(TrainOptions options, const Model& model) {
  options.select.near = {model.lambda};
  for (const double p : kernel_parameters(model.kernel)) options.select.near.push_back(p);
  if (model.inference) options.select.near.push_back(model.b[0]);
  options.select.curvature = model.report.search.curvature;
  if (const auto& learned = model.report.relevance) {
    options.select.near = learned->first;
    options.select.near_later = learned->later;
  }
  return options;
}

CrossValidation parse_cross_validation(std::string_view given) {
  CrossValidation cv;
  std::string_view rest = given;
  if (rest.starts_with("explicit:")) {
    cv.by_refit = true;
    rest.remove_prefix(9);
  }
  constexpr std::string_view one_step = ":one-step";
  if (!cv.by_refit && !rest.starts_with("group:") && rest.ends_with(one_step)) {
    cv.one_step = true;
    rest.remove_suffix(one_step.size());
  }
  if (rest == "auto") return cv;
  if (rest == "loo") {
    cv.kind = CrossValidation::Kind::loo;
    return cv;
  }
  if (rest.starts_with("group:") && rest.size() > 6) {
    cv.kind = CrossValidation::Kind::groups;
    cv.group_column = rest.substr(6);
    return cv;
  }
  const std::size_t x = rest.find('x');
  const auto folds = whole(rest.substr(0, x));
  const auto repeats = x == std::string_view::npos ? std::optional<int>(1) : whole(rest.substr(x + 1));
  if (!folds || *folds < 2 || !repeats)
    fail_usage(
        fmt::format("cv: \"{}\" is not understood; it is auto, loo, K, KxR or group:COL (K >= 2 folds, R repeats), or "
                    "one of these after explicit:, or loo:one-step, K:one-step",
                    given));
  cv.kind = CrossValidation::Kind::folds;
  cv.folds = *folds;
  cv.repeats = *repeats;
  return cv;
}

std::pair<double, IntervalMethod> parse_interval(std::string_view given) {
  const std::size_t colon = given.find(':');
  const std::string_view number = given.substr(0, colon);
  const std::string_view how = colon == std::string_view::npos ? "" : given.substr(colon + 1);
  double level = 0.0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), level);
  const bool known = colon == std::string_view::npos || how == "constant" || how == "jackknife+";
  if (error != std::errc() || end != number.data() + number.size() || !known)
    fail_usage(
        fmt::format("interval: \"{}\" is not understood; it is a level between 0 and 1, such as 0.9, or "
                    "0.9:constant (one width for all rows), or 0.9:jackknife+",
                    given));
  return {level, how.empty()         ? IntervalMethod::follow
                 : how == "constant" ? IntervalMethod::constant
                                     : IntervalMethod::jackknife_plus};
}

BasisRequest parse_basis(std::string_view given) {
  BasisRequest out;
  if (given == "auto") return out;
  if (given == "none") {
    out.none = true;
    return out;
  }
  const std::size_t colon = given.find(':');
  const std::string_view number = colon == std::string_view::npos ? given : given.substr(colon + 1);
  const bool digits = !number.empty() && number.find_first_not_of("+-0123456789") == std::string_view::npos;
  if (!digits) {
    out.file = given;
    return out;
  }
  if (colon != std::string_view::npos) out.method = parse_basis_method(given.substr(0, colon));
  const auto size = whole(number);
  if (!size) fail_usage(fmt::format("basis: {}: the number of rows must be a whole number from 1", given));
  out.size = *size;
  return out;
}

std::string cross_validation_text(const CrossValidation& cv) {
  std::string out = cv.by_refit ? "explicit:" : "";
  switch (cv.kind) {
    case CrossValidation::Kind::automatic:
      return out + "auto";
    case CrossValidation::Kind::loo:
      return out + "loo" + (cv.one_step ? ":one-step" : "");
    case CrossValidation::Kind::groups:
      return out + "group:" + cv.group_column;
    case CrossValidation::Kind::folds:
      break;
  }
  return out + std::to_string(cv.folds) + (cv.repeats > 1 ? "x" + std::to_string(cv.repeats) : "") +
         (cv.one_step ? ":one-step" : "");
}

CrossValidation resolve_cross_validation(CrossValidation cv, const Dataset& data) {
  using Kind = CrossValidation::Kind;
  if (data.group.empty()) {
    if (cv.kind == Kind::automatic) cv.kind = Kind::loo;
    return cv;
  }
  if (cv.group_column.empty()) cv.group_column = "group";
  // One group can only be taken apart.
  const bool several = std::ranges::adjacent_find(data.group, std::ranges::not_equal_to{}) != data.group.end();
  if (cv.kind == Kind::loo && several)
    fail_usage(fmt::format(
        "train: rows have groups, and cv {} would part them; ask for `cv={}group:{}`, or for K folds, which keep "
        "groups together",
        cross_validation_text(cv), cv.by_refit ? "explicit:" : "", cv.group_column));
  if (cv.kind == Kind::automatic) cv.kind = several ? Kind::groups : Kind::loo;
  return cv;
}

Dataset make_dataset(const RowsView& X, const std::vector<std::string>& labels) {
  if (Index(labels.size()) != X.rows()) fail_data(fmt::format("train: {} labels for {} rows", labels.size(), X.rows()));
  Dataset data;
  data.X = copy_rows(X);
  data.target_names = {"target"};
  data.classes = labels;
  sort_labels(data.classes);
  data.classes.erase(std::unique(data.classes.begin(), data.classes.end()), data.classes.end());
  data.task = data.classes.size() > 2 ? Task::multiclass : Task::binary;
  for (const std::string& label : labels)
    data.label.push_back(int(std::find(data.classes.begin(), data.classes.end(), label) - data.classes.begin()));
  return data;
}

Dataset make_dataset(const RowsView& X, const std::vector<double>& t, DataOptions::TaskRequest task) {
  using Request = DataOptions::TaskRequest;
  if (Index(t.size()) != X.rows()) fail_data(fmt::format("train: {} targets for {} rows", t.size(), X.rows()));
  for (std::size_t i = 0; i < t.size(); ++i)
    if (!std::isfinite(t[i]))
      fail_data(fmt::format("train: target of row {} is {}; must be a finite number", i + 1, t[i]));
  std::vector<double> distinct = t;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (task == Request::classification || (task == Request::automatic && distinct.size() == 2)) {
    std::vector<std::string> labels;
    for (const double v : t) labels.push_back(number_text(v));
    return make_dataset(X, labels);
  }
  if (distinct.size() < 2) fail_data("train: the target is constant; there is nothing to learn");
  Dataset data;
  data.X = copy_rows(X);
  data.target_names = {"target"};
  data.task = task == Request::counts ? Task::counts : Task::regression;
  data.targets = Eigen::Map<const Vector>(t.data(), Index(t.size()));
  return data;
}

}  // namespace lacuna
