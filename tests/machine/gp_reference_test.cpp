// Gaussian-process classifiers against other programs on seeded rows: the textbook's algorithms (gp_textbook.py) and
// scikit-learn (gp_sklearn.py), each of which made the table that is read here.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/backends.hpp"
#include "tests/support/gp_reference.hpp"

namespace lacuna {
namespace gp_reference_test {

using testing::Cells;
using testing::columns;
using testing::expect_relative;
using testing::number;
using testing::read_cells;

const std::filesystem::path here = std::filesystem::path(LACUNA_HERE);
const std::vector<std::string> features = {"x1", "x2", "x3"};

TEST(GpReference, EvidenceGradientAndLatentMomentsEqualThoseOfTheTextbook) {
  const std::vector<Cells> data = read_cells(here / "glm_data.csv"), reference = read_cells(here / "gp_textbook.csv");
  ASSERT_EQ(reference.size(), 9u);
  const RowMatrix X = columns(data, features, 0, 60), X_new = columns(data, features, 60, 10);
  const Vector t = columns(data, {"label"}, 0, 60);
  for (const Cells& row : reference) {
    SCOPED_TRACE(row.at("method") + ", length " + row.at("length"));
    // Both searches end where the evidence no longer changes in double precision; derivatives of the table are central
    // differences, good to nine digits.
    testing::expect_gp_reference(row, number(row, "length"), number(row, "deviation"), X, t, X_new, 1e-7, 1e-6);
  }
}

TEST(GpReference, LogisticLaplaceEvidenceEqualsThatOfScikitLearn) {
  const std::vector<Cells> data = read_cells(here / "glm_data.csv"), reference = read_cells(here / "gp_sklearn.csv");
  ASSERT_EQ(reference.size(), 12u);
  const RowMatrix X = columns(data, features, 0, data.size());
  const Vector t = columns(data, {"label"}, 0, data.size());
  for (const Cells& row : reference) {
    SCOPED_TRACE("variance " + row.at("variance") + ", length " + row.at("length"));
    const double length = number(row, "length"), variance = number(row, "variance");
    const auto K = testing::backend().gram(kernels::Rbf{.theta = 0.5 / (length * length)}, X);
    const GpFit fit = fit_gp({Inference::laplace, losses::Logistic{}}, *K, t, 0.0, 1.0 / variance);
    ASSERT_EQ(fit.stop, Stop::converged);
    expect_relative(fit.log_evidence, number(row, "log_evidence"), 1e-6);
    const compute::CriterionGradient g = evidence_gradient(fit);
    EXPECT_NEAR(-g.d_log_lambda, number(row, "d_log_variance"), 1e-7);
    EXPECT_NEAR(-2.0 * g.d_log_kernel[0], number(row, "d_log_length"), 1e-7);
  }
}

}  // namespace gp_reference_test
}  // namespace lacuna
