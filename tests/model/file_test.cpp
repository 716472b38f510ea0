#include "lacuna/model/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/kernel/specification.hpp"
#include "lacuna/model/detail/safetensors.hpp"
#include "tests/model/models.hpp"
#include "tests/support/temporary.hpp"

namespace lacuna {
namespace file_test {

namespace fs = std::filesystem;

template <class A, class B>
bool same_bits(const A& a, const B& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(double) * std::size_t(a.size())) == 0);
}

class ModelFile : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder.path(name); }

  const test::TemporaryFolder folder;
};

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.task, b.task);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.target_names, b.target_names);
  EXPECT_EQ(kernel_text(a.kernel), kernel_text(b.kernel));
  EXPECT_EQ(kernel_parameters(a.kernel), kernel_parameters(b.kernel));
  EXPECT_EQ(a.lambda, b.lambda);
  EXPECT_TRUE(same_bits(a.alpha, b.alpha));
  EXPECT_TRUE(same_bits(a.b, b.b));
  EXPECT_EQ(a.held_out.row, b.held_out.row);
  EXPECT_EQ(a.held_out.label, b.held_out.label);
  EXPECT_TRUE(same_bits(a.held_out.weight, b.held_out.weight));
  EXPECT_TRUE(same_bits(a.held_out.judged, b.held_out.judged));
  EXPECT_EQ(a.held_out.prices, b.held_out.prices);
  EXPECT_EQ(a.costs, b.costs);
  EXPECT_EQ(a.held_out.group, b.held_out.group);
  EXPECT_EQ(a.held_out.copy_of, b.held_out.copy_of);
  EXPECT_TRUE(same_bits(a.held_out.output, b.held_out.output));
  EXPECT_TRUE(same_bits(a.held_out.target, b.held_out.target));
  EXPECT_TRUE(same_bits(a.held_out.leverage, b.held_out.leverage));
  EXPECT_TRUE(same_bits(a.held_out.trust, b.held_out.trust));
  ASSERT_EQ(a.X.is_sparse(), b.X.is_sparse());
  if (a.X.is_sparse()) {
    EXPECT_EQ(a.X.sparse().row_start, b.X.sparse().row_start);
    EXPECT_EQ(a.X.sparse().column, b.X.sparse().column);
    EXPECT_EQ(a.X.sparse().value, b.X.sparse().value);
    EXPECT_EQ(a.X.cols(), b.X.cols());
  } else {
    EXPECT_TRUE(same_bits(a.X.dense(), b.X.dense()));
  }
  // The bytes hold everything else: encoding and report.
  EXPECT_EQ(model_to_bytes(a), model_to_bytes(b));
}

TEST_F(ModelFile, EveryKindOfModelReadsBackToTheSameBits) {
  for (const Model& model : {binary_model(), multiclass_model(), regression_model(), row_price_model()}) {
    write_model(model, path("m.lacuna"));
    expect_same(model, read_model(path("m.lacuna")));
  }
}

TEST_F(ModelFile, EncodingAndReportReadBack) {
  const Model model = binary_model(), read = model_from_bytes(model_to_bytes(model), "m");
  ASSERT_EQ(read.encoding.columns.size(), 2U);
  EXPECT_EQ(read.encoding.columns[1].levels, model.encoding.columns[1].levels);  // not UTF-8
  EXPECT_EQ(read.encoding.columns[1].position, 2);
  EXPECT_EQ(read.encoding.features[0].centre, 41.3);
  EXPECT_EQ(read.encoding.missing, Missing::mean);
  EXPECT_EQ(read.encoding.target_positions, std::vector<std::int32_t>{1});
  EXPECT_EQ(read.report.held_out, model.report.held_out);
  EXPECT_EQ(read.report.criterion_value, 0.1 + 0.2);
  EXPECT_EQ(read.report.search.stop, Stop::at_bound);
  EXPECT_EQ(read.report.search.scouted, 1000);
  EXPECT_EQ(read.report.search.optima[1].values, (std::vector<double>{7.0, 1e-300}));
  EXPECT_EQ(read.report.warnings, model.report.warnings);
}

TEST_F(ModelFile, KernelParametersKeepEveryBit) {
  Model model = binary_model();
  for (const double theta : {0.1, 1.0 / 3.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
                             123456789.123456789, std::nextafter(1.0, 2.0), 9007199254740993.0}) {
    for (const Kernel& kernel : {Kernel(kernels::Rbf{theta}), Kernel(kernels::Ard{{theta, 1.0}}),
                                 Kernel(kernels::RationalQuadratic{theta, theta}),
                                 Kernel(kernels::Product{{kernels::Matern12{theta}, kernels::Boolean{theta}}})}) {
      model.kernel = kernel;
      EXPECT_EQ(kernel_parameters(model_from_bytes(model_to_bytes(model), "m").kernel), kernel_parameters(kernel))
          << theta;
    }
  }
}

TEST_F(ModelFile, NumbersThatAreNotFiniteReadBackInReports) {
  Model model = binary_model();
  model.report.criterion_value = std::nan("");
  model.report.held_out = {{"auc", std::numeric_limits<double>::infinity()},
                           {"r2", -std::numeric_limits<double>::infinity()}};
  const Model read = model_from_bytes(model_to_bytes(model), "m");
  EXPECT_TRUE(std::isnan(read.report.criterion_value));
  EXPECT_EQ(read.report.held_out, model.report.held_out);
}

TEST_F(ModelFile, ModelWithoutHeldOutRowsAndOfAKernelMatrixReadsBack) {
  Model model = binary_model();
  model.held_out = {};
  EXPECT_EQ(model_from_bytes(model_to_bytes(model), "m").held_out.size(), 0);
  model.kernel = kernels::Precomputed{};
  model.X = RowMatrix(0, 3);
  model.encoding = {};
  const Model read = model_from_bytes(model_to_bytes(model), "m");
  EXPECT_EQ(read.X.cols(), 3);
  EXPECT_EQ(read.X.rows(), 0);
}

TEST_F(ModelFile, LayoutIsThatOfSafetensors) {
  const std::string bytes = model_to_bytes(multiclass_model());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  const auto header = nlohmann::json::parse(bytes.substr(8, length));
  EXPECT_EQ(header["__metadata__"]["format"], "lacuna");
  EXPECT_EQ(header["__metadata__"]["version"], "3");
  EXPECT_EQ(header["alpha"]["dtype"], "F64");
  EXPECT_EQ(header["alpha"]["shape"], nlohmann::json({3, 3}));
  double second = 0.0;  // arrays lie row by row
  std::memcpy(&second, bytes.data() + 8 + length + header["alpha"]["data_offsets"][0].get<std::size_t>() + 8, 8);
  EXPECT_EQ(second, 0.2);
}

TEST_F(ModelFile, EveryTruncationIsRefused) {
  const std::string bytes = model_to_bytes(binary_model());
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_NE(refusal(bytes.substr(0, n)), "accepted") << n;
  EXPECT_NE(refusal(bytes.substr(0, bytes.size() - 1)).find("truncated model file"), std::string::npos);
  EXPECT_NE(refusal(bytes.substr(0, 100)).find("truncated model file"), std::string::npos);
  EXPECT_NE(refusal("").find("not a lacuna model file (it is empty)"), std::string::npos);
}

TEST_F(ModelFile, EveryChangedByteIsRefused) {
  const std::string bytes = model_to_bytes(binary_model());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::string changed = bytes;
    changed[n] = char(changed[n] ^ 0x08);  // no digit becomes that of another version
    EXPECT_NE(refusal(changed), "accepted") << n;
  }
  std::string changed = bytes;
  changed[bytes.size() - 3] ^= 1;
  EXPECT_NE(refusal(changed).find("corrupted model file: its checksum is"), std::string::npos);
  EXPECT_NE(refusal(bytes + "more").find("corrupted model file: 4 bytes that belong to nothing"), std::string::npos);
}

TEST_F(ModelFile, ForeignFilesAreRefused) {
  EXPECT_NE(refusal("x,y,label\n1,2,a\n3,4,b\n").find("not a lacuna model file"), std::string::npos);
  const std::string header = R"({"w":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})";
  std::uint64_t length = header.size();
  std::string other(reinterpret_cast<const char*>(&length), 8);
  other += header + std::string(8, '\0');
  EXPECT_NE(refusal(other).find("not a lacuna model file (another kind of safetensors file)"), std::string::npos);
}

TEST_F(ModelFile, NewerVersionsAreRefusedByNumber) {
  std::string bytes = model_to_bytes(binary_model());
  bytes.replace(bytes.find(R"("version":"3")"), 13, R"("version":"9")");
  EXPECT_NE(refusal(bytes).find("version 9, and this program reads version 8 and older"), std::string::npos);
}

TEST_F(ModelFile, ReadingNamesTheFileThatIsNotThere) {
  try {
    read_model(path("none.lacuna"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("none.lacuna: No such file or directory"), std::string::npos);
  }
  EXPECT_THROW(read_model(folder.path()), Error);
}

TEST_F(ModelFile, UserWrittenKernelsCannotBeSaved) {
  Model model = binary_model();
  model.kernel =
      kernels::Custom{.label = "mine", .parameter_labels = {}, .parameter = {}, .pair_value = {}, .pair_d_log = {}};
  try {
    model_to_bytes(model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_NE(std::string(error.what()).find("mine"), std::string::npos);
  }
}

TEST_F(ModelFile, WritingReplacesTheWholeFileAndLeavesNothingElse) {
  write_file_atomically(path("a"), "first");
  chmod(path("a").c_str(), 0640);
  write_file_atomically(path("a"), "second");
  EXPECT_EQ(folder.contents("a"), "second");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
  EXPECT_EQ(folder.files(), 1U);
}

TEST_F(ModelFile, WritingFollowsLinks) {
  write_file_atomically(path("real"), "old");
  fs::create_symlink("real", path("link"));
  write_file_atomically(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(folder.contents("real"), "new");
}

TEST_F(ModelFile, UnwritableOutputIsRefusedBeforehandByName) {
  for (const std::string& bad : {path("no/such/folder/m.lacuna"), folder.path().string(), std::string()}) {
    EXPECT_THROW(require_writable(bad), Error) << bad;
    EXPECT_THROW(write_file_atomically(bad, "x"), Error) << bad;
  }
  require_writable(path("new"));
  EXPECT_EQ(folder.files(), 0U) << "asking leaves nothing behind";
  write_file_atomically("/dev/null", "x");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST_F(ModelFile, ModelFilesAreKnownByTheirContents) {
  write_model(binary_model(), path("m.csv"));
  write_file_atomically(path("t.csv"), "x,y,label\n1,2,a\n");
  EXPECT_TRUE(is_model_file(path("m.csv")));
  EXPECT_FALSE(is_model_file(path("t.csv")));
  EXPECT_FALSE(is_model_file(path("none")));
}

}  // namespace file_test
}  // namespace lacuna
