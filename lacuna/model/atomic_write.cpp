// model/atomic_write.cpp (of file.hpp) -- a file is there whole or not at all.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "lacuna/base/error.hpp"
#include "lacuna/model/detail/temporary.hpp"
#include "lacuna/model/file.hpp"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, int error) {
  fail_data(fmt::format("write: {}: {}", path, std::strerror(error)));
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(path, errno);
    bytes.remove_prefix(std::size_t(n));
  }
}

bool is_special(const fs::path& target) {
  std::error_code error;
  return fs::exists(target, error) && !fs::is_regular_file(target, error);
}

// Where a path leads when links are followed, also when the last name does not exist yet.
fs::path destination(const std::string& path) {
  if (path.empty()) fail_data("write: the name of the output file is empty");
  std::error_code error;
  if (fs::is_directory(path, error)) refuse(path, EISDIR);
  if (is_special(path)) return path;  // /dev/stdout may lead to what has no name
  const fs::path target = fs::weakly_canonical(path, error);
  if (error) refuse(path, error.value());
  return target;
}

void require_own_permission(const fs::path& target, const std::string& path) {
  // A rename asks the folder only; a file that its owner made read-only should stay as it is.
  if (access(target.c_str(), F_OK) == 0 && access(target.c_str(), W_OK) != 0) refuse(path, errno);
}

}  // namespace

void write_file_atomically(const std::string& path, std::string_view bytes) {
  write_file_atomically(path, [&](const WriteMore& more) { more(bytes); });
}

void write_file_atomically(const std::string& path, const std::function<void(const WriteMore& more)>& produce) {
  const fs::path target = destination(path);
  if (is_special(target)) {
    const int descriptor = open(target.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) refuse(path, errno);
    try {
      produce([&](std::string_view bytes) { write_all(descriptor, bytes, path); });
    } catch (...) {
      close(descriptor);
      throw;
    }
    if (close(descriptor) != 0) refuse(path, errno);
    return;
  }
  require_own_permission(target, path);
  detail::Temporary temporary(target);
  produce([&](std::string_view bytes) { write_all(temporary.descriptor(), bytes, path); });
  temporary.replace_target();
}

void require_writable(const std::string& path) {
  const fs::path target = destination(path);
  require_own_permission(target, path);
  if (!is_special(target)) detail::Temporary probe(target);
}

}  // namespace lacuna
