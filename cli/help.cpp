#include "cli/help.hpp"

#include <sstream>

namespace lacuna::cli {
namespace {

constexpr std::size_t left_column = 30, right_column = 78;  // widths of the two columns

}  // namespace

HelpFormatter::HelpFormatter() {
  column_width(left_column);
  label("Positionals", "Arguments");
  label("Subcommands", "Commands");
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string out = "Usage: " + name;
  for (const CLI::Option* o : app->get_options())
    if (o->get_positional()) out += " " + o->get_name(true);
  if (!app->get_subcommands([](const CLI::App*) { return true; }).empty()) out += " COMMAND";
  return out + " [OPTIONS]\n";
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() || option->get_items_expected_max() == 0) return "";
  return " " + option->get_type_name();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  std::istringstream words(option->get_description());
  std::string out;
  std::size_t used = 0;
  for (std::string word; words >> word;) {
    const bool fits = used + 1 + word.size() <= right_column;
    if (!out.empty()) out += fits ? ' ' : '\n';
    used = fits ? used + 1 + word.size() : word.size();
    out += word;
  }
  return out;
}

}  // namespace lacuna::cli
