#include "lacuna/base/warning.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lacuna {
namespace {

using Code = Warning::Code;

constexpr std::array names{
    std::pair{Code::other, "other"},
    std::pair{Code::header_guessed, "header-guessed"},
    std::pair{Code::indices_from_zero, "indices-from-zero"},
    std::pair{Code::single_row_class, "single-row-class"},
    std::pair{Code::numbers_as_values, "numbers-as-values"},
    std::pair{Code::rows_without_weight, "rows-without-weight"},
    std::pair{Code::missing_rows, "missing-rows"},
    std::pair{Code::missing_filled, "missing-filled"},
    std::pair{Code::dates_as_days, "dates-as-days"},
    std::pair{Code::many_categories, "many-categories"},
    std::pair{Code::constant_features, "constant-features"},
    std::pair{Code::equal_columns, "equal-columns"},
    std::pair{Code::unseen_category, "unseen-category"},
    std::pair{Code::unseen_index, "unseen-index"},
    std::pair{Code::matched_by_position, "matched-by-position"},
    std::pair{Code::far_from_origin, "far-from-origin"},
    std::pair{Code::duplicate_rows, "duplicate-rows"},
    std::pair{Code::one_group, "one-group"},
    std::pair{Code::dates_as_numbers, "dates-as-numbers"},
    std::pair{Code::search_time, "search-time"},
    std::pair{Code::search_evaluations, "search-evaluations"},
    std::pair{Code::selected_on_some, "selected-on-some"},
    std::pair{Code::at_bound, "at-bound"},
    std::pair{Code::irrelevant_features, "irrelevant-features"},
    std::pair{Code::plainer_kernel, "plainer-kernel"},
    std::pair{Code::one_step_contradicted, "one-step-contradicted"},
    std::pair{Code::held_out_approximate, "held-out-approximate"},
    std::pair{Code::posterior_unsettled, "posterior-unsettled"},
    std::pair{Code::posterior_contradicted, "posterior-contradicted"},
    std::pair{Code::not_recalibrated, "not-recalibrated"},
    std::pair{Code::no_auc, "no-auc"},
    std::pair{Code::choice_cut_short, "choice-cut-short"},
    std::pair{Code::nothing_compared, "nothing-compared"},
    std::pair{Code::overdispersed, "overdispersed"},
    std::pair{Code::rows_in_common, "rows-in-common"},
    std::pair{Code::fewer_splits, "fewer-splits"},
    std::pair{Code::failed_splits, "failed-splits"},
    std::pair{Code::unseen_class, "unseen-class"},
    std::pair{Code::untested_class, "untested-class"},
    std::pair{Code::optimistic_selection, "optimistic-selection"},
};

constexpr bool in_order() {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::size_t(names[k].first) != k) return false;
  return names.size() == std::size_t(Code::optimistic_selection) + 1;
}
static_assert(in_order());

}  // namespace

std::string_view name_of(Warning::Code code) { return names[std::size_t(code)].second; }

Warning::Code warning_code(std::string_view name) {
  const auto at = std::ranges::find_if(names, [&](const auto& known) { return name == known.second; });
  return at == names.end() ? Code::other : at->first;
}

std::vector<std::string> warning_names() {
  std::vector<std::string> out;
  for (const auto& known : names) out.emplace_back(known.second);
  return out;
}

std::vector<std::string> warning_texts(const Warnings& warnings) {
  std::vector<std::string> out;
  for (const Warning& w : warnings) out.push_back(w.text);
  return out;
}

std::vector<std::string> warning_code_names(const Warnings& warnings) {
  std::vector<std::string> out;
  for (const Warning& w : warnings) out.emplace_back(name_of(w.code));
  return out;
}

}  // namespace lacuna
