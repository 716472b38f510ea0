// model/overdispersion.hpp -- the overdispersion a of a negative binomial (loss/negative_binomial.hpp) that counts with
// known means make likeliest. Means and overdispersion are orthogonal parameters (their Fisher information has no term
// between them), so a can be found for given means, and its standard error is that of a alone.
#pragma once

#include "lacuna/criterion/criterion.hpp"

namespace lacuna {

struct Overdispersion {
  double value = 0.0;
  double standard_error = 0.0;
};

/// For outputs z, l x m, of the rows of `truth` (whose loss does not matter). Looks where a times the mean count is
/// between 10^-4 and 10^4. O(l m), some 60 times.
Overdispersion likeliest_overdispersion(const Truth& truth, const Matrix& z);
/// Its standard error at a given value, from the curvature of the log-likelihood in log a.
double overdispersion_error(double overdispersion, const Truth& truth, const Matrix& z);
/// Whether this is as near to 0 as is looked: counts scatter no more than Poisson's.
bool is_least_overdispersion(double overdispersion, const Truth& truth);

}  // namespace lacuna
