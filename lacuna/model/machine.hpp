// model/machine.hpp -- the machines by name: each is a loss, a penalty, a coding of its targets, and what its outputs
// stand for. Every loss has one, by its traits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/criterion/criterion.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/loss/loss.hpp"
#include "lacuna/loss/supervision.hpp"
#include "lacuna/machine/gp_classifier.hpp"

namespace lacuna {

struct Machine {
  std::string name = "ls-svm";
  Loss loss = losses::Squared{};
  Penalty penalty = Penalty::norm;
  std::optional<Inference> inference = {};  ///< how a Gaussian process approximates its posterior; empty: it is none
  std::optional<double> mean = 0.0;  ///< of its prior, everywhere the same; empty: chosen with the other parameters
};

inline Machine ls_svm() { return {}; }  ///< least-squares support vector machine
inline Machine kfd() { return {"kfd", losses::Squared{}, Penalty::coefficients}; }  ///< kernel Fisher discriminant
inline Machine klr() { return {"klr", losses::Logistic{}}; }                        ///< kernel logistic regression
inline Machine kpr(double s = 1.0) { return {"kpr", losses::Probit{s}}; }           ///< kernel probit regression
inline Machine l2_svm() { return {"l2-svm", losses::SquaredHinge{}}; }              ///< 2-norm support vector machine
inline Machine poisson_regression() { return {"poisson", losses::Poisson{}}; }      ///< counts
/// Counts that scatter more than Poisson's. 0: the overdispersion that held-out counts make likeliest.
inline Machine negative_binomial_regression(double overdispersion = 0.0) {
  return {"negbin", losses::NegativeBinomial{overdispersion}};
}
inline Machine gamma_regression() { return {"gamma", losses::Gamma{}}; }  ///< positive values
/// Robust regression. delta = 0: 1.345 times the robust deviation of an LS-SVM's held-out residuals.
inline Machine huber_regression(double delta = 0.0) { return {"huber", losses::PseudoHuber{delta}}; }

/// Gaussian-process classifiers: Laplace's approximation (logistic or probit likelihood) and expectation propagation
/// (probit).
inline Machine gp_laplace_classifier(Loss likelihood = losses::Logistic{}, std::optional<double> mean = 0.0) {
  return {"gp-laplace", likelihood, Penalty::norm, Inference::laplace, mean};
}
inline Machine gp_ep_classifier(std::optional<double> mean = 0.0) {
  return {"gp-ep", losses::Probit{}, Penalty::norm, Inference::ep, mean};
}

/// "klr", "kpr:paper", "huber:delta=0.5", "gp-laplace:probit,mean=auto", ... Throws Error(usage) with the nearest name,
/// or when this version has no such machine.
Machine parse_machine(std::string_view text);
/// The machine for a task: klr for classes, poisson for counts, ls-svm for values.
Machine automatic_machine(Task task);
/// Names of this version's machines.
const std::vector<std::string>& machine_names();
/// How they are written, for help: "klr (logistic)", "huber (huber:delta=NUMBER)".
std::vector<std::string> machine_usage();

/// The criterion that belongs to a machine: press, xent, hinge2 or evidence.
Criterion default_criterion(const Machine& machine);
/// Throws Error(usage) when the machine cannot be judged by it.
void check_criterion(const Machine& machine, Criterion criterion);
/// Throws Error(usage or data) when the targets or offsets are not of the machine's kind.
void check_targets(const Machine& machine, const Dataset& data);

/// l x m targets coded as the machine wants them: one column for binary problems, one for each class or target. Those
/// of kfd depend on the training weights (one for each row; empty: all 1).
Matrix machine_targets(const Machine& machine, const Dataset& data, const Vector& weights = {});
/// l/(m l_k) for a row of class k of m, so that every class weighs the same; l_k counts by `weights` where given, and
/// the result is multiplied by them.
Vector balanced_weights(const std::vector<int>& label, int classes, const Vector& weights);

}  // namespace lacuna
