// model/detail/remarks.hpp -- what training has to say about a fit: why there is none, and what may surprise in the one
// there is.
#pragma once

#include "lacuna/model/detail/final_fit.hpp"
#include "lacuna/model/train.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna::detail {

/// `far`: what the data's place does to the kernel, or nothing.
[[noreturn]] void fail_not_usable(const Problem& problem, const Kernel& kernel, bool searched, const std::string& far);
[[noreturn]] void fail_no_time(double seconds);

/// Where refits would change the loss of held-out rows by more than a little.
void warn_of_doubt(FitReport& report, double doubt, bool one_step);
/// A search does not wait for held-out fits that are long on their way, nor refits them: where they are many, it may
/// have seen too little. The value printed is the true one.
void warn_of_contradiction(FitReport& report, double criterion, double unnoticed);
/// What fitted counts say of their scatter (model/count_check.hpp), and a warning where they contradict Poisson.
void check_scatter(FitReport& report, const Problem& problem, const FinalFit& fit);
/// How sure an overdispersion is that was chosen, and a warning where the counts have none.
void note_overdispersion(FitReport& report, const Problem& problem, const FinalFit& fit, bool chosen);
/// Rows of the only group are held out one at a time: there is no other way, and it says nothing of other groups.
void warn_of_one_group(FitReport& report, const CrossValidation& cv);
/// A row held out still sees its copies.
void warn_of_twins(FitReport& report, const Dataset& data, const TrainOptions& options);

}  // namespace lacuna::detail
