// evaluate/statistics.hpp -- a mean over splits, and the difference of two machines on the same splits.
//
//   standard error   s / sqrt(n)
//   z                mean / (s / sqrt(n)): splits share rows, so their values are not independent and z is too large
//   corrected s.e.   s sqrt(1/n + tested/trained) (Nadeau and Bengio 2003): allows for that; the same for n values of
//                    folds
//   corrected t      mean / corrected s.e., n - 1 degrees of freedom
#pragma once

#include <vector>

namespace lacuna {

/// Of the values that are finite.
struct SampleMean {
  double mean = 0.0;  ///< NaN: there is none
  double se = 0.0;    ///< standard error; NaN for fewer than two
  int count = 0;
};
SampleMean mean_of(const std::vector<double>& values);
/// The standard error for splits that share rows. `tested_to_trained`: rows tested over rows trained on in a split.
double corrected_error(const SampleMean& mean, double tested_to_trained);
double median_of(std::vector<double> values);

/// z = (a - b) / sqrt(se_a^2 + se_b^2), for means of different splits.
double z_between(const SampleMean& a, const SampleMean& b);

struct PairedDifference {
  SampleMean difference;  ///< of a - b over the splits where both are finite
  double z = 0.0;
  double se = 0.0;          ///< corrected
  double t = 0.0, p = 1.0;  ///< corrected; two-sided. NaN, like z, where all splits have the same difference
};
/// The same of a difference that is not the mean of the splits' contributions `d` to it, but is known to be `value`.
PairedDifference paired_difference(double value, const std::vector<double>& d, double tested_to_trained);
/// Requires as many a as b.
PairedDifference paired_difference(const std::vector<double>& a, const std::vector<double>& b,
                                   double tested_to_trained);

/// Probability that Student's t with `freedom` degrees of freedom is beyond +-t.
double student_two_sided(double t, double freedom);

}  // namespace lacuna
