// data/detail/bytes.hpp -- the bytes of a file or of standard input, unpacked when they are gzip (known by their first
// two bytes, never by the name; several members in a row are one text, as gzip -dc has it).
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace lacuna::detail {

/// A growing buffer that does not clear what is about to be overwritten.
class Bytes {
 public:
  std::string_view view() const { return {data_.get(), size_}; }
  std::size_t size() const { return size_; }
  /// Room for `more` bytes after the end; grown() says how many of them were filled.
  char* room(std::size_t more);
  void grown(std::size_t filled) { size_ += filled; }

 private:
  struct Free {
    void operator()(char* p) const;
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Reads `path` ("-": standard input) whole. Throws Error(data) naming the file and the reason.
Bytes read_bytes(const std::string& path);

/// Unpacks gzip. Throws Error(data) when the data are damaged or end early.
Bytes gunzip(std::string_view packed, const std::string& source);

bool is_gzip(std::string_view bytes);

}  // namespace lacuna::detail
