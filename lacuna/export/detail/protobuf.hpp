// export/detail/protobuf.hpp -- protobuf's wire format, as much of it as an ONNX file needs: a message is a sequence of
// fields, each a key (number of the field << 3 | kind) and a value, which is a whole number in groups of seven bits
// (kind 0) or a length and so many bytes (kind 2): texts, raw arrays, and messages within messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna::onnx {

/// The bytes of one message. They are kept in pieces, so that a matrix is not copied at every level it is nested in.
class Message {
 public:
  Message& number(int field, std::int64_t value) {
    key(field, 0);
    varint(std::uint64_t(value));
    return *this;
  }
  Message& text(int field, std::string_view bytes) {
    key(field, 2);
    varint(bytes.size());
    add(std::string(bytes));
    return *this;
  }
  Message& message(int field, Message nested) {
    key(field, 2);
    varint(nested.size_);
    for (std::string& piece : nested.pieces_) add(std::move(piece));
    return *this;
  }

  std::size_t size() const { return size_; }
  /// Leaves nothing behind: a piece is freed as soon as it is copied.
  std::string bytes() && {
    std::string all;
    all.reserve(size_);
    for (std::string& piece : pieces_) all += std::exchange(piece, {});
    return all;
  }

 private:
  static constexpr std::size_t large = 4096;  // bytes that are worth a piece of their own

  void key(int field, int kind) { varint(std::uint64_t(field) << 3 | std::uint64_t(kind)); }
  void varint(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out += char(value | 0x80);
    add(out += char(value));
  }
  void add(std::string piece) {
    size_ += piece.size();
    if (!pieces_.empty() && piece.size() < large && pieces_.back().size() < large)
      pieces_.back() += piece;
    else
      pieces_.push_back(std::move(piece));
  }

  std::vector<std::string> pieces_;
  std::size_t size_ = 0;
};

}  // namespace lacuna::onnx
