// report/page/score_words.hpp -- scores in words, the same on every page.
#pragma once

#include <string>

namespace lacuna::page {

struct ScoreWords {
  std::string label{}, words{};  ///< "Cross-entropy"; what it is the mean of, or so
  bool share = false;            ///< told in per cent
};
/// Of a score that has no words, its name.
ScoreWords score_words(const std::string& name);
/// "Cross-entropy (xent)".
std::string score_title(const std::string& name);

}  // namespace lacuna::page
