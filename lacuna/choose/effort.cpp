// choose/effort.cpp (of choose.hpp) -- words for how much a fit may try, and what does not go with a choice.
#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/choose/choose.hpp"

namespace lacuna {

std::string_view name_of(Effort effort) {
  return effort == Effort::quick ? "quick" : effort == Effort::normal ? "normal" : "best";
}

Effort parse_effort(std::string_view text) {
  const std::vector<std::string> words{"quick", "normal", "best"};
  for (std::size_t k = 0; k < words.size(); ++k)
    if (text == words[k]) return Effort(k);
  fail_usage(fmt::format("effort: {}{}; it is quick, normal or best", text, did_you_mean(std::string(text), words)));
}

void check_choice(const TrainOptions& options, const ChooseOptions& how) {
  if (how.effort == Effort::quick) return;
  const auto refuse = [&](const char* what, const char* why) {
    fail_usage(fmt::format("train: effort {} and {}: {}", name_of(how.effort), what, why));
  };
  if (how.folds < 2) refuse("fewer than two folds", "a candidate is judged by rows that it did not see");
  if (options.lambda) refuse("a regulariser that is given", "each kernel has its own; leave it open");
  if (kernel_text(options.kernel.kernel) != kernel_text(rbf().kernel) || options.kernel.given[0])
    refuse("a kernel that is given", "the kernel is what is chosen; leave it out, or take effort quick");
  if (on_basis(options)) refuse("a basis", "candidates are machines of all rows; leave out one of them");
  if (options.select.search == SearchMethod::none) refuse("no search", "parameters are selected for each candidate");
  if (options.held_out.refit_flagged || options.held_out.verify > 0)
    refuse("refits of some rows", "its held-out outputs are those of refits already");
  if (options.held_out.interval_method == IntervalMethod::jackknife_plus)
    refuse("jackknife+ intervals", "they are of one ls-svm; the intervals of a choice are made of honest residuals");
  if (options.model && options.model->inference)
    refuse("a Gaussian process", "its kernel is judged by the evidence, not by held-out rows");
}

}  // namespace lacuna
