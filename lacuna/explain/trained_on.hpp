// explain/trained_on.hpp -- whether rows that are said to be new are rows that a model was trained on. A model on all
// rows keeps their inputs; any other keeps, with its held-out rows, what it says of each row that it has seen, and an
// output that is the same to eight digits is as good as a fingerprint.
#pragma once

#include <set>
#include <vector>

#include "lacuna/model/model.hpp"

namespace lacuna {

class TrainedOn {
 public:
  explicit TrainedOn(const Model& model);
  /// More rows, encoded for the model, and its outputs for them.
  void add(const RowsView& X, const Matrix& output);
  /// How many were trained on, in all likelihood. 0 where that is less than five or one in ten more than such rows as
  /// coincide by themselves: as many as training rows coincide with one another.
  Index count() const;

 private:
  bool keeps(const RowsView& X, Index i) const;
  bool has_said(const Eigen::RowVectorXd& output) const;

  std::set<std::vector<double>> rows_;  // inputs, rounded
  Matrix said_;                         // outputs of rows that were seen, ascending in the first; empty: not known
  double tolerance_ = 0.0;
  double coincide_ = 0.0;  // share of training rows that are like another
  Index seen_ = 0, rows_added_ = 0;
};

/// TrainedOn::count() of these rows.
Index count_trained_on(const Model& model, const RowsView& X);

}  // namespace lacuna
