#include "cli/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "lacuna/base/error.hpp"

namespace lacuna::cli {
namespace {

bool is_standard(const std::string& path) { return path.empty() || path == "-"; }

// What makes two files the same. Only ordinary files count: a terminal or /dev/null may well be both read and written.
struct Identity {
  bool known = false;
  dev_t device = 0;
  ino_t number = 0;
  std::filesystem::path path{};  // of a file that does not exist yet

  bool operator==(const Identity& other) const {
    if (known && other.known) return device == other.device && number == other.number;
    return !known && !other.known && !path.empty() && path == other.path;
  }
};

Identity identity(const std::string& path, bool written) {
  struct stat about = {};
  const bool there =
      (is_standard(path) ? fstat(written ? STDOUT_FILENO : STDIN_FILENO, &about) : stat(path.c_str(), &about)) == 0;
  if (there) return {S_ISREG(about.st_mode), about.st_dev, about.st_ino};
  if (is_standard(path)) return {};
  std::error_code error;
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  return {.path = error ? std::filesystem::path() : whole};
}

// Where it would be read the next time.
bool lies_in(const std::string& written, const std::string& folder) {
  if (is_standard(written)) return false;
  std::error_code error;
  return std::filesystem::equivalent(std::filesystem::absolute(written).parent_path(), folder, error) && !error;
}

std::string name_of(const std::string& path, bool written) {
  return is_standard(path) ? (written ? "standard output" : "standard input") : path;
}

}  // namespace

Files& Files::reads(const std::string& path, const std::string& what) {
  if (!path.empty()) files_.push_back({path, what, false});
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    for (const auto& part : std::filesystem::directory_iterator(path, ignored))
      files_.push_back({part.path().string(), what, false});
  return *this;
}

Files& Files::writes(const std::string& path, const std::string& what) {
  files_.push_back({path, what, true});
  return *this;
}

void Files::check() const {
  for (std::size_t a = 0; a < files_.size(); ++a) {
    if (!files_[a].written) continue;
    const Identity out = identity(files_[a].path, true);
    for (std::size_t b = 0; b < files_.size(); ++b) {
      const File& other = files_[b];
      if (!other.written && lies_in(files_[a].path, other.path))
        fail_usage(fmt::format("{} {} would lie in the folder {} that is read; name a file elsewhere", files_[a].what,
                               files_[a].path, other.path));
      if (a == b || (other.written && (b < a || (is_standard(files_[a].path) && is_standard(other.path))))) continue;
      if (!(out == identity(other.path, other.written))) continue;
      const std::string name = name_of(files_[a].path, true);
      if (other.written) fail_usage(fmt::format("{} and {} are the same file, {}", files_[a].what, other.what, name));
      fail_usage(fmt::format("{} {} is also an input, the {} ({}); name another file", files_[a].what, name, other.what,
                             name_of(other.path, false)));
    }
  }
}

}  // namespace lacuna::cli
