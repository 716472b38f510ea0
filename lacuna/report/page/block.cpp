#include "lacuna/report/page/block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "lacuna/base/shown.hpp"

namespace lacuna::page {
namespace {

Json columns_json(const std::vector<Column>& columns) {
  Json out = Json::array();
  for (const Column& c : columns) {
    Json one{{"title", c.title}};
    if (!c.field.empty()) one["field"] = c.field;
    if (c.number) one["number"] = true;
    if (!c.format.empty()) one["format"] = c.format;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

namespace {

// Keys that an object has without being given any.
constexpr std::array<std::string_view, 12> magic_keys{
    "__proto__",        "constructor",      "hasOwnProperty",   "isPrototypeOf",
    "toString",         "toLocaleString",   "valueOf",          "propertyIsEnumerable",
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"};
constexpr std::string_view unseen = "\xE2\x81\xA0";  // U+2060, at which no line is broken

}  // namespace

std::string brief(std::string_view text, std::size_t most) {
  if (std::ranges::find(magic_keys, text) != magic_keys.end())
    return fmt::format("{}{}{}", text.substr(0, 1), unseen, text.substr(1));
  // Where characters begin; none has more than four bytes.
  const auto begins = [](const std::string& of) {
    std::vector<std::size_t> out;
    for (std::size_t at = 0; at < of.size(); ++at)
      if ((static_cast<unsigned char>(of[at]) & 0xC0U) != 0x80U) out.push_back(at);
    return out;
  };
  const std::size_t enough = 4 * most + 8;
  if (text.size() <= 2 * enough) {
    const std::string all = shown(text);
    const std::vector<std::size_t> at = begins(all);
    if (at.size() <= most) return all;
    const std::size_t tail = (most - 1) / 3, head = most - 1 - tail;
    return all.substr(0, at[head]) + "…" + (tail > 0 ? all.substr(at[at.size() - tail]) : "");
  }
  std::size_t cut = text.size() - enough;
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) ++cut;
  std::size_t end = enough;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return brief(fmt::format("{}{}", text.substr(0, end), text.substr(cut)), most);
}

std::vector<std::string> briefly(const std::vector<std::string>& names, std::size_t most) {
  std::vector<std::string> out;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    std::string said = brief(name, most);
    if (taken.contains(said)) said += fmt::format(" ({})", out.size() + 1);
    taken.insert(said);
    out.push_back(std::move(said));
  }
  return out;
}

namespace {

void shorten(Json& value, std::size_t most) {
  if (value.is_string()) {
    if (const auto& text = value.get_ref<const std::string&>(); text.size() > most) value = brief(text, most);
    return;
  }
  if (!value.is_structured()) return;
  if (value.is_object()) {
    Json out = Json::object();
    for (auto& [key, inner] : value.items()) {
      shorten(inner, most);
      std::string name = key.size() > most ? brief(key, most) : key;
      if (out.contains(name)) name += fmt::format(" ({})", out.size() + 1);
      out[name] = std::move(inner);
    }
    value = std::move(out);
    return;
  }
  for (Json& inner : value) shorten(inner, most);
}

}  // namespace

Json within_a_page(Json raw, const std::string& where) {
  constexpr std::size_t most = 600'000, most_of_a_text = 200;
  if (raw.dump(-1, ' ', false, Json::error_handler_t::replace).size() <= most) return raw;
  shorten(raw, most_of_a_text);
  if (raw.dump(-1, ' ', false, Json::error_handler_t::replace).size() <= most) return raw;
  return {{"left_out", "too large for the page; " + where + " has it"}};
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string out;
  for (std::size_t k = 0; k < std::min(most, names.size()); ++k) out += (k ? ", " : "") + brief(names[k], 40);
  return names.size() > most ? fmt::format("{} and {} more", out, names.size() - most) : out;
}

Json number(double value, int significant) {
  if (!std::isfinite(value)) return nullptr;
  if (value == 0.0) return 0;
  const double scale = std::pow(10.0, significant - 1.0 - std::floor(std::log10(std::abs(value))));
  const double rounded = std::isfinite(scale) && scale > 0.0 ? std::round(value * scale) / scale : value;
  return std::isfinite(rounded) ? Json(rounded) : Json(value);
}
Json numbers(const std::vector<double>& values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(number(v));
  return out;
}
Json numbers(const Vector& values) { return numbers(std::vector<double>(values.begin(), values.end())); }

namespace {

std::string without_zeros_at_the_end(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string digits(double value, int significant) {
  if (!std::isfinite(value)) return "not known";
  const double size = std::abs(value);
  if (size == 0.0) return "0";
  if (size < 1e-3 || size >= 1e9) return fmt::format("{:.{}g}", value, significant);
  const int decimals = std::max(0, significant - 1 - int(std::floor(std::log10(size))));
  return without_zeros_at_the_end(fmt::format("{:.{}f}", value, decimals));
}

std::string percent(double value) {
  if (!std::isfinite(value)) return "not known";
  const double share = 100.0 * value;
  const bool small = std::abs(share) < 0.1;  // one decimal would say little
  return (small ? digits(share, 2) : without_zeros_at_the_end(fmt::format("{:.1f}", share))) + " %";
}

Json columns_of(std::initializer_list<const char*> names) {
  Json out = Json::object();
  for (const char* name : names) out[name] = Json::array();
  return out;
}

Json words(const std::string& text) { return {{"kind", "words"}, {"text", text}}; }
Json note(const std::string& text) { return {{"kind", "words"}, {"tone", "note"}, {"text", text}}; }
Json warning(const std::string& text) { return {{"kind", "words"}, {"tone", "warning"}, {"text", text}}; }
Json missing(const std::string& what, const std::string& why, const std::string& remedy) {
  return note(fmt::format("{} not shown: {}.{}", what, why, remedy.empty() ? "" : " " + remedy));
}

Json figures(const std::vector<FigureItem>& items) {
  Json out{{"kind", "figures"}, {"items", Json::array()}};
  for (const FigureItem& i : items)
    out["items"].push_back({{"name", i.name},
                            {"label", i.label},
                            {"value", i.value},
                            {"spread", i.spread},
                            {"note", i.note},
                            {"number", std::isfinite(i.number) ? Json(i.number) : Json(nullptr)}});
  return out;
}

Json facts(const std::vector<std::pair<std::string, std::string>>& items) {
  Json out{{"kind", "facts"}, {"items", Json::array()}};
  for (const auto& [name, value] : items) out["items"].push_back({name, value});
  return out;
}

Json code(const std::string& label, const std::string& text) {
  return {{"kind", "code"}, {"label", label}, {"text", text}};
}

Json grid(std::vector<Json> blocks, bool small) {
  Json out{{"kind", "grid"}, {"blocks", std::move(blocks)}};
  if (small) out["small"] = true;
  return out;
}

Json chart(const std::string& name, const std::string& title, const std::string& description, Json data,
           const std::string& table_source, const std::vector<Column>& table, Json signals) {
  return {{"kind", "chart"},
          {"chart", name},
          {"title", title},
          {"description", description},
          {"data", std::move(data)},
          {"signals", std::move(signals)},
          {"table", {{"data", table_source}, {"columns", columns_json(table)}}}};
}

Json table(const TableOptions& options, const std::vector<Column>& columns, Json rows) {
  Json out{{"kind", "table"}, {"columns", columns_json(columns)}, {"rows", std::move(rows)}};
  if (!options.title.empty()) out["title"] = options.title;
  if (!options.text.empty()) out["text"] = options.text;
  if (!options.caption.empty()) out["caption"] = options.caption;
  if (options.sortable) out["sortable"] = true;
  if (options.searchable) out["searchable"] = true;
  return out;
}

Json section(const std::string& id, const std::string& title, std::vector<Json> blocks) {
  return {{"id", id}, {"title", title}, {"blocks", std::move(blocks)}};
}

Json log_ticks(double low, double high) {
  Json out = Json::array();
  if (!(low > 0.0) || !(high > low) || !std::isfinite(high)) return out;
  const bool few = std::log10(high / low) < 1.5;
  for (double power = std::floor(std::log10(low)); power <= std::log10(high); power += 1.0)
    for (const double times : {1.0, 2.0, 5.0}) {
      const double at = times * std::pow(10.0, power);
      if ((times == 1.0 || few) && at >= low * (1.0 - 1e-9) && at <= high * (1.0 + 1e-9)) out.push_back(number(at));
    }
  return out;
}

std::vector<Index> thinned(Index n, Index most) {
  std::vector<Index> out;
  const Index count = std::min(n, most);
  for (Index k = 0; k < count; ++k) out.push_back(count == n ? k : k * (n - 1) / std::max<Index>(1, count - 1));
  return out;
}

}  // namespace lacuna::page
