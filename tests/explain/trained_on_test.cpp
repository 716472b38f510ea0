#include "lacuna/explain/trained_on.hpp"

#include "tests/support/samples.hpp"

namespace lacuna {
namespace trained_on_test {

using testing::sample_table;

// The first rows are those of the training table, the others are new.
Rows mixed(const Model& model, int seen, int fresh) {
  const Rows old = prepare(sample_table(seen), model.encoding).X;
  const Rows others = prepare(sample_table(fresh, 7), model.encoding).X;
  RowMatrix out(seen + fresh, old.cols());
  out << old.dense(), others.dense();
  return out;
}

// By their inputs, or by what the model keeps of rows that it has seen: a machine on a basis does not keep all inputs,
// nor does one whose loss is 0 for some rows.
TEST(TrainedOn, CountsRowsThatAnyMachineHasSeen) {
  for (const std::string target : {"class", "value", "letter", "count"})
    for (const char* basis : {"none", "15"}) {
      SCOPED_TRACE(target + ", basis " + basis);
      TrainOptions options{.kernel = rbf(0.2), .lambda = 0.3};
      options.basis = parse_basis(basis);
      if (target == "letter") options.model = l2_svm();
      const Model model = testing::fitted(testing::encoded_sample(target, 60), options);
      EXPECT_EQ(count_trained_on(model, mixed(model, 60, 1)), 60);
      EXPECT_EQ(count_trained_on(model, mixed(model, 20, 130)), 20);
      EXPECT_EQ(count_trained_on(model, mixed(model, 20, 300)), 0);  // less than one in ten
      EXPECT_EQ(count_trained_on(model, mixed(model, 4, 20)), 0);    // fewer than five
    }
}

// Rows of few values repeat by themselves: that a row is like one of training says nothing.
TEST(TrainedOn, IsSilentWhereRowsCoincideByThemselves) {
  Random random(3);
  const auto drawn = [&](Index rows) {
    RowMatrix X(rows, 2);
    for (double& x : X.reshaped()) x = double(random.below(3));
    return X;
  };
  const RowMatrix X = drawn(80);
  std::vector<double> t;
  for (Index i = 0; i < 80; ++i) t.push_back(X(i, 0) - X(i, 1) + random.normal());
  for (const char* basis : {"none", "6"}) {
    TrainOptions options{.kernel = rbf(0.2), .lambda = 0.3};
    options.basis = parse_basis(basis);
    EXPECT_EQ(count_trained_on(train(make_dataset(X, t), options), drawn(50)), 0) << basis;
  }
}

TEST(TrainedOn, AddsUpOverBlocks) {
  const Model model = testing::fitted(testing::encoded_sample("value", 60), {.kernel = rbf(0.2), .lambda = 0.3});
  TrainedOn all(model);
  for (const Rows& block : {mixed(model, 10, 40), mixed(model, 3, 2)}) all.add(block, outputs(model, block));
  EXPECT_EQ(all.count(), 13);
}

}  // namespace trained_on_test
}  // namespace lacuna
