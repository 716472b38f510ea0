#include "lacuna/model/machine.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/machine/kfd.hpp"

namespace lacuna {
namespace {

enum class Takes { classes, values, both, counts, positive_values };

struct Entry {
  std::string_view name;
  Machine (*make)();
  Takes takes;
  Criterion criterion;
  bool offset;
};

constexpr std::array<Entry, 8> list{{
    {"ls-svm", [] { return ls_svm(); }, Takes::both, Criterion::press, false},
    {"kfd", [] { return kfd(); }, Takes::classes, Criterion::press, false},
    {"klr", [] { return klr(); }, Takes::classes, Criterion::xent, false},
    {"kpr", [] { return kpr(); }, Takes::classes, Criterion::xent, false},
    {"l2-svm", [] { return l2_svm(); }, Takes::classes, Criterion::hinge2, false},
    {"poisson", [] { return poisson_regression(); }, Takes::counts, Criterion::xent, true},
    {"gamma", [] { return gamma_regression(); }, Takes::positive_values, Criterion::xent, true},
    {"huber", [] { return huber_regression(); }, Takes::values, Criterion::xent, false},
}};

// Of the design, and not here yet.
const std::vector<std::string> planned{"gp-laplace", "gp-ep"};

const Entry* find(std::string_view name) {
  for (const Entry& e : list)
    if (e.name == name) return &e;
  return nullptr;
}

const Entry& entry(const Machine& machine) {
  const Entry* e = find(machine.name);
  if (e == nullptr) fail_usage(fmt::format("train: model '{}' is not in this version", machine.name));
  return *e;
}

double parameter(std::string_view whole, std::string_view text, std::string_view name) {
  double value = 0.0;
  if (text.starts_with(name) && text.substr(name.size()).starts_with("=")) {
    const std::string_view number = text.substr(name.size() + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc() && end == number.data() + number.size() && value > 0.0 && std::isfinite(value))
      return value;
  }
  fail_usage(fmt::format("model: {}: '{}' is not understood; it is {}=NUMBER with a number > 0", whole, text, name));
}

}  // namespace

Machine parse_machine(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  const Entry* e = find(name);
  if (e == nullptr) {
    for (const std::string& later : planned)
      if (later == name)
        fail_usage(fmt::format("model: {}: not in this version; it has {}", name, join(machine_names())));
    std::vector<std::string> known = machine_names();
    known.insert(known.end(), planned.begin(), planned.end());
    fail_usage(fmt::format("model: {}: unknown{}; this version has {}", name, did_you_mean(name, known),
                           join(machine_names())));
  }
  if (rest.empty() && colon == std::string_view::npos) return e->make();
  if (name == "kpr") return kpr(rest == "paper" ? std::sqrt(2.0) : parameter(text, rest, "s"));
  if (name == "huber") return huber_regression(parameter(text, rest, "delta"));
  fail_usage(fmt::format("model: {}: {} has no parameters", text, name));
}

Machine automatic_machine(Task task) {
  if (task == Task::counts) return poisson_regression();
  return task == Task::binary || task == Task::multiclass ? klr() : ls_svm();
}

const std::vector<std::string>& machine_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& e : list) all.emplace_back(e.name);
    return all;
  }();
  return names;
}

Criterion default_criterion(const Machine& machine) { return entry(machine).criterion; }

void check_criterion(const Machine& machine, Criterion criterion) {
  if (gives_rates(machine.loss) && criterion != Criterion::xent)
    fail_usage(
        fmt::format("train: criterion {}: model {} is judged by its deviance, xent", name(criterion), machine.name));
  if (criterion == Criterion::xent && std::holds_alternative<Squared>(machine.loss))
    fail_usage(fmt::format("train: criterion xent: outputs of {} are no probabilities; use press", machine.name));
}

void check_targets(const Machine& machine, const Dataset& data) {
  const Takes takes = entry(machine).takes;
  const bool classes = !data.label.empty();
  if (takes == Takes::classes && !classes)
    fail_usage(
        fmt::format("train: model {} needs classes and the target was taken as values; --task classification "
                    "takes it as classes",
                    machine.name));
  if (takes != Takes::classes && takes != Takes::both && classes)
    fail_usage(
        fmt::format("train: model {} needs numbers and the target was taken as classes; --task {} takes it as "
                    "numbers",
                    machine.name, takes == Takes::counts ? "counts" : "regression"));
  if (data.offset.size() > 0 && !entry(machine).offset)
    fail_usage(fmt::format("train: model {} takes no offset or exposure; poisson and gamma do", machine.name));
  if (takes != Takes::counts && takes != Takes::positive_values) return;
  for (Index i = 0; i < data.targets.rows(); ++i)
    for (Index c = 0; c < data.targets.cols(); ++c) {
      const double t = data.targets(i, c);
      if (takes == Takes::counts ? t >= 0.0 : t > 0.0) continue;
      const long long row = data.source_row.empty() ? i + 1 : data.source_row[std::size_t(i)];
      fail_data(fmt::format("train: row {}: target {}; model {} needs {}", row, number_text(t), machine.name,
                            takes == Takes::counts ? "counts, 0 or more" : "values above 0"));
    }
}

Matrix machine_targets(const Machine& machine, const Dataset& data, const Vector& weights) {
  if (data.label.empty()) return data.targets;
  if (machine.penalty == Penalty::coefficients)
    return kfd_targets(data.label, data.classes,
                       weights.size() > 0 ? weights : Vector(Vector::Ones(Index(data.label.size()))));
  const double negative = gives_probabilities(machine.loss) ? 0.0 : -1.0;
  const auto l = Index(data.label.size());
  const bool binary = data.classes.size() == 2;
  Matrix t = Matrix::Constant(l, binary ? 1 : Index(data.classes.size()), negative);
  for (Index i = 0; i < l; ++i) {
    const int k = data.label[std::size_t(i)];
    if (!binary)
      t(i, k) = 1.0;
    else if (k == 1)
      t(i, 0) = 1.0;
  }
  return t;
}

Vector balanced_weights(const std::vector<int>& label, int classes, const Vector& weights) {
  const auto l = Index(label.size());
  const auto weight = [&](Index i) { return weights.size() == 0 ? 1.0 : weights[i]; };
  Vector of_class = Vector::Zero(classes);
  for (Index i = 0; i < l; ++i) of_class[label[std::size_t(i)]] += weight(i);
  Vector out(l);
  for (Index i = 0; i < l; ++i) out[i] = weight(i) * of_class.sum() / (classes * of_class[label[std::size_t(i)]]);
  return out;
}

bool gives_probabilities(const Loss& loss) {
  return std::holds_alternative<Logistic>(loss) || std::holds_alternative<Probit>(loss);
}
bool gives_rates(const Loss& loss) {
  return std::holds_alternative<Poisson>(loss) || std::holds_alternative<Gamma>(loss);
}

}  // namespace lacuna
