// model/model.hpp -- model/ is where the stages meet: train() selects, fits and reports; a Model is what remains, a plain
// value that predicts, is written to a file and read back (model/file.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/base/matrix.hpp"
#include "lacuna/base/stop.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/kernel/kernel.hpp"

namespace lacuna {

/// What fit prints and the model keeps: what was chosen, how, and how good it is on held-out rows.
struct FitReport {
  std::string model = "ls-svm";
  Index rows = 0;
  Index features = 0;
  std::string criterion = "press";
  std::string cv = "loo";  ///< "loo", "5", "10x3", "group:COL", "explicit:10"
  double criterion_value = std::numeric_limits<double>::quiet_NaN();
  bool optimistic = false;   ///< the criterion chose something: its value at its own optimum flatters
  bool approximate = false;  ///< held-out outputs are one Newton step, not exact

  /// Scores of the held-out outputs: error, ber, auc, press (classes) or rmse, r2, press (values), in print order.
  std::vector<std::pair<std::string, double>> held_out;

  struct Search {
    std::string method = "none";
    int evaluations = 0;
    int gradients = 0;
    int factorisations = 0;
    double seconds = 0.0;
    Stop stop = Stop::none;
    std::vector<std::string> parameters;  ///< names, "lambda" first
    struct Optimum {
      std::vector<double> values;  ///< in the order of `parameters`
      double criterion = 0.0;
    };
    std::vector<Optimum> optima;  ///< best first
  } search;

  double seconds = 0.0;
  std::vector<std::string> warnings;
};

/// Every training row's held-out output and what follows from it.
struct HeldOutRows {
  std::vector<std::int64_t> row;  ///< in the data, from 1
  Matrix output;                  ///< l x m: z^(-i)
  Matrix target;                  ///< l x m real targets (regression) or empty
  std::vector<int> label;         ///< classes, or empty
  Vector leverage;                ///< 0 ... 1; NaN where there is none
  Vector trust;                   ///< NaN: the held-out outputs are exact
  Index size() const { return Index(row.size()); }
};

/// A fitted machine. Output column c of a row x is sum_j k(x, X_j) alpha_jc + b_c.
struct Model {
  Task task = Task::regression;
  std::vector<std::string> classes;  ///< binary: {negative, positive}
  std::vector<std::string> target_names;
  Kernel kernel;
  double lambda = 1.0;
  Encoding encoding;  ///< how a table becomes rows; `columns` empty when trained on bare rows
  Rows X;             ///< rows of the expansion
  Matrix alpha;
  Vector b;
  HeldOutRows held_out;  ///< empty when it was not kept
  FitReport report;
};

/// Outputs z for new rows, l x m. Requires X.cols() == model.X.cols() (precomputed: the number of training rows).
Matrix outputs(const Model& model, const RowsView& X);

/// What a user wants for every row.
struct Predictions {
  Matrix output;           ///< z, l x m
  std::vector<int> label;  ///< classes; empty for values
  Matrix lower, upper;     ///< values: 90 % intervals from the held-out residuals; empty where there are none
};
Predictions predict(const Model& model, const RowsView& X);

/// Half-width of the intervals for each target: the 90 % quantile of |t - z^(-i)| (jackknife; conservative rank
/// ceil(0.9 (l + 1))). Empty when the model keeps no held-out outputs or fewer than ten.
Vector interval_half_width(const HeldOutRows& held_out);

}  // namespace lacuna
