// model/costs.hpp -- what decisions cost: price(true class, decided class), the same for all rows, or in some places
// of the matrix from a column of the data, since a mistake about a large loan costs more than one about a small one.
//
// The class of the least expected cost, sum_t p_t price(t, k), is decided; between two classes with prices FP and FN of
// a row that is the positive one from p = FP/(FP + FN) on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/data/prices.hpp"

namespace lacuna {

/// A price that is each row's own.
struct PriceColumn {
  int truth = 0, decided = 0;  ///< of which classes
  std::string name{};          ///< of the column that has it
  bool operator==(const PriceColumn&) const = default;
};

/// Of two classes whose prices are the same for all rows a rule for the cut follows (threshold.hpp); else the class of
/// the least expected cost is decided, where there are probabilities.
struct Costs {
  Matrix price{};                      ///< 0 where a column has it
  std::vector<PriceColumn> columns{};  ///< row by row of the matrix; empty: all rows have the same prices
  bool operator==(const Costs&) const = default;
};
inline bool by_row(const Costs& costs) { return !costs.columns.empty(); }
/// The columns that have prices, each once.
std::vector<std::string> price_columns(const Costs& costs);

/// "FP,FN" for two classes; else the rows of the matrix, in the order of the true classes: "0,1,5;1,0,1;9,9,0". A price
/// is a number or, as "col:NAME", a column. Prices are not negative, and in every row the right class is no dearer than
/// any other. Throws Error(usage).
Costs parse_costs(std::string_view text);
std::string costs_text(const Costs& costs);
/// What is wrong with them, as a sentence; "" when nothing is.
std::string costs_misfit(const Costs& costs);
/// Throws Error(usage) unless the prices are for so many classes.
void check_costs(const Costs& costs, std::size_t classes);

/// The prices of rows, one after the other.
class RowCosts {
 public:
  RowCosts(Matrix price) : price_(std::move(price)) {}  // NOLINT: the same for all rows
  /// Throws Error(usage) unless `prices` has all columns that are asked for.
  RowCosts(const Costs& costs, const RowPrices& prices);
  Index classes() const { return price_.rows(); }
  double price(Index row, Index truth, Index decided) const;
  /// Of each class, were it decided: rows x classes, for rows of probabilities.
  Matrix expected(const Matrix& probability) const;

 private:
  Matrix price_;
  std::vector<int> column_{};  // of own_, by place in the matrix; -1: price_ has it. Empty: it has all
  Matrix own_{};
};
/// Whether these prices are all that is needed.
bool has_prices(const Costs& costs, const RowPrices& prices);
/// Throws Error(usage) where a right decision about some row would cost more than a wrong one.
void check_prices(const Costs& costs, const RowPrices& prices);

/// The class of the least expected cost for each row of probabilities; the likelier of equals.
std::vector<int> cheapest_labels(const RowCosts& costs, const Matrix& probability);

}  // namespace lacuna
