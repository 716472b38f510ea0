// cli/report.cpp (of program.hpp) -- a model's report as a page that a browser opens, and what fit, evaluate and
// experiment share of it: --report is refused before any work where the program was built without pages.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/explain_rows.hpp"
#include "cli/model_first.hpp"
#include "cli/page.hpp"
#include "cli/watch.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/report/page/page.hpp"
#include "lacuna/report/shell_word.hpp"

namespace lacuna::cli {
namespace {

struct ReportArguments {
  std::string model, data, output, threads;
  ReadArguments read;
  bool quiet = false;
};

void run(const ReportArguments& given) {
  require_pages("report");  // first: without them no other word helps
  if (given.model.empty()) fail_usage("report: no model; lacuna report MODEL -o report.html");
  if (given.output.empty()) fail_usage("report: no file; lacuna report MODEL -o report.html (-o -: standard output)");
  check_model_first("report", given.model, given.data);
  const Output output(given.output,
                      Files().reads(given.model, "model").reads(given.data, "data").writes(given.output, "-o"));
  const ThreadScope threads(given.threads.empty() ? 0 : int(whole_number("--threads", given.threads, 1, 4096)));
  const Model model = read_model(given.model);
  Watch watch(!given.quiet);
  PageOptions options{.observer = watch.observer()};
  if (!given.data.empty()) {
    options.rows = rows_that_count(rows_of_table("report", given.model, given.data, given.read, given.quiet, model));
    options.data = file_name(given.data);
  }
  const std::string page = page_html(model_page_json(model, options));
  watch.clear();
  output.write(page);
}

}  // namespace

void require_pages(const std::string& what) {
  if (!why_no_page().empty()) fail_usage(fmt::format("{}: {}", what, why_no_page()));
}

std::string file_name(const std::string& path) { return path == "-" ? "" : path.substr(path.rfind('/') + 1); }

std::string command_line(const CLI::App& verb, const std::vector<std::string>& leave_out) {
  std::string out = "lacuna " + verb.get_name();
  for (const CLI::Option* o : verb.get_options())
    if (o->get_positional() && o->count() > 0)
      for (const std::string& value : o->results()) out += " " + shell_word(value);
  for (const CLI::Option* o : verb.get_options()) {
    const std::string name = o->get_name();
    if (o->get_positional() || o->count() == 0 || name == "--help" || std::ranges::count(leave_out, name) > 0) continue;
    if (o->get_items_expected_max() == 0) {
      out += " " + name;
      continue;
    }
    for (const std::string& value : o->results()) out += fmt::format(" {} {}", name, shell_word(value));
  }
  return out;
}

Verb report_verb(CLI::App& program) {
  auto given = std::make_shared<ReportArguments>();
  CLI::App* verb = program.add_subcommand("report", "a model's report as one page for a browser");
  verb->add_option("MODEL", given->model, "a model that fit wrote");
  verb->add_option("DATA", given->data,
                   "rows to draw it with, where the model does not keep its own (default: its training rows)");
  verb->add_option("-o,--output", given->output, "write the page here, an HTML file (-: standard output)")
      ->type_name("FILE");
  verb->add_option("--threads", given->threads, "default: all")->type_name("N");
  verb->add_flag("-q,--quiet", given->quiet, "no progress and no warnings");
  add_read_options(*verb, given->read);
  verb->footer(
      "One file of at most 2 MB that needs no network: how good the model is, whether its probabilities can be "
      "trusted,\n"
      "whether more rows would help, what was chosen, which rows deserve a look, what it looks like, and how to "
      "reproduce\n"
      "it. fit --report writes the same page, with the command and the path of the search.\n\n"
      "Examples:\n"
      "  lacuna report houses.lacuna -o houses.html\n"
      "  lacuna report many.lacuna sample.csv -o many.html\n");
  return {verb, [given] { run(*given); }};
}

}  // namespace lacuna::cli
