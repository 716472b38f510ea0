#include "lacuna/read/detail/cache_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "lacuna/base/error.hpp"

namespace lacuna::detail {
namespace {

int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
  if (const int d = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); d >= 0) return d;
#endif
  // Where the file system cannot do that, the name lives for an instant.
  std::string path = folder + "/.lacuna-XXXXXX";
  const int d = mkstemp(path.data());
  if (d >= 0) {
    fcntl(d, F_SETFD, FD_CLOEXEC);
    unlink(path.c_str());
  }
  return d;
}

}  // namespace

CacheFile::CacheFile(const std::string& folder) : folder_(folder), descriptor_(open_nameless(folder)) {
  if (descriptor_ < 0) fail_data(fmt::format("cache: {}: {}", folder, std::strerror(errno)));
}

CacheFile::~CacheFile() { close(descriptor_); }

void CacheFile::write(const void* bytes, std::size_t count, std::int64_t at) {
  const char* from = static_cast<const char*>(bytes);
  size_ = std::max(size_, at + std::int64_t(count));
  while (count > 0) {
    const ssize_t n = pwrite(descriptor_, from, count, off_t(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      fail_data(fmt::format("cache: {}: {}, after {:.0f} MB of rows; `output` names a file on a larger disk", folder_,
                            std::strerror(errno), double(at) / 1e6));
    from += n;
    at += n;
    count -= std::size_t(n);
  }
}

void CacheFile::read(void* bytes, std::size_t count, std::int64_t at) const {
  char* to = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t n = pread(descriptor_, to, count, off_t(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail_data(fmt::format("cache: {}: {}", folder_, n < 0 ? std::strerror(errno) : "the file ends early"));
    to += n;
    at += n;
    count -= std::size_t(n);
  }
}

double free_disk_bytes(const std::string& folder) {
  struct statvfs about {};
  if (statvfs(folder.c_str(), &about) != 0) return std::numeric_limits<double>::infinity();
  return double(about.f_bavail) * double(about.f_frsize);
}

}  // namespace lacuna::detail
