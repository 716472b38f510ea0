// report/page/block.hpp -- blocks that a section is made of. Each is a JSON object that page/source/page.js knows by
// its kind. All text is plain text; the page never reads any of it as HTML.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lacuna/base/matrix.hpp"

namespace lacuna::page {

using Json = nlohmann::ordered_json;

/// Text from elsewhere in at most so many characters, with "…" in place of what was cut out of its middle; control
/// characters as base/shown.hpp shows them. A name that every JavaScript object has a value for ("__proto__") gets a
/// character that is not seen: to Vega, which looks names up in objects, it is then one like others.
std::string brief(std::string_view text, std::size_t most = 60);
/// The same of several, told apart: those that look alike when they are cut get their numbers.
std::vector<std::string> briefly(const std::vector<std::string>& names, std::size_t most);
/// What a program printed, for the page to carry: where it would take too much room its long texts are cut, or else all
/// of it is left out, and `where` ("evaluate --json") has it.
nlohmann::ordered_json within_a_page(nlohmann::ordered_json raw, const std::string& where);
/// As many names as fit a sentence, and how many more there are.
std::string listed(const std::vector<std::string>& names, std::size_t most = 6);

/// A number with the digits that a drawing needs (six), or more; null where there is none.
Json number(double value, int significant = 6);
Json numbers(const std::vector<double>& values);
Json numbers(const Vector& values);
/// As people read it: so many digits or all before the point, without an exponent from 0.001 to 1e9; a share in per
/// cent with one decimal. numbers.js writes the numbers of tables alike.
std::string digits(double value, int significant = 4);
std::string percent(double value);

/// A source of a chart by column, empty: {"x": [], "y": []}.
Json columns_of(std::initializer_list<const char*> names);

Json words(const std::string& text);
Json note(const std::string& text);
Json warning(const std::string& text);
/// What cannot be shown, why, and how to get it.
Json missing(const std::string& what, const std::string& why, const std::string& remedy = "");

struct FigureItem {
  std::string name{}, label{}, value{}, spread{}, note{};
  double number = 0.0;
};
Json figures(const std::vector<FigureItem>& items);
/// Names and values, one under the other.
Json facts(const std::vector<std::pair<std::string, std::string>>& items);
Json code(const std::string& label, const std::string& text);
/// Blocks side by side where there is room.
Json grid(std::vector<Json> blocks, bool small = false);

struct Column {
  std::string field{}, title{};
  bool number = true;
  std::string format{};  ///< of d3, or "date" of days since 1970-01-01; "": four digits
};
/// What a share of rows is called that stands where their number would, if they have no weights.
inline constexpr const char* of_all_by_weight = "of all rows, by weight";
/// `data`: {"source": {"column": [...]}}, sources and columns that page/charts/NAME.vl.json names. `signals`: its
/// parameters, words of titles, and "dates": the axes ("x", "y") that are dates. `table` says which source is shown as
/// numbers below the chart.
Json chart(const std::string& name, const std::string& title, const std::string& description, Json data,
           const std::string& table_source, const std::vector<Column>& table, Json signals = Json::object());

struct TableOptions {
  std::string title{}, text{}, caption{};
  bool sortable = false, searchable = false;
};
Json table(const TableOptions& options, const std::vector<Column>& columns, Json rows);

Json section(const std::string& id, const std::string& title, std::vector<Json> blocks);

/// Marks of a logarithmic axis: powers of ten, and 2 and 5 times them where there are few.
Json log_ticks(double low, double high);

/// Of n things at most so many, evenly: their places.
std::vector<Index> thinned(Index n, Index most);

}  // namespace lacuna::page
