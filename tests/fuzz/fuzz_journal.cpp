// Lines of a journal in which some fields are changed: they are refused as bad data, or reports can be made of them.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/evaluate/evaluate.hpp"
#include "lacuna/evaluate/number_line.hpp"
#include "lacuna/report/evaluation.hpp"
#include "lacuna/report/report.hpp"
#include "tests/fuzz/mutate.hpp"

namespace {

using namespace lacuna;
using Json = nlohmann::ordered_json;

// Two splits of two models, of two classes or of values.
const NestedValidation& valid(bool classes) {
  static const auto make = [](bool labels) {
    std::string text = "x,t\n";
    for (int i = 0; i < 30; ++i)
      text += std::to_string((i * 7) % 10) + ',' + (labels ? (i % 10 < 5 ? "a" : "b") : std::to_string(i % 10)) + '\n';
    EvaluateOptions options;
    options.plan = parse_split_plan("2:0.3");
    options.threads = 1;
    for (const char* kernel : {"linear", "rbf:theta=1"}) {
      Contender c{.name = kernel, .key = kernel};
      c.data.targets = {"t"};
      c.train.kernel = parse_kernel(kernel);
      c.train.lambda = 1.0;
      options.contenders.push_back(c);
    }
    Journal journal;
    return evaluate(parse_table(text, "fuzz", {}), options, journal);
  };
  static const NestedValidation of_classes = make(true), of_values = make(false);
  return classes ? of_classes : of_values;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choose(data, size);
  NestedValidation e = valid(choose(2) == 0);
  try {
    for (auto& of : e.contenders)
      for (SplitResult& r : of.splits) {
        Json line = Json::parse(to_line(r));
        for (std::size_t changes = choose(3); changes > 0; --changes) fuzz::mutate_json(line, choose);
        r = split_result(line.dump(-1, ' ', false, Json::error_handler_t::replace), e.classes.size());
        const std::string again = to_line(r);
        if (to_line(split_result(again, e.classes.size())) != again) std::abort();
      }
    (void)evaluation_text(e);
    (void)json_text(evaluation_json(e));
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::data) std::abort();
  }
  try {
    (void)numbers_of(std::string(reinterpret_cast<const char*>(data), size), 2);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::data) std::abort();
  }
  return 0;
}
