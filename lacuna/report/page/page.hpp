// report/page/page.hpp -- one self-contained HTML file that says how good a model is, whether its probabilities can be
// trusted, what was chosen, and which rows deserve a look. report/page/ turns what the library found into sections of
// blocks (block.hpp), one file a section; page/ in the top folder draws them. A chart is a Vega-Lite file there and a
// block here.
//
// The page loads nothing and runs no script but its own: data are in a JSON block, escaped; its policy allows the
// script and the style sheet by their hashes. Large data are thinned to hold the page under 2 MB, and it says so.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "lacuna/explain/explain.hpp"
#include "lacuna/model/model.hpp"

namespace lacuna {

/// What is known besides the model.
struct PageOptions {
  std::string command{};  ///< how the model was made, as typed; "": not known
  /// The same without what says what is to be chosen and how: the data, what columns are, how rows are held out and
  /// decided about; "": not known.
  std::string command_without_choices{};
  std::string data{};                   ///< name of the data; "": not known
  std::optional<std::uint64_t> seed{};  ///< of whatever was random; empty: not known
  std::optional<ExplainRows> rows{};    ///< rows to draw and explain with; empty: those that the model keeps
  Observer observer{};
};

/// {"title", "subtitle", "footer", "sections": [{"id", "title", "blocks"}], "fit"}: all that the page shows, and the
/// object that `fit --json` prints. Numbers are the library's own.
nlohmann::ordered_json model_page_json(const Model& model, const PageOptions& options = {});

/// "" where pages can be written; else what is missing and how to get it.
const std::string& why_no_page();
/// The whole file. Where it would exceed 2 MB the largest charts and tables are left out, and it says so. Throws
/// Error(usage) with why_no_page() where there is a reason.
std::string page_html(const nlohmann::ordered_json& page);

}  // namespace lacuna
