// experiment/ida.hpp -- the classifiers of [KLR], [KPR] and [KFD] on the benchmarks of Raetsch, Onoda and Mueller: test
// error, information and selection time beside the published figures.
//
//   protocol split    hyper-parameters selected afresh on the training part of every split ([KLR], [KPR])
//   protocol median   selected on the first five splits; the medians used on all ([KFD])
//
// Inputs are taken as they are. Splits are the published ones at hand, topped up with seeded ones of the same sizes.
#pragma once

#include <string>
#include <vector>

#include "experiment/benchmark_set.hpp"
#include "experiment/study.hpp"
#include "lacuna/evaluate/split_result.hpp"

namespace lacuna {

/// A classifier and how its hyper-parameters are selected.
struct IdaWay {
  std::string model;
  std::string cv;        ///< "loo", "explicit:10", ...; "evidence" for Gaussian processes
  std::string protocol;  ///< "split" or "median"
};

/// One classifier on one data set.
struct IdaCell {
  const BenchmarkSet* set = nullptr;
  IdaWay way;
  std::vector<SplitResult> selected;  ///< with a search inside: every split, or the first five
  std::vector<SplitResult> splits;    ///< judged: the same, or with the medians of `selected`
};

/// Sheets from cells: error, bits, selection, claims, splits.
std::vector<Sheet> ida_sheets(const std::vector<IdaCell>& cells);

/// What the papers call it; "" where they have no figures for it.
std::string published_method(const IdaWay& way);

}  // namespace lacuna
