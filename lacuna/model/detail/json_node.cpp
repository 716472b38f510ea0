#include "lacuna/model/detail/json_node.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "lacuna/base/error.hpp"

namespace lacuna::detail {

using nlohmann::json;

json number_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
}

json text_json(const std::string& text) {
  try {
    (void)json(text).dump();  // the writer's own test for UTF-8
    return text;
  } catch (const json::exception&) {
    std::string hex;
    for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return {{"bytes", hex}};
  }
}

json texts_json(const std::vector<std::string>& texts) {
  json out = json::array();
  for (const std::string& t : texts) out.push_back(text_json(t));
  return out;
}

void JsonNode::refuse(const std::string& why) const {
  fail_data(fmt::format("read: {}: corrupted model file: {} {}", *source_, path_.empty() ? "its text" : path_, why));
}

bool JsonNode::has(const char* key) const { return json_->is_object() && json_->contains(key); }

JsonNode JsonNode::operator[](const char* key) const {
  const JsonNode child(*json_, *source_, path_.empty() ? key : path_ + '.' + key);
  if (!json_->is_object() || !json_->contains(key)) child.refuse("is absent");
  return {(*json_)[key], *source_, child.path_};
}

std::vector<JsonNode> JsonNode::list() const {
  if (!json_->is_array()) refuse("is not a list");
  std::vector<JsonNode> out;
  for (const json& element : *json_) out.push_back({element, *source_, fmt::format("{}[{}]", path_, out.size())});
  return out;
}

bool JsonNode::flag() const {
  if (!json_->is_boolean()) refuse("is not true or false");
  return json_->get<bool>();
}

double JsonNode::number() const {
  if (json_->is_number()) return json_->get<double>();
  if (*json_ == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (*json_ == "inf") return std::numeric_limits<double>::infinity();
  if (*json_ == "-inf") return -std::numeric_limits<double>::infinity();
  refuse("is not a number");
}

std::string JsonNode::text() const {
  if (json_->is_string()) return json_->get<std::string>();
  if (!json_->is_object() || !json_->contains("bytes") || !(*json_)["bytes"].is_string()) refuse("is not a text");
  const auto hex = (*json_)["bytes"].get<std::string>();
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned char byte = 0;
    const auto [end, error] = std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
    if (error != std::errc() || end != hex.data() + i + 2) refuse("is not hexadecimal");
    out.push_back(static_cast<char>(byte));
  }
  if (hex.size() % 2 != 0) refuse("is not hexadecimal");
  return out;
}

std::vector<std::string> JsonNode::texts() const {
  std::vector<std::string> out;
  for (const JsonNode& element : list()) out.push_back(element.text());
  return out;
}

std::int64_t JsonNode::whole(std::int64_t low, std::int64_t high) const {
  const bool too_large = json_->is_number_unsigned() &&
                         json_->get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max());
  if (!json_->is_number_integer() || too_large) refuse("is not a whole number");
  const auto value = json_->get<std::int64_t>();
  if (value < low || value > high) refuse(fmt::format("is {}, which cannot be", value));
  return value;
}

}  // namespace lacuna::detail
