#include "lacuna/report/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "lacuna/base/shown.hpp"
#include "lacuna/report/performance.hpp"
#include "tests/model/models.hpp"

namespace lacuna {
namespace report_test {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::vector<std::string> keys(const nlohmann::ordered_json& json) {
  std::vector<std::string> out;
  for (const auto& [key, value] : json.items()) out.push_back(key);
  return out;
}

std::vector<std::string> held_out_lines(const Model& model) {
  std::ostringstream out;
  write_held_out_csv(model, out);
  return lines(out.str());
}

TEST(Report, JsonHasTheKeysOfTheContractInOrder) {
  Model model = binary_model();
  model.report.search.scouted = 0;
  const auto json = fit_json(model);
  EXPECT_EQ(keys(json), (std::vector<std::string>{"model", "task", "rows", "features", "classes", "kernel", "lambda",
                                                  "basis", "criterion", "held_out", "search", "seconds", "warnings",
                                                  "warning_codes", "loss", "decision", "intervals"}));
  EXPECT_EQ(keys(json["criterion"]), (std::vector<std::string>{"name", "cv", "value", "optimistic", "weighted"}));
  EXPECT_EQ(keys(json["held_out"]), (std::vector<std::string>{"approximate", "error", "ber", "auc", "press"}));
  EXPECT_EQ(keys(json["search"]), (std::vector<std::string>{"method", "evaluations", "gradients", "factorisations",
                                                            "seconds", "stop", "optima"}));
  EXPECT_EQ(keys(json["search"]["optima"][0]), (std::vector<std::string>{"lambda", "theta", "value"}));
  EXPECT_EQ(json["search"]["stop"], "at-bound");
  EXPECT_EQ(json["search"]["optima"][0]["value"], 0.104);
  EXPECT_TRUE(json["basis"].is_null());
  EXPECT_EQ(fit_json(binary_model())["search"]["scouted"], 1000);
}

TEST(Report, KernelJsonNamesParametersAndParts) {
  EXPECT_EQ(kernel_json(kernels::Rbf{0.5}).dump(), R"({"name":"rbf","theta":0.5})");
  EXPECT_EQ(kernel_json(kernels::Linear{}).dump(), R"({"name":"linear"})");
  EXPECT_EQ(kernel_json(kernels::Polynomial{.c = 2.0, .degree = 3}).dump(), R"({"name":"poly","degree":3,"c":2.0})");
  EXPECT_EQ(kernel_json(kernels::Ard{{1.0, 0.5}}).dump(), R"({"name":"ard","theta":[1.0,0.5]})");
  EXPECT_EQ(kernel_json(kernels::Sum{{kernels::Linear{}, kernels::Rbf{1.0}}}).dump(),
            R"({"name":"sum","parts":[{"name":"linear"},{"name":"rbf","theta":1.0}]})");
}

TEST(Report, JsonOfTextsThatAreNotUtf8CanStillBeParsed) {
  const auto json = nlohmann::json::parse(json_text(inspect_json(binary_model())));
  EXPECT_EQ(json["encoding"][1]["column"], "colour");
  EXPECT_EQ(json["held_out_rows"], 3);
}

TEST(Report, TextSaysWhatWasChosenAndThatTheCriterionIsOptimistic) {
  const std::string text = fit_text(binary_model());
  for (const char* part : {"ls-svm: binary, 3 rows, 2 features", "theta = 0.3", "0.3333", "press = 0.3 (optimistic",
                           "33.33 %", "lbfgs, at-bound: 31 evaluations", "by site"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_NE(inspect_text(binary_model()).find("(x - 41.3) / 7.1"), std::string::npos);
}

TEST(Report, HeldOutRowsOfTwoClasses) {
  const auto csv = held_out_lines(binary_model());
  EXPECT_EQ(csv[0], "row,target,output,probability,prediction,residual,leverage,loss,trust");
  EXPECT_EQ(csv[1], "1,no,-0.5,,no,-0.5,0.2,0.25,");  // y = -1: residual -1 - (-0.5)
  EXPECT_EQ(csv[3], "9007199254740993,\"yes, \"\"sure\"\"\",1.5,,\"yes, \"\"sure\"\"\",-0.5,0.5,0.25,");
}

TEST(Report, HeldOutRowsOfSeveralClasses) {
  const auto csv = held_out_lines(multiclass_model());
  EXPECT_EQ(csv[0],
            "row,target,output:1,output:2,output:10,probability:1,probability:2,probability:10,prediction,residual,"
            "leverage,loss,trust");
  EXPECT_EQ(csv[2].substr(0, 25), "2,2,0.5,0.4,-1,,,,1,,0.3,");
  // (y - z): (-1 - 0.5, 1 - 0.4, -1 + 1), squares' mean
  EXPECT_NEAR(std::stod(csv[2].substr(25)), (2.25 + 0.36) / 3.0, 1e-15);
}

TEST(Report, HeldOutRowsOfSeveralTargets) {
  const auto csv = held_out_lines(regression_model());
  EXPECT_EQ(csv[0],
            "row,target:height,target:weight,output:height,output:weight,probability,prediction:height,"
            "prediction:weight,residual:height,residual:weight,leverage,loss,trust");
  EXPECT_EQ(csv[1], "1,1,61,1.5,60,,1.5,60,-0.5,1,0.2,0.625,");
}

TEST(Report, PredictionsOfClassesAndValues) {
  std::ostringstream classes, values;
  write_predictions_heading(binary_model(), classes);
  write_predictions_csv(binary_model(), interpret(binary_model(), Matrix{{0.1}, {-2.0}}),
                        std::vector<std::int64_t>{3, 4}, classes);
  EXPECT_EQ(lines(classes.str()),
            (std::vector<std::string>{"row,prediction,output,probability:no,\"probability:yes, \"\"sure\"\"\"",
                                      "3,\"yes, \"\"sure\"\"\",0.1,,", "4,no,-2,,"}));
  Model one = regression_model();
  one.target_names = {"height"};
  write_predictions_heading(one, values);
  write_predictions_csv(
      one, {.output = Matrix{{0.1}}, .value = Matrix{{0.1}}, .lower = Matrix{{-0.9}}, .upper = Matrix{{1.1}}},
      std::vector<std::int64_t>{1}, values);
  EXPECT_EQ(lines(values.str()), (std::vector<std::string>{"row,prediction,lower,upper", "1,0.1,-0.9,1.1"}));
}

std::string performance_text(const Model& model, const Predictions& predictions, const Table& table) {
  const std::vector<std::int64_t> row{1, 2, 3};
  Performance performance(model, table);
  performance.add(predictions, row);
  return performance.text();
}

TEST(Report, PerformanceIsSaidWhenTheTableHasTheTarget) {
  const Model model = binary_model();
  const Predictions predictions = interpret(model, Matrix{{0.1}, {-2.0}, {1.0}});
  const Table with = parse_table("ill,age\nno,1\nno,2\n\"yes, \"\"sure\"\"\",3\n", "t.csv");
  EXPECT_EQ(performance_text(model, predictions, with), "error 33.33 % on 3 rows");
  const Table without = parse_table("sick,age\nno,1\nno,2\nyes,3\n", "t.csv");
  EXPECT_EQ(performance_text(model, predictions, without), "");
  Model values = regression_model();
  values.target_names = {"h"};
  const Table heights = parse_table("h,age\n1,1\nNA,2\n3,3\n", "t.csv");
  EXPECT_EQ(performance_text(values, interpret(values, Matrix{{1.0}, {9.0}, {5.0}}), heights), "rmse 1.414 on 2 rows");
}

// Every text that a model can bring with it, each with a line feed, an escape sequence, a C1 byte and an override.
std::string hostile(const std::string& text) { return text + "\nlacuna: forged\r\x1b[2J\x07\xc2\x9b\xe2\x80\xae\x9b"; }

Model with_hostile_names(Model m) {
  const auto spoil = [](std::string& text) { text = hostile(text); };
  for (auto* list : {&m.classes, &m.target_names, &m.report.search.parameters})
    for (std::string& text : *list) spoil(text);
  for (Warning& w : m.report.warnings) spoil(w.text);
  for (auto* text : {&m.report.model, &m.report.criterion, &m.report.cv, &m.report.search.method}) spoil(*text);
  for (auto& [name, value] : m.report.held_out) spoil(name);
  for (ColumnCode& c : m.encoding.columns) spoil(c.name);
  for (FeatureCode& f : m.encoding.features) spoil(f.name);
  return m;
}

TEST(Report, NamesCannotCommandATerminalOrForgeALine) {
  std::vector<Model> models{binary_model(), multiclass_model(), regression_model()};
  models[2].kernel = kernels::Ard{{0.25, 1e-12}};
  for (Model& m : models) {
    m.held_out.fitted = 0.5 * m.held_out.output;
    m.report.basis = FitReport::Basis{.method = "greedy", .size = 2, .kept = 2};
    m.report.cv = "group:site";
  }
  for (const Model& model : models) {
    const Model bad = with_hostile_names(model);
    for (const auto& text_of : {fit_text, inspect_text, suspects_text}) {
      const std::string text = text_of(bad);
      EXPECT_EQ(lines(text).size(), lines(text_of(model)).size()) << text;
      EXPECT_EQ(text, shown_lines(text));
    }
  }
}

}  // namespace report_test
}  // namespace lacuna
