// report/page/how_to_reproduce.cpp (of subject.hpp) -- the command, versions, seed and timings that made the model.
#include <fmt/format.h>

#include "lacuna/kernel/specification.hpp"
#include "lacuna/report/page/subject.hpp"

namespace lacuna::page {
namespace {

// In single quotes where a shell would read a character in another way.
std::string quoted_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+.,:/=@%") == std::string::npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// A fit with what was chosen given: the same machine from the same data, without a search.
std::string command_of(const Model& model) {
  const FitReport& report = model.report;
  std::string out = "lacuna fit DATA";
  if (!model.target_names.empty() && model.target_names.size() <= 4)
    for (const std::string& t : model.target_names) out += " --target " + quoted_word(brief(t, 80));
  out += fmt::format(" --model {} --kernel {} --{} {} --search none", report.model,
                     quoted_word(kernel_text(model.kernel)), report.regulariser(), model.lambda);
  if (report.cv != "loo") out += " --cv " + quoted_word(report.cv);
  if (!model.classes.empty() && !model.inference)
    out += model.calibration.fitted ? " --recalibrate" : " --no-recalibrate";
  if (model.threshold_rule && !model.costs) out += " --threshold " + quoted_word(threshold_text(*model.threshold_rule));
  return out;
}

}  // namespace

std::vector<Json> how_to_reproduce(const Subject& about) {
  const Model& model = about.model;
  const FitReport& report = model.report;
  std::vector<Json> out;
  if (!about.options.command.empty()) {
    out.push_back(words("The command that made this model:"));
    out.push_back(code("Command", brief(about.options.command, 4000)));
  }
  const bool custom = std::holds_alternative<kernels::Custom>(model.kernel.form) ||
                      uses_geometry(model.kernel, kernels::Geometry::given);
  if (model.members.empty() && !custom && !report.basis && kernel_parameters(model.kernel).size() <= 60) {
    out.push_back(
        words("The same machine from the same data, with what was chosen given (weights, offsets, prices and "
              "roles of columns as before):"));
    out.push_back(code("Command without a search", command_of(model)));
  }
  out.push_back(facts({{"Lacuna", LACUNA_VERSION},
                       {"rows, features", fmt::format("{}, {}", report.rows, report.features)},
                       {"seconds of the fit", fmt::format("{:.3g}", report.seconds)},
                       {"seconds of the search", fmt::format("{:.3g}", report.search.seconds)},
                       {"factorisations", std::to_string(report.search.factorisations)}}));
  out.push_back(
      note("The same program, processor, data, seed and number of threads give the same model, bit for bit."));
  return out;
}

}  // namespace lacuna::page
