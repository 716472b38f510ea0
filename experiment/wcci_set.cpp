#include "experiment/wcci_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/evaluate/journal.hpp"

namespace lacuna {
namespace {

// [WLSSVM] took logarithms of two of ADA's columns and made two binary at 44 (the other threshold is lost; no value
// lies between 0 and 44 there). The columns are found by what they hold: weight of the person and age; capital loss and
// gain.
void prepare_ada(const Table& table, RowMatrix& X) {
  for (std::size_t j = 0; j + 1 < table.columns.size(); ++j) {
    const std::string& column = table.columns[j].name;
    auto x = X.col(Index(j)).array();
    if (column == "x15" || column == "x20") x = x.log();
    if (column == "x24" || column == "x30") x = (x > 44.0).cast<double>();
  }
}

}  // namespace

WcciSet read_wcci_set(const std::filesystem::path& path) {
  WcciSet out;
  const std::string stem = path.stem().string();
  out.name = stem.substr(0, stem.find('_'));
  std::transform(out.name.begin(), out.name.end(), out.name.begin(),
                 [](unsigned char c) { return char(std::toupper(c)); });
  const Table table = read_table(path.string());
  DataOptions options{.targets = {table.columns.back().name}, .standardise = false, .encode_features = false};
  options.task = DataOptions::TaskRequest::classification;
  const Dataset data = encode(table, options).data;
  if (data.task != Task::binary) fail_data(fmt::format("experiment wcci: {} has not two classes", path.string()));
  out.print = fingerprint(table);
  out.X = data.X.dense();
  out.label = data.label;
  if (out.name == "ADA") prepare_ada(table, out.X);
  for (Index j = 0; j < out.X.cols(); ++j) {
    std::vector<double> values(out.X.col(j).begin(), out.X.col(j).end());
    std::sort(values.begin(), values.end());
    out.continuous.push_back(std::unique(values.begin(), values.end()) - values.begin() > 2);
  }
  return out;
}

std::pair<WcciPart, WcciPart> wcci_parts(const WcciSet& set, const TrainTest& split) {
  std::pair<WcciPart, WcciPart> out;
  const auto take = [&](WcciPart& part, const std::vector<Index>& rows) {
    part.X = set.X(rows, Eigen::all);
    for (const Index i : rows) part.label.push_back(set.label[std::size_t(i)]);
  };
  take(out.first, split.train);
  take(out.second, split.test);
  for (Index j = 0; j < set.X.cols(); ++j) {
    if (!set.continuous[std::size_t(j)]) continue;
    const double mean = out.first.X.col(j).mean();
    const double deviation = std::sqrt((out.first.X.col(j).array() - mean).square().mean());
    for (WcciPart* part : {&out.first, &out.second})
      part->X.col(j) = (part->X.col(j).array() - mean) / (deviation > 0.0 ? deviation : 1.0);
  }
  return out;
}

}  // namespace lacuna
