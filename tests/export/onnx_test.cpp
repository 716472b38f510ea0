// What to_onnx() refuses, and that it takes every kernel of the list. What the graphs compute is asked of ONNX Runtime,
// in tests/onnx.
#include "lacuna/export/onnx.hpp"

#include <gtest/gtest.h>

#include "tests/support/problems.hpp"
#include "tests/support/refusal.hpp"

namespace lacuna {
namespace onnx_test {

Model with_kernel(const Kernel& kernel) {
  Model model;
  model.kernel = kernel;
  model.X = RowMatrix(RowMatrix::Random(5, 3));
  model.alpha = Matrix::Random(5, 1);
  model.b = Vector::Random(1);
  return model;
}

// A Gaussian process of so many rows, with nothing in them.
Model process(Index rows) {
  Model model = with_kernel(kernels::Rbf{0.5});
  model.loss = losses::Logistic{};
  model.task = Task::binary;
  model.classes = {"a", "b"};
  model.X = RowMatrix(RowMatrix::Zero(rows, 1));
  model.alpha = Matrix::Zero(rows, 1);
  model.inference = Inference::laplace;
  model.sites = Matrix::Ones(rows, 1);
  return model;
}

TEST(Onnx, TakesEveryKernelOfTheList) {
  for (const auto& [name, kernel] : testing::all_kernels(3)) {
    if (uses_geometry(kernel, kernels::Geometry::rows)) continue;
    EXPECT_GT(to_onnx(with_kernel(kernel)).size(), 300U) << name;
  }
}

TEST(Onnx, RefusesKernelsThatAreNoFormulasAlsoAsParts) {
  kernels::Custom custom{.label = "mine", .parameter_labels = {}, .parameter = {}, .pair_value = {}, .pair_d_log = {}};
  for (const Kernel& kernel : {Kernel(custom), Kernel(kernels::Sum{{kernels::Rbf{}, custom}})})
    EXPECT_TRUE(test::says(test::refusal([&] { to_onnx(with_kernel(kernel)); }), {"export", "mine"}));
  for (const Kernel& kernel : {Kernel(kernels::Precomputed{}),
                               Kernel(kernels::Product{{kernels::Sum{{kernels::Precomputed{}, kernels::Linear{}}}}})})
    EXPECT_TRUE(test::says(test::refusal([&] { to_onnx(with_kernel(kernel)); }), {"export", "precomputed"}));
}

// A stack as choose/ makes it: its members have the rows, and may see them another way.
Model stack_of(const std::vector<Kernel>& kernels) {
  Model model = with_kernel(kernels::Linear{});
  model.X = RowMatrix(RowMatrix::Zero(0, 3));
  model.alpha = Matrix::Zero(0, 1);
  for (const Kernel& kernel : kernels) model.members.push_back({"member", 0.5, with_kernel(kernel)});
  return model;
}

TEST(Onnx, TakesStacksWhoseMembersSeeRowsAnotherWay) {
  Model model = stack_of({kernels::Rbf{0.5}, kernels::Linear{}});
  const std::size_t plain = to_onnx(model).size();
  Model& member = model.members[0].machine;
  member.representation = {.inputs = 3, .features = {{0}, {2, {-1.0, 0.0, 2.0}, {0.5, 1.0, 0.25}}, {1}}};
  EXPECT_GT(to_onnx(model).size(), plain);
}

TEST(Onnx, RefusesAStackForWhatItsMembersCannot) {
  EXPECT_TRUE(test::says(test::refusal([] {
                           to_onnx(stack_of({kernels::Rbf{0.5}, kernels::Precomputed{}}));
                         }),
                         {"export", "precomputed"}));
  Model model = stack_of({kernels::Rbf{0.5}, kernels::Rbf{0.5}});
  for (Member& member : model.members) {  // 2 GB only together
    SparseMatrix X;
    X.rows = 5;
    X.cols = 30'000'000;
    X.row_start.assign(6, 0);
    member.machine.X = X;
  }
  EXPECT_TRUE(test::says(test::refusal([&] { to_onnx(model); }), {"export", "2.4 GB", "2 GB"}));
}

TEST(Onnx, RefusesVariancesThatTwoGigabytesCannotHoldBeforeMakingThem) {
  EXPECT_TRUE(
      test::says(test::refusal([] { to_onnx(process(20000)); }), {"export", "3.2 GB", "2 GB", "Gaussian process"}));
  EXPECT_GT(to_onnx(process(50)).size(), 50U * 50U * 8U);
}

TEST(Onnx, RefusesSparseRowsThatDoNotFitWhenWrittenOut) {
  Model model = with_kernel(kernels::Rbf{0.5});
  SparseMatrix X;
  X.rows = 5;
  X.cols = 2'000'000'000;
  X.row_start.assign(6, 0);
  model.X = X;
  EXPECT_TRUE(test::says(test::refusal([&] { to_onnx(model); }), {"export", "80 GB"}));
}

// A file may say so; predict of the command line refuses it, since its columns stand for nothing.
TEST(Onnx, ColumnsWithoutFeaturesAreBareRows) {
  Model model = with_kernel(kernels::Rbf{0.5});
  model.encoding.columns.push_back({.name = "a"});
  EXPECT_NE(to_onnx(model).find("X"), std::string::npos);
}

TEST(Onnx, TwoInputsOfTheSameNameAreRefused) {
  Model model = with_kernel(kernels::Rbf{0.5});
  for (const char* name : {"a", "b", "a"}) {
    model.encoding.features.push_back({.column = std::int32_t(model.encoding.columns.size())});
    model.encoding.columns.push_back({.name = name});
  }
  EXPECT_TRUE(test::says(test::refusal([&] { to_onnx(model); }), {"export", "two columns", "a"}));
  model.encoding.columns[2].name = "";
  EXPECT_TRUE(test::says(test::refusal([&] { to_onnx(model); }), {"export", "no name"}));
}

}  // namespace onnx_test
}  // namespace lacuna
