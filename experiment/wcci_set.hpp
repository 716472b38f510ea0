// experiment/wcci_set.hpp -- a data set of the performance prediction challenge (WCCI 2006): a CSV file whose last
// column is the target, with two classes. ADA is prepared as in [WLSSVM].
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "lacuna/data/split.hpp"

namespace lacuna {

struct WcciSet {
  std::string name;   ///< "ADA" of ada_train.csv
  std::string print;  ///< of the file, for the journal
  RowMatrix X;        ///< prepared, not standardised
  std::vector<int> label;
  std::vector<bool> continuous;  ///< columns to standardise
};
/// Throws Error(data) where there are not two classes.
WcciSet read_wcci_set(const std::filesystem::path& path);

struct WcciPart {
  RowMatrix X;
  std::vector<int> label;
};
/// Training and test part of a split, continuous columns standardised by the training part.
std::pair<WcciPart, WcciPart> wcci_parts(const WcciSet& set, const TrainTest& split);

}  // namespace lacuna
