// model/detail/fields.hpp -- a description of the fields of a file, written once, for both directions:
//
//   template <class At> void describe(At& at, ColumnCode& c) {
//     at.text("name", c.name);
//     at.number("fill", c.fill, Number::finite);
//   }
//
// With a FieldWriter it writes, with a FieldReader it reads, and both refuse what breaks a rule: what was written can
// be read, and what was read has been checked. `require` states how fields depend on one another. Writing changes
// nothing.
#pragma once

#include <concepts>
#include <limits>
#include <span>

#include "lacuna/model/detail/json_node.hpp"
#include "lacuna/model/detail/rules.hpp"

namespace lacuna::detail {

template <std::integral Integer>
inline constexpr std::int64_t least_of = std::int64_t(std::numeric_limits<Integer>::min());
template <std::integral Integer>
inline constexpr std::int64_t most_of = std::int64_t(std::numeric_limits<Integer>::max());

template <class Json>
class FieldWriter {
 public:
  static constexpr bool reading = false;
  /// `preface` begins every refusal, "write: the model is not whole".
  FieldWriter(Json& out, const std::string& preface) : out_(&out), preface_(&preface) { out = Json::object(); }

  void flag(const char* key, const bool& v) { (*out_)[key] = v; }
  void number(const char* key, const double& v, Number rule) {
    if (const auto why = breach(rule, v); !why.empty()) refuse(key, why);
    (*out_)[key] = number_json<Json>(v);
  }
  void numbers(const char* key, const std::vector<double>& v, Extent size, Number rule) {
    (*out_)[key] = list_of(key, v, size, rule);
  }
  /// The same where the element of a list is one itself.
  void numbers(const std::vector<double>& v, Index size, Number rule) { *out_ = list_of("", v, size, rule); }
  /// An object of numbers, in order.
  void named_numbers(const char* key, const std::vector<std::pair<std::string, double>>& v, Number rule) {
    Json& object = (*out_)[key] = Json::object();
    for (const auto& [name, x] : v) {
      if (const auto why = breach(rule, x); !why.empty()) refuse(key, why);
      object[name] = number_json<Json>(x);
    }
  }
  template <std::integral Integer>
  void whole(const char* key, const Integer& v, std::int64_t low = least_of<Integer>,
             std::int64_t high = most_of<Integer>) {
    if (v < low || v > high) refuse(key, fmt::format("is {}, which cannot be", v));
    (*out_)[key] = v;
  }
  template <std::integral Integer>
  void wholes(const char* key, const std::vector<Integer>& v, std::int64_t low) {
    for (const Integer x : v)
      if (x < low) refuse(key, fmt::format("holds {}, which cannot be", x));
    (*out_)[key] = v;
  }
  void text(const char* key, const std::string& v) { (*out_)[key] = text_json<Json>(v); }
  void texts(const char* key, const std::vector<std::string>& v, Texts rule) {
    if (const auto why = breach(rule, v); !why.empty()) refuse(key, why);
    Json& list = (*out_)[key] = Json::array();
    for (const std::string& t : v) list.push_back(text_json<Json>(t));
  }
  template <class E>
  void choice(const char* key, const E& v, std::span<const Word<std::type_identity_t<E>>> words) {
    for (const auto& w : words)
      if (w.value == v) return void((*out_)[key] = w.text);
    refuse(key, "has no word in a file");
  }
  /// A value with a text of its own; `take` makes it of the text, or throws Error.
  template <class Take>
  void word(const char* key, const std::string& text, Take&&) {
    (*out_)[key] = text_json<Json>(text);
  }
  template <class Describe>
  void object(const char* key, Describe&& describe) {
    FieldWriter part((*out_)[key], *preface_, path(key));
    describe(part);
  }
  template <class T, class Describe>
  void list(const char* key, std::vector<T>& v, Describe&& describe) {
    Json& all = (*out_)[key] = Json::array();
    for (std::size_t k = 0; k < v.size(); ++k) {
      all.push_back(Json());
      FieldWriter part(all.back(), *preface_, fmt::format("{}[{}]", path(key), k));
      describe(part, v[k]);
    }
  }
  /// Whether a field that may be left out follows: `there` when writing, what the file has when reading.
  bool optional(const char*, bool there) const { return there; }
  void require(bool holds, std::string_view why) const {
    if (!holds) fail_usage(fmt::format("{}: {}{}{}", *preface_, path_, path_.empty() ? "" : ": ", why));
  }

 private:
  FieldWriter(Json& out, const std::string& preface, std::string path) : FieldWriter(out, preface) {
    path_ = std::move(path);
  }
  Json list_of(const char* key, const std::vector<double>& v, Extent size, Number rule) const {
    if (size && Index(v.size()) != *size) refuse(key, "has another length");
    Json list = Json::array();
    for (const double x : v) {
      if (const auto why = breach(rule, x); !why.empty()) refuse(key, why);
      list.push_back(number_json<Json>(x));
    }
    return list;
  }
  std::string path(const char* key) const { return path_.empty() ? key : path_ + '.' + key; }
  [[noreturn]] void refuse(const char* key, std::string_view why) const {
    fail_usage(fmt::format("{}: {} {}", *preface_, path(key), why));
  }

  Json* out_;
  const std::string* preface_;
  std::string path_;
};

template <class Json>
class FieldReader {
 public:
  static constexpr bool reading = true;
  explicit FieldReader(JsonNode<Json> node) : node_(std::move(node)) {}

  void flag(const char* key, bool& v) { v = node_[key].flag(); }
  void number(const char* key, double& v, Number rule) { v = checked(node_[key], rule); }
  void numbers(const char* key, std::vector<double>& v, Extent size, Number rule) {
    numbers(node_[key], v, size, rule);
  }
  void numbers(std::vector<double>& v, Index size, Number rule) { numbers(node_, v, size, rule); }
  void named_numbers(const char* key, std::vector<std::pair<std::string, double>>& v, Number rule) {
    v.clear();
    for (const auto& [name, node] : node_[key].items()) v.emplace_back(name, checked(node, rule));
  }
  template <std::integral Integer>
  void whole(const char* key, Integer& v, std::int64_t low = least_of<Integer>, std::int64_t high = most_of<Integer>) {
    v = Integer(node_[key].whole(low, high));
  }
  template <std::integral Integer>
  void wholes(const char* key, std::vector<Integer>& v, std::int64_t low) {
    v.clear();
    for (const auto& element : node_[key].list()) v.push_back(Integer(element.whole(low, most_of<Integer>)));
  }
  void text(const char* key, std::string& v) { v = node_[key].text(); }
  void texts(const char* key, std::vector<std::string>& v, Texts rule) {
    const auto node = node_[key];
    v.clear();
    for (const auto& element : node.list()) v.push_back(element.text());
    if (const auto why = breach(rule, v); !why.empty()) node.refuse(why);
  }
  template <class E>
  void choice(const char* key, E& v, std::span<const Word<std::type_identity_t<E>>> words) {
    const auto node = node_[key];
    const std::string text = node.text();
    for (const auto& w : words)
      if (w.text == text) return void(v = w.value);
    node.refuse("is no word that is known");
  }
  template <class Take>
  void word(const char* key, const std::string&, Take&& take) {
    const auto node = node_[key];
    try {
      take(node.text());
    } catch (const Error& error) {
      node.refuse(fmt::format("cannot be read: {}", error.what()));
    }
  }
  template <class Describe>
  void object(const char* key, Describe&& describe) {
    FieldReader part(node_[key]);
    describe(part);
  }
  template <class T, class Describe>
  void list(const char* key, std::vector<T>& v, Describe&& describe) {
    v.clear();
    for (const auto& element : node_[key].list()) {
      FieldReader part(element);
      describe(part, v.emplace_back());
    }
  }
  bool optional(const char* key, bool) const { return node_.has(key); }
  void require(bool holds, std::string_view why) const {
    if (!holds) node_.refuse(fmt::format("cannot be: {}", why));
  }

 private:
  static void numbers(const JsonNode<Json>& node, std::vector<double>& v, Extent size, Number rule) {
    v.clear();
    for (const auto& element : node.list()) v.push_back(checked(element, rule));
    if (size && Index(v.size()) != *size) node.refuse("has another length");
  }
  static double checked(const JsonNode<Json>& node, Number rule) {
    const double v = node.number();
    if (const auto why = breach(rule, v); !why.empty()) node.refuse(why);
    return v;
  }

  JsonNode<Json> node_;
};

}  // namespace lacuna::detail
