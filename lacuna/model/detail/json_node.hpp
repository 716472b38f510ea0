// model/detail/json_node.hpp -- reading JSON that may hold anything: every access says what it expects, and what is not
// so is refused with the path to it, "report.search.evaluations is not a whole number".
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lacuna::detail {

/// How values are written so that JsonNode reads the same bits back.
nlohmann::json number_json(double value);
nlohmann::json text_json(const std::string& text);
nlohmann::json texts_json(const std::vector<std::string>& texts);

class JsonNode {
 public:
  /// `json` and `source` must outlive the node and what is taken from it.
  JsonNode(const nlohmann::json& json, const std::string& source) : json_(&json), source_(&source) {}

  JsonNode operator[](const char* key) const;
  /// Whether an object has the key: what older versions did not write.
  bool has(const char* key) const;
  std::vector<JsonNode> list() const;
  bool flag() const;
  double number() const;
  std::string text() const;
  std::vector<std::string> texts() const;
  /// Requires low <= value <= high.
  std::int64_t whole(std::int64_t low, std::int64_t high = std::numeric_limits<std::int64_t>::max()) const;
  template <class Integer>
  Integer whole_as(std::int64_t low = std::numeric_limits<Integer>::min()) const {
    return Integer(whole(low, std::int64_t(std::numeric_limits<Integer>::max())));
  }
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  JsonNode(const nlohmann::json& json, const std::string& source, std::string path)
      : json_(&json), source_(&source), path_(std::move(path)) {}

  const nlohmann::json* json_;
  const std::string* source_;
  std::string path_;
};

}  // namespace lacuna::detail
