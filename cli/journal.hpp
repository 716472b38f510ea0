// cli/journal.hpp -- where a verb keeps what it has finished: a file that was named and stays, or one in the user's
// cache that is found again by its fingerprint and goes when the work is done.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "lacuna/evaluate/journal.hpp"

namespace lacuna::cli {

class KeptJournal {
 public:
  /// `given`: a path, "none", or "" for the cache, where `command` tells it from those of other commands.
  KeptJournal(const std::string& given, const std::string& verb, const std::string& fingerprint,
              const std::string& command, bool quiet, double most_bytes = std::numeric_limits<double>::infinity());
  ~KeptJournal();
  KeptJournal(const KeptJournal&) = delete;
  KeptJournal& operator=(const KeptJournal&) = delete;
  Journal& operator*() { return *journal_; }
  /// Results are out: what is in the cache is not needed any more.
  void done();
  /// Throws Interrupted with what is kept and how to go on.
  [[noreturn]] void interrupted(const std::string& unit) const;

 private:
  std::unique_ptr<Journal> journal_;
  bool in_cache_ = false;
};

}  // namespace lacuna::cli
