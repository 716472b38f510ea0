// experiment/generate.hpp -- the artificial problems of the literature, from a seed; the target is the last column.
// Classes are as even as the number of rows allows, and rows take them in turn.
//
//   ripley     2 features, label 0/1. Each class is an even mixture of two normals of variance 0.03: means (-0.7, 0.3),
//              (0.3, 0.3) and (-0.3, 0.7), (0.4, 0.7) (Ripley 1996). Bayes error 8.0 %.
//   annulus    2 features, label -1/+1: +1 is a normal about the origin, of deviation 0.25 in each direction; -1 lies
//              around it at a uniform angle and a radius that is normal with mean 1 and deviation 0.15 (the kernel
//              Fisher discriminant's picture of classes that no line separates).
//   twonorm    20 features, label -1/+1: unit normals about (a, ..., a) and -(a, ..., a), a = 2/sqrt(20); +1 is about
//   the
//              former (Breiman 1996). Bayes error 2.3 %.
//   ringnorm   20 features, label -1/+1: +1 is normal with mean 0 and covariance 4 I, -1 is a unit normal about
//              (a, ..., a), a = 2/sqrt(20) (Breiman 1996, with the a of DELVE and of the IDA benchmarks). Bayes
//              error 1.3 %.
//   waveform   21 features, label A/B/C: u h + (1 - u) h' + unit normal noise, u uniform, where h, h' are two of the
//              triangles h1(i) = max(6 - |i - 11|, 0), h2(i) = h1(i - 4), h3(i) = h1(i + 4): A of h1, h2; B of h1, h3;
//              C of h2, h3 (Breiman et al. 1984). Bayes error 14 %.
//   friedman1  10 uniform features; y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + unit normal noise.
//   sinc       x uniform in [-10, 10]; y = sin(x)/x + normal noise of deviation 0.1.
//   counts     4 unit normal features, exposure uniform in [0.1, 2]; count is Poisson of mean
//              exposure exp(0.5 + 0.6 sin(2 x1) + 0.4 x2 - 0.3 x3^2); x4 has no part in it.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "lacuna/base/random.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {

/// The names above.
std::span<const std::string> generator_names();

/// The same numbers for the same name, rows and seed. Throws Error(usage) for an unknown name or fewer than one row.
Table generate(std::string_view name, Index rows, std::uint64_t seed);

/// The same, some rows at a time.
class Generation {
 public:
  Generation(std::string_view name, std::uint64_t seed);
  Table next(Index rows);

 private:
  std::string name_;
  Random random_;
  Index made_ = 0;
};

/// Header (unless `with_names` is false) and rows; numbers as the shortest decimals that read back the same, texts
/// quoted where they must be, missing cells empty. Requires: no sparse part.
void write_csv(const Table& table, std::ostream& out, bool with_names = true);

}  // namespace lacuna
