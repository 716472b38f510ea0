// cli/inspect.cpp (of program.hpp) -- what a model file holds.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/report/report.hpp"

namespace lacuna::cli {
namespace {

struct InspectArguments {
  std::string model;
  bool json = false;
};

void run(const InspectArguments& given) {
  if (given.model.empty()) fail_usage("inspect: no model; lacuna inspect MODEL");
  const Output screen("", Files().reads(given.model, "model").writes("-", "the report on"));
  const Model model = read_model(given.model);
  screen.write(given.json ? json_text(inspect_json(model)) : inspect_text(model));
}

}  // namespace

Verb inspect_verb(CLI::App& program) {
  auto given = std::make_shared<InspectArguments>();
  CLI::App* verb = program.add_subcommand("inspect", "what is in a model file");
  verb->add_option("MODEL", given->model, "a model that fit wrote");
  verb->add_flag("--json", given->json, "as JSON");
  verb->footer(
      "Examples:\n"
      "  lacuna inspect houses.lacuna\n"
      "  lacuna inspect houses.lacuna --json | jq .kernel\n");
  return {verb, [given] { run(*given); }};
}

}  // namespace lacuna::cli
