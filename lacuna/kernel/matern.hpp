// kernel/matern.hpp -- Matern kernels of order 1/2, 3/2 and 5/2, rougher relatives of the Gaussian. With
// r = sqrt(2 nu theta) ||x - x'||:
//   1/2: e^-r        3/2: (1 + r) e^-r        5/2: (1 + r + r^2/3) e^-r
// theta > 0 multiplies the squared distance as in the Gaussian kernel; d r / d log(theta) = r / 2.
#pragma once

#include "lacuna/kernel/geometry.hpp"

namespace lacuna::kernels {

struct Matern12 {
  double theta = 1.0;

  static constexpr std::string_view id = "matern12";
  static constexpr Geometry geometry = Geometry::distance;
  static constexpr std::array<std::string_view, 1> names{"theta"};
  static constexpr std::array<double Matern12::*, 1> members() { return {&Matern12::theta}; }
  static constexpr std::size_t scale = 0;
  static std::array<double, 1> start(const DataScale& data) { return {data.theta}; }

  template <class Number>
  Number value(Number sq_dist) const {
    using std::exp, std::sqrt;
    return exp(-sqrt(theta * sq_dist));
  }
  double d_log(int, double sq_dist, double k) const { return -0.5 * std::sqrt(theta * sq_dist) * k; }
};

struct Matern32 {
  double theta = 1.0;

  static constexpr std::string_view id = "matern32";
  static constexpr Geometry geometry = Geometry::distance;
  static constexpr std::array<std::string_view, 1> names{"theta"};
  static constexpr std::array<double Matern32::*, 1> members() { return {&Matern32::theta}; }
  static constexpr std::size_t scale = 0;
  static std::array<double, 1> start(const DataScale& data) { return {data.theta}; }

  template <class Number>
  Number value(Number sq_dist) const {
    using std::exp, std::sqrt;
    const Number r = sqrt(3.0 * theta * sq_dist);
    return (1.0 + r) * exp(-r);
  }
  double d_log(int, double sq_dist, double) const {
    const double r = std::sqrt(3.0 * theta * sq_dist);
    return -0.5 * r * r * std::exp(-r);
  }
};

struct Matern52 {
  double theta = 1.0;

  static constexpr std::string_view id = "matern52";
  static constexpr Geometry geometry = Geometry::distance;
  static constexpr std::array<std::string_view, 1> names{"theta"};
  static constexpr std::array<double Matern52::*, 1> members() { return {&Matern52::theta}; }
  static constexpr std::size_t scale = 0;
  static std::array<double, 1> start(const DataScale& data) { return {data.theta}; }

  template <class Number>
  Number value(Number sq_dist) const {
    using std::exp, std::sqrt;
    const Number r = sqrt(5.0 * theta * sq_dist);
    return (1.0 + r + r * r / 3.0) * exp(-r);
  }
  double d_log(int, double sq_dist, double) const {
    const double r = std::sqrt(5.0 * theta * sq_dist);
    return -r * r / 6.0 * (1.0 + r) * std::exp(-r);
  }
};

}  // namespace lacuna::kernels
