// base/twofold.hpp -- numbers with twice the digits of T, as the sum of two: high + low, |low| <= ulp(high)/2. Sums and
// products are Dekker's and Knuth's, made of + - * / alone, so that T may be double or a value of an ONNX graph
// (export/), and a formula written for one is one for the other.
//
//   two_sum      a + b = s + e, exactly        two_product  a b = p + e, exactly, from halves of 26 digits
//
// Relative error of some 1e-30 for + * and sqrt, 1e-26 for exp (8192 times that of what is squared thirteen times).
// What uses it with T = double must be compiled without contraction of a b + c (-ffp-contract=off): e would be lost.
#pragma once

#include <algorithm>
#include <cmath>

namespace lacuna {

namespace detail {
inline double max(double a, double b) { return std::max(a, b); }
inline double min(double a, double b) { return std::min(a, b); }
}  // namespace detail

template <class T>
struct Twofold {
  T high, low;
};

/// a + b; requires |a| >= |b|, or a = 0.
template <class T>
Twofold<T> quick_sum(const T& a, const T& b) {
  const T s = a + b;
  return {s, b - (s - a)};
}

template <class T>
Twofold<T> two_sum(const T& a, const T& b) {
  const T s = a + b, taken = s - a;
  return {s, (a - (s - taken)) + (b - taken)};
}

/// The first 26 digits of a number, and the others.
template <class T>
Twofold<T> halves(const T& a) {
  const T c = 134217729.0 * a, high = c - (c - a);
  return {high, a - high};
}

template <class T>
Twofold<T> two_product(const T& a, const T& b) {
  const T p = a * b;
  const Twofold<T> x = halves(a), y = halves(b);
  return {p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

template <class T>
Twofold<T> two_square(const T& a) {
  const T p = a * a;
  const Twofold<T> x = halves(a);
  const T cross = x.high * x.low;
  return {p, ((x.high * x.high - p) + (cross + cross)) + x.low * x.low};
}

template <class T>
Twofold<T> operator-(const Twofold<T>& a) {
  return {-a.high, -a.low};
}
template <class T>
Twofold<T> operator+(const Twofold<T>& a, const Twofold<T>& b) {
  const Twofold<T> s = two_sum(a.high, b.high);
  return quick_sum<T>(s.high, s.low + (a.low + b.low));
}
/// A constant added.
template <class T>
Twofold<T> plus(const Twofold<T>& a, const Twofold<double>& b) {
  const T s = a.high + b.high, taken = s - a.high;
  return quick_sum<T>(s, ((a.high - (s - taken)) + (b.high - taken)) + (a.low + b.low));
}
template <class T>
Twofold<T> operator+(const Twofold<T>& a, double b) {
  return plus(a, {b, 0.0});
}
template <class T>
Twofold<T> operator+(double a, const Twofold<T>& b) {
  return b + a;
}
template <class T>
Twofold<T> operator*(const Twofold<T>& a, const Twofold<T>& b) {
  const Twofold<T> p = two_product(a.high, b.high);
  return quick_sum<T>(p.high, p.low + (a.high * b.low + a.low * b.high));
}
template <class T>
Twofold<T> times(const Twofold<T>& a, const T& b) {
  const Twofold<T> p = two_product(a.high, b);
  return quick_sum<T>(p.high, p.low + a.low * b);
}
template <class T>
Twofold<T> operator*(const Twofold<T>& a, double b) {
  const T p = a.high * b;
  const Twofold<T> x = halves(a.high);
  const Twofold<double> y = halves(b);
  const T e = ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return quick_sum<T>(p, e + a.low * b);
}
template <class T>
Twofold<T> operator*(double a, const Twofold<T>& b) {
  return b * a;
}
template <class T>
Twofold<T> operator/(const Twofold<T>& a, double b) {
  const T q = a.high / b;
  const Twofold<T> rest = a + -(Twofold<T>{q, 0.0 * q} * b);
  return quick_sum<T>(q, (rest.high + rest.low) / b);
}
template <class T>
Twofold<T> square(const Twofold<T>& a) {
  const Twofold<T> p = two_square(a.high);
  const T cross = a.high * a.low;
  return quick_sum<T>(p.high, p.low + (cross + cross));
}

template <class T>
Twofold<T> sqrt(const Twofold<T>& a) {
  using detail::max, std::sqrt;
  const T root = sqrt(a.high);
  const Twofold<T> rest = a + -two_square(root);
  return quick_sum<T>(root, (rest.high + rest.low) / (2.0 * max(root, 1e-160)));
}

/// 0 below -750; not for a above 709.
template <class T>
Twofold<T> exp(const Twofold<T>& a) {
  using detail::max, detail::min;
  constexpr int squarings = 13;
  constexpr double scale = 1.0 / 8192.0;
  const Twofold<T> r{max(a.high, -750.0) * scale, max(min(a.low, 1.0), -1.0) * scale};
  // |r| < 0.1: the terms from r^7/7! on need no more than the digits of T.
  double factorial = 720.0;
  T tail = 0.0 * r.high;
  for (int k = 14; k >= 7; --k) tail = (tail + 1.0) * (r.high * (1.0 / k));
  const Twofold<double> one{1.0, 0.0};
  Twofold<T> sum = plus(Twofold<T>{tail * (1.0 / factorial), 0.0 * tail}, one / factorial);
  for (int k = 6; k >= 1; --k) {
    factorial /= k;
    sum = plus(sum * r, one / factorial);
  }
  for (int k = 0; k < squarings; ++k) sum = square(sum);
  return sum;
}

/// One step of Newton's method from the digits of T.
template <class T>
Twofold<T> log1p(const Twofold<T>& a) {
  using std::log1p;
  const T first = log1p(a.high);
  const Twofold<T> rest = (1.0 + a) * exp(Twofold<T>{-first, 0.0 * first}) + -1.0;
  return quick_sum<T>(first, rest.high + rest.low);
}

/// Requires: n is a whole number, 1 or more.
template <class T>
Twofold<T> pow(const Twofold<T>& a, double n) {
  Twofold<T> out = a;
  int bit = 1;
  while (2 * bit <= int(n)) bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2) {
    out = square(out);
    if (int(n) & bit) out = out * a;
  }
  return out;
}

}  // namespace lacuna
