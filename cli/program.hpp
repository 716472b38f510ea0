// cli/program.hpp -- what all verbs share: exit codes, warnings, output that is checked before the work and written
// whole after it. A verb adds its options to the parser and hands back what to run; main.cpp does the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/files.hpp"
#include "lacuna/model/file.hpp"

namespace CLI {
class App;  // <CLI/CLI.hpp> takes seconds: only the files that add options include it
}

namespace lacuna::cli {

using lacuna::WriteMore;

/// Contract with scripts (design 4).
enum Exit { done = 0, internal = 1, usage = 2, bad_data = 3, numerical = 4, interrupted = 130 };

/// Thrown when Ctrl-C stopped the work.
struct Interrupted {
  std::string message = "nothing was written";
};

struct Verb {
  CLI::App* app = nullptr;
  std::function<void()> run;
};

Verb fit_verb(CLI::App& program);
Verb predict_verb(CLI::App& program);
Verb loo_verb(CLI::App& program);
Verb evaluate_verb(CLI::App& program);
Verb experiment_verb(CLI::App& program);
Verb inspect_verb(CLI::App& program);
Verb explain_verb(CLI::App& program);
Verb report_verb(CLI::App& program);
Verb export_verb(CLI::App& program);
Verb generate_verb(CLI::App& program);
Verb completion_verb(CLI::App& program);

/// "lacuna: warning: ..." on standard error, each on its own line.
void warn(const Warnings& warnings);
void warn(const std::string& text);
/// "lacuna: ..." on standard error: one line, whatever names from elsewhere it holds (base/shown.hpp). Every message
/// of the program goes through here.
void say(const std::string& text);

/// Throws Error when standard output did not take all that was written to it.
void require_written();

/// Where results go: a file that is replaced whole at the end, or standard output ("" and "-").
class Output {
 public:
  /// Throws Error at once when nothing could be written there, or when one of `files`, which are all that the command
  /// was given, is both read and written.
  Output(std::string path, const Files& files);
  bool is_file() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  /// Where the file will be, and so room for what is kept meanwhile; "" for standard output.
  std::string folder() const;
  void write(const std::string& bytes) const;
  /// The same for results that come bit by bit.
  void write(const std::function<void(const WriteMore& more)>& produce) const;

 private:
  std::string path_;  // "": standard output
};

/// A number given to an option; throws Error(usage) naming option, value and rule.
double positive_number(const std::string& option, const std::string& text);
double number_from_zero(const std::string& option, const std::string& text);
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t low, std::uint64_t high);
/// "500M", "1G", "1.5GiB" -> bytes; "90", "90s", "5m", "2h" -> seconds.
double bytes_of(const std::string& option, const std::string& text);
double seconds_of(const std::string& option, const std::string& text);
/// "640 kB", "1.5 GB".
std::string size_text(double bytes);
/// "a,b" taken apart, empty parts left out. Parameters of a model may hold commas themselves
/// (gp-laplace:probit,mean=auto): in a list of models such a part belongs to the one before.
std::vector<std::string> comma_list(const std::string& text);
std::vector<std::string> model_list(const std::string& text);
/// The position of `given` among `choices`; throws Error(usage) with the nearest one.
std::size_t choice(const std::string& option, const std::string& given, const std::vector<std::string>& choices);

}  // namespace lacuna::cli
