// model/detail/json_node.hpp -- reading JSON that may hold anything: every access says what it expects, and what is not
// so is refused with the path to it, "report.search.evaluations is not a whole number".
//
// `Json` is nlohmann::json, or ordered_json where the order of keys is part of what was written (scores of a journal).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lacuna/base/error.hpp"

namespace lacuna::detail {

/// Two hexadecimal digits for each byte, and back (none: it is not hexadecimal).
std::string to_hex(const std::string& bytes);
std::optional<std::string> from_hex(const std::string& hex);

/// How values are written so that JsonNode reads the same bits back.
template <class Json>
Json number_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
}
template <class Json>
Json text_json(const std::string& text) {
  try {
    (void)Json(text).dump();  // the writer's own test for UTF-8
    return text;
  } catch (const nlohmann::json::exception&) {
    return {{"bytes", to_hex(text)}};
  }
}

template <class Json>
class JsonNode {
 public:
  /// `preface` begins every refusal, "read: m.lacuna: corrupted model file". Both must outlive the node and what is
  /// taken from it.
  JsonNode(const Json& json, const std::string& preface) : json_(&json), preface_(&preface) {}

  JsonNode operator[](const char* key) const {
    const JsonNode child(*json_, *preface_, path_.empty() ? key : path_ + '.' + key);
    if (!json_->is_object() || !json_->contains(key)) child.refuse("is absent");
    return {(*json_)[key], *preface_, child.path_};
  }
  /// Whether an object has the key: what older versions did not write.
  bool has(const char* key) const { return json_->is_object() && json_->contains(key); }

  std::vector<JsonNode> list() const {
    if (!json_->is_array()) refuse("is not a list");
    std::vector<JsonNode> out;
    for (const Json& element : *json_) out.push_back({element, *preface_, fmt::format("{}[{}]", path_, out.size())});
    return out;
  }
  std::vector<std::pair<std::string, JsonNode>> items() const {
    if (!json_->is_object()) refuse("is not an object");
    std::vector<std::pair<std::string, JsonNode>> out;
    for (const auto& [key, value] : json_->items())
      out.emplace_back(key, JsonNode(value, *preface_, path_ + '.' + key));
    return out;
  }
  bool flag() const {
    if (!json_->is_boolean()) refuse("is not true or false");
    return json_->template get<bool>();
  }
  double number() const {
    if (json_->is_number()) return json_->template get<double>();
    if (*json_ == "nan") return std::numeric_limits<double>::quiet_NaN();
    if (*json_ == "inf") return std::numeric_limits<double>::infinity();
    if (*json_ == "-inf") return -std::numeric_limits<double>::infinity();
    refuse("is not a number");
  }
  std::string text() const {
    if (json_->is_string()) return json_->template get<std::string>();
    if (!has("bytes") || !(*json_)["bytes"].is_string()) refuse("is not a text");
    const auto bytes = from_hex((*json_)["bytes"].template get<std::string>());
    if (!bytes) refuse("is not hexadecimal");
    return *bytes;
  }
  /// Requires low <= value <= high.
  std::int64_t whole(std::int64_t low, std::int64_t high) const {
    const bool too_large = json_->is_number_unsigned() && json_->template get<std::uint64_t>() >
                                                              std::uint64_t(std::numeric_limits<std::int64_t>::max());
    if (!json_->is_number_integer() || too_large) refuse("is not a whole number");
    const auto value = json_->template get<std::int64_t>();
    if (value < low || value > high) refuse(fmt::format("is {}, which cannot be", value));
    return value;
  }
  [[noreturn]] void refuse(std::string_view why) const {
    fail_data(fmt::format("{}: {} {}", *preface_, path_.empty() ? "its text" : path_, why));
  }

 private:
  JsonNode(const Json& json, const std::string& preface, std::string path)
      : json_(&json), preface_(&preface), path_(std::move(path)) {}

  const Json* json_;
  const std::string* preface_;
  std::string path_;
};

}  // namespace lacuna::detail
