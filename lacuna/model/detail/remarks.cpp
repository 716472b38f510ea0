#include "lacuna/model/detail/remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/base/error.hpp"
#include "lacuna/data/duplicates.hpp"
#include "lacuna/machine/regulariser.hpp"
#include "lacuna/model/count_check.hpp"
#include "lacuna/model/overdispersion.hpp"

namespace lacuna::detail {
namespace {

// Held-out outputs are near enough to refits unless those would change the criterion by more than this.
constexpr double worth_a_warning = 0.02;

}  // namespace

void fail_not_usable(const Problem& problem, const Kernel& kernel, bool searched, const std::string& far) {
  if (!far.empty()) fail_numerical("train: the arithmetic failed: " + far);
  if (!problem.on_basis() && !problem.in_columns(kernel)) {
    const auto K = dual_gram(*problem.backend, kernel, problem.X.view(), problem.learn);
    const Vector omega = K->eigenvalues();
    if (omega[0] < -1e-10 * std::abs(omega[omega.size() - 1]))
      fail_numerical(
          fmt::format("train: the kernel matrix is not positive definite: its least eigenvalue is {:.3g}, its "
                      "largest {:.3g}; a lambda well above {:.3g} would make it so",
                      omega[0], omega[omega.size() - 1], -omega[0] * problem.regulariser_unit));
  }
  if (problem.by_refit && !is_quadratic(problem.learn.loss))
    fail_numerical(
        "train: a refit had no optimum: without some row or fold one class is gone, or every count is 0, or the fit "
        "did not "
        "converge; the closed form (`cv=loo`) judges such rows too");
  fail_numerical(fmt::format("train: {}; look for extreme values in the data, standardise it, or give a larger lambda",
                             searched ? "no setting of the hyper-parameters gave finite held-out outputs"
                                      : "held-out outputs at these hyper-parameters are not finite"));
}

void fail_no_time(double seconds) {
  fail_usage(fmt::format(
      "train: the time limit of {:.3g} s ran out before the criterion was known at any point; allow more time, "
      "or express the machine in fewer rows (`basis=500`)",
      seconds));
}

void warn_of_doubt(FitReport& report, double doubt, bool one_step) {
  if (!(doubt > worth_a_warning)) return;
  const char* advice = report.refitted > 0 ? "`cv=explicit:loo` refits every row"
                       : one_step
                           ? "`cv=loo` follows them to where refits end, `refit_flagged` refits the worst of them"
                           : "`cv=explicit:loo` refits every row";
  report.warnings.push_back(
      {Warning::Code::held_out_approximate,
       fmt::format("held-out outputs {}, and refits would change their loss by up to {:.2g} %; {}",
                   one_step ? "are one Newton step from the fit" : "did not all reach their optimum", 100.0 * doubt,
                   advice)});
}

void warn_of_contradiction(FitReport& report, double criterion, double unnoticed) {
  const double found = report.criterion_value;
  if (criterion - found <= std::max(0.05 * std::abs(criterion), unnoticed)) return;
  report.warnings.push_back(
      {Warning::Code::one_step_contradicted,
       fmt::format("the search saw {} = {:.4g} where refits say {:.4g}: held-out fits change a lot there, and other "
                   "parameters may be better; a larger lambda is safer, and `cv=10` looks at fewer fits",
                   report.criterion, found, criterion)});
}

void check_scatter(FitReport& report, const Problem& problem, const FinalFit& fit) {
  FitReport::Counts& counts = *report.counts;
  if (fit.fitted.size() > 0)
    check_fitted_counts(counts, problem.truth, fit.fitted, fit.leverage);
  else if (problem.on_basis())
    test_held_out_counts(counts, problem.truth, fit.z[0], double((problem.basis.rows() + 1) * fit.z[0].cols()));
  if (!(counts.excess > poisson_rejected)) return;
  report.warnings.push_back(
      {Warning::Code::overdispersed,
       fmt::format(
           "the counts scatter more than Poisson counts with these rates would: their variance is {:.3g} times "
           "as large, and a score test rejects Poisson at the 1 % level ({:.3g} standard errors). Probabilities "
           "of counts are too narrow then; `model=negbin` learns the excess, unless a column or an exposure "
           "that explains it is missing",
           std::isnan(counts.fitted_dispersion) ? counts.dispersion : counts.fitted_dispersion, counts.excess)});
}

void note_overdispersion(FitReport& report, const Problem& problem, const FinalFit& fit, bool chosen) {
  const auto* loss = std::get_if<losses::NegativeBinomial>(&problem.learn.loss);
  if (loss == nullptr || !chosen) return;
  report.counts->overdispersion_error = overdispersion_error(loss->overdispersion, problem.truth, fit.z[0]);
  if (!is_least_overdispersion(loss->overdispersion, problem.truth)) return;
  report.warnings.push_back(
      {Warning::Code::at_bound,
       fmt::format(
           "the overdispersion ended at {:.3g}, the least that is tried: the counts scatter no more than Poisson "
           "counts would, and `model=poisson` says the same with one parameter less",
           loss->overdispersion)});
}

void warn_of_one_group(FitReport& report, const CrossValidation& cv) {
  if (report.group.empty() || cv.kind != CrossValidation::Kind::loo) return;
  report.warnings.push_back(
      {Warning::Code::one_group,
       fmt::format("all rows are of one group ({}), so rows of it are held out one at a time: the held-out figures and "
                   "what they chose say nothing of other groups",
                   report.group)});
}

void warn_of_twins(FitReport& report, const Dataset& data, const TrainOptions& options) {
  if (!report.group.empty() || uses_geometry(options.kernel.kernel, kernels::Geometry::given)) return;
  if (const Index twins = count_copies(data); twins > 0)
    report.warnings.push_back(
        {Warning::Code::duplicate_rows,
         fmt::format("{} of {} rows repeat an earlier row: a row held out still sees its twins, so the "
                     "estimates are optimistic; where they belong together use `group=COL`",
                     twins, data.size())});
}

}  // namespace lacuna::detail
