// explain/explain.hpp -- explain/ says what a finished model does with its columns, in the units of the data. Nothing
// is fitted: a column is changed in rows that are at hand, and the model predicts them again. A category is changed as
// a whole, never one of its 0/1 features alone.
//
//   effect        mean prediction with the column at a low and at a high quantile, all else as it is  (effects.hpp)
//   curve         the same at many values, with the spread over rows
//   pair          the four corners of two columns, and what is left of them when both effects are taken away
//   importance    by how much the loss of held-out (or new) rows grows when the column is permuted (importance.hpp)
//   coefficients  of a machine that is linear in its columns (coefficients.hpp)
//   neighbours    training rows near one row, and how much each pulls its output (neighbours.hpp)
//
// Effects are means over rows: exact for these rows, and with a standard error where they are a sample of more. A row
// of weight k counts as k copies of it, in means, in quantiles and among the rows that a permuted column comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/base/observer.hpp"
#include "lacuna/explain/columns.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna {

/// Rows to explain a model with, as its encoding has them.
struct ExplainRows {
  Rows X{};
  Vector offset{};                  ///< of rates; empty: none
  std::vector<std::int64_t> row{};  ///< in the data, from 1
  std::vector<int> label{};  ///< classes; -1: not known, or of a class that training never saw; empty: none known
  Matrix target{};           ///< values, l x m; NaN: not known; empty: none known
  Vector weight{};           ///< how many rows it stands for, in any unit; 0: not one; empty: all alike
  std::string counted_by{};  ///< the column of the data that says so; "": none does
  std::vector<int> group{};  ///< rows of one number belong together; empty: each is alone
  /// Rows that the model was trained on, in its order, so that what it says of them without having seen them can be
  /// computed.
  bool trained_on = false;
  std::string missing{};    ///< why there are no rows, in words; "" where there are
  std::string no_target{};  ///< why there are no targets, where there is a reason

  Index size() const { return Index(row.size()); }
};
/// The training rows that a model keeps: all of a machine on all rows (copies that were joined are one row of their
/// weight), the basis of one on a basis. None, and why, where the kernel sees columns another way, or is a matrix.
ExplainRows rows_of_model(const Model& model);
/// Those whose weight is not 0. Throws Error(data) where there are none.
ExplainRows rows_that_count(const ExplainRows& rows);

struct ExplainOptions {
  std::vector<std::string> columns{};  ///< only these, by name; empty: all
  Index rows = 1000;                   ///< most rows that effects are means over, a seeded sample of more
  double low = 0.1, high = 0.9;        ///< quantiles that an effect leads from and to
  bool importance = true;
  int permutations = 5;
  bool pairs = false;    ///< of the columns with the largest effects
  int pair_columns = 6;  ///< so many of them
  bool curves = false;
  int points = 20;                    ///< of the curve of a numeric column, at most
  std::optional<std::int64_t> row{};  ///< in the data, from 1: its neighbours
  int neighbours = 10;
  std::uint64_t seed = 0;
  Observer observer{};
};

/// A mean prediction for each output and its standard error over rows, 0 where the rows are not a sample.
struct MeanPrediction {
  std::vector<double> mean{}, standard_error{};
};

struct Effect {
  std::string column{};
  std::string from{}, to{};                 ///< values, as the data have them
  double from_value = 0.0, to_value = 0.0;  ///< numbers, or numbers of levels
  MeanPrediction at_low{}, at_high{};
  std::vector<double> change{};          ///< at_high less at_low, for each output
  std::vector<double> standard_error{};  ///< of it
  double size = 0.0;                     ///< the largest change of an output
};

struct CurvePoint {
  std::string column{}, value{};
  double at = 0.0;  ///< the value of numbers
  int output = 0;
  double mean = 0.0;
  double lower = 0.0, upper = 0.0;  ///< a tenth of the rows lie below, a tenth above
};

struct PairEffect {
  std::string first{}, second{};
  std::string first_from{}, first_to{}, second_from{}, second_to{};
  /// For each output: both low, second high, first high, both high.
  std::vector<std::vector<double>> corners{};
  std::vector<double> interaction{};  ///< both high - first high - second high + both low
  double size = 0.0;                  ///< the largest interaction of an output
};

struct Importance {
  std::string column{};
  double increase = 0.0;        ///< of the loss, mean over permutations and rows
  double standard_error = 0.0;  ///< over rows, or groups
  double error_increase = 0.0;  ///< of the share of wrong classes; classes only
};

struct ImportanceReport {
  std::string how{};      ///< "held-out" or "new"; empty: there is none
  std::string missing{};  ///< why there is none
  std::string loss{};     ///< "xent", "error", "squared residual" or "deviance"
  double without = 0.0;   ///< mean loss with every column as it is
  Index rows = 0;
  int permutations = 0;
  int folds = 0;                      ///< held-out: so many machines, each without a fold
  bool grouped = false;               ///< folds keep the groups of the rows together
  std::vector<Importance> columns{};  ///< largest first
};

struct Coefficient {
  std::string column{};
  std::string level{};              ///< of a category; else empty
  std::vector<double> of_output{};  ///< change of each output for one unit of the column
};

struct Coefficients {
  std::vector<Coefficient> columns{};  ///< none: the machine is not linear in its columns
  std::vector<double> intercept{};     ///< for each output
};

struct Neighbour {
  std::optional<std::int64_t> row{};  ///< in the data, from 1; empty: not known
  double distance = 0.0;              ///< in the space of the kernel
  std::string target{};               ///< as the data have it; empty: not known
  double pull = 0.0;                  ///< its part of the output
};

struct Neighbourhood {
  std::int64_t row = 0;
  int output = 0;      ///< which output is taken apart: that of the predicted class
  double value = 0.0;  ///< of the output
  double rest = 0.0;   ///< what no row pulls: the bias
  std::string missing{};
  std::vector<Neighbour> nearest{};
  std::vector<Neighbour> strongest{};  ///< by |pull|
};

struct Explanation {
  std::string predicts{};              ///< "probability", "output", "value" or "rate"
  std::vector<std::string> outputs{};  ///< what they are of: the positive class, each class, each target
  Index rows = 0, of_rows = 0;         ///< effects are means over so many rows, a sample of so many
  bool trained_on = false;
  bool weighted = false;          ///< rows count by their weights
  std::string counted_by{};       ///< the column of the data that has them; "": none of these rows
  bool basis = false;             ///< rows are those of a basis
  std::string missing{};          ///< why there are no effects; "" where there are
  std::vector<Effect> effects{};  ///< largest first
  std::vector<CurvePoint> curves{};
  std::vector<PairEffect> pairs{};  ///< largest interaction first
  ImportanceReport importance{};
  Coefficients coefficients{};
  std::optional<Neighbourhood> neighbourhood{};
};

/// Throws Error(usage) for columns that the model does not have, and for a row that is not there.
Explanation explain(const Model& model, const ExplainRows& rows, const ExplainOptions& options,
                    const Backend& backend = cpu_backend());

}  // namespace lacuna
