// steps/detail/archive.hpp -- values as bytes. A type says its fields once, in `archive(a, value)`, which writes them
// or reads them, as `a` does.
#pragma once

#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lacuna/base/error.hpp"
#include "lacuna/base/rows.hpp"

namespace lacuna::detail {

class ArchiveWriter {
 public:
  static constexpr bool reads = false;
  template <class... T>
  void operator()(T&... fields) {
    (put(fields), ...);
  }
  void raw(void* from, std::size_t count) { out_.append(static_cast<const char*>(from), count); }
  std::string take() { return std::move(out_); }

 private:
  template <class T>
  void put(T& field);
  std::string out_;
};

class ArchiveReader {
 public:
  static constexpr bool reads = true;
  explicit ArchiveReader(std::string_view bytes) : left_(bytes) {}
  template <class... T>
  void operator()(T&... fields) {
    (put(fields), ...);
  }
  void raw(void* to, std::size_t count) {
    if (count > left_.size()) fail_data("steps: the bytes are cut short");
    if (count > 0) std::memcpy(to, left_.data(), count);
    left_.remove_prefix(count);
  }
  std::size_t left() const { return left_.size(); }

 private:
  template <class T>
  void put(T& field);
  std::string_view left_;
};

// How many of something that takes at least one byte each.
template <class Archive>
std::size_t archive_count(Archive& a, std::size_t count) {
  auto number = std::uint64_t(count);
  a.raw(&number, sizeof number);
  if constexpr (Archive::reads)
    if (number > a.left()) fail_data("steps: the bytes are cut short");
  return std::size_t(number);
}

template <class Archive, class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void archive(Archive& a, T& x) { a.raw(&x, sizeof x); }

template <class Archive>
void archive(Archive& a, std::string& s) {
  s.resize(archive_count(a, s.size()));
  a.raw(s.data(), s.size());
}

template <class Archive, class T>
void archive(Archive& a, std::vector<T>& list) {
  list.resize(archive_count(a, list.size()));
  if constexpr (std::is_arithmetic_v<T>) {
    if constexpr (Archive::reads)
      if (list.size() * sizeof(T) > a.left()) fail_data("steps: the bytes are cut short");
    a.raw(list.data(), list.size() * sizeof(T));
  } else {
    for (T& one : list) a(one);
  }
}

template <class Archive, class T>
void archive(Archive& a, std::map<std::string, T>& map) {
  std::size_t count = archive_count(a, map.size());
  if constexpr (Archive::reads) {
    for (; count > 0; --count) {
      std::string name;
      a(name);
      a(map[name]);
    }
  } else {
    for (auto& [name, value] : map) {
      std::string key = name;
      a(key, value);
    }
  }
}

template <class Archive, class T>
void archive(Archive& a, std::optional<T>& maybe) {
  bool there = maybe.has_value();
  a(there);
  if constexpr (Archive::reads) maybe = there ? std::optional<T>(T{}) : std::nullopt;
  if (there) a(*maybe);
}

template <class Archive, class Scalar, int Rows, int Cols, int Options>
void archive(Archive& a, Eigen::Matrix<Scalar, Rows, Cols, Options>& m) {
  std::int64_t rows = m.rows(), cols = m.cols();
  a(rows, cols);
  if constexpr (Archive::reads) {
    const bool negative = rows < 0 || cols < 0;
    if (negative || (rows > 0 && std::uint64_t(cols) > a.left() / sizeof(Scalar) / std::uint64_t(rows)))
      fail_data("steps: the bytes are cut short");
    m.resize(rows, cols);
  }
  a.raw(m.data(), std::size_t(m.size()) * sizeof(Scalar));
}

template <class T>
void ArchiveWriter::put(T& field) {
  archive(*this, field);
}
template <class T>
void ArchiveReader::put(T& field) {
  archive(*this, field);
}

}  // namespace lacuna::detail
