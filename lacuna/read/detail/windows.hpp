// read/detail/windows.hpp -- a text that need not fit into memory, in windows of whole rows.
#pragma once

#include <functional>

#include "lacuna/read/detail/parts.hpp"

namespace lacuna::detail {

/// Throws Error(data) for what is no UTF-8 text, and leaves a byte-order mark out. Requires: the beginning of a text.
std::string_view plain_text(std::string_view text, const std::string& source);

class Windows {
 public:
  static constexpr std::size_t usual_bytes = std::size_t(4) << 20;
  static constexpr std::size_t longest_row = std::size_t(64) << 20;

  /// Windows are of about `window_bytes`, more where a row is longer.
  Windows(const std::string& path, std::size_t window_bytes, const ReadOptions& options);

  /// The beginning of the text, long enough to guess from; whole when is_all().
  std::string_view head() const { return bytes_.view().substr(begin_); }
  bool is_all() const { return ended_; }
  void skip(std::size_t count) { begin_ += count; }

  /// The next whole rows; empty at the end. `whole_rows` tells how many leading bytes of a text are whole rows.
  /// A row beyond longest_row is handed over as far as it was read, and too_long() is then true.
  std::string_view next(const std::function<std::size_t(std::string_view)>& whole_rows);
  bool too_long() const { return too_long_; }

  const TextReader& reader() const { return reader_; }
  /// How many bytes of text have been handed over or skipped.
  std::int64_t text_bytes() const { return dropped_ + std::int64_t(begin_); }

 private:
  void fill(std::size_t wanted);

  TextReader reader_;
  std::size_t window_;
  Bytes bytes_;
  std::size_t begin_ = 0;  // of what has not been handed over
  std::int64_t dropped_ = 0;
  bool ended_ = false, too_long_ = false;
};

}  // namespace lacuna::detail
