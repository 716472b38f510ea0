// report/page/subject.hpp -- what sections of a model's page look at, computed once, and the sections in the order in
// which a reader asks.
#pragma once

#include "lacuna/curves/again.hpp"
#include "lacuna/curves/counted.hpp"
#include "lacuna/model/tally.hpp"
#include "lacuna/report/page/block.hpp"
#include "lacuna/report/page/page.hpp"

namespace lacuna::page {

/// Points of a scatter, rows of a table and corners of a curve beyond which they are thinned.
inline constexpr Index most_points = 1500, most_rows_listed = 400, most_corners = 400;

struct Subject {
  const Model& model;
  const PageOptions& options;
  ExplainRows rows{};  ///< to draw and explain with
  FitAgain again{};
  std::uint64_t seed = 0;     ///< the model's; 0 where it is not known
  bool judged = false;        ///< held-out rows were kept: the next three are set
  Predictions said{};         ///< about held-out rows
  Vector loss{};              ///< of each
  NamedScores errors{};       ///< standard errors of the held-out scores
  std::vector<Index> once{};  ///< places of the held-out rows, each row once (the first of several repeats)
  CountedRows counted{};      ///< those of them that curves are made of, with what each counts
  /// Outputs (classes of several) that drawings show, in their order, so that each has one colour everywhere: all, or
  /// of many classes the eight that are ranked worst.
  std::vector<std::size_t> outputs_drawn{};
};

/// Each is empty where there is nothing to ask.
std::vector<Json> how_good(const Subject& about);
std::vector<Json> trust_probabilities(const Subject& about);  ///< classes
std::vector<Json> trust_values(const Subject& about);         ///< values
std::vector<Json> trust_counts(const Subject& about);         ///< counts and rates
std::vector<Json> more_rows(const Subject& about);
std::vector<Json> what_was_chosen(const Subject& about);
std::vector<Json> rows_to_look_at(const Subject& about);
std::vector<Json> what_it_looks_like(const Subject& about);
std::vector<Json> how_to_reproduce(const Subject& about);

/// Which of the counted rows are of this class; and whether there are some that are and some that are not.
std::vector<bool> of_class(const Subject& about, int label);
bool both(const std::vector<bool>& positive);
/// What several classes are ranked by, as in the scores: the output of each class.
Vector class_score(const Subject& about, std::size_t label);

/// Of these rows a column "size" of areas in proportion to their weights, for dots; null where all weigh the same.
Json dot_sizes(const Vector& weight, const std::vector<Index>& rows);

/// "Rows that were held out" in words of the report, and what to be careful about: optimistic, approximate, weighted.
std::string held_out_words(const Model& model);

}  // namespace lacuna::page
