#include "lacuna/model/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/machine/kfd.hpp"
#include "lacuna/model/detail/targets_of_part.hpp"

namespace lacuna {
namespace {

// One machine for each loss, in the order of the list, and those that are more than a loss.
struct Entry {
  std::string name;
  std::string words;  // beside the name, in help
  Machine machine;
};

std::vector<Entry> make_list() {
  std::vector<Entry> out;
  losses::for_each_loss([&]<class L>() {
    std::vector<std::string> words;
    if (!L::traits.words.empty()) words.emplace_back(L::traits.words);
    Machine machine{std::string(L::traits.model), L{}};
    if constexpr (requires { L::to_be_chosen(); }) machine.loss = L::to_be_chosen();
    if constexpr (losses::HasParameters<L>)
      for (const std::string_view p : L::names) words.push_back(fmt::format("{}:{}=NUMBER", machine.name, p));
    if constexpr (requires { L::parameter_words; })
      for (const losses::ParameterWord& w : L::parameter_words)
        words.push_back(fmt::format("{}:{}", machine.name, w.word));
    out.push_back({machine.name, join(words, "; "), machine});
  });
  out.push_back({"kfd", "Fisher discriminant", kfd()});
  out.push_back({"gp-laplace", "Gaussian process; gp-laplace:probit", gp_laplace_classifier()});
  out.push_back({"gp-ep", "", gp_ep_classifier()});
  return out;
}

const std::vector<Entry>& list() {
  static const std::vector<Entry> entries = make_list();
  return entries;
}

const Entry* find(std::string_view name) {
  const auto at = std::ranges::find(list(), name, &Entry::name);
  return at == list().end() ? nullptr : &*at;
}

// The targets of its loss; but a discriminant and a Gaussian process are of classes.
losses::Targets takes(const Machine& machine) {
  const bool classifier = machine.penalty == Penalty::coefficients || machine.inference;
  return classifier ? losses::Targets::classes : targets_of(machine.loss);
}

// A finite number that is all of `text`.
bool is_number(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

// "paper", or "delta=NUMBER": what may follow the name of a machine whose loss has parameters.
Machine with_parameter(Machine machine, std::string_view whole, std::string_view rest) {
  std::vector<std::string> known;
  bool understood = false;
  std::visit(
      [&]<class L>(L& loss) {
        if constexpr (requires { L::parameter_words; })
          for (const losses::ParameterWord& w : L::parameter_words) {
            known.emplace_back(w.word);
            if (rest == w.word) loss.*(L::members()[0]) = w.value, understood = true;
          }
        if constexpr (losses::HasParameters<L>)
          for (std::size_t p = 0; p < L::names.size(); ++p) {
            known.push_back(fmt::format("{}=NUMBER with a number > 0", L::names[p]));
            double value = 0.0;
            const std::string key = fmt::format("{}=", L::names[p]);
            if (rest.starts_with(key) && is_number(rest.substr(key.size()), value) && value > 0.0)
              loss.*(L::members()[p]) = value, understood = true;
          }
      },
      machine.loss);
  if (known.empty()) fail_usage(fmt::format("model: {}: {} has no parameters", whole, machine.name));
  if (!understood)
    fail_usage(fmt::format("model: {}: '{}' is not understood; it is {}", whole, rest, join(known, " or ")));
  return machine;
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
      machine.loss = losses::Probit{};
    } else if (laplace && word == "logistic") {
      machine.loss = losses::Logistic{};
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
  if (colon == std::string_view::npos) return e->machine;
  return e->machine.inference ? gaussian_process(e->machine, text, rest) : with_parameter(e->machine, text, rest);
}

Machine automatic_machine(Task task) {
  if (task == Task::counts) return poisson_regression();
  return task == Task::binary || task == Task::multiclass ? klr() : ls_svm();
}

const std::vector<std::string>& machine_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Entry& e : list()) all.push_back(e.name);
    return all;
  }();
  return names;
}

std::vector<std::string> machine_usage() {
  std::vector<std::string> all;
  for (const Entry& e : list()) all.push_back(e.words.empty() ? e.name : fmt::format("{} ({})", e.name, e.words));
  return all;
}

Criterion default_criterion(const Machine& machine) {
  return machine.inference ? Criterion::evidence : parse_criterion(traits(machine.loss).criterion);
}

void check_criterion(const Machine& machine, Criterion criterion) {
  const bool regression = is_quadratic(machine.loss) && machine.penalty == Penalty::norm;
  if (criterion == Criterion::evidence && !machine.inference && !regression)
    fail_usage(
        fmt::format("train: criterion evidence: belongs to Gaussian processes, gp-laplace, gp-ep and ls-svm for "
                    "values; model {} is "
                    "judged by held-out rows, such as {}",
                    machine.name, name_of(default_criterion(machine))));
  if (gives_rates(machine.loss) && criterion != Criterion::xent)
    fail_usage(
        fmt::format("train: criterion {}: model {} is judged by its deviance, xent", name_of(criterion), machine.name));
  if (criterion == Criterion::xent && is_quadratic(machine.loss))
    fail_usage(fmt::format("train: criterion xent: outputs of {} are no probabilities; use press", machine.name));
}

void check_targets(const Machine& machine, const Dataset& data) {
  if (find(machine.name) == nullptr) fail_usage(fmt::format("train: model '{}' is not in this version", machine.name));
  const losses::Targets wanted = takes(machine);
  const bool classes = !data.label.empty();
  if (wanted == losses::Targets::classes && !classes)
    fail_usage(
        fmt::format("train: model {} needs classes and the target was taken as {}; `task=classification` takes it as "
                    "classes",
                    machine.name, data.task == Task::counts ? "counts" : "values"));
  if (wanted != losses::Targets::classes && wanted != losses::Targets::either && classes)
    fail_usage(
        fmt::format("train: model {} needs numbers and the target was taken as classes; `task={}` takes it as "
                    "numbers",
                    machine.name, wanted == losses::Targets::counts ? "counts" : "regression"));
  if (data.offset.size() > 0 && !gives_rates(machine.loss))
    fail_usage(fmt::format("train: model {} takes no offset or exposure; poisson, negbin and gamma do", machine.name));
  if (classes) return;
  detail::check_each_target(machine, data);
  if (wanted == losses::Targets::counts && !(data.targets.array() > 0.0).any())
    fail_data("train: every count is 0; there is nothing to learn");
}

void detail::check_each_target(const Machine& machine, const Dataset& data) {
  for (Index i = 0; i < data.targets.rows(); ++i)
    for (const double t : data.targets.row(i)) {
      if (may_be_target(machine.loss, t)) continue;
      const long long row = data.source_row.empty() ? i + 1 : data.source_row[std::size_t(i)];
      fail_data(fmt::format("train: row {}: target {}; model {} needs {}", row, number_text(t), machine.name,
                            takes(machine) == losses::Targets::counts ? "counts, 0 or more" : "values above 0"));
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
  return detail::balanced_weights(label, of_class, weights);
}

Vector detail::balanced_weights(const std::vector<int>& label, const Vector& of_class, const Vector& weights) {
  Vector out(Index(label.size()));
  for (Index i = 0; i < out.size(); ++i) {
    const double weight = weights.size() == 0 ? 1.0 : weights[i];
    out[i] = weight * of_class.sum() / (double(of_class.size()) * of_class[label[std::size_t(i)]]);
  }
  return out;
}

}  // namespace lacuna
