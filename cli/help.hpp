// cli/help.hpp -- how help looks: descriptions wrapped beside their options, arguments without decoration.
#pragma once

#include <CLI/CLI.hpp>

namespace lacuna::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace lacuna::cli
