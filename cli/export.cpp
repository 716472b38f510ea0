// cli/export.cpp (of program.hpp) -- a model as a file of another format.
#include <CLI/CLI.hpp>

#include "cli/program.hpp"
#include "cli/watch.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/export/onnx.hpp"
#include "lacuna/model/file.hpp"

namespace lacuna::cli {
namespace {

struct ExportArguments {
  std::string model, onnx;
};

void run(const ExportArguments& given) {
  if (given.model.empty()) fail_usage("export: no model; lacuna export MODEL --onnx FILE");
  if (given.onnx.empty()) fail_usage("export: no file to write; --onnx FILE names it");
  const Output output(given.onnx, Files().reads(given.model, "model").writes(given.onnx, "--onnx"));
  Watch watch(false);
  const StopScope stopping(watch.observer());  // variances of a large Gaussian process take their time
  output.write(to_onnx(read_model(given.model)));
}

}  // namespace

Verb export_verb(CLI::App& program) {
  auto given = std::make_shared<ExportArguments>();
  CLI::App* verb = program.add_subcommand("export", "a model as a file for other programs: ONNX");
  verb->add_option("MODEL", given->model, "a model that fit wrote");
  verb->add_option("--onnx", given->onnx, "write ONNX here: plain operators in double precision")->type_name("FILE");
  verb->footer(
      "The ONNX file takes the columns of a table, each by its name, and gives label, probabilities and\n"
      "output for classes, prediction with lower and upper for values, prediction and rate for counts.\n\n"
      "Examples:\n"
      "  lacuna export houses.lacuna --onnx houses.onnx\n");
  return {verb, [given] { run(*given); }};
}

}  // namespace lacuna::cli
