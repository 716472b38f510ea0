// Models and model files whose parts do not fit together: not written, and refused although the checksum is right.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/model/detail/safetensors.hpp"
#include "lacuna/model/file.hpp"
#include "tests/model/models.hpp"

namespace lacuna {
namespace file_content_test {

TEST(ModelFileContent, ModelsThatDoNotFitTogetherAreNotWritten) {
  const auto misfit_after = [](auto change) -> std::string {
    Model model = binary_model();
    change(model);
    try {
      model_to_bytes(model);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(misfit_after([](Model&) {}), "");
  EXPECT_NE(misfit_after([](Model& m) { m.alpha.resize(2, 1), m.alpha.setZero(); }), "");
  EXPECT_NE(misfit_after([](Model& m) { m.b[0] = std::nan(""); }), "");
  EXPECT_NE(misfit_after([](Model& m) { m.lambda = 0.0; }), "");
  EXPECT_NE(misfit_after([](Model& m) { m.classes.pop_back(); }), "");
  EXPECT_NE(misfit_after([](Model& m) { m.encoding.features[1].level = 2; }), "");
  EXPECT_NE(misfit_after([](Model& m) { m.encoding.features[1].column = 7; }), "");
  EXPECT_NE(misfit_after([](Model& m) { m.encoding.features.pop_back(); }), "");
  EXPECT_NE(misfit_after([](Model& m) { m.held_out.label[0] = 2; }), "");
  EXPECT_NE(misfit_after([](Model& m) { m.kernel = kernels::Ard{{1.0}}; }), "");
  EXPECT_EQ(misfit_after([](Model& m) { m.encoding.columns[1].fill = std::nan(""); }),
            "write: the model is not whole: encoding.columns[1].fill is not finite");
}

// A file whose checksum is right and whose content was changed: the text of the model, and its arrays.
std::string changed_file(
    const Model& model, const std::function<void(nlohmann::json&)>& change_text,
    const std::function<void(detail::TensorViews&)>& change_arrays = [](auto&) {}) {
  const std::string bytes = model_to_bytes(model);
  detail::Container c = detail::read_container(bytes, "m", model_file_version, true);
  for (const char* own : {"checksum", "format", "version"}) c.metadata.erase(own);
  auto text = nlohmann::json::parse(c.metadata["model"]);
  change_text(text);
  c.metadata["model"] = text.dump();
  change_arrays(c.tensors);
  return detail::write_container(c, model_file_version);
}

TEST(ModelFileContent, ContentThatCannotBeIsRefusedAlthoughTheChecksumIsRight) {
  const auto refused = [](auto change) { return refusal(changed_file(binary_model(), change)); };
  EXPECT_EQ(refused([](auto&) {}), "accepted");
  EXPECT_NE(refused([](auto& m) { m["encoding"]["target_positions"] = {2}; }).find("two roles"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["encoding"]["target_positions"] = {3}; }).find("does not exist"),
            std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["encoding"]["columns"][1]["position"] = 0; }).find("two roles"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["encoding"]["features"][1] = m["encoding"]["features"][0]; }).find("do not ascend"),
            std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["encoding"]["features"][0]["scale"] = 0; }).find("not positive"),
            std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["encoding"]["features"][0]["scale"] = "inf"; }).find("not finite"),
            std::string::npos);
  EXPECT_NE(refused([](auto& m) {
              m["encoding"]["columns"][1]["levels"] = {"red", "red"};
            }).find("twice"),
            std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["classes"] = {"no", "no"}; }).find("twice"), std::string::npos);
  EXPECT_NE(refused([](auto& m) {
              m["target_names"] = {"a", "b"};
            }).find("one name for each target"),
            std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["loss"] = {{"name", "poisson"}}; }).find("poisson loss"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["lambda"] = "nan"; }).find("lambda is not finite"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["report"].erase("rows"); }).find("report.rows is absent"), std::string::npos);
}

TEST(ModelFileContent, PricesOfRowsAndMarksOfMissingCellsThatCannotBeAreRefused) {
  const auto refused = [](auto change) { return refusal(changed_file(row_price_model(), change)); };
  EXPECT_EQ(refused([](auto&) {}), "accepted");
  const auto row_costs = [](auto& m) -> auto& { return m["decision"]["row_costs"]; };
  EXPECT_NE(refused([&](auto& m) { row_costs(m)["columns"][0]["truth"] = 2; }), "accepted");
  EXPECT_NE(refused([&](auto& m) { row_costs(m)["columns"][0]["name"] = ""; }), "accepted");
  EXPECT_NE(refused([&](auto& m) { row_costs(m)["columns"].clear(); }), "accepted");
  EXPECT_NE(refused([&](auto& m) { row_costs(m)["price"] = {0.0, 2.5, 0.0}; }), "accepted");
  EXPECT_NE(refused([&](auto& m) { row_costs(m)["price"][1] = -1.0; }), "accepted");
  EXPECT_NE(refused([&](auto& m) { row_costs(m)["classes"] = 3; }), "accepted");
  EXPECT_NE(refused([](auto& m) { m["price_columns"] = {"a"}; }), "accepted");
  EXPECT_NE(refused([](auto& m) { m.erase("price_columns"); }).find("held_out.price"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["encoding"]["features"][1]["level"] = 3; }).find("does not exist"),
            std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["encoding"]["missing"] = "mean"; }).find("does not exist"), std::string::npos);
}

TEST(ModelFileContent, WarningsOfOlderAndNewerFilesHaveNoCodeThatIsKnown) {
  const Model model = binary_model();
  const auto code_after = [&](auto change) {
    return model_from_bytes(changed_file(model, change), "m").report.warnings[0];
  };
  EXPECT_EQ(code_after([](auto&) {}), model.report.warnings[0]);
  const Warning plain{Warning::Code::other, model.report.warnings[0].text};
  EXPECT_EQ(code_after([](auto& m) { m["report"].erase("warning_codes"); }), plain);
  EXPECT_EQ(code_after([](auto& m) { m["report"]["warning_codes"] = {"of-the-future"}; }), plain);
  EXPECT_NE(refusal(changed_file(model, [](auto& m) { m["report"]["warning_codes"] = nlohmann::json::array(); }))
                .find("one code for each"),
            std::string::npos);
}

TEST(ModelFileContent, MetadataIsCarried) {
  Model model = binary_model();
  EXPECT_EQ(model_to_bytes(model).find("metadata\\\":"), std::string::npos);
  model.metadata = {{"front end", "{\"a\": \"\xff not UTF-8\"}"}, {"b", ""}};
  EXPECT_EQ(model_from_bytes(model_to_bytes(model), "m").metadata, model.metadata);
}

TEST(ModelFileContent, IntervalsCentresAndPairsThatCannotBeAreRefused) {
  const auto refused = [](auto change) { return refusal(changed_file(regression_model(), change)); };
  const auto outputs = std::size_t(regression_model().b.size());
  EXPECT_EQ(refused([](auto& m) { m.erase("intervals"); }), "accepted");  // an older file
  EXPECT_EQ(refused([&](auto& m) { m["intervals"]["half_width"] = std::vector<double>(outputs, 1.0); }), "accepted");
  EXPECT_NE(refused([&](auto& m) { m["intervals"]["half_width"] = std::vector<double>(outputs + 1, 1.0); }),
            "accepted");
  EXPECT_NE(refused([](auto& m) { m["intervals"]["half_width"] = {-1.0}; }).find("negative"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["intervals"]["half_width"] = {"inf"}; }).find("not finite"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["intervals"]["folds"] = -1; }), "accepted");
  const auto widths = [&](double width, std::size_t of) {
    return [=](auto& m) {
      m["intervals"]["half_width"] = std::vector<double>(outputs, 1.0);
      m["intervals"]["by_percent"] = {std::vector<double>(of, width)};
    };
  };
  EXPECT_EQ(refused(widths(0.1, outputs)), "accepted");
  EXPECT_NE(refused(widths(-0.1, outputs)).find("negative"), std::string::npos);
  EXPECT_NE(refused(widths(0.1, outputs + 1)).find("length"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["report"]["auc_pairs"] = "some"; }).find("auc_pairs"), std::string::npos);
  EXPECT_NE(refused([](auto& m) { m["report"]["weighted"] = 2; }), "accepted");
  Model model = regression_model();
  model.centre = Vector::Ones(model.X.cols());
  EXPECT_EQ(refusal(model_to_bytes(model)), "accepted");
  model.centre = Vector::Ones(model.X.cols() + 1);
  EXPECT_THROW(model_to_bytes(model), Error);
  model.centre = Vector::Constant(model.X.cols(), std::nan(""));
  EXPECT_THROW(model_to_bytes(model), Error);
}

TEST(ModelFileContent, ArraysThatCannotBeAreRefusedAlthoughTheChecksumIsRight) {
  using detail::TensorViews;
  const auto refused = [](auto change) {
    return refusal(changed_file(
        regression_model(), [](auto&) {}, change));
  };
  const double odd[] = {std::nan(""), 1.0, 2.0, 3.0, 4.0, 5.0};
  const std::string_view with_nan(reinterpret_cast<const char*>(odd), sizeof odd);
  EXPECT_EQ(refused([](auto&) {}), "accepted");
  EXPECT_NE(refused([](TensorViews& t) {
              t["held_out.row"] = {"I64", {0}, {}};
            }).find("there are none"),
            std::string::npos);
  EXPECT_NE(refused([](TensorViews& t) { t.erase("held_out.row"); }).find("does not belong"), std::string::npos);
  EXPECT_NE(refused([](TensorViews& t) { t.erase("held_out.output"); }).find("is absent"), std::string::npos);
  EXPECT_NE(refused([](TensorViews& t) { t["held_out.fitted"] = t["X"]; }), "");
  EXPECT_NE(refused([](TensorViews& t) { t["held_out.trust"] = t["b"]; }).find("not one for each"), std::string::npos);
  EXPECT_NE(refused([](TensorViews& t) {
              t["alpha"].shape = {2, 3};
            }).find("'alpha' is 2 long where 3 belong"),
            std::string::npos);
  EXPECT_NE(refused([](TensorViews& t) {
              t["b"] = {"F64", {0}, {}};
            }).find("'b' is 0 long where 2 belong"),
            std::string::npos);
  for (const char* name : {"held_out.output", "held_out.target", "X", "alpha"})
    EXPECT_NE(refused([&](TensorViews& t) { t[name].bytes = with_nan; }).find("not finite"), std::string::npos) << name;
  EXPECT_NE(refused([](TensorViews& t) { t["more"] = t["b"]; }).find("'more' does not belong"), std::string::npos);
}

TEST(ModelFileContent, ArraysThatShareBytesAreRefused) {
  std::string bytes = model_to_bytes(regression_model());
  const std::string one = R"("b":{"dtype":"F64","shape":[2],"data_offsets":[)";
  const std::size_t at = bytes.find(one) + one.size(), end = bytes.find(']', at);
  bytes.replace(at, end - at, std::string("0,16") + std::string(end - at - 4, ' '));
  EXPECT_NE(refusal(bytes), "accepted");
}

}  // namespace file_content_test
}  // namespace lacuna
