// A journal of evaluate in which some fields of its lines are changed and whose checksums are right again. It is
// refused as bad data, or evaluate goes on with it and reports can be made of the results.
#include <zlib.h>

#include <fmt/format.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "lacuna/base/error.hpp"
#include "lacuna/evaluate/evaluate.hpp"
#include "lacuna/evaluate/number_line.hpp"
#include "lacuna/report/evaluation.hpp"
#include "lacuna/report/report.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/support/temporary.hpp"

namespace {

using namespace lacuna;
using Json = nlohmann::ordered_json;

const test::TemporaryFolder& folder() {
  static const test::TemporaryFolder of_this_run;
  return of_this_run;
}

// Two splits of two models, of two classes or of values.
struct Journaled {
  Table table;
  EvaluateOptions options;
  std::string print, header;
  std::vector<std::string> keys, results;

  explicit Journaled(bool classes) {
    std::string text = "x,t\n";
    for (int i = 0; i < 30; ++i)
      text += std::to_string((i * 7) % 10) + ',' + (classes ? (i % 10 < 5 ? "a" : "b") : std::to_string(i % 10)) + '\n';
    table = parse_table(text, "fuzz", {});
    options.plan = parse_split_plan("2:0.3");
    options.threads = 1;
    for (const char* kernel : {"linear", "rbf:theta=1"}) {
      Contender c{.name = kernel, .key = kernel};
      c.data.targets = {"t"};
      c.train.kernel = parse_kernel(kernel);
      c.train.lambda = 1.0;
      options.contenders.push_back(c);
    }
    print = evaluation_fingerprint(table, options.plan);
    read_lines();
  }

  NestedValidation run(const std::string& path) const {
    Journal journal(path, print, "evaluate");
    return evaluate(table, options, journal);
  }

 private:
  void read_lines() {
    (void)run(folder().path("valid"));
    std::ifstream in(folder().path("valid"));
    std::getline(in, header);
    for (std::string line; std::getline(in, line);) {
      const std::size_t tab = line.find('\t');
      keys.push_back(line.substr(9, tab - 9));
      results.push_back(line.substr(tab + 1));
    }
    std::filesystem::remove(folder().path("valid"));
    if (keys.size() != 4) std::abort();
  }
};

std::string changed_journal(const Journaled& of, fuzz::Choices& choose) {
  std::string out = of.header + '\n';
  for (std::size_t k = 0; k < of.keys.size(); ++k) {
    Json line = Json::parse(of.results[k]);
    for (std::size_t changes = choose(3); changes > 0; --changes) fuzz::mutate_json(line, choose);
    const std::string text = of.keys[k] + '\t' + line.dump(-1, ' ', false, Json::error_handler_t::replace);
    out += fmt::format("{:08x} {}\n", crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()), text);
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Journaled of_classes(true), of_values(false);
  static fuzz::Tally tally;
  fuzz::Choices choose(data, size);
  const Journaled& of = choose(2) == 0 ? of_classes : of_values;
  std::optional<NestedValidation> e;
  try {
    e = of.run(folder().write("journal", changed_journal(of, choose)));
  } catch (const Error& error) {
    // Numerical: every split says that its fit failed, and why.
    if (error.kind() != Error::Kind::data && error.kind() != Error::Kind::numerical) std::abort();
  }
  tally.count(e.has_value());
  if (e) {
    (void)evaluation_text(*e);
    (void)json_text(evaluation_json(*e));
    for (const auto& contender : e->contenders)
      for (const SplitResult& r : contender.splits)
        if (const std::string line = to_line(r); to_line(split_result(line, e->classes.size())) != line) std::abort();
  }
  try {
    (void)numbers_of(std::string(reinterpret_cast<const char*>(data), size), 2);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::data) std::abort();
  }
  return 0;
}
