// experiment/study.hpp -- what an experiment needs and what it hands back: sheets of figures, and charts as Vega-Lite
// specifications with their data inside. experiment/study_text.hpp turns these into Markdown, CSV and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "lacuna/base/observer.hpp"
#include "lacuna/evaluate/journal.hpp"

namespace lacuna {

/// A number that people see with so many digits and programs whole.
struct Figure {
  double value;
  int digits;
  bool with_sign = false;
  std::string mark{};  ///< for people, after it
};

/// A mean over splits: "5.00 ± 0.64 (20)" for people; mean, se and splits for programs.
struct Measured {
  double mean, se;  ///< se NaN: of one split
  int splits;       ///< 0: not said
  int digits;
};

/// Nothing, a number or a word. Numbers that are not finite are nothing.
using Cell = std::variant<std::monostate, double, std::string, Figure, Measured>;

struct Sheet {
  std::string name;     ///< one word: the CSV is EXPERIMENT-name.csv
  std::string caption;  ///< what it shows and how to read it
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows{};
  bool detail = false;  ///< every single value: in the CSV and JSON, too long for the Markdown
};

struct Chart {
  std::string name;
  std::string vega_lite;  ///< a JSON object
};

struct Study {
  std::string name{};                  ///< "ida", ...
  std::string title{};                 ///< with the source
  std::vector<std::string> remarks{};  ///< paragraphs above the sheets
  std::vector<Sheet> sheets{};
  std::vector<Chart> charts{};
  bool interrupted = false;  ///< what was finished is in the journal; nothing else is set
};

/// Every experiment takes what it needs of these; empty: its own default.
struct StudyOptions {
  std::string data{};  ///< folder
  std::vector<std::string> sets{};
  std::vector<std::string> models{};
  std::vector<std::string> cvs{};
  std::string protocol{};
  int splits = 20;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all
  Observer observer{};
};

/// Names, and the experiment of a name. Throws Error(usage) for an unknown one.
const std::vector<std::string>& experiment_names();
/// Which of data, sets, model, cv, protocol, splits and seed matter to it.
const std::vector<std::string>& experiment_options(const std::string& name);
Study run_experiment(const std::string& name, const StudyOptions& options, Journal& journal);

Study ida_study(const StudyOptions& options, Journal& journal);         ///< ida.hpp
Study ripley_study(const StudyOptions& options, Journal& journal);      ///< [KLR] figures 1 to 3
Study complexity_study(const StudyOptions& options, Journal& journal);  ///< [KFD] figures 1 and 2
Study motorcycle_study(const StudyOptions& options, Journal& journal);  ///< [SPARSE]
Study boston_study(const StudyOptions& options, Journal& journal);      ///< [SPARSE]
Study wcci_study(const StudyOptions& options, Journal& journal);        ///< wcci.hpp

/// Throws Error(data) that says which folder is missing, what it should hold and how to name it.
void require_folder(const std::string& experiment, const std::string& folder, const std::string& holds);

}  // namespace lacuna
