#include "lacuna/machine/gp_classifier.hpp"

#include <string>

#include "lacuna/base/error.hpp"
#include "lacuna/machine/gp_ep.hpp"
#include "lacuna/machine/gp_laplace.hpp"

namespace lacuna {

void check_classifier(const GpClassifier& classifier) {
  const bool probit = std::holds_alternative<losses::Probit>(classifier.likelihood);
  const bool logistic = std::holds_alternative<losses::Logistic>(classifier.likelihood);
  if (classifier.inference == Inference::ep && !probit)
    fail_usage("gp-ep: the likelihood must be probit; this is " + std::string(name_of(classifier.likelihood)));
  if (!probit && !logistic)
    fail_usage("gp-laplace: the likelihood must be logistic or probit; this is " +
               std::string(name_of(classifier.likelihood)));
}

GpFit fit_gp(const GpClassifier& classifier, const compute::Gram& K, const Vector& t, double mean, double lambda,
             std::optional<double> tolerance, const WarmStart& start, const Vector& zeta) {
  check_classifier(classifier);
  if (classifier.inference == Inference::ep) {
    GpEpOptions options;
    options.tolerance = tolerance.value_or(options.tolerance);
    return gp_ep(K, std::get<losses::Probit>(classifier.likelihood), t, mean, lambda, options, start, zeta);
  }
  GpLaplaceOptions options;
  options.tolerance = tolerance.value_or(options.tolerance);
  return gp_laplace(K, classifier.likelihood, t, mean, lambda, options, start, zeta);
}

}  // namespace lacuna
