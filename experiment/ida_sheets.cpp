// experiment/ida_sheets.cpp (of ida.hpp) -- the results beside the published figures.
#include <fmt/format.h>

#include <cmath>

#include "experiment/ida.hpp"
#include "experiment/published.hpp"
#include "lacuna/evaluate/statistics.hpp"

namespace lacuna {
namespace {

Cell rounded(double v, int digits) { return Figure{v, digits}; }
Cell with_error(const SampleMean& m, int digits) {
  return m.count == 0 ? Cell() : Cell(Measured{m.mean, m.se, m.count, digits});
}

// A score of some of the splits, in print units.
std::vector<double> scores(const IdaCell& cell, const std::string& name, std::optional<bool> published = {}) {
  std::vector<double> out;
  for (std::size_t k = 0; k < cell.splits.size(); ++k)
    if (!published || cell.set->splits[k].published == *published)
      out.push_back(value_of(cell.splits[k].test.scores, name) * (name == "error" ? 100.0 : 1.0));
  return out;
}

SampleMean seconds(const IdaCell& cell) {
  std::vector<double> out;
  for (const SplitResult& r : cell.selected)
    if (r.failure.empty()) out.push_back(r.cpu_seconds);
  return mean_of(out);
}

std::string published_error_table(const IdaWay& way) {
  return way.model == "kfd" ? "kfd_table1_error" : "klr_table1_error";
}

Sheet score_sheet(const std::vector<IdaCell>& cells, const std::string& score, const std::string& unit, int digits) {
  Sheet sheet{score,
              fmt::format("Test {} ({}). Mean ± standard error (splits).", score, unit),
              {"data", "rows", "model", "selection", "protocol", score, "published splits", "seeded splits",
               "paper's method", "paper", "z", "seconds"}};
  int near = 0, all = 0;
  for (const IdaCell& cell : cells) {
    const SampleMean ours = mean_of(scores(cell, score));
    if (ours.count == 0 && score != "error") continue;  // no probabilities
    const std::string method = published_method(cell.way);
    std::optional<SampleMean> theirs;
    if (!method.empty() && (score == "error" || cell.way.model != "kfd"))
      theirs =
          published(score == "error" ? published_error_table(cell.way) : "klr_table3_bits", cell.set->name, method);
    const double z = theirs ? z_between(ours, *theirs) : std::nan("");
    if (theirs) ++all, near += std::abs(z) <= 2.5;
    sheet.rows.push_back({cell.set->name, double(cell.set->splits[0].train.size()), cell.way.model, cell.way.cv,
                          cell.way.protocol, with_error(ours, digits),
                          with_error(mean_of(scores(cell, score, true)), digits),
                          with_error(mean_of(scores(cell, score, false)), digits), theirs ? Cell(method) : Cell(),
                          theirs ? Cell(Measured{theirs->mean, theirs->se, 0, digits}) : Cell(),
                          Figure{z, 2, true, std::abs(z) > 2.5 ? " !" : ""}, rounded(seconds(cell).mean, 3)});
  }
  if (all > 0)
    sheet.caption += fmt::format(
        " {} of {} cells with a published value lie within 2.5 combined standard errors; the others "
        "are marked !.",
        near, all);
  return sheet;
}

const IdaCell* find(const std::vector<IdaCell>& cells, const std::string& set, const std::string& model,
                    const std::string& cv) {
  for (const IdaCell& c : cells)
    if (c.set->name == set && c.way.model == model && c.way.cv == cv) return &c;
  return nullptr;
}

// Leave-one-out against explicit refitting: how much faster, and whether the error differs.
Sheet selection_sheet(const std::vector<IdaCell>& cells) {
  Sheet sheet{
      "selection",
      "Selection by leave-one-out in closed form against explicit k-fold (one kernel matrix for all folds, refits "
      "that begin at the fit of all rows; kfd: each refit squares the kernel matrix of its rows): processor time, and "
      "the difference in test error on the same splits (leave-one-out less k-fold, points), significant "
      "where |z| > 1.64; z has the combined standard error of the two means, as in the papers, paired z that of the "
      "difference itself; the paper's own ratio of times beside.",
      {"data", "rows", "model", "k-fold", "seconds loo", "seconds k-fold", "ratio", "paper's ratio", "difference",
       "s.e.", "paired z", "z", "significant"}};
  for (const IdaCell& folds : cells) {
    const IdaCell* loo = find(cells, folds.set->name, folds.way.model, "loo");
    if (!folds.way.cv.starts_with("explicit:") || loo == nullptr) continue;
    const auto& split = folds.set->splits[0];
    const PairedDifference d = paired_difference(scores(*loo, "error"), scores(folds, "error"),
                                                 double(split.test.size()) / double(split.train.size()));
    const double z = z_between(mean_of(scores(*loo, "error")), mean_of(scores(folds, "error")));
    double ratio = std::nan("");
    const std::string a = published_method(folds.way), b = published_method(loo->way);
    if (folds.way.model == "klr" && !a.empty() && !b.empty()) {
      const auto slow = published("klr_table2_seconds", folds.set->name, a),
                 fast = published("klr_table2_seconds", folds.set->name, b);
      if (slow && fast) ratio = slow->mean / fast->mean;
    }
    sheet.rows.push_back({folds.set->name, double(split.train.size()), folds.way.model, folds.way.cv,
                          rounded(seconds(*loo).mean, 3), rounded(seconds(folds).mean, 3),
                          rounded(seconds(folds).mean / seconds(*loo).mean, 1), rounded(ratio, 1),
                          rounded(d.difference.mean, 3), rounded(d.difference.se, 3), rounded(d.z, 2), rounded(z, 2),
                          std::string(std::abs(z) > 1.64 ? "yes" : "no")});
  }
  return sheet;
}

// [KPR] says that kernel probit regression beats EP-GPC on ringnorm, splice, twonorm and waveform and loses on banana
// and image.
Sheet claims_sheet(const std::vector<IdaCell>& cells) {
  Sheet sheet{"claims",
              "Kernel probit regression against EP Gaussian processes ([KPR]: better on ringnorm, splice, twonorm and "
              "waveform, "
              "worse on banana and image, at the 95 % level): difference in test error on the same splits, points.",
              {"data", "kpr", "gp-ep", "difference", "s.e.", "z", "[KPR] says"}};
  for (const IdaCell& kpr : cells) {
    const IdaCell* ep = find(cells, kpr.set->name, "gp-ep", "evidence");
    if (kpr.way.model != "kpr" || kpr.way.cv != "loo" || ep == nullptr) continue;
    const PairedDifference d = paired_difference(scores(kpr, "error"), scores(*ep, "error"), 0.0);
    const std::string& set = kpr.set->name;
    const bool better = set == "ringnorm" || set == "splice" || set == "twonorm" || set == "waveform";
    const bool worse = set == "banana" || set == "image";
    sheet.rows.push_back({set, rounded(mean_of(scores(kpr, "error")).mean, 2),
                          rounded(mean_of(scores(*ep, "error")).mean, 2), rounded(d.difference.mean, 3),
                          rounded(d.difference.se, 3), rounded(d.z, 2),
                          std::string(better  ? "kpr better"
                                      : worse ? "kpr worse"
                                              : "no difference")});
  }
  return sheet;
}

Sheet splits_sheet(const std::vector<IdaCell>& cells) {
  Sheet sheet{"splits",
              "Every split.",
              {"data", "model", "selection", "protocol", "split", "published", "error", "bits", "auc", "criterion",
               "lambda", "theta", "seconds"}};
  sheet.detail = true;
  for (const IdaCell& cell : cells)
    for (std::size_t k = 0; k < cell.splits.size(); ++k) {
      const SplitResult& r = cell.splits[k];
      const BenchmarkSplit& split = cell.set->splits[k];
      const auto value = [&](std::size_t p) { return p < r.values.size() ? Cell(r.values[p]) : Cell(); };
      sheet.rows.push_back({cell.set->name, cell.way.model, cell.way.cv, cell.way.protocol, double(split.number),
                            std::string(split.published ? "yes" : "no"), Cell(value_of(r.test.scores, "error")),
                            Cell(value_of(r.test.scores, "bits")), Cell(value_of(r.test.scores, "auc")),
                            Cell(r.criterion_value), value(0), value(1), r.cpu_seconds});
    }
  return sheet;
}

}  // namespace

std::vector<Sheet> ida_sheets(const std::vector<IdaCell>& cells) {
  std::vector<Sheet> out{score_sheet(cells, "error", "%", 2),
                         score_sheet(cells, "bits", "at most one for two classes", 3)};
  for (Sheet& more : std::vector{selection_sheet(cells), claims_sheet(cells), splits_sheet(cells)})
    if (!more.rows.empty()) out.push_back(std::move(more));
  return out;
}

}  // namespace lacuna
