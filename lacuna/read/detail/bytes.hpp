// read/detail/bytes.hpp -- the text of a file or of standard input, unpacked on the way when it is gzip (known by its
// first two bytes, never by the name; several members in a row are one text, as gzip -dc has it, and what follows them
// without being one is refused).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::detail {

/// A growing buffer that does not clear what is about to be overwritten.
class Bytes {
 public:
  std::string_view view() const { return {data_.get(), size_}; }
  std::size_t size() const { return size_; }
  /// Room for `more` bytes after the end; grown() says how many of them were filled.
  char* room(std::size_t more);
  void grown(std::size_t filled) { size_ += filled; }
  /// Forgets the first bytes; the others move to the front.
  void drop_front(std::size_t count);

 private:
  struct Free {
    void operator()(char* p) const;
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Reads a file ("-": standard input) from beginning to end.
class ByteReader {
 public:
  /// Throws Error(data) naming the file and the reason when it cannot be opened or read.
  explicit ByteReader(const std::string& path);
  ~ByteReader();
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;

  /// At most `most` bytes of text; 0 at the end. Throws Error(data) when gzip data are damaged or end early.
  std::size_t read(char* to, std::size_t most);
  const std::string& source() const { return source_; }  ///< as messages name it
  bool is_packed() const { return inflate_ != nullptr; }
  std::int64_t file_bytes() const { return file_bytes_; }  ///< of the file, packed or not; -1: no ordinary file
  std::int64_t consumed() const {
    return consumed_ - std::int64_t(end_ - begin_);
  }  ///< how many of them have been turned into text

 private:
  struct Inflate;
  std::size_t read_file(char* to, std::size_t most);
  bool fill();
  std::size_t unpack(char* to, std::size_t most);
  void require_padding();

  std::string source_;
  int descriptor_ = -1;
  bool ours_ = false;
  std::int64_t file_bytes_ = -1, consumed_ = 0;
  std::vector<char> ahead_;             // read from the file and not handed on yet: its first bytes, or packed data
  std::size_t begin_ = 0, end_ = 0;     // of what is in it
  std::unique_ptr<Inflate> inflate_{};  // null: the text is plain
};

}  // namespace lacuna::detail
