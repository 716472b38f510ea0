#include "lacuna/data/detail/roles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/read/place.hpp"

namespace lacuna::detail {
namespace {

class Assigner {
 public:
  explicit Assigner(const Table& table) : table_(table), role_(table.columns.size()) {}

  std::size_t assign(const std::string& given, const std::string& role) {
    const std::size_t j = find(given, role);
    const bool both_weights = role == "selection weights" && role_[j] == "training weights";
    if (!role_[j].empty() && role_[j] != role && !both_weights)
      fail_usage(fmt::format("data: {}, {}: given as {} and as {}; a column has one role", table_.source,
                             column_words(table_, j), role_[j], role));
    role_[j] = role;
    return j;
  }
  std::optional<std::size_t> assign(const std::optional<std::string>& given, const std::string& role) {
    if (!given) return std::nullopt;
    return assign(*given, role);
  }
  bool is_free(std::size_t j) const { return role_[j].empty(); }
  std::size_t find(const std::string& given, const std::string& role) const {
    if (const auto j = find_column(table_, given)) return *j;
    std::vector<std::string> names;
    for (const Column& c : table_.columns) names.push_back(c.name);
    std::string hint = did_you_mean(given, names);
    if (hint.empty() && names.size() <= 20) hint = fmt::format("; its columns are {}", join(names));
    fail_usage(fmt::format("data: {} has no column {} ({}){}", table_.source, quoted(given), role, hint));
  }

 private:
  const Table& table_;
  std::vector<std::string> role_;
};

// Two names or more that the table does not have, each with its role, are named together; one has a hint beside it.
void check_present(const Table& table, const DataOptions& options) {
  std::vector<std::string> absent;
  const auto look = [&](const auto& names, const char* role) {
    for (const std::string& name : names)
      if (!find_column(table, name)) absent.push_back(fmt::format("{} ({})", quoted(name), role));
  };
  const auto look_at_one = [&](const std::optional<std::string>& name, const char* role) {
    if (name) look(std::vector{*name}, role);
  };
  look(options.targets, "target");
  look_at_one(options.weights, "weights");
  look_at_one(options.train_weights, "training weights");
  look_at_one(options.select_weights, "selection weights");
  look_at_one(options.group, "group");
  look_at_one(options.offset, "offset");
  look_at_one(options.exposure, "exposure");
  look(options.prices, "cost");
  look(options.ignore, "ignored");
  look(options.categorical, "categorical feature");
  look(options.features, "feature");
  if (absent.size() > 1) fail_usage(fmt::format("data: {} has no columns {}", table.source, join(absent)));
}

}  // namespace

Roles assign_roles(const Table& table, const DataOptions& options) {
  Roles roles;
  Assigner assigner(table);
  if (options.targets.empty() && !table.sparse)
    fail_usage(fmt::format("data: {}: no target column was named", table.source));
  if (options.offset && options.exposure) fail_usage("data: both an offset and an exposure are given; give one");
  check_present(table, options);
  for (const std::string& t : options.targets) {
    const std::size_t j = assigner.assign(t, "target");
    if (std::find(roles.targets.begin(), roles.targets.end(), j) != roles.targets.end())
      fail_usage(fmt::format("data: {}, {}: given as a target twice", table.source, column_words(table, j)));
    roles.targets.push_back(j);
  }
  if (options.targets.empty()) roles.targets.push_back(assigner.assign(table.columns[0].name, "target"));
  roles.weights = assigner.assign(options.weights, "weights");
  roles.train_weights = assigner.assign(options.train_weights, "training weights");
  roles.select_weights = assigner.assign(options.select_weights, "selection weights");
  roles.group = assigner.assign(options.group, "group");
  roles.offset = assigner.assign(options.offset, "offset");
  roles.exposure = assigner.assign(options.exposure, "exposure");
  for (const std::string& c : options.prices) {
    roles.prices.push_back(assigner.find(c, "cost"));
    if (std::ranges::find(roles.targets, roles.prices.back()) != roles.targets.end())
      fail_usage(fmt::format("data: {}, {}: given as target and as cost: a price has to be known before the target is",
                             table.source, column_words(table, roles.prices.back())));
  }
  for (const std::string& c : options.ignore) assigner.assign(c, "ignored");
  roles.categorical.resize(table.columns.size());
  for (const std::string& c : options.categorical) roles.categorical[assigner.assign(c, "categorical feature")] = true;
  std::vector<bool> chosen = roles.categorical;
  for (const std::string& c : options.features) {
    const std::size_t j = assigner.find(c, "feature");
    if (!roles.categorical[j]) assigner.assign(c, "feature");
    chosen[j] = true;
  }
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    if (chosen[j] || (options.features.empty() && assigner.is_free(j))) roles.features.push_back(j);
  if (roles.features.empty() && !table.sparse)
    fail_data(fmt::format("data: {}: no column is left to be a feature", table.source));
  return roles;
}

}  // namespace lacuna::detail
