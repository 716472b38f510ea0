// With the linear kernel and next to no penalty, a machine is a generalised linear model: w = X' alpha and b equal the
// coefficients that statsmodels finds. glm_reference.py made both files that this test reads, and says how.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "lacuna/machine/irls.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cells.hpp"

namespace lacuna {
namespace glm_test {

using testing::Cells;

std::vector<Cells> read(const std::string& name) {
  return testing::read_cells(std::filesystem::path(LACUNA_HERE) / name);
}

Vector column(const std::vector<Cells>& rows, const std::string& name) {
  Vector out(Index(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) out[Index(i)] = std::stod(rows[i].at(name));
  return out;
}

TEST(Glm, CoefficientsEqualThoseOfStatsmodels) {
  const std::vector<Cells> data = read("glm_data.csv"), reference = read("glm_reference.csv");
  ASSERT_EQ(data.size(), 120u);
  ASSERT_EQ(reference.size(), 20u);  // five models, with and without weights and offset
  RowMatrix X(Index(data.size()), 3);
  X << column(data, "x1"), column(data, "x2"), column(data, "x3");
  const std::map<std::string, std::pair<Loss, std::string>> models = {
      {"logistic", {losses::Logistic{}, "label"}},
      {"probit", {losses::Probit{}, "label"}},
      {"poisson", {losses::Poisson{}, "count"}},
      {"negative-binomial", {losses::NegativeBinomial{.overdispersion = 0.7}, "count"}},
      {"gamma", {losses::Gamma{}, "positive"}}};
  const auto K = testing::backend().gram(kernels::Linear{}, X);
  // 1e-8 of the mean diagonal of K moves the coefficients by about 1e-10 (the information X'BX is some n times larger
  // than K_ii); alpha = -zeta c'/lambda, of size 1e8, costs X'alpha about nine of its sixteen digits. 5e-7 was seen.
  constexpr double tolerance = 1e-6;
  const double lambda = 1e-8 * K->diagonal().mean();
  for (const Cells& row : reference) {
    const bool weighted = row.at("weighted") == "1", shifted = row.at("with_offset") == "1";
    SCOPED_TRACE(row.at("model") + (weighted ? ", weighted" : "") + (shifted ? ", with offset" : ""));
    const auto& [loss, target] = models.at(row.at("model"));
    const Vector zeta = weighted ? column(data, "weight") : Vector::Ones(X.rows());
    const IrlsFit f = irls(*K, loss, zeta, column(data, target), shifted ? column(data, "offset") : Vector(), lambda,
                           compute::Want::solve);
    ASSERT_EQ(f.stop, Stop::converged);
    const Vector w = X.transpose() * f.fit.alpha.col(0);
    EXPECT_NEAR(f.fit.b[0], std::stod(row.at("b")), tolerance);
    for (Index j = 0; j < 3; ++j) EXPECT_NEAR(w[j], std::stod(row.at("w" + std::to_string(j + 1))), tolerance);
  }
}

}  // namespace glm_test
}  // namespace lacuna
