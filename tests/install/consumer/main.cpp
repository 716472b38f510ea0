// What a user's first program looks like, built from the installed library alone.
#include <cmath>
#include <cstdio>
#include <lacuna/lacuna.hpp>
#include <string>

int main() {
  lacuna::Matrix X(40, 1);
  std::vector<double> t(40);
  for (int i = 0; i < 40; ++i) {
    X(i, 0) = 0.15 * i;
    t[std::size_t(i)] = std::sin(X(i, 0));
  }
  auto model = lacuna::train(X, t, {.model = lacuna::ls_svm(), .kernel = lacuna::rbf()});
  lacuna::Matrix fresh(1, 1);
  fresh << 1.0;
  const double z = lacuna::outputs(model, fresh)(0, 0);
  std::printf("lambda = %g, f(1) = %.4f\n", model.lambda, z);

  // What is refused is caught, and a fit is judged by nested validation, with this one header.
  try {
    fresh(0, 0) = std::nan("");
    lacuna::predict(model, fresh);
    return 1;
  } catch (const lacuna::Error& error) {
    if (error.kind() != lacuna::Error::Kind::data) return 1;
  }
  std::string text = "x,t\n";
  for (int i = 0; i < 40; ++i) text += std::to_string(X(i, 0)) + "," + std::to_string(t[std::size_t(i)]) + "\n";
  const lacuna::Table table = lacuna::parse_table(text, "memory");
  const lacuna::Contender ls_svm{.name = "ls-svm", .key = "ls-svm", .data = {.targets = {"t"}}};
  const lacuna::EvaluateOptions options{.plan = lacuna::parse_split_plan("folds:4"), .contenders = {ls_svm}};
  lacuna::Journal journal;
  const lacuna::NestedValidation honest = lacuna::evaluate(table, options, journal);
  if (honest.contenders[0].splits.size() != 4) return 1;
  return std::abs(z - std::sin(1.0)) < 0.01 ? 0 : 1;
}
