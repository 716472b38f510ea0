// report/page/html.cpp (of page.hpp) -- the file around the data. Inside a script element a browser looks for nothing
// but its end, so that "<" is the one character that could end the block early; ">" and "&" and the two line ends that
// are none in JSON are escaped too, for readers that are not browsers. JSON has escapes for all of them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lacuna/base/error.hpp"
#include "lacuna/report/page/assets.hpp"
#include "lacuna/report/page/page.hpp"

namespace lacuna {
namespace {

constexpr std::size_t most_bytes = 2'000'000;

std::string escaped(const std::string& json) {
  std::string out;
  out.reserve(json.size() + json.size() / 8);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else if (json.compare(i, 3, "\xE2\x80\xA8") == 0)
      out += "\\u2028", i += 2;
    else if (json.compare(i, 3, "\xE2\x80\xA9") == 0)
      out += "\\u2029", i += 2;
    else
      out += c;
  }
  return out;
}

using Json = nlohmann::ordered_json;

std::string told(const Json& page) { return escaped(page.dump(-1, ' ', false, Json::error_handler_t::replace)); }

// The largest chart or table of these blocks, those inside grids too.
void find_largest(Json& blocks, Json*& largest, std::size_t& bytes) {
  for (Json& block : blocks) {
    if (block.value("kind", "") == "grid") {
      find_largest(block["blocks"], largest, bytes);
      continue;
    }
    if (block.value("kind", "") != "chart" && block.value("kind", "") != "table") continue;
    if (const std::size_t its = told(block).size(); its > bytes) bytes = its, largest = &block;
  }
}

// What a program printed is left out first, then the largest charts and tables: a page is written whatever data hold.
std::string told_within(Json page, std::size_t room) {
  std::string out = told(page);
  for (const char* raw : {"fit", "evaluation"}) {
    if (out.size() <= room || !page.contains(raw)) continue;
    page[raw] = {{"left_out", "too large for the page; --json prints it"}};
    out = told(page);
  }
  while (out.size() > room) {
    Json* largest = nullptr;
    std::size_t bytes = 0;
    for (Json& section : page["sections"]) find_largest(section["blocks"], largest, bytes);
    if (largest == nullptr) return out;
    const std::string title = largest->value("title", "A table");
    *largest = {{"kind", "words"},
                {"tone", "note"},
                {"text", title + " is not shown: with it the page would be larger than 2 MB."}};
    out = told(page);
  }
  return out;
}

}  // namespace

const std::string& why_no_page() { return page_assets().missing; }

std::string page_html(const nlohmann::ordered_json& page) {
  const PageAssets& assets = page_assets();
  if (!assets.missing.empty()) fail_usage("report: " + assets.missing);
  constexpr std::size_t around = 2000;  // bytes of the elements that the parts are in
  const std::string data = told_within(page, most_bytes - assets.style.size() - assets.script.size() - around);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; style-src '{}'; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Lacuna report</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<main><p>This report is drawn by the script in this file.</p></main>\n"
      "<script type=\"application/json\" id=\"lacuna-page\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
      assets.script_hash, assets.style_hash, assets.style, data, assets.script);
  if (out.size() > most_bytes)
    throw Error(Error::Kind::internal, fmt::format("report: the page has {} bytes, more than 2 MB", out.size()));
  return out;
}

}  // namespace lacuna
