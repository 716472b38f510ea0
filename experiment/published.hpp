// experiment/published.hpp -- the papers' own figures, as printed (means and standard errors). The tables are the CSV
// files of experiment/published/, compiled in.
//
//   klr_table1_error, klr_table2_seconds, klr_table3_bits   Cawley and Talbot, Efficient approximate leave-one-out
//       cross-validation for kernel logistic regression, Machine Learning 71 (2008): 100 splits (image, splice: 20)
//   kfd_table1_error   Cawley and Talbot, Efficient leave-one-out cross-validation of kernel Fisher discriminant
//                      classifiers,
//       Pattern Recognition 36 (2003); columns other than LOO-KFD and KFD-10fold are from Mika et al.
//   wlssvm_table3_ber, wlssvm_table5_6   Cawley, Leave-one-out cross-validation based model selection criteria for
//                                        weighted
//       LS-SVMs, WCCI 2006: balanced error over 100 random 90/10 splits; challenge submissions
#pragma once

#include <optional>
#include <string_view>

#include "lacuna/evaluate/statistics.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {

/// Throws Error(internal) for a name that is not above.
const Table& published_table(std::string_view name);

/// The cell of a data set and method in one of the tables with columns dataset, method, value, standard error.
std::optional<SampleMean> published(std::string_view table, std::string_view dataset, std::string_view method);

}  // namespace lacuna
