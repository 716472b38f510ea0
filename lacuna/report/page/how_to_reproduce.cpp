// report/page/how_to_reproduce.cpp (of subject.hpp) -- the command, one without a search, versions, seed and times.
#include <fmt/format.h>

#include "lacuna/report/page/subject.hpp"
#include "lacuna/report/page/without_search.hpp"

namespace lacuna::page {

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
    if (options.command_without_choices.empty())
      text += report.weighted && about.model.encoding.weight_column.empty()
                  ? "; add --train-weights and the like, whose columns a model does not know"
                  : "";
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
  if (options.seed) items.emplace_back("seed", std::to_string(*options.seed));
  items.emplace_back("seconds of the fit", fmt::format("{:.3g}", report.seconds));
  items.emplace_back("seconds of the search", fmt::format("{:.3g}", report.search.seconds));
  items.emplace_back("factorisations", std::to_string(report.search.factorisations));
  out.push_back(facts(items));
  out.push_back(
      note("The same program, processor, data, seed and number of threads give the same model, bit for bit."));
  return out;
}

}  // namespace lacuna::page
