// fitted.hpp -- a fitted model as Python holds it: the library's value, and what predicting prepares.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "lacuna/model/model.hpp"
#include "lacuna/model/predictor.hpp"

namespace lacuna::python {

class Fitted {
 public:
  explicit Fitted(Model m) : model(std::move(m)) {}

  /// Rows with the columns of training, of arrays; several threads may call. Ctrl-C stops it.
  /// The `quantiles` of new values are "quantile0", "quantile1" ...; `prices`: of mistakes about the rows, one column
  /// for each that the model's costs name.
  nb::dict predict(nb::handle X, nb::handle exposure, int threads, const std::vector<double>& quantiles,
                   nb::handle prices, bool variance);
  /// A table, by its columns' names. Beside the predictions: "row", the rows (from 0) that they are for, and "notes".
  nb::dict predict_table(const Table& table, int threads, const std::vector<double>& quantiles, bool variance);
  /// How far each row is from the nearest training row (explain/outside.hpp); NaN for rows of a table that are left
  /// out.
  nb::object outside(nb::handle X, int threads) const;
  /// Every training row's held-out output and what follows from it.
  nb::dict held_out() const;
  std::string report() const;
  /// How good predictions of these rows are, whose targets are columns of `truth`: what `predict --json` writes.
  std::string scores(const RowsView& X, const Vector& offset, const Table& truth, RowPrices prices);
  std::string scores(const Table& table, const Table& truth);

  Model model;  // predicting changes nothing of it

 private:
  Predictions predict_blocks(const RowsView& X, const Vector& offset, bool encoded, const PredictOptions& wanted = {});
  nb::dict as_dict(Predictions said) const;
  Rows encoded(const RowsView& X) const;

  std::mutex one_at_a_time_;
  std::unique_ptr<Predictor> predictor_;
};

/// Prices of rows in the order of the columns that the model's costs name; none: none.
RowPrices prices_of(const Model& model, nb::handle prices);

void bind_fitted(nb::module_& m);
void bind_fit(nb::module_& m);
void bind_explain(nb::module_& m);
void bind_page(nb::module_& m);
void bind_table(nb::module_& m);
void bind_steps(nb::module_& m);

}  // namespace lacuna::python
