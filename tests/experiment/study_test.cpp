#include "experiment/study.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "experiment/annulus.hpp"
#include "experiment/chart.hpp"
#include "experiment/complexity.hpp"
#include "experiment/ida.hpp"
#include "experiment/published.hpp"
#include "experiment/sparse_loo.hpp"
#include "experiment/study_page.hpp"
#include "experiment/study_text.hpp"
#include "experiment/wcci.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/random.hpp"

namespace lacuna {
namespace study_test {

TEST(Published, TablesAreAsPrinted) {
  const auto banana = published("klr_table1_error", "banana", "LOO-KLR");
  ASSERT_TRUE(banana);
  EXPECT_EQ(banana->mean, 10.6);
  EXPECT_EQ(banana->se, 0.05);
  EXPECT_EQ(published("klr_table3_bits", "banana", "LOO-KLR")->mean, 0.648);
  EXPECT_FALSE(published("klr_table1_error", "nowhere", "LOO-KLR"));
  EXPECT_EQ(published_table("wlssvm_table3_ber").rows, 70);
  EXPECT_THROW(published_table("none"), Error);
}

TEST(Published, EveryClassifierOfThePapersHasItsColumn) {
  EXPECT_EQ(published_method({"klr", "loo", "split"}), "LOO-KLR");
  EXPECT_EQ(published_method({"kfd", "explicit:10", "median"}), "KFD-10fold");
  EXPECT_EQ(published_method({"kfd", "loo", "split"}), "");
  EXPECT_EQ(published_method({"gp-ep", "evidence", "split"}), "EP-GPC");
}

TEST(Study, SheetsBecomeMarkdownCsvAndJson) {
  Study study{"s", "Title"};
  study.sheets = {{"a", "Caption.", {"word", "number"}, {{std::string("x,\"y\""), 0.1}, {Cell(), std::nan("")}}},
                  {"b", "", {"n"}, {{1.0}}, true}};
  const std::string text = study_markdown(study);
  EXPECT_NE(text.find("| x,\"y\" | 0.1 |"), std::string::npos) << text;
  EXPECT_EQ(text.find("## b"), std::string::npos) << "a detail is left out";
  EXPECT_EQ(sheet_csv(study.sheets[0]), "word,number\n\"x,\"\"y\"\"\",0.1\n,\n");
  const auto json = study_json(study);
  EXPECT_EQ(json["sheets"]["a"][0]["number"], 0.1);
  EXPECT_TRUE(json["sheets"]["a"][1]["number"].is_null());
  EXPECT_EQ(json["sheets"]["b"].size(), 1u);
}

TEST(Study, AChartCarriesItsFigures) {
  const Sheet sheet{"a", "", {"x", "y"}, {{1.0, std::string("w")}}};
  const auto json = nlohmann::json::parse(chart_of("c", sheet, R"({"mark": "line"})").vega_lite);
  EXPECT_EQ(json["data"]["values"][0]["y"], "w");
  EXPECT_EQ(json["mark"], "line");
}

// By a fit of the test's own at what was chosen; the boundary lies between the disc and the ring around it.
TEST(Study, ThePictureOfTheAnnulusIsTheDiscriminantOfItsPatterns) {
  const AnnulusPicture picture = annulus_picture(3);
  ASSERT_EQ(picture.patterns.rows.size(), 200U);
  ASSERT_EQ(picture.plane.rows.size(), std::size_t(annulus_side * annulus_side));
  RowMatrix X(200, 2);
  std::vector<std::string> label;
  for (Index i = 0; i < 200; ++i) {
    const auto& row = picture.patterns.rows[std::size_t(i)];
    X.row(i) << std::get<double>(row[0]), std::get<double>(row[1]);
    label.push_back(std::get<std::string>(row[2]));
  }
  const Model model = train(X, label, {.model = kfd()});
  int wrong = 0;
  for (const auto& row : picture.plane.rows) {
    RowMatrix at(1, 2);
    at << std::get<double>(row[0]), std::get<double>(row[1]);
    const double z = std::get<double>(row[2]), radius = at.row(0).norm();
    EXPECT_NEAR(z, outputs(model, at)(0, 0), 1e-6);
    if (radius < 0.3) wrong += z < 0.0;
    if (radius > 0.8 && radius < 1.2) wrong += z > 0.0;
  }
  EXPECT_EQ(wrong, 0);
  Study study{"complexity", "The annulus"};
  study.sheets = {picture.patterns, picture.plane};
  const auto page = study_page_json(study, "lacuna experiment complexity");
  const auto& figure = page["sections"][0]["blocks"][0];
  EXPECT_EQ(figure["chart"], "map");
  EXPECT_EQ(figure["data"]["rows"]["x"].size(), 200U);
  const auto& line = figure["data"]["half"];
  ASSERT_GT(line["x"].size(), 20U);
  for (std::size_t k = 0; k < line["x"].size(); ++k) {
    const double radius = std::hypot(line["x"][k].get<double>(), line["y"][k].get<double>());
    EXPECT_GT(radius, 0.3);
    EXPECT_TRUE(radius < 0.8 || radius > 1.2) << "not through the ring";
  }
}

TEST(Study, FastLeaveOneOutEqualsTheExplicitOne) {
  const ComplexityPoint p = kfd_complexity(30, 2);
  EXPECT_LT(p.difference, 1e-8);
  EXPECT_GT(p.naive, p.fast);
  Random random(5);
  RowMatrix X(50, 1);
  Vector t(50);
  for (Index i = 0; i < 50; ++i) t[i] = std::sin(6.0 * (X(i, 0) = random.uniform())) + 0.1 * random.normal();
  const SparseLoo loo = compare_sparse_loo(kernels::Rbf{10.0}, X, t, {0, 7, 20, 33, 41}, 1e-3, 1);
  EXPECT_LT(loo.relative_difference, 1e-10);
}

// A table whose errors are sums of what each level adds: the regression finds them.
TEST(Study, FactorRegressionFindsWhatEachLevelAdds) {
  std::vector<WcciCell> cells;
  const std::vector<std::string> criteria{"press", "wmw", "error"}, kernels{"linear", "rbf"};
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < 2; ++k) {
      WcciResult r;
      r.test_at_cut = 0.2 + 0.01 * double(c) - 0.03 * double(k);
      cells.push_back({"ADA", criteria[c], kernels[k], false, false, {r, r}});
    }
  const std::vector<Sheet> sheets = wcci_sheets(cells);
  const Sheet& factors = sheets[2];
  ASSERT_EQ(factors.name, "factors");
  ASSERT_EQ(factors.rows.size(), 4u);  // constant, wmw, error, RBF
  const auto value = [&](std::size_t i) { return std::get<double>(factors.rows[i][1]); };
  EXPECT_NEAR(value(2) / value(1), 2.0, 1e-9);
  EXPECT_NEAR(value(3) / value(1), -3.0, 1e-9);
}

TEST(Study, UnknownNamesAndMissingFoldersAreRefused) {
  Journal journal;
  EXPECT_THROW(run_experiment("idda", {}, journal), Error);
  for (const char* name : {"ida", "motorcycle", "boston", "wcci"})
    EXPECT_THROW(run_experiment(name, {}, journal), Error);
}

}  // namespace study_test
}  // namespace lacuna
