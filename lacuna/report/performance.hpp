// report/performance.hpp -- how good predictions are, when the table to predict also has the target.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "lacuna/model/model.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {

/// Rows without target do not count.
class Performance {
 public:
  /// Both are referred to.
  Performance(const Model& model, const Table& table);
  ~Performance();
  /// `row` says which row of the table (from 1) each prediction is for, `prices` what mistakes about it cost, where
  /// columns say that, `weights` how often each row counts (empty: all alike; see read_weights()).
  void add(const Predictions& predictions, std::span<const std::int64_t> row, const RowPrices& prices = {},
           const Vector& weights = {});
  /// "error 9.2 %, 0.71 bits on 1000 rows", or rmse or deviance; "" when there is no target. Where rows count by weight
  /// that is said.
  std::string text() const;
  /// Which labels of the target the model does not know, in how many rows; "" when there are none.
  std::string unknown_labels() const;
  /// {"rows", "counted_by", "scores", "baseline", "confusion", "by_class", "cost_error", "cheapest"}, of several
  /// targets {"targets": {NAME: ...}}; null when there is no target. Baselines of values and rates are of the training
  /// rows that the model keeps.
  nlohmann::ordered_json json() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lacuna
