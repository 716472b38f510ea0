#include "cli/journal.hpp"

#include <fmt/format.h>

#include "cli/program.hpp"

namespace lacuna::cli {

KeptJournal::KeptJournal(const std::string& given, const std::string& verb, const std::string& fingerprint,
                         const std::string& command, bool quiet, double most_bytes) {
  std::string path = given == "none" ? "" : given;
  if (given.empty()) {
    path = cache_path(fmt::format("{}-{}.journal", verb, command));
    in_cache_ = !path.empty();
    if (path.empty() && !quiet)
      say("there is no cache folder to keep finished work in: interrupted, it would begin anew; --journal FILE keeps "
          "it");
  }
  journal_ =
      path.empty() ? std::make_unique<Journal>() : std::make_unique<Journal>(path, fingerprint, verb, most_bytes);
  if (journal_->size() > 0 && !quiet)
    say(fmt::format("going on with what {} has of an earlier run: {} result{}", path, journal_->size(),
                    journal_->size() == 1 ? "" : "s"));
}

// Nothing was finished: nothing is left behind.
KeptJournal::~KeptJournal() {
  if (journal_->size() == 0) journal_->remove();
}

void KeptJournal::done() {
  if (in_cache_) journal_->remove();
}

void KeptJournal::interrupted(const std::string& unit) const {
  if (journal_->path().empty()) throw Interrupted{};
  throw Interrupted{fmt::format("{} {}{} finished so far {} kept; the same command goes on from there",
                                journal_->size(), unit, journal_->size() == 1 ? "" : "s",
                                journal_->size() == 1 ? "is" : "are")};
}

}  // namespace lacuna::cli
