// export/detail/average.hpp -- outputs of a Gaussian process moderated by their variances (machine/averaged.hpp): the
// output whose probability is the average of the link over N(mu, v).
//
//   probit    mu / sqrt(1 + s^2 v)
//   logistic  log(1 - p) - log(p) with the sign of mu, p = p(-|mu|, v) the average of 1/(1 + e^-z); near 0 in
//             proportion to mu
//
// As averaged.cpp does, p is a trapezoidal sum for narrow Gaussians and a step with a rounded corner for wide ones; but
// the number of terms must not depend on the row. Narrow ends at s = 2 here, where 89 terms do. Wide ones meet
//
//   p(-a, v) = e^{v/2 - a} p(a - v, v),
//
// which brings every tail back to where the corner is most of the probability.
#pragma once

#include "lacuna/export/detail/value.hpp"
#include "lacuna/loss/loss.hpp"

namespace lacuna::onnx {

/// Both N x m. Requires: a logistic or probit likelihood.
Value moderated_output(const Loss& likelihood, const Value& mu, const Value& variance, std::int64_t outputs);

}  // namespace lacuna::onnx
