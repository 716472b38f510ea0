// tests/model/models.hpp -- hand-made models, small and whole, for tests of files and reports: every field is set to
// something that would be noticed if it were lost.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lacuna/base/error.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna {

inline FitReport some_report() {
  FitReport r;
  r.rows = 3;
  r.features = 2;
  r.criterion = "press";
  r.cv = "group:site";
  r.criterion_value = 0.1 + 0.2;
  r.optimistic = true;
  r.held_out = {{"error", 1.0 / 3.0}, {"ber", 0.25}, {"auc", 0.997}, {"press", 0.104}};
  r.search = {.method = "lbfgs",
              .evaluations = 31,
              .gradients = 30,
              .factorisations = 33,
              .seconds = 0.21,
              .stop = Stop::at_bound,
              .scouted = 1000,
              .parameters = {"lambda", "theta"},
              .optima = {{{0.42, 0.031}, 0.104}, {{7.0, 1e-300}, 0.2}}};
  r.seconds = 0.25;
  r.warnings = {{Warning::Code::constant_features, "1 constant feature left out: z"}};
  return r;
}

/// Two classes, dense rows, one categorical and one numeric column.
inline Model binary_model() {
  Model m;
  m.task = Task::binary;
  m.classes = {"no", "yes, \"sure\""};
  m.target_names = {"ill"};
  m.kernel = kernels::Rbf{0.1 + 0.2};
  m.lambda = 1.0 / 3.0;
  m.encoding.columns = {
      {.name = "age", .categorical = false, .levels = {}, .fill = 41.3, .position = 0},
      {.name = "colour", .categorical = true, .levels = {"red", "t\xe9l"}, .fill = 0.0, .position = 2}};
  m.encoding.features = {{.column = 0, .level = -1, .centre = 41.3, .scale = 7.1, .name = "age"},
                         {.column = 1, .level = 1, .centre = 0.5, .scale = 0.5, .name = "colour=t\xe9l"}};
  m.encoding.table_columns = 3;
  m.encoding.target_positions = {1};
  m.encoding.missing = Missing::mean;
  m.X = RowMatrix{{1.0, -0.0}, {0.1, 5e-324}, {-1e308, 2.0}};
  m.alpha = Matrix{{0.1}, {-0.3}, {0.2}};
  m.b = Vector{{1.0 / 7.0}};
  m.held_out = {.row = {1, 2, 9'007'199'254'740'993},
                .output = Matrix{{-0.5}, {0.25}, {1.5}},
                .target = {},
                .label = {0, 1, 1},
                .leverage = Vector{{0.2, 0.3, 0.5}},
                .trust = Vector::Constant(3, std::nan(""))};
  m.report = some_report();
  return m;
}

/// Three classes, sparse rows, a sum of kernels.
inline Model multiclass_model() {
  Model m = binary_model();
  m.task = Task::multiclass;
  m.classes = {"1", "2", "10"};
  m.kernel =
      kernels::Sum{{kernels::Linear{},
                    kernels::Product{{kernels::Polynomial{.c = 0.7, .degree = 4}, kernels::RationalQuadratic{}}}}};
  SparseMatrix X;
  X.rows = 3;
  X.cols = 2;
  X.row_start = {0, 1, 1, 3};
  X.column = {1, 0, 1};
  X.value = {0.5, -2.0, 1e-310};
  m.X = X;
  m.encoding = {};
  m.encoding.sparse = true;
  m.encoding.has_names = false;
  m.encoding.sparse_columns = 9;
  m.encoding.sparse_zero_based = true;
  m.encoding.features = {{.column = 3, .scale = 2.0, .name = "x3"}, {.column = 8, .name = "x8"}};
  m.alpha = Matrix{{0.1, 0.2, 0.3}, {-0.1, -0.2, -0.3}, {1.0, 2.0, 3.0}};
  m.b = Vector{{0.1, 0.2, 0.3}};
  m.held_out.output = Matrix{{0.9, -0.8, -1.0}, {0.5, 0.4, -1.0}, {-1.0, -1.0, 0.5}};
  m.held_out.label = {0, 1, 2};
  return m;
}

/// Prices of mistakes that are each row's own, and features that mark missing cells.
inline Model row_price_model() {
  Model m = binary_model();
  m.loss = losses::Logistic{};
  m.costs = Costs{Matrix{{0.0, 2.5}, {0.0, 0.5}}, {{1, 0, "amount, in full"}}};
  m.held_out.prices = {{"amount, in full", "t\xe9l"}, Matrix{{0.1 + 0.2, 3.0}, {0.0, 1e-300}, {7.0, 2.0}}};
  m.encoding.missing = Missing::indicator;
  m.encoding.features[0] = {.column = 0, .level = 0, .centre = 0.25, .scale = 0.5, .name = "age missing"};
  m.encoding.features[1].level = 2;
  return m;
}

/// Two real targets.
inline Model regression_model() {
  Model m = binary_model();
  m.task = Task::regression;
  m.classes = {};
  m.target_names = {"height", "weight"};
  m.kernel = kernels::Ard{{0.25, 1e-12}};
  m.alpha = Matrix{{0.1, 1.0}, {-0.3, 2.0}, {0.2, -3.0}};
  m.b = Vector{{1.5, 60.0}};
  m.encoding.table_columns = 4;
  m.encoding.target_positions = {1, 3};
  m.held_out.output = Matrix{{1.5, 60.0}, {1.75, 70.0}, {1.25, 80.0}};
  m.held_out.target = Matrix{{1.0, 61.0}, {2.0, 70.0}, {1.25, 78.0}};
  m.held_out.label = {};
  m.held_out.weight = Vector{{1.0, 2.0, 0.0}};
  m.held_out.judged = Vector{{0.5, 2.0, 0.25}};
  m.held_out.group = {1, 1, 0};
  m.held_out.copy_of = {0, 0, 2};
  m.report.held_out = {{"rmse", 0.5}, {"r2", 0.9}, {"press", 0.25}};
  return m;
}

inline Model stack_member(double theta) {
  Model m = binary_model();
  m.kernel = kernels::Rbf{theta};
  m.encoding = {};
  m.held_out = {};
  m.report.held_out.clear();
  return m;
}

/// Of two machines, one of which sees rows another way.
inline Model stack_model() {
  Model m = binary_model();
  m.kernel = kernels::Linear{};
  m.X = RowMatrix(0, 2);
  m.alpha = Matrix(0, 1);
  m.b = Vector::Zero(1);
  m.members.push_back({"rbf", 0.25, stack_member(0.5)});
  m.members.push_back({"rbf, codes", 0.75, stack_member(2.0)});
  Model& seen = m.members[1].machine;
  seen.representation = {.inputs = 2,
                         .features = {{.column = 0, .at = {-1.0, 0.5, 2.0}, .value = {0.0, 1.0, -0.25}},
                                      {.column = 0},
                                      {.column = 1, .at = {0.0, 1.0}, .value = {0.5, 0.1}}}};
  seen.X = RowMatrix{{1.0, 0.0, 0.5}, {0.1, 0.3, 0.2}, {-1.0, 2.0, 0.1}};
  m.report.choice = FitReport::Choice{.effort = "best", .folds = 5, .loss = 0.25, .stop = Stop::time_limit};
  m.report.choice->candidates = {{.name = "rbf", .kernel = "rbf:theta=0.5", .lambda = 0.1, .loss = 0.3, .weight = 0.25},
                                 {.name = "linear", .left = "behind by its own criterion"}};
  return m;
}

/// Why these bytes are no model file, or "accepted".
inline std::string refusal(std::string_view bytes) {
  try {
    model_from_bytes(bytes, "m.lacuna");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::data);
    return error.what();
  }
  return "accepted";
}

}  // namespace lacuna
