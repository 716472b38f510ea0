// base/warning.hpp -- what was guessed, dropped or found and may surprise: a code that programs can tell apart, and the
// words for a reader. The words may change; the code's name is written to JSON and model files, and does not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct Warning {
  enum class Code {
    other,  ///< of files that older programs wrote, and of newer programs
    // Reading and encoding.
    header_guessed,
    indices_from_zero,
    single_row_class,
    numbers_as_values,
    rows_without_weight,
    missing_rows,
    missing_filled,
    dates_as_days,
    many_categories,
    constant_features,
    equal_columns,
    unseen_category,
    unseen_index,
    matched_by_position,
    far_from_origin,
    duplicate_rows,
    one_group,
    dates_as_numbers,
    // Searching and fitting.
    search_time,
    search_evaluations,
    selected_on_some,
    at_bound,
    irrelevant_features,
    plainer_kernel,
    one_step_contradicted,
    held_out_approximate,
    posterior_unsettled,
    posterior_contradicted,
    not_recalibrated,
    no_auc,
    choice_cut_short,
    nothing_compared,
    overdispersed,
    // Evaluating.
    rows_in_common,
    fewer_splits,
    failed_splits,
    unseen_class,
    untested_class,
    optimistic_selection,
  };

  Code code = Code::other;
  std::string text;

  bool operator==(const Warning&) const = default;
};

using Warnings = std::vector<Warning>;

/// "duplicate-rows".
std::string_view name_of(Warning::Code code);
/// The code of that name; other where there is none.
Warning::Code warning_code(std::string_view name);
/// Of all codes, in order.
std::vector<std::string> warning_names();

std::vector<std::string> warning_texts(const Warnings& warnings);
std::vector<std::string> warning_code_names(const Warnings& warnings);

}  // namespace lacuna
