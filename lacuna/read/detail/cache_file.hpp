// read/detail/cache_file.hpp -- a file without a name: it takes room in a folder as long as somebody has it open, and
// is gone afterwards, however the program ends.
#pragma once

#include <cstdint>
#include <string>

namespace lacuna::detail {

class CacheFile {
 public:
  /// Throws Error(data) when nothing can be written there.
  explicit CacheFile(const std::string& folder);
  ~CacheFile();
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;

  /// Throws Error(data) when the disk is full.
  void write(const void* bytes, std::size_t count, std::int64_t at);
  /// Requires: written. Called from several threads at a time.
  void read(void* bytes, std::size_t count, std::int64_t at) const;
  std::int64_t size() const { return size_; }  ///< one past the last byte written

 private:
  std::string folder_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

/// What the folder's disk has room for.
double free_disk_bytes(const std::string& folder);

}  // namespace lacuna::detail
