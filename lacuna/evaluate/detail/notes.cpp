#include "lacuna/evaluate/detail/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/data/duplicates.hpp"
#include "lacuna/evaluate/summary.hpp"

namespace lacuna {
namespace detail {
namespace {

bool failed(const SplitResult& r) { return !r.failure.empty(); }

}  // namespace

void check_some_worked(const std::vector<NestedValidation::Results>& contenders, Warnings& notes) {
  bool some = false;
  for (const auto& of : contenders) some = some || !std::all_of(of.splits.begin(), of.splits.end(), failed);
  for (const auto& of : contenders) {
    const auto failures = std::count_if(of.splits.begin(), of.splits.end(), failed);
    if (failures == 0) continue;
    const auto first = std::find_if(of.splits.begin(), of.splits.end(), failed);
    if (!some) {
      const std::string why = fmt::format("evaluate: {} could not be fitted in any split: {}", of.name, first->failure);
      first->numerical ? fail_numerical(why) : fail_data(why);
    }
    notes.push_back({Warning::Code::failed_splits,
                     fmt::format("{} could not be fitted in {} of {} splits, which do not count (split {}: {})",
                                 of.name, failures, of.splits.size(), first - of.splits.begin() + 1, first->failure)});
  }
}

void note_twins(const Dataset& all, Warnings& notes) {
  if (!all.group.empty()) return;
  if (const Index twins = count_copies(all); twins > 0)
    notes.push_back(
        {Warning::Code::duplicate_rows,
         fmt::format("{} of {} rows repeat an earlier row: one may be trained on and its twin tested, so that the "
                     "estimates are optimistic; where they belong together use `group=COL`",
                     twins, all.size())});
}

void note_classes(NestedValidation& e) {
  if (e.classes.empty()) return;
  Index unseen = 0;
  for (const SplitResult& r : e.contenders[0].splits) unseen += r.test.unseen;
  if (unseen > 0)
    e.notes.push_back(
        {Warning::Code::unseen_class,
         fmt::format("{} test row{} of a class that the training part did not have: always wrong, and not "
                     "counted in xent, bits and calibration",
                     unseen, unseen == 1 ? " is" : "s are")});
  const Matrix confusion = pooled_tally(e.contenders[0].splits).confusion;
  std::vector<std::string> untested;
  for (Index c = 0; c < confusion.rows(); ++c)
    if (!(confusion.row(c).sum() > 0.0)) untested.push_back(e.classes[std::size_t(c)]);
  if (!untested.empty())
    e.notes.push_back({Warning::Code::untested_class,
                       fmt::format("no test part has a row of class {}: the ber is the mean over the other classes",
                                   join(untested))});
}

}  // namespace detail

Warnings common_warnings(const std::vector<SplitResult>& splits) {
  struct Alike {
    Warning warning;
    int splits = 0;
  };
  std::vector<Alike> kinds;
  std::map<std::string, std::size_t> known;
  for (const SplitResult& r : splits)
    for (const Warning& w : r.warnings) {
      std::string kind = w.text;
      std::erase_if(kind, [](unsigned char c) { return std::isdigit(c) != 0 || c == '.' || c == 'e' || c == '-'; });
      const auto [at, fresh] = known.try_emplace(kind, kinds.size());
      if (fresh) kinds.push_back({w});
      ++kinds[at->second].splits;
    }
  Warnings out;
  for (const auto& [warning, in] : kinds) {
    out.push_back(warning);
    if (splits.size() > 1) out.back().text = fmt::format("in {} of {} splits: {}", in, splits.size(), warning.text);
  }
  return out;
}

}  // namespace lacuna
