// report/page/how_to_reproduce.cpp (of subject.hpp) -- the command, one without a search, versions, seed and times.
#include <fmt/format.h>

#include "lacuna/report/page/subject.hpp"
#include "lacuna/report/page/without_search.hpp"

namespace lacuna::page {
namespace {

std::string what_to_add(const Model& model) {
  std::string out;
  for (const std::string& option : options_not_known(model)) out += (out.empty() ? "; add " : ", ") + option;
  if (!out.empty()) out += ", of columns whose names the model does not know";
  if (!model.report.repeat)
    out += "; the file is of an older program, which did not keep --seed, nor --train-weights and --select-weights";
  return out;
}

std::string seed_words(const Subject& about) {
  const auto& repeat = about.model.report.repeat;
  if (about.options.seed) return std::to_string(*about.options.seed);
  return repeat ? std::to_string(repeat->seed) : "not known: the model is of an older program";
}

}  // namespace

std::vector<Json> how_to_reproduce(const Subject& about) {
  const FitReport& report = about.model.report;
  const PageOptions& options = about.options;
  constexpr std::size_t most = 4000;  // characters
  std::vector<Json> out;
  if (!options.command.empty()) {
    out.push_back(words("The command that made this model:"));
    out.push_back(code("Command", brief(options.command, most)));
  }
  if (const std::string command = command_without_search(about.model, options);
      !command.empty() && command.size() <= most) {
    std::string text = "The same machine from the same data, with everything that was chosen given";
    if (options.command_without_choices.empty()) text += what_to_add(about.model);
    text += ":";
    if (report.choice)
      text =
          "The same machine with everything that was chosen given; its figures are then optimistic, as nothing is left "
          "out of the choice:";
    out.push_back(words(text));
    out.push_back(code("Command without a search", command));
  }
  std::vector<std::pair<std::string, std::string>> items{
      {"Lacuna", LACUNA_VERSION}, {"rows, features", fmt::format("{}, {}", report.rows, report.features)}};
  items.emplace_back("seed", seed_words(about));
  items.emplace_back("seconds of the fit", digits(report.seconds, 3));
  items.emplace_back("seconds of the search", digits(report.search.seconds, 3));
  items.emplace_back("factorisations", std::to_string(report.search.factorisations));
  out.push_back(facts(items));
  out.push_back(
      note("The same program, processor, data, seed and number of threads give the same model, bit for bit."));
  return out;
}

}  // namespace lacuna::page
