#include "lacuna/model/detail/temporary.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

#include "lacuna/base/error.hpp"
#include "lacuna/model/detail/replace_file.hpp"
#include "lacuna/model/file.hpp"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// Names of files under way, where a signal handler can read them.
struct Slot {
  std::atomic<int> state = 0;  // 0 free, 1 being filled, 2 in use
  std::array<char, PATH_MAX> path = {};
};
std::array<Slot, 16> slots;

int remember(const fs::path& path) {
  const std::string text = fs::absolute(path).string();
  if (text.size() >= PATH_MAX) return -1;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    int free = 0;
    if (!slots[k].state.compare_exchange_strong(free, 1)) continue;
    std::memcpy(slots[k].path.data(), text.c_str(), text.size() + 1);
    slots[k].state = 2;
    return int(k);
  }
  return -1;
}

void forget(int& slot) {
  if (slot >= 0) slots[std::size_t(slot)].state = 0;
  slot = -1;
}

fs::path folder_of(const fs::path& target) { return target.has_parent_path() ? target.parent_path() : fs::path("."); }

}  // namespace

void remove_temporaries() noexcept {
  for (Slot& slot : slots)
    if (slot.state == 2) unlink(slot.path.data());
}

namespace detail {

Temporary::Temporary(const fs::path& target, Named named) : target_(target) {
  remove_leftovers();
  if (named == Named::at_once || !open_nameless()) open_named();
}

Temporary::~Temporary() {
  if (!path_.empty()) unlink(path_.c_str());
  forget(slot_);
  if (descriptor_ >= 0) close(descriptor_);
}

void Temporary::refuse(int error) const {
  fail_data(fmt::format("write: {}: {}", target_.string(), std::strerror(error)));
}

bool Temporary::open_nameless() {
#ifdef O_TMPFILE
  descriptor_ = open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return false;
  if (access(fmt::format("/proc/self/fd/{}", descriptor_).c_str(), F_OK) == 0) return true;
  close(descriptor_);  // without /proc it could not be given a name
  descriptor_ = -1;
#endif
  return false;
}

fs::path Temporary::next_name() const {
  static std::atomic<unsigned> counter{0};
  return folder_of(target_) / fmt::format(".{}.{}-{}.tmp", target_.filename().string(), getpid(), counter++);
}

void Temporary::open_named() {
  for (;;) {
    path_ = next_name();
    slot_ = remember(path_);
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      const int error = errno;
      forget(slot_);
      path_.clear();  // not ours
      if (error != EEXIST) refuse(error);
      continue;
    }
    struct stat about = {};
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
      if (fstat(descriptor_, &about) == 0 && about.st_nlink > 0) return;
    } else if (errno != EWOULDBLOCK) {
      return;  // no locks here: nobody removes leftovers
    }
    // Another writer took it for a leftover before it was locked.
    close(descriptor_);
    descriptor_ = -1;
    unlink(path_.c_str());
    forget(slot_);
  }
}

// Of a file without a name.
void Temporary::take_place() {
  (void)flock(descriptor_, LOCK_EX | LOCK_NB);
  for (;;) {
    const int error = replace_file(descriptor_, next_name().c_str(), target_.c_str());
    if (error == 0) return;
    if (error != EEXIST) refuse(error);
  }
}

void Temporary::replace_target() {
  struct stat before = {};
  const bool there = stat(target_.c_str(), &before) == 0;
  if (there && fchmod(descriptor_, before.st_mode & 07777) != 0) refuse(errno);
  if (fsync(descriptor_) != 0) refuse(errno);
  const std::string from = fmt::format("/proc/self/fd/{}", descriptor_);
  // A file that is not there yet needs no name on the way.
  if (!path_.empty()) {
    if (rename(path_.c_str(), target_.c_str()) != 0) refuse(errno);
    path_.clear();
    forget(slot_);
  } else if (there || linkat(AT_FDCWD, from.c_str(), AT_FDCWD, target_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
    take_place();
  }
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) refuse(errno);
  // The name is on disk once its folder is; some file systems cannot do this, and the file itself is safe already.
  if (const int d = open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); d >= 0) {
    (void)fsync(d);
    close(d);
  }
}

// Of writers to the same target that were killed: their locks went with them.
void Temporary::remove_leftovers() const {
  const std::string begin = "." + target_.filename().string() + ".", end = ".tmp";
  std::error_code error;
  for (fs::directory_iterator at(folder_of(target_), error), last; !error && at != last; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.size() <= begin.size() + end.size() || !name.starts_with(begin) || !name.ends_with(end)) continue;
    const std::string middle = name.substr(begin.size(), name.size() - begin.size() - end.size());
    const std::size_t dash = middle.find('-');  // a process and a number
    if (dash == 0 || dash == std::string::npos || dash + 1 == middle.size() ||
        middle.find_first_not_of("0123456789-") != std::string::npos || middle.find('-', dash + 1) != std::string::npos)
      continue;
    const int d = open(at->path().c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (d < 0) continue;
    if (flock(d, LOCK_EX | LOCK_NB) == 0) unlink(at->path().c_str());
    close(d);
  }
}

}  // namespace detail
}  // namespace lacuna
