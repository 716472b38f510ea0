// base/slices.hpp -- matrix products that have no rounding errors, whoever adds up their terms, in whatever order: each
// factor is cut into slices of so few digits that all partial sums of products of slices are whole multiples of one
// unit, below 2^53 of them (Ozaki, Ogita, Oishi, Rump 2012).
//
//   a = a_1 + a_2 + a_3 + a_4 + O(2^-72 unit),   a_s a multiple of 2^(-18 s) unit,   |a| <= unit, a power of two
//   A B = A_1 B_1  +  (A_1 B_2 + A_2 B_1)  +  (A_1 B_3 + A_2 B_2 + A_3 B_1)  +  (A_1 B_4 + ... + A_4 B_1)  +  O(2^-72)
//
// for rows of A and columns of B with units of their own, and up to 2^17 terms. T is double or a value of an ONNX graph
// (export/). What uses it with T = double must be compiled without contraction of a b + c.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "lacuna/base/twofold.hpp"

namespace lacuna {

namespace detail {
inline double abs(double a) { return std::abs(a); }
inline double larger(double a, double b) { return std::max(a, b); }
}  // namespace detail

constexpr int slice_digits = 18;

/// The least power of two that is not below a >= 0; 0 for 0. Requires: a < 1e292.
template <class T>
T power_of_two(const T& a) {
  using detail::abs, detail::larger;
  const T far = 9007199254740992.0 * a;  // 2^53 a, whose last digit is worth that power
  return larger(abs((far + a) - far), a);
}

constexpr std::size_t slice_count = 4;
template <class T>
using Slices = std::array<T, slice_count>;

/// Requires: |a| <= unit, a power of two (or 0).
template <class T>
Slices<T> slices(const T& a, const T& unit) {
  constexpr double step = 1.0 / double(1 << slice_digits);
  T rest = a, last_digit = unit * (1.5 * 4503599627370496.0 * step);  // a + this ends at 2^-18 unit
  const auto next = [&] {
    const T slice = (rest + last_digit) - last_digit;
    rest = rest - slice;
    last_digit = last_digit * step;
    return slice;
  };
  return {next(), next(), next(), next()};
}

/// The product from those of slices: multiply(s, t) gives A_s B_t.
template <class T, class Multiply>
Twofold<T> sum_of_slices(const Multiply& multiply) {
  const auto order = [&](std::size_t of) {
    T sum = multiply(0, of);
    for (std::size_t s = 1; s <= of; ++s) sum = sum + multiply(s, of - s);
    return sum;
  };
  const T last = order(slice_count - 1);
  Twofold<T> sum{last, 0.0 * last};
  for (std::size_t of = slice_count - 1; of-- > 0;) {
    const T more = order(of);
    sum = sum + Twofold<T>{more, 0.0 * more};
  }
  return sum;
}

}  // namespace lacuna
