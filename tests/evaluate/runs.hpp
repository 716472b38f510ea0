// tests/evaluate/runs.hpp -- evaluations as tests ask for them, without a journal.
#pragma once

#include "lacuna/evaluate/evaluate.hpp"
#include "lacuna/evaluate/journal.hpp"

namespace lacuna::testing {

inline Contender contender(const std::string& target, Machine machine, std::string kernel = "rbf") {
  Contender c{machine.name + " " + kernel, machine.name + " " + kernel};
  c.data.targets = {target};
  c.train.model = machine;
  c.train.kernel = parse_kernel(kernel);
  return c;
}

inline EvaluateOptions options_for(std::vector<Contender> contenders, const std::string& splits, int threads = 1) {
  EvaluateOptions o;
  o.plan = parse_split_plan(splits);
  o.contenders = std::move(contenders);
  o.threads = threads;
  return o;
}

inline NestedValidation run(const Table& table, const EvaluateOptions& options) {
  Journal journal;
  return evaluate(table, options, journal);
}

}  // namespace lacuna::testing
