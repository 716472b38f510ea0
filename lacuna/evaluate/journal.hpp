// evaluate/journal.hpp -- results that outlive the program that made them. Long work is a list of tasks; the result of
// each is appended to a file as soon as it is known, so that work that was interrupted, killed or lost its power goes
// on where it was.
//
//   lacuna journal 1 FINGERPRINT TITLE
//   CHECKSUM KEY<tab>RESULT           one line for each task that is done; the checksum is of what follows it
//
// A line is written by one call and brought to disk. A line that is cut short or damaged is cut off together with what
// follows when the file is opened again. The fingerprint stands for everything that the results depend on: a journal of
// other data or options is refused, and left as it is. One program at a time may have a journal open.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "lacuna/read/table.hpp"

namespace lacuna {

class Journal {
 public:
  /// In memory only: nothing outlives.
  Journal() = default;
  /// Opens the file or begins it. Throws Error(data): it cannot be written, is another's, or is no journal.
  /// `most_bytes`: a file that needs more memory is refused.
  Journal(const std::string& path, const std::string& fingerprint, const std::string& title,
          double most_bytes = std::numeric_limits<double>::infinity());
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Null: not done yet.
  const std::string* find(const std::string& key) const;
  /// May be called from several threads at a time. Requires: no line feed in either, no tab in the key.
  void append(const std::string& key, const std::string& result);

  std::size_t size() const { return results_.size(); }
  const std::string& path() const { return path_; }
  /// Deletes the file: the work is done and its results are kept elsewhere.
  void remove();

 private:
  void read(const std::string& header, double most_bytes);

  std::string path_;
  int descriptor_ = -1;
  std::map<std::string, std::string> results_;
  mutable std::mutex mutex_;
};

/// Sixteen hexadecimal digits that stand for a text, or for everything that is in a table.
std::string fingerprint(std::string_view text);
std::string fingerprint(const Table& table);

/// $XDG_CACHE_HOME/lacuna/NAME (by default ~/.cache/lacuna/NAME), its folder made; "" when that cannot be.
std::string cache_path(const std::string& name);

}  // namespace lacuna
