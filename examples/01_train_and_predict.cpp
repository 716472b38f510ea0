// Rows and labels in, a chosen and fitted model out; then new rows, and the model as a file.
#include <cmath>
#include <cstdio>
#include <lacuna/lacuna.hpp>
#include <random>

int main() {
  // Two half-moons, 100 rows each.
  std::mt19937 random(1);
  std::normal_distribution<double> noise(0.0, 0.15);
  lacuna::Matrix X(200, 2);
  std::vector<std::string> label(200);
  for (int i = 0; i < 200; ++i) {
    const double angle = 3.14159 * (i / 2) / 100.0;
    const bool upper = i % 2 == 0;
    X(i, 0) = (upper ? std::cos(angle) : 1.0 - std::cos(angle)) + noise(random);
    X(i, 1) = (upper ? std::sin(angle) : 0.5 - std::sin(angle)) + noise(random);
    label[std::size_t(i)] = upper ? "upper" : "lower";
  }

  // What is left empty (here lambda and theta) is chosen by leave-one-out. Of two classes with no model named the
  // probabilities are recalibrated, and labels follow p = 1/2, not an output of 0;
  // .held_out = {.recalibrate = false} is plain.
  const lacuna::Model model = lacuna::train(X, label, {.kernel = lacuna::rbf()});
  std::printf("%s, lambda = %.3g\n", lacuna::kernel_text(model.kernel).c_str(), model.lambda);
  for (const auto& [name, value] : model.report.held_out) std::printf("held-out %s = %.3f\n", name.c_str(), value);

  // Predict two new rows.
  lacuna::Matrix fresh(2, 2);
  fresh << 0.0, 1.0,  //
      1.0, -0.5;
  const lacuna::Predictions predicted = lacuna::predict(model, fresh);
  for (int i = 0; i < 2; ++i)
    std::printf("(%4.1f, %4.1f) is %s (output %+.2f)\n", fresh(i, 0), fresh(i, 1),
                model.classes[std::size_t(predicted.label[std::size_t(i)])].c_str(), predicted.output(i, 0));

  // The same model from its bytes (write_model and read_model do this with a file) answers the same.
  const lacuna::Model again = lacuna::model_from_bytes(lacuna::model_to_bytes(model), "memory");
  const bool same = lacuna::outputs(again, fresh) == predicted.output;
  const bool right = model.classes[std::size_t(predicted.label[0])] == "upper" &&
                     model.classes[std::size_t(predicted.label[1])] == "lower";
  return same && right ? 0 : 1;
}
