#include "lacuna/evaluate/test_rows.hpp"

#include <algorithm>
#include <cmath>

namespace lacuna {
namespace {

Matrix some_of(const Matrix& m, const std::vector<Index>& rows) {
  return m.size() > 0 ? Matrix(m(rows, Eigen::all)) : Matrix();
}
Vector some_of(const Vector& v, const std::vector<Index>& rows) { return v.size() > 0 ? Vector(v(rows)) : Vector(); }
std::vector<int> some_of(const std::vector<int>& v, const std::vector<Index>& rows) {
  std::vector<int> out;
  for (const Index i : rows)
    if (!v.empty()) out.push_back(v[std::size_t(i)]);
  return out;
}

Predictions some_of(const Predictions& said, const std::vector<Index>& rows) {
  Predictions out;
  out.output = some_of(said.output, rows);
  out.variance = some_of(said.variance, rows);
  out.label = some_of(said.label, rows);
  out.probability = some_of(said.probability, rows);
  out.value = some_of(said.value, rows);
  return out;
}

TestTruth some_of(const TestTruth& truth, const std::vector<Index>& rows) {
  TestTruth out = truth;
  out.label = some_of(truth.label, rows);
  out.targets = some_of(truth.targets, rows);
  out.weights = some_of(truth.weights, rows);
  out.offset = some_of(truth.offset, rows);
  out.prices = take_rows(truth.prices, rows);
  return out;
}

}  // namespace

TestRows rows_said(const Model& model, const Predictions& said, const TestTruth& truth,
                   const std::vector<std::int64_t>& row) {
  TestRows out;
  out.row = row;
  out.label = truth.label;
  out.output = moderated(model, said.output, said.variance);
  if (truth.classes.empty()) {
    out.target = truth.targets;
    out.value = said.value;
    out.lower = said.lower;
    out.upper = said.upper;
    return out;
  }
  const auto classes = Index(truth.classes.size());
  std::vector<Index> in_data;
  for (const std::string& name : model.classes)
    in_data.push_back(std::ranges::find(truth.classes, name) - truth.classes.begin());
  for (const int k : said.label) out.decided.push_back(int(in_data[std::size_t(k)]));
  const auto as_in_data = [&](const Matrix& m, double absent) {
    Matrix all = Matrix::Constant(m.rows(), classes, absent);
    for (std::size_t k = 0; k < in_data.size(); ++k) all.col(in_data[k]) = m.col(Index(k));
    return all;
  };
  if (out.output.cols() > 1) out.output = as_in_data(out.output, std::nan(""));
  // Two classes of more have one output, of the second.
  if (out.output.cols() == 1 && classes > 2) {
    const Matrix two = (Matrix(out.output.rows(), 2) << -out.output, out.output).finished();
    out.output = as_in_data(two, std::nan(""));
  }
  if (said.probability.size() > 0) out.probability = as_in_data(said.probability, 0.0);
  return out;
}

Coverage coverage_of(const Predictions& said, const TestTruth& truth) {
  Coverage out;
  for (Index i = 0; i < said.lower.rows(); ++i)
    for (Index c = 0; c < said.lower.cols(); ++c) {
      const double w = truth.weights[i], t = truth.targets(i, c);
      out.all += w;
      out.width += w * (said.upper(i, c) - said.lower(i, c));
      if (t >= said.lower(i, c) && t <= said.upper(i, c)) out.inside += w;
    }
  return out;
}

std::vector<std::pair<std::string, Tally>> tallies_by_level(const Model& model, const Predictions& said,
                                                            const TestTruth& truth,
                                                            const std::vector<std::string>& level) {
  std::vector<std::pair<std::string, std::vector<Index>>> rows;
  for (std::size_t i = 0; i < level.size(); ++i) {
    auto at = std::ranges::find(rows, level[i], [](const auto& r) { return r.first; });
    if (at == rows.end()) at = rows.insert(rows.end(), {level[i], {}});
    at->second.push_back(Index(i));
  }
  std::vector<std::pair<std::string, Tally>> out;
  for (const auto& [name, some] : rows)
    out.emplace_back(name, judge_predictions(model, some_of(said, some), some_of(truth, some)).tally);
  return out;
}

}  // namespace lacuna
