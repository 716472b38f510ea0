// cli/files.hpp -- every file that a command was given: what it reads and what it writes. Before anything is done,
// none of what is written may be what is read, or written twice, whatever names they go by: files are compared by
// device and number, so that links, other spellings of a path, /dev/stdin and a shell's redirections are seen through.
// Nothing is written into a folder whose files are read.
#pragma once

#include <string>
#include <vector>

namespace lacuna::cli {

class Files {
 public:
  /// "" is no file; "-" is standard input. `what` names the file in a refusal: "data", "basis".
  Files& reads(const std::string& path, const std::string& what);
  /// "" and "-" are standard output.
  Files& writes(const std::string& path, const std::string& what);
  /// Throws Error(usage) when something that is written is read too, or two outputs are one file.
  void check() const;

 private:
  struct File {
    std::string path, what;
    bool written;
  };
  std::vector<File> files_;
};

}  // namespace lacuna::cli
