#include "lacuna/model/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "lacuna/base/error.hpp"

namespace lacuna {
namespace {

constexpr std::string_view column_prefix = "col:";

// A number, or the name of a column.
struct Cell {
  double number = 0.0;
  std::string column{};
};

std::optional<Cell> cell_of(std::string_view text) {
  if (text.starts_with(column_prefix)) {
    text.remove_prefix(column_prefix.size());
    if (text.empty()) return {};
    return Cell{.column = std::string(text)};
  }
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return Cell{.number = value};
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = text.find(at);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

// Empty: some cell is neither.
std::vector<std::vector<Cell>> cells_of(std::string_view text) {
  std::vector<std::vector<Cell>> out;
  for (const std::string_view row : split(text, ';')) {
    out.emplace_back();
    for (const std::string_view cell : split(row, ',')) {
      const std::optional<Cell> known = cell_of(cell);
      if (!known) return {};
      out.back().push_back(*known);
    }
  }
  return out;
}

Costs costs_of(const std::vector<std::vector<Cell>>& cells) {
  Costs out;
  const auto n = Index(cells.size());
  out.price = Matrix::Zero(n, n);
  for (Index t = 0; t < n; ++t)
    for (Index k = 0; k < n; ++k) {
      const Cell& cell = cells[std::size_t(t)][std::size_t(k)];
      out.price(t, k) = cell.number;
      if (!cell.column.empty()) out.columns.push_back({int(t), int(k), cell.column});
    }
  return out;
}

}  // namespace

std::vector<std::string> price_columns(const Costs& costs) {
  std::vector<std::string> out;
  for (const PriceColumn& c : costs.columns)
    if (std::ranges::find(out, c.name) == out.end()) out.push_back(c.name);
  return out;
}

std::string costs_misfit(const Costs& costs) {
  const Matrix& price = costs.price;
  if (price.rows() < 2 || price.rows() != price.cols()) return "prices are no square matrix";
  if (!price.allFinite() || !(price.minCoeff() >= 0.0)) return "a price is negative or no number";
  const Index n = price.rows();
  std::vector<bool> own(std::size_t(n * n));
  for (const PriceColumn& c : costs.columns) {
    if (c.truth < 0 || c.truth >= n || c.decided < 0 || c.decided >= n || c.name.empty())
      return "a column of prices is of no class or has no name";
    const auto place = std::size_t(Index(c.truth) * n + c.decided);
    if (own[place] || price(c.truth, c.decided) != 0.0) return "a price is said twice";
    own[place] = true;
  }
  // What columns say is checked where there are rows.
  for (Index t = 0; t < n; ++t)
    for (Index k = 0; k < n; ++k) {
      if (k == t || own[std::size_t(t * n + t)] || own[std::size_t(t * n + k)]) continue;
      if (price(t, t) > price(t, k) || (n == 2 && price(t, t) == price(t, k))) return "right decisions cost least";
    }
  return "";
}

Costs parse_costs(std::string_view given) {
  const std::vector<std::vector<Cell>> cells = cells_of(given);
  Costs out;
  if (cells.size() == 1 && cells[0].size() == 2)
    out = costs_of({{Cell{}, cells[0][0]}, {cells[0][1], Cell{}}});
  else if (std::ranges::all_of(cells, [&](const auto& row) { return row.size() == cells.size(); }))
    out = costs_of(cells);
  if (!costs_misfit(out).empty())
    fail_usage(fmt::format(
        "cost: \"{}\" is not understood; it is FP,FN for two classes, the costs of a false positive and of a "
        "false negative, or a matrix whose rows are the true and whose columns the decided classes, such as "
        "\"0,1,5;1,0,1;9,9,0\"; each is a number, or a column of the data, such as col:amount; no cost is negative, "
        "and right decisions cost least",
        given));
  return out;
}

std::string costs_text(const Costs& costs) {
  const Matrix& price = costs.price;
  const auto cell = [&](Index t, Index k) {
    for (const PriceColumn& c : costs.columns)
      if (c.truth == t && c.decided == k) return fmt::format("{}{}", column_prefix, c.name);
    return fmt::format("{}", price(t, k));
  };
  const bool pair = price.rows() == 2 && cell(0, 0) == "0" && cell(1, 1) == "0";
  if (pair) return fmt::format("{},{}", cell(0, 1), cell(1, 0));
  std::string out;
  for (Index i = 0; i < price.rows(); ++i)
    for (Index k = 0; k < price.cols(); ++k) out += fmt::format("{}{}", k > 0 ? "," : i > 0 ? ";" : "", cell(i, k));
  return out;
}

void check_costs(const Costs& costs, std::size_t classes) {
  if (std::size_t(costs.price.rows()) == classes) return;
  if (classes == 0) fail_usage("cost: there are no classes, and no decisions that could cost something");
  fail_usage(
      fmt::format("cost: the prices are for {} classes, and there are {}; a matrix has a row and a column for "
                  "each, such as \"0,1,5;1,0,1;9,9,0\"",
                  costs.price.rows(), classes));
}

RowCosts::RowCosts(const Costs& costs, const RowPrices& prices) : price_(costs.price) {
  if (!by_row(costs)) return;
  column_.assign(std::size_t(price_.size()), -1);
  own_ = prices.value;
  for (const PriceColumn& c : costs.columns) {
    const auto at = std::ranges::find(prices.name, c.name);
    if (at == prices.name.end())
      fail_usage(fmt::format("cost: the prices of single rows in column {} are not known", c.name));
    column_[std::size_t(Index(c.truth) * price_.cols() + c.decided)] = int(at - prices.name.begin());
  }
}

double RowCosts::price(Index row, Index truth, Index decided) const {
  const int column = column_.empty() ? -1 : column_[std::size_t(truth * price_.cols() + decided)];
  return column < 0 ? price_(truth, decided) : own_(row, column);
}

Matrix RowCosts::expected(const Matrix& probability) const {
  if (column_.empty()) return probability * price_;
  Matrix out = Matrix::Zero(probability.rows(), classes());
  for (Index i = 0; i < out.rows(); ++i)
    for (Index k = 0; k < classes(); ++k)
      for (Index t = 0; t < classes(); ++t) out(i, k) += probability(i, t) * price(i, t, k);
  return out;
}

bool has_prices(const Costs& costs, const RowPrices& prices) {
  return std::ranges::all_of(
      costs.columns, [&](const PriceColumn& c) { return std::ranges::find(prices.name, c.name) != prices.name.end(); });
}

void check_prices(const Costs& costs, const RowPrices& prices) {
  if (!by_row(costs)) return;
  const RowCosts of(costs, prices);
  if (!prices.value.allFinite() || (prices.value.size() > 0 && prices.value.minCoeff() < 0.0))
    fail_usage("cost: a price of a row is negative or no number");
  for (Index i = 0; i < prices.value.rows(); ++i)
    for (Index t = 0; t < of.classes(); ++t)
      for (Index k = 0; k < of.classes(); ++k)
        if (of.price(i, t, t) > of.price(i, t, k))
          fail_usage(
              fmt::format("cost: {}: about row {} of the rows in training the right decision would cost more, "
                          "{}, than a wrong one, {}",
                          costs_text(costs), i + 1, of.price(i, t, t), of.price(i, t, k)));
}

std::vector<int> cheapest_labels(const RowCosts& costs, const Matrix& probability) {
  const Matrix expected = costs.expected(probability);
  std::vector<int> out(std::size_t(expected.rows()));
  for (Index i = 0; i < expected.rows(); ++i) {
    Index best = 0;
    for (Index k = 1; k < expected.cols(); ++k) {
      const bool same = expected(i, k) == expected(i, best);
      if (expected(i, k) < expected(i, best) || (same && probability(i, k) > probability(i, best))) best = k;
    }
    out[std::size_t(i)] = int(best);
  }
  return out;
}

}  // namespace lacuna
