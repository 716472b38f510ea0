#include "lacuna/explain/held_out_machines.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/compute/host/linear_weights.hpp"
#include "lacuna/model/held_out_rows.hpp"

namespace lacuna {
namespace {

bool penalises_coefficients(const Model& model) { return model.report.regulariser() == "mu"; }

// What is wrong with one machine of a model with these held-out rows.
std::string misfit(const Model& machine, const HeldOutRows& held_out) {
  if (uses_geometry(machine.kernel, kernels::Geometry::given)) return "its kernel is a matrix";
  if (machine.report.basis) return "it is a machine on a basis, which does not keep its training rows";
  if (machine.sites.size() == 0) return "it was written by an older program";
  if (places_in_expansion(held_out, machine.X.rows()).empty()) return "rows without a part in it are not kept";
  if (dual_bytes(machine.X.rows(), false) > available_bytes())
    return "the matrix of all its rows does not fit into memory";
  return "";
}

// Coefficients of the dual machine. Those of a machine that penalises its expansion are not in the model, but follow
// from the residuals: lambda alpha = beta (t - z).
Matrix dual_coefficients(const Model& model) {
  if (!penalises_coefficients(model)) return model.alpha;
  const HeldOutRows& h = model.held_out;
  const std::vector<Index> rows = rows_of_expansion(h, model.X.rows());
  const Matrix residual = h.target(rows, Eigen::all) - h.fitted(rows, Eigen::all);
  return (model.sites.array() * residual.array() / model.lambda).matrix();
}

// Without what only the model of all rows has.
Model bare(const Model& model) {
  Model out;
  out.loss = model.loss;
  out.task = model.task;
  out.classes = model.classes;
  out.target_names = model.target_names;
  out.kernel = model.kernel;
  out.lambda = model.lambda;
  out.representation = model.representation;
  out.centre = model.centre;
  out.X = model.X;
  out.alpha = model.alpha;
  out.b = model.b;
  out.column_weights = model.column_weights;
  out.calibration = model.calibration;
  out.threshold = model.threshold;
  out.threshold_rule = model.threshold_rule;
  out.inference = model.inference;
  return out;
}

// Sites of rows that were left out are gone, and the variances are those of the others.
void forget(Model& machine, const Matrix& sites, const std::vector<Index>& fold) {
  const std::vector<Index> rest = all_but(machine.X.rows(), fold);
  machine.X = take_rows(machine.X, rest);
  machine.alpha = Matrix(machine.alpha(rest, Eigen::all));
  machine.sites = sites(rest, Eigen::all);
}

}  // namespace

std::string no_held_out_machines(const Model& model) {
  const HeldOutRows& h = model.held_out;
  if (h.size() == 0) return "the model keeps no held-out rows";
  if (model.members.empty()) return misfit(model, h);
  for (const Member& m : model.members) {
    if (penalises_coefficients(m.machine)) return "a member of the stack penalises its coefficients";
    if (std::string why = misfit(m.machine, h); !why.empty()) return "of a member of the stack: " + why;
  }
  return "";
}

std::vector<Model> machines_without(const Model& model, const Folds& folds, const Backend& backend) {
  std::vector<Model> out(folds.size(), bare(model));
  if (!model.members.empty()) {
    for (const Member& m : model.members) {
      std::vector<Model> without = machines_without(m.machine, folds, backend);
      for (std::size_t f = 0; f < folds.size(); ++f)
        out[f].members.push_back({m.name, m.weight, std::move(without[f])});
    }
    return out;
  }
  const bool border = !model.inference, of_coefficients = penalises_coefficients(model);
  const Index l = model.X.rows(), m = model.alpha.cols();
  const Matrix alpha = dual_coefficients(model);
  const auto K = backend.gram(model.kernel, model.X, compute::Use::repeatedly,
                              of_coefficients ? Vector(model.sites.col(0)) : Vector());
  std::unique_ptr<compute::Factor> factor;
  Vector xi;
  for (Index c = 0; c < m; ++c) {
    if (c == 0 || model.sites.col(c) != model.sites.col(c - 1)) {
      factor = K->factor(model.sites.col(c), model.lambda, compute::Want::inverse);
      if (!factor) fail_numerical("explain: the kernel matrix of the model is not positive definite");
      if (border) xi = factor->solve(Vector::Ones(l));
    }
    const Vector e = factor->leave_out(folds, xi, alpha.col(c));
    Matrix e_F = Matrix::Zero(l, Index(folds.size()));  // a column for each fold
    for (std::size_t f = 0; f < folds.size(); ++f)
      for (const Index i : folds[f]) e_F(i, Index(f)) = e[i];
    Matrix change = factor->solve(e_F);
    Eigen::RowVectorXd change_b = Eigen::RowVectorXd::Zero(e_F.cols());
    if (border) {
      change_b = xi.transpose() * e_F / xi.sum();
      change -= xi * change_b;
    }
    if (of_coefficients)
      change =
          model.sites.col(0).asDiagonal() * backend.gram(model.kernel, model.X, compute::Use::once)->multiply(change);
    const bool by_columns = model.column_weights.size() > 0;
    const RowMatrix change_w = by_columns ? LinearWeights(model.X, change).values().high : RowMatrix();
    for (std::size_t f = 0; f < folds.size(); ++f) {
      if (by_columns) out[f].column_weights.col(c) -= change_w.col(Index(f));
      out[f].alpha.col(c) -= change.col(Index(f));
      out[f].b[c] -= change_b[Index(f)];
    }
  }
  if (model.inference)
    for (std::size_t f = 0; f < folds.size(); ++f) forget(out[f], model.sites, folds[f]);
  return out;
}

}  // namespace lacuna
