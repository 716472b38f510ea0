#include "lacuna/evaluate/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "lacuna/base/error.hpp"

namespace lacuna {
namespace {

constexpr std::string_view magic = "lacuna journal 1 ";

std::string checksum(std::string_view text) {
  return fmt::format("{:08x}", crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  fail_data(fmt::format("journal: {}: {}", path, why));
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(path, std::strerror(errno));
    bytes.remove_prefix(std::size_t(n));
  }
  if (fdatasync(descriptor) != 0 && errno != EINVAL) refuse(path, std::strerror(errno));
}

std::string contents(int descriptor, const std::string& path) {
  std::string out;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(path, std::strerror(errno));
    if (n == 0) return out;
    out.append(buffer, std::size_t(n));
  }
}

}  // namespace

Journal::Journal(const std::string& path, const std::string& print, const std::string& title, double most_bytes)
    : path_(path) {
  descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse(path, std::strerror(errno));
  try {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      refuse(path, "another run has it open; wait for it, or keep this one elsewhere with `journal=FILE` (or none)");
    read(fmt::format("{}{} {}\n", magic, print, title), most_bytes);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Journal::~Journal() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Journal::read(const std::string& header, double most_bytes) {
  struct stat about = {};
  if (fstat(descriptor_, &about) != 0 || !S_ISREG(about.st_mode))
    refuse(path_, "this is no ordinary file; name another");
  // Its lines are held twice for a moment, as text and by their keys.
  if (const double needed = 2.0 * double(about.st_size); needed > most_bytes)
    refuse(path_, fmt::format("it needs {:.0f} MB of memory, and {:.0f} MB are allowed; name another file",
                              needed / 1e6, most_bytes / 1e6));
  const std::string text = contents(descriptor_, path_);
  const std::string_view all = text;
  if (all.size() < header.size() &&
      header.substr(0, all.size()) == all) {  // new, or killed before the first line was whole
    if (ftruncate(descriptor_, 0) != 0) refuse(path_, std::strerror(errno));
    write_all(descriptor_, header, path_);
    return;
  }
  if (!all.starts_with(magic)) refuse(path_, "this is not a journal; it is left as it is, name another file");
  if (!all.starts_with(std::string_view(header).substr(0, magic.size() + 16)))
    refuse(path_,
           fmt::format("it belongs to other data, options or another version ({}); remove it or name another file",
                       all.substr(magic.size(), all.find('\n') - magic.size())));
  // A line that is damaged is passed over, and done again; one that was being written when the process ended is cut
  // off.
  std::size_t begin = all.find('\n') + 1;
  for (std::size_t end = 0; begin > 0 && (end = all.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
    const std::string_view line = all.substr(begin, end - begin);
    const std::size_t tab = line.find('\t');
    if (tab != std::string_view::npos && tab >= 9 && checksum(line.substr(9)) == line.substr(0, 8))
      results_[std::string(line.substr(9, tab - 9))] = line.substr(tab + 1);
  }
  if (begin < all.size() && ftruncate(descriptor_, off_t(begin)) != 0) refuse(path_, std::strerror(errno));
}

const std::string* Journal::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto at = results_.find(key);
  return at == results_.end() ? nullptr : &at->second;
}

void Journal::append(const std::string& key, const std::string& result) {
  const std::lock_guard lock(mutex_);
  const std::string line = fmt::format("{}\t{}", key, result);
  if (descriptor_ >= 0) write_all(descriptor_, fmt::format("{} {}\n", checksum(line), line), path_);
  results_[key] = result;
}

void Journal::remove() {
  if (descriptor_ >= 0) unlink(path_.c_str());
}

namespace {

// FNV-1a, eight bytes at a time where there are eight.
class Hash {
 public:
  void add(const void* data, std::size_t bytes) {
    const char* at = static_cast<const char*>(data);
    for (; bytes >= 8; bytes -= 8, at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      mix(word);
    }
    for (; bytes > 0; --bytes, ++at) mix(static_cast<unsigned char>(*at));
  }
  void add(std::string_view text) {
    mix(text.size());
    add(text.data(), text.size());
  }
  template <class T>
  void add(const std::vector<T>& v) {
    mix(v.size());
    add(v.data(), v.size() * sizeof(T));
  }
  std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  void mix(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001b3ULL;
    state_ ^= state_ >> 29;
  }
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace

std::string fingerprint(std::string_view text) {
  Hash hash;
  hash.add(text);
  return hash.text();
}

std::string fingerprint(const Table& table) {
  Hash hash;
  for (const Column& c : table.columns) {
    hash.add(std::string_view(c.name));
    hash.add(c.number);
    hash.add(c.code);
    for (const std::string& level : c.levels) hash.add(std::string_view(level));
  }
  if (table.sparse) {
    hash.add(table.sparse->row_start);
    hash.add(table.sparse->column);
    hash.add(table.sparse->value);
  }
  return hash.text();
}

std::string cache_path(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (cache != nullptr && *cache == '/')
    folder = cache;
  else if (home != nullptr && *home == '/')
    folder = std::filesystem::path(home) / ".cache";
  else
    return "";
  folder /= "lacuna";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error || access(folder.c_str(), W_OK) != 0 ? "" : (folder / name).string();
}

}  // namespace lacuna
