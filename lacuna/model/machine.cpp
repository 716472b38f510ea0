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

constexpr std::array<Entry, 10> list{{
    {"ls-svm", [] { return ls_svm(); }, Takes::both, Criterion::press, false},
    {"kfd", [] { return kfd(); }, Takes::classes, Criterion::press, false},
    {"klr", [] { return klr(); }, Takes::classes, Criterion::xent, false},
    {"kpr", [] { return kpr(); }, Takes::classes, Criterion::xent, false},
    {"l2-svm", [] { return l2_svm(); }, Takes::classes, Criterion::hinge2, false},
    {"poisson", [] { return poisson_regression(); }, Takes::counts, Criterion::xent, true},
    {"gamma", [] { return gamma_regression(); }, Takes::positive_values, Criterion::xent, true},
    {"huber", [] { return huber_regression(); }, Takes::values, Criterion::xent, false},
    {"gp-laplace", [] { return gp_laplace_classifier(); }, Takes::classes, Criterion::evidence, false},
    {"gp-ep", [] { return gp_ep_classifier(); }, Takes::classes, Criterion::evidence, false},
}};

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

// A finite number that is all of `text`.
bool is_number(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

double parameter(std::string_view whole, std::string_view text, std::string_view name) {
  double value = 0.0;
  if (text.starts_with(name) && text.substr(name.size()).starts_with("=") &&
      is_number(text.substr(name.size() + 1), value) && value > 0.0)
    return value;
  fail_usage(fmt::format("model: {}: '{}' is not understood; it is {}=NUMBER with a number > 0", whole, text, name));
}

// "probit", "logistic" (Laplace only), "mean=auto" or "mean=NUMBER", separated by commas.
Machine gaussian_process(Machine machine, std::string_view whole, std::string_view rest) {
  const bool laplace = machine.inference == Inference::laplace;
  bool mean_known = false, likelihood_known = false;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    double number = 0.0;
    const bool of_mean = word.starts_with("mean="), of_likelihood = laplace && (word == "probit" || word == "logistic");
    if ((of_mean && mean_known) || (of_likelihood && likelihood_known))
      fail_usage(fmt::format("model: {}: {} is the second word about the same", whole, word));
    mean_known |= of_mean;
    likelihood_known |= of_likelihood;
    if (laplace && word == "probit") {
      machine.loss = Probit{};
    } else if (laplace && word == "logistic") {
      machine.loss = Logistic{};
    } else if (word == "mean=auto") {
      machine.mean = {};
    } else if (of_mean && is_number(word.substr(5), number)) {
      machine.mean = number;
    } else {
      fail_usage(fmt::format("model: {}: '{}' is not understood; it is mean=NUMBER or mean=auto (chosen){}", whole,
                             word, laplace ? ", or the likelihood, probit or logistic" : ""));
    }
    if (comma == std::string_view::npos) return machine;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

Machine parse_machine(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  const Entry* e = find(name);
  if (e == nullptr)
    fail_usage(fmt::format("model: {}: unknown{}; this version has {}", name, did_you_mean(name, machine_names()),
                           join(machine_names())));
  if (rest.empty() && colon == std::string_view::npos) return e->make();
  if (name == "kpr") return kpr(rest == "paper" ? std::sqrt(2.0) : parameter(text, rest, "s"));
  if (name == "huber") return huber_regression(parameter(text, rest, "delta"));
  if (Machine machine = e->make(); machine.inference) return gaussian_process(machine, text, rest);
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
  if (criterion == Criterion::evidence && !machine.inference)
    fail_usage(fmt::format(
        "train: criterion evidence: belongs to Gaussian processes, gp-laplace and gp-ep; model {} is judged "
        "by held-out rows, such as {}",
        machine.name, name(default_criterion(machine))));
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
        fmt::format("train: model {} needs classes and the target was taken as {}; --task classification takes it as "
                    "classes",
                    machine.name, data.task == Task::counts ? "counts" : "values"));
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
