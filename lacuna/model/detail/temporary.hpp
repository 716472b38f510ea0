// model/detail/temporary.hpp -- a file that is written in full before it gets its name, so that a reader finds the
// old contents or the new ones and nothing else. Where the file system can (O_TMPFILE) it has no name until then, and
// nothing is left behind whatever ends the process (replace_file.hpp). Elsewhere it has a name beside the target from
// the start: it is removed when the process ends in order, by the handlers of the program (remove_temporaries), or by
// the next write to the same target; a lock tells who is still writing.
#pragma once

#include <filesystem>

namespace lacuna::detail {

class Temporary {
 public:
  /// When the file gets a name: when it is whole, where the file system can do that, or at once.
  enum class Named { late, at_once };

  /// Beside the target, because only within one file system is a rename all or nothing. Throws Error(data) naming the
  /// target.
  explicit Temporary(const std::filesystem::path& target, Named named = Named::late);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  int descriptor() const { return descriptor_; }
  /// Flushes to disk and takes the target's place and permissions.
  void replace_target();

 private:
  bool open_nameless();
  void open_named();
  void take_place();
  std::filesystem::path next_name() const;
  void remove_leftovers() const;
  [[noreturn]] void refuse(int error) const;

  std::filesystem::path target_, path_;  // path_ is empty while there is no name
  int descriptor_ = -1;
  int slot_ = -1;  // where the name is known to remove_temporaries
};

}  // namespace lacuna::detail
