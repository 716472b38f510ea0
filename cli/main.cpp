// cli/main.cpp -- lacuna on the command line: finds the verb, runs it, and turns whatever happens into an exit code and
// one line that says what is wrong.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <new>

#include "cli/help.hpp"
#include "cli/process.hpp"
#include "cli/program.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/base/stopping.hpp"
#include "lacuna/compute/plugin.hpp"

namespace lacuna::cli {
namespace {

int exit_code(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::usage:
      return Exit::usage;
    case Error::Kind::data:
      return Exit::bad_data;
    case Error::Kind::numerical:
      return Exit::numerical;
    case Error::Kind::internal:
      break;
  }
  return Exit::internal;
}

// Data and target are easily taken for two arguments, in either order.
std::string order_hint(const CLI::App& verb, const std::string& extra) {
  const CLI::Option* target = verb.get_option_no_throw("--target");
  if (target == nullptr || target->count() > 0) return "";
  std::error_code ignored;
  return std::filesystem::exists(extra, ignored) ? "the data come first, and the column to predict is --target COL; "
                                                 : fmt::format("the column to predict is --target {}; ", extra);
}

// Words that no option or argument took: the first one that matters is refused by name.
void refuse_extras(const CLI::App& verb) {
  const std::vector<std::string> extras = verb.remaining();
  if (extras.empty()) return;
  std::vector<std::string> options;
  for (const CLI::Option* o : verb.get_options())
    for (const std::string& name : o->get_lnames()) options.push_back("--" + name);
  for (const std::string& word : extras) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string option = word.substr(0, word.find('='));
    fail_usage(fmt::format("{}: unknown option {}{}; lacuna {} --help lists them", verb.get_name(), option,
                           did_you_mean(option, options), verb.get_name()));
  }
  fail_usage(fmt::format("{}: unexpected argument \"{}\"; {}lacuna {} --help shows what it takes", verb.get_name(),
                         extras[0], order_hint(verb, extras[0]), verb.get_name()));
}

// `--lambda ""`: most likely a variable of a script that is not set, and never meant.
void refuse_empty_values(const CLI::App& verb) {
  for (const CLI::Option* o : verb.get_options())
    for (const std::string& value : o->results())
      if (value.empty()) fail_usage(fmt::format("{}: {} is empty", verb.get_name(), o->get_name()));
}

void check_verb(const std::string& given, const std::vector<Verb>& verbs) {
  std::vector<std::string> names;
  for (const Verb& v : verbs) names.push_back(v.app->get_name());
  for (const std::string& n : names)
    if (n == given) return;
  fail_usage(fmt::format("unknown command \"{}\"{}; it is one of {}", given, did_you_mean(given, names), join(names)));
}

int run(int argc, char** argv) {
  CLI::App program(
      "Kernel machines whose leave-one-out cross-validation comes in closed form.\n"
      "They choose their own hyper-parameters, from all the data, in one call.",
      "lacuna");
  program.set_version_flag("--version", "lacuna " LACUNA_VERSION, "print the version and exit");
  program.formatter(std::make_shared<HelpFormatter>());
  program.set_help_flag("-h,--help", "print this and exit");
  program.footer(
      "Examples:\n"
      "  lacuna generate ripley --rows 250 --seed 1 -o train.csv\n"
      "  lacuna fit train.csv --target label -o ripley.lacuna\n"
      "  lacuna predict ripley.lacuna new.csv -o predictions.csv\n\n"
      "lacuna COMMAND --help tells more. Exit codes: 0 done, 1 internal, 2 usage, 3 bad data or model file,\n"
      "4 numerical failure, 130 interrupted.\n");
  const std::vector<Verb> verbs{fit_verb(program),        predict_verb(program),   loo_verb(program),
                                evaluate_verb(program),   explain_verb(program),   inspect_verb(program),
                                report_verb(program),     export_verb(program),    generate_verb(program),
                                experiment_verb(program), completion_verb(program)};
  for (const Verb& v : verbs) v.app->allow_extras();
  if (argc < 2) {
    std::cerr << program.help();
    return Exit::usage;
  }
  // `lacuna help`, `lacuna help fit`: as `lacuna --help`, `lacuna fit --help`.
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words[0] == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  if (words[0][0] != '-') check_verb(words[0], verbs);
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the end
  } catch (const CLI::Success& help_or_version) {
    return program.exit(help_or_version);
  } catch (const CLI::ExtrasError&) {
    fail_usage(fmt::format("unknown option {} before the command; lacuna --help shows how it goes", argv[1]));
  } catch (const CLI::ArgumentMismatch& error) {  // "--target: 1 required COL missing"
    const std::string what = error.what(), option = what.substr(0, what.find(':'));
    int times = 0;
    for (int k = 2; k < argc; ++k) times += argv[k] == option || std::string_view(argv[k]).starts_with(option + "=");
    fail_usage(fmt::format("{}: {} {}", argv[1], option, times > 1 ? "is given more than once" : "needs a value"));
  } catch (const CLI::ParseError& error) {
    fail_usage(error.what());
  }
  for (const Verb& v : verbs) {
    if (!v.app->parsed()) continue;
    refuse_extras(*v.app);
    refuse_empty_values(*v.app);
    v.run();
    return Exit::done;
  }
  std::cerr << program.help();
  return Exit::usage;
}

// Under mpirun all ranks are started with these words. Those other than 0 serve from the first moment and throw Served
// when rank 0 has ended, so that nothing is read, said or written twice.
void join_ranks(int argc, char** argv) {
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (word == "--backend=mpi" || (word == "--backend" && k + 1 < argc && std::string_view(argv[k + 1]) == "mpi")) {
      backend_named("mpi");
      return;
    }
  }
}

// Also where there are ranks and nothing that would make them one program: what is wrong is said once.
bool is_first_rank() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank == nullptr || std::string_view(rank) == "0";
}

}  // namespace
}  // namespace lacuna::cli

int main(int argc, char** argv) {
  using namespace lacuna::cli;
  prepare_process();
  std::ios::sync_with_stdio(false);
  try {
    join_ranks(argc, argv);
  } catch (const lacuna::Served&) {
    return Exit::done;
  } catch (const lacuna::Error& error) {
    if (is_first_rank()) say(error.what());
    return Exit::usage;
  }
  try {
    const int code = lacuna::cli::run(argc, argv);
    require_written();
    return code;
  } catch (const Interrupted& interrupted) {
    say("interrupted; " + interrupted.message);
    return Exit::interrupted;
  } catch (const lacuna::Stopped&) {
    say("interrupted; nothing was written");
    return Exit::interrupted;
  } catch (const lacuna::Error& error) {
    say(error.what());
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    say("there is not enough memory; use fewer rows");
    return Exit::bad_data;
  } catch (const std::exception& error) {
    say(std::string("internal error: ") + error.what());
    return Exit::internal;
  }
}
