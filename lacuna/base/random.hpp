// base/random.hpp -- random numbers that are the same on every platform for the same seed: the standard fixes the
// Mersenne twister but not the distributions, so the few we need are written out.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace lacuna {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1), 53 random bits.
  double uniform() { return double(engine_() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform in 0 ... n-1 without bias. Requires n > 0.
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t limit = engine_.max() - engine_.max() % n;
    for (;;) {
      const std::uint64_t r = engine_();
      if (r < limit) return r % n;
    }
  }
  /// Standard normal (Box and Muller).
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }
  /// Poisson with this mean (sum of exponential gaps; fine for the small means we generate).
  int poisson(double mean) {
    int count = -1;
    for (double gap = 0.0; gap < mean; gap -= std::log(1.0 - uniform())) ++count;
    return count < 0 ? 0 : count;
  }
  template <class T>
  void shuffle(std::vector<T>& v) {
    for (std::size_t i = v.size(); i > 1; --i) std::swap(v[i - 1], v[below(i)]);
  }

 private:
  std::mt19937_64 engine_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

}  // namespace lacuna
