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

}  // namespace

const std::string& why_no_page() { return page_assets().missing; }

std::string page_html(const nlohmann::ordered_json& page) {
  const PageAssets& assets = page_assets();
  if (!assets.missing.empty()) fail_usage("report: " + assets.missing);
  const std::string data = escaped(page.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
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
