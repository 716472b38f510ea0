#include "lacuna/export/detail/answers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

#include "lacuna/base/error.hpp"
#include "lacuna/export/detail/average.hpp"
#include "lacuna/export/detail/label_nodes.hpp"
#include "lacuna/export/detail/link.hpp"

namespace lacuna::onnx {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

Value within(const Value& a, double most) { return min(max(a, -most), most); }
// As in model.cpp: rates stop at e^-700 and e^700.
Value rates(const Value& log_rate) { return exp(within(log_rate, 700.0)); }

class Answers {
 public:
  Answers(Graph& graph, const Value& known, const std::set<std::string>& taken)
      : graph_(graph), known_(known), none_(graph.scalar(std::nan(""))), taken_(taken) {}

  void add(const std::string& name, const Value& value, std::int64_t columns) {
    graph_.output(free(name), Element::real, {std::string("N"), columns}, where(known_, value, none_));
  }
  void add_labels(const Value& place, const std::vector<std::string>& classes) {
    const auto [list, element] = label_list(graph_, classes);
    const Value none = graph_.whole({std::int64_t(classes.size())});
    graph_.output(free("label"), element, {std::string("N")},
                  gather(list, where(reshape(known_, {-1}), place, none), 0));
  }

 private:
  std::string free(std::string name) const {
    while (taken_.contains(name)) name += '_';
    return name;
  }

  Graph& graph_;
  Value known_, none_;
  const std::set<std::string>& taken_;
};

void add_classes(const Model& model, const MachineOutputs& outputs, Answers& answers) {
  if (decides_by_row(model))
    fail_usage(
        fmt::format("export: decisions follow prices of single rows ({}), which no input of an ONNX file is for; fit "
                    "without them, or with the same prices for all rows: the probabilities are the same",
                    costs_text(*model.costs)));
  const auto m = std::int64_t(model.alpha.cols()), classes = std::int64_t(model.classes.size());
  const Value z = outputs.variance ? moderated_output(model.loss, outputs.z, *outputs.variance, m) : outputs.z;
  const std::optional<Value> p =
      has_probabilities(model) ? std::optional(probabilities(model, z)) : std::optional<Value>();
  const bool by_cost = classes > 2 && model.costs && p;  // as decided_labels() does
  answers.add_labels(by_cost ? cheapest_class(*p, model.costs->price) : predicted_class(z - model.threshold, m),
                     model.classes);
  if (p) answers.add("probabilities", *p, classes);
  answers.add("output", outputs.z, m);
  if (outputs.variance) answers.add("variance", *outputs.variance, m);
}

void add_numbers(const Model& model, const Inputs& inputs, const MachineOutputs& outputs, Answers& answers) {
  const auto m = std::int64_t(model.alpha.cols());
  const Value& z = outputs.z;
  if (gives_rates(model.loss)) {
    answers.add("prediction", rates(inputs.offset ? z + *inputs.offset : z), m);
    if (model.task == Task::counts) answers.add("rate", rates(z), m);
    return;
  }
  answers.add("prediction", z, m);
  if (outputs.variance) answers.add("variance", *outputs.variance, m);
  if (model.intervals.half_width.size() == 0) return;
  Value width = z.graph->row(model.intervals.half_width);
  if (model.intervals.noise) width = width * noise_scale(model, inputs.encoded);
  answers.add("lower", within(z - width, largest), m);
  answers.add("upper", within(z + width, largest), m);
}

}  // namespace

void add_answers(Graph& graph, const Model& model, const Inputs& inputs, const MachineOutputs& outputs,
                 const std::set<std::string>& input_names) {
  Value known = both(inputs.known, row_all(at_most(abs(outputs.z), largest)));
  if (outputs.variance) known = both(known, row_all(at_most(*outputs.variance, largest)));
  Answers answers(graph, known, input_names);
  if (model.classes.empty())
    add_numbers(model, inputs, outputs, answers);
  else
    add_classes(model, outputs, answers);
}

}  // namespace lacuna::onnx
