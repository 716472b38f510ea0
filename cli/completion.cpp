// cli/completion.cpp (of program.hpp) -- completion scripts for shells, made from the parser itself so that they cannot
// fall behind it.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <fstream>
#include <set>

#include "cli/fit_options.hpp"
#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/explain/columns.hpp"
#include "lacuna/model/file.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna::cli {
namespace {

struct Option {
  std::vector<std::string> names;  // --target, -t
  std::string help;
  bool takes_value = false;
  std::vector<std::string> choices;
};

struct Command {
  std::string name, help;
  std::vector<Option> options;
  std::vector<std::string> first;  // words that the first argument can be; empty: a file
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<Command> commands(const CLI::App& program) {
  std::vector<Command> out;
  for (const CLI::App* verb : program.get_subcommands([](const CLI::App*) { return true; })) {
    Command& command = out.emplace_back();
    command.name = verb->get_name();
    command.help = first_line(verb->get_description());
    for (const CLI::Option* o : verb->get_options()) {
      if (o->get_positional()) {
        if (command.first.empty()) command.first = option_choices(o->get_name(true));
        continue;
      }
      Option& option = command.options.emplace_back();
      for (const std::string& n : o->get_lnames()) option.names.push_back("--" + n);
      for (const std::string& n : o->get_snames()) option.names.push_back("-" + n);
      option.help = first_line(o->get_description());
      option.takes_value = o->get_items_expected_max() > 0;
      if (option.takes_value) option.choices = option_choices(option.names[0]);
    }
  }
  return out;
}

// Options whose values are columns of a file that comes before them, several with commas between; which word of the
// command line names that file, counted from 0. 0: of no file.
int file_of_columns(const Command& command, const Option& option) {
  static const std::set<std::string> of_data{
      "--target",        "--features",       "--ignore", "--categorical", "--weights", "--group",
      "--train-weights", "--select-weights", "--offset", "--exposure",    "--by"};
  const std::string& name = option.names[0];
  if (of_data.contains(name)) return 2;
  if (name == "--columns") return 2;                             // explain MODEL: those that the model has
  return command.name == "predict" && name == "--keep" ? 3 : 0;  // predict MODEL DATA
}

// The names of a file's columns, a line each: of data all, of a model those that it looks at.
std::string columns_of(const std::string& file) {
  if (is_model_file(file)) {
    std::string out;
    for (const InputColumn& column : input_columns(read_model(file))) out += column.name + "\n";
    return out;
  }
  std::ifstream beginning(file);
  std::string head(1 << 20, '\0');
  beginning.read(head.data(), std::streamsize(head.size()));
  head.resize(std::size_t(beginning.gcount()));
  if (const std::size_t end = head.rfind('\n'); end != std::string::npos) head.resize(end);
  std::string out;
  for (const Column& column : parse_table(head, file).columns) out += column.name + "\n";
  return out;
}

std::string words(const Command& command) {
  std::vector<std::string> all;
  for (const Option& o : command.options) all.insert(all.end(), o.names.begin(), o.names.end());
  return join(all, " ");
}

// One case per verb for options and for the values of the option before the cursor; else files.
std::string bash(const std::vector<Command>& list) {
  std::vector<std::string> verbs;
  for (const Command& c : list) verbs.push_back(c.name);
  std::string out = fmt::format(
      "# lacuna completion for bash: eval \"$(lacuna completion bash)\"\n"
      "# Columns of the file that this word of the command line names; those before a comma stay.\n"
      "_lacuna_columns() {{\n"
      "  local IFS=$'\\n' word=${{COMP_WORDS[COMP_CWORD]}}\n"
      "  local last=${{word##*,}}\n"
      "  COMPREPLY=($(compgen -P \"${{word%\"$last\"}}\" -W \"$(lacuna completion columns \"${{COMP_WORDS[$1]}}\" "
      "2>/dev/null)\" -- \"$last\"))\n"
      "}}\n"
      "_lacuna() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}}\n"
      "  COMPREPLY=()\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"$verb $before\" in\n",
      join(verbs, " "));
  for (const Command& c : list)
    for (const Option& o : c.options)
      for (const std::string& n : o.names) {
        if (const int file = file_of_columns(c, o))
          out += fmt::format("    '{} {}') _lacuna_columns {}; return ;;\n", c.name, n, file);
        else if (!o.choices.empty())
          out += fmt::format("    '{} {}') COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", c.name, n,
                             join(o.choices, " "));
      }
  out += "  esac\n  case \"$verb\" in\n";
  for (const Command& c : list) {
    out += fmt::format("    {}) [[ $word == -* ]] && {{ COMPREPLY=($(compgen -W '{}' -- \"$word\")); return; }}",
                       c.name, words(c));
    if (!c.first.empty())
      out +=
          fmt::format("\n      [[ $COMP_CWORD -eq 2 ]] && {{ COMPREPLY=($(compgen -W '{}' -- \"$word\")); return; }}",
                      join(c.first, " "));
    out += " ;;\n";
  }
  return out +
         "  esac\n"
         "  COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "}\n"
         "complete -o filenames -F _lacuna lacuna\n";
}

// A text inside single quotes that fish, and zsh's _arguments, take literally.
std::string quiet(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '\'' && c != '[' && c != ']' && c != '\\') out += c == ':' ? ';' : c;
  return out;
}

std::string zsh(const std::vector<Command>& list) {
  std::string out =
      "#compdef lacuna\n# lacuna completion for zsh: lacuna completion zsh > a folder in $fpath/_lacuna\n"
      "_lacuna() {\n  local -a verbs\n  verbs=(\n";
  for (const Command& c : list) out += fmt::format("    '{}:{}'\n", c.name, quiet(c.help));
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command verbs\n    return\n  fi\n"
      "  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $verb in\n";
  for (const Command& c : list) {
    out += fmt::format("    {})\n      _arguments", c.name);
    for (const Option& o : c.options)
      for (const std::string& n : o.names) {
        const int file = file_of_columns(c, o);  // words begin with the verb here
        const std::string action =
            file > 0 ? fmt::format("{{compadd -- ${{(f)\"$(lacuna completion columns $words[{}])\"}}}}", file)
            : o.choices.empty() ? "_files"
                                : fmt::format("({})", quiet(join(o.choices, " ")));
        out += fmt::format(" \\\n        '*{}[{}]{}'", n, quiet(o.help), o.takes_value ? ":value:" + action : "");
      }
    out += fmt::format(" \\\n        '1:argument:{}' '*:file:_files' ;;\n",
                       c.first.empty() ? "_files" : fmt::format("({})", join(c.first, " ")));
  }
  return out + "  esac\n}\n_lacuna \"$@\"\n";
}

std::string fish(const std::vector<Command>& list) {
  std::string out = "# lacuna completion for fish: lacuna completion fish | source\n";
  for (const Command& c : list) {
    const std::string here = fmt::format("complete -c lacuna -n '__fish_seen_subcommand_from {}'", c.name);
    out += fmt::format("complete -c lacuna -n __fish_use_subcommand -f -a {} -d '{}'\n", c.name, quiet(c.help));
    if (!c.first.empty()) out += fmt::format("{} -f -a '{}'\n", here, join(c.first, " "));
    for (const Option& o : c.options) {
      out += here;
      for (const std::string& n : o.names) out += n[1] == '-' ? " -l " + n.substr(2) : " -s " + n.substr(1);
      if (const int file = file_of_columns(c, o))
        out += fmt::format(" -x -a '(lacuna completion columns (commandline -opc)[{}] 2>/dev/null)'", file + 1);
      else if (o.takes_value)
        out += o.choices.empty() ? " -r" : fmt::format(" -x -a '{}'", join(o.choices, " "));
      out += fmt::format(" -d '{}'\n", quiet(o.help));
    }
  }
  return out;
}

}  // namespace

Verb completion_verb(CLI::App& program) {
  auto shell = std::make_shared<std::string>();
  auto file = std::make_shared<std::string>();
  CLI::App* verb = program.add_subcommand("completion", "a script that completes lacuna's words in a shell");
  verb->add_option("SHELL", *shell, "bash, zsh or fish; or columns, which the scripts ask for");
  verb->add_option("FILE", *file, "of columns: the data, or the model, whose column names are listed");
  verb->footer("Examples:\n  eval \"$(lacuna completion bash)\"\n  lacuna completion fish | source\n");
  return {verb, [shell, file, &program] {
            if (shell->empty()) fail_usage("completion: no shell; it is one of bash, zsh, fish");
            if (*shell == "columns") return Output("", Files()).write(columns_of(*file));
            if (!file->empty()) fail_usage(fmt::format("completion: a script for {} needs no file", *shell));
            const std::size_t which = choice("completion", *shell, option_choices("SHELL"));
            const std::vector<Command> list = commands(program);
            Output("", Files()).write(which == 0 ? bash(list) : which == 1 ? zsh(list) : fish(list));
          }};
}

}  // namespace lacuna::cli
