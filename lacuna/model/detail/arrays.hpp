// model/detail/arrays.hpp -- the arrays of a file, described once for both directions like its fields (fields.hpp): an
// array has a name, a shape (where that is known before) and a rule for its numbers. Reading refuses arrays that nobody
// described: what is not checked is not there.
#pragma once

#include <deque>
#include <set>
#include <utility>

#include "lacuna/base/rows.hpp"
#include "lacuna/model/detail/rules.hpp"
#include "lacuna/model/detail/safetensors.hpp"

namespace lacuna::detail {

class ArrayWriter {
 public:
  static constexpr bool reading = false;
  /// What is written must live as long as the container is used.
  explicit ArrayWriter(std::string preface) : preface_(std::move(preface)) {}

  void numbers(const std::string& name, const std::vector<double>& v, Extent size, Number rule);
  void numbers(const std::string& name, const Vector& v, Extent size, Number rule);
  void numbers(const std::string& name, const RowMatrix& m, Extent rows, Extent cols, Number rule);
  void numbers(const std::string& name, const Matrix& m, Extent rows, Extent cols, Number rule);
  void wholes(const std::string& name, const std::vector<std::int64_t>& v, Extent size, std::int64_t low,
              std::int64_t high);
  void wholes(const std::string& name, const std::vector<std::int32_t>& v, Extent size, std::int64_t low,
              std::int64_t high);
  bool optional(const std::string&, bool there) const { return there; }
  /// What `describe` describes has names that begin so.
  template <class Describe>
  void within(const std::string& prefix, Describe&& describe) {
    const std::string before = std::exchange(prefix_, prefix_ + prefix);
    describe();
    prefix_ = before;
  }
  void require(bool holds, std::string_view why) const;
  /// A list that lives as long as the container is used.
  std::vector<std::int64_t>& keep(std::vector<std::int64_t> list) { return kept_.emplace_back(std::move(list)); }
  Container& container() { return container_; }

 private:
  Container container_;
  std::string preface_, prefix_{};
  std::deque<RowMatrix> row_by_row_;  // copies of what lies column by column in memory
  std::deque<std::vector<std::int64_t>> kept_;
};

class ArrayReader {
 public:
  static constexpr bool reading = true;
  /// `container` must outlive the reader.
  ArrayReader(const Container& container, std::string preface) : container_(container), preface_(std::move(preface)) {}

  void numbers(const std::string& name, std::vector<double>& v, Extent size, Number rule);
  void numbers(const std::string& name, Vector& v, Extent size, Number rule);
  void numbers(const std::string& name, RowMatrix& m, Extent rows, Extent cols, Number rule);
  void numbers(const std::string& name, Matrix& m, Extent rows, Extent cols, Number rule);
  void wholes(const std::string& name, std::vector<std::int64_t>& v, Extent size, std::int64_t low, std::int64_t high);
  void wholes(const std::string& name, std::vector<std::int32_t>& v, Extent size, std::int64_t low, std::int64_t high);
  bool optional(const std::string& name, bool) const { return container_.tensors.contains(prefix_ + name); }
  template <class Describe>
  void within(const std::string& prefix, Describe&& describe) {
    const std::string before = std::exchange(prefix_, prefix_ + prefix);
    describe();
    prefix_ = before;
  }
  void require(bool holds, std::string_view why) const;
  std::vector<std::int64_t>& keep(std::vector<std::int64_t> list) { return kept_ = std::move(list); }
  /// Throws Error(data) when there are arrays that were not asked for.
  void finish() const;

 private:
  const TensorView& find(const std::string& name, const char* type, std::initializer_list<Extent> shape);
  template <class T>
  void read_list(const std::string& name, std::vector<T>& v, Extent size);

  const Container& container_;
  std::string preface_, prefix_{};
  std::set<std::string> described_;
  std::vector<std::int64_t> kept_;
};

}  // namespace lacuna::detail
