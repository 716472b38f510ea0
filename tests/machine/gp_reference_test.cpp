// Gaussian-process classifiers against other software: GPML on Ripley's data (gp_reference.csv says what was computed;
// skipped where the data are not at hand) and scikit-learn on seeded rows (gp_sklearn.py made what is read here).
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "lacuna/machine/gp_classifier.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cells.hpp"

namespace lacuna {
namespace {

using testing::Cells;
using testing::read_cells;

double number(const Cells& row, const std::string& name) { return std::stod(row.at(name)); }

// Some columns of the first `count` rows.
RowMatrix columns(const std::vector<Cells>& rows, const std::vector<std::string>& names, std::size_t count) {
  RowMatrix X{Index(count), Index(names.size())};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < names.size(); ++j) X(Index(i), Index(j)) = number(rows[i], names[j]);
  return X;
}

const std::filesystem::path here = std::filesystem::path(LACUNA_HERE);

#define EXPECT_RELATIVE(value, expected, tolerance) EXPECT_NEAR(value, expected, (tolerance)*std::abs(expected))

TEST(GpReference, EvidenceGradientAndLatentMomentsEqualThoseOfGpml) {
  const std::filesystem::path folder = std::filesystem::path(LACUNA_SHARED_DATA) / "mass";
  // What GPML computed belongs to data that are not ours to carry. Where they are absent this test says so and checks
  // nothing; the tests beside it (scikit-learn on rows of our own, integration, sequential EP) need no data.
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "Ripley's data are not here: " << folder;
  const std::vector<Cells> train = read_cells(folder / "synth_tr.csv"), test = read_cells(folder / "synth_te.csv");
  ASSERT_EQ(train.size(), 250u) << "a folder of data that is not whole";
  ASSERT_EQ(test.size(), 1000u);
  const RowMatrix X = columns(train, {"xs", "ys"}, train.size()), X_new = columns(test, {"xs", "ys"}, 10);
  const Vector t = columns(train, {"yc"}, train.size());
  const std::map<std::string, GpClassifier> classifiers = {{"laplace-logistic", {Inference::laplace, Logistic{}}},
                                                           {"laplace-probit", {Inference::laplace, Probit{}}},
                                                           {"ep-probit", {Inference::ep, Probit{}}}};
  const std::vector<Cells> reference = read_cells(here / "gp_reference.csv");
  ASSERT_EQ(reference.size(), 9u);
  for (const Cells& row : reference) {
    SCOPED_TRACE(row.at("method") + ", log ell " + row.at("log_ell"));
    const GpClassifier& classifier = classifiers.at(row.at("method"));
    const double ell = std::exp(number(row, "log_ell")), sf = std::exp(number(row, "log_sf"));
    const Rbf kernel{.theta = 0.5 / (ell * ell)};
    const auto K = testing::backend().gram(kernel, X);
    const GpFit fit = fit_gp(classifier, *K, t, 0.0, 1.0 / (sf * sf));
    ASSERT_EQ(fit.stop, Stop::converged);
    constexpr double tolerance = 1e-6;  // 3e-7 was seen: as far as GPML's search for the mode goes
    EXPECT_RELATIVE(-fit.log_evidence, number(row, "neg_log_evidence"), tolerance);
    const EvidenceGradient g = evidence_gradient(fit);
    EXPECT_RELATIVE(2.0 * g.d_log_kernel[0], number(row, "d_log_ell"), tolerance);  // theta = 1/(2 ell^2)
    EXPECT_RELATIVE(2.0 * g.d_log_lambda, number(row, "d_log_sf"), tolerance);      // lambda = 1/sf^2
    const LatentMoments at = latent(fit, testing::backend(), kernel, X_new, X);
    const Vector p = averaged_probability(fit.likelihood, at);
    for (Index i = 0; i < 10; ++i) {
      const std::string k = std::to_string(i + 1);
      EXPECT_RELATIVE(at.mean[i], number(row, "mean" + k), tolerance);
      EXPECT_RELATIVE(at.variance[i], number(row, "var" + k), tolerance);
      const bool approximate = std::holds_alternative<Logistic>(fit.likelihood);  // GPML's own average is, to 1e-3
      EXPECT_NEAR(p[i], number(row, "p" + k), approximate ? 3e-3 : 1e-8);
    }
  }
}

TEST(GpReference, LogisticLaplaceEvidenceEqualsThatOfScikitLearn) {
  const std::vector<Cells> data = read_cells(here / "glm_data.csv"), reference = read_cells(here / "gp_sklearn.csv");
  ASSERT_EQ(reference.size(), 12u);
  const RowMatrix X = columns(data, {"x1", "x2", "x3"}, data.size());
  const Vector t = columns(data, {"label"}, data.size());
  for (const Cells& row : reference) {
    SCOPED_TRACE("variance " + row.at("variance") + ", length " + row.at("length"));
    const double length = number(row, "length"), variance = number(row, "variance");
    const auto K = testing::backend().gram(Rbf{.theta = 0.5 / (length * length)}, X);
    const GpFit fit = fit_gp({Inference::laplace, Logistic{}}, *K, t, 0.0, 1.0 / variance);
    ASSERT_EQ(fit.stop, Stop::converged);
    EXPECT_RELATIVE(fit.log_evidence, number(row, "log_evidence"), 1e-6);
    const EvidenceGradient g = evidence_gradient(fit);
    EXPECT_NEAR(-g.d_log_lambda, number(row, "d_log_variance"), 1e-7);
    EXPECT_NEAR(-2.0 * g.d_log_kernel[0], number(row, "d_log_length"), 1e-7);
  }
}

}  // namespace
}  // namespace lacuna
