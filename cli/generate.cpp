// cli/generate.cpp (of program.hpp) -- made-up data by name.
#include "experiment/generate.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sstream>

#include "cli/program.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"

namespace lacuna::cli {
namespace {

struct GenerateArguments {
  std::string name, rows, seed = "0", output;
};

void run(const GenerateArguments& given) {
  if (given.name.empty())
    fail_usage(
        fmt::format("generate: no name; lacuna generate NAME --rows N, with NAME one of {}", join(generator_names())));
  choice("generate", given.name, {generator_names().begin(), generator_names().end()});
  if (given.rows.empty()) fail_usage("generate: no number of rows; --rows N says how many");
  const auto rows = Index(whole_number("--rows", given.rows, 1, 1'000'000'000));
  const std::uint64_t seed = whole_number("--seed", given.seed, 0, std::numeric_limits<std::uint64_t>::max());
  const Output output(given.output, Files().writes(given.output, "-o"));
  // Some rows at a time, so that a file larger than memory can be made.
  output.write([&](const WriteMore& more) {
    Generation generation(given.name, seed);
    constexpr Index block = 5000;
    for (Index done = 0; done < rows; done += block) {
      std::ostringstream csv;
      write_csv(generation.next(std::min(block, rows - done)), csv, done == 0);
      more(csv.str());
    }
  });
}

}  // namespace

Verb generate_verb(CLI::App& program) {
  auto given = std::make_shared<GenerateArguments>();
  CLI::App* verb = program.add_subcommand("generate", "data of a known problem, as CSV");
  verb->add_option("NAME", given->name, join(generator_names()));
  verb->add_option("-n,--rows", given->rows, "how many rows")->type_name("N");
  verb->add_option("--seed", given->seed, "same seed, same rows (default 0)")->type_name("N");
  verb->add_option("-o,--output", given->output, "write the CSV here (default: standard output)")->type_name("FILE");
  verb->footer(
      "The target is the last column.\n\n"
      "Examples:\n"
      "  lacuna generate ripley --rows 250 --seed 1 -o train.csv\n"
      "  lacuna generate sinc --rows 200 | lacuna fit - --target y\n");
  return {verb, [given] { run(*given); }};
}

}  // namespace lacuna::cli
