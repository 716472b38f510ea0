#include "lacuna/compute/cpu/elementwise.hpp"

#include <cmath>

#include "lacuna/compute/cpu/wide.hpp"

namespace lacuna::compute::cpu {
namespace {

template <class K>
LACUNA_WIDE void values(const K kernel, Index n, double* u) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) u[i] = kernel.value(u[i]);
}

template <class K>
LACUNA_WIDE double contraction(const K kernel, int p, Index n, const double* u, const double* g) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (Index i = 0; i < n; ++i) sum += g[i] * kernel.d_log(p, u[i], kernel.value(u[i]));
  return sum;
}

// Ard's formula without its vector of parameters, so that the loop sees a plain number.
struct ArdFormula {
  static double value(double u) { return std::exp(-u); }
};

}  // namespace

LACUNA_WIDE Index distances(Index n, double* u, const double* a, double b) {
  Index close = 0;
#pragma omp simd reduction(+ : close)
  for (Index i = 0; i < n; ++i) {
    const double squares = a[i] + b;
    const double d = squares - 2.0 * u[i];
    u[i] = d > 0.0 ? d : 0.0;
    close += d < 1e-8 * squares ? 1 : 0;
  }
  return close;
}

void map_value(const Kernel& kernel, Index n, double* u) {
  std::visit(
      [&]<class K>(const K& k) {
        if constexpr (std::is_same_v<K, kernels::Ard>)
          values(ArdFormula{}, n, u);
        else if constexpr (kernels::Elementwise<K>) {
          if constexpr (K::names.size() > 0) values(k, n, u);  // the others are u itself
        }
      },
      kernel.form);
}

void add_contraction(const Kernel& kernel, Index n, const double* u, const double* g, double* sum) {
  std::visit(
      [&]<class K>(const K& k) {
        if constexpr (kernels::Elementwise<K>)
          for (std::size_t p = 0; p < K::names.size(); ++p) sum[p] += contraction(k, int(p), n, u, g);
      },
      kernel.form);
}

LACUNA_WIDE void map_slope(const kernels::Ard&, Index n, double* u, const double* g) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) u[i] = -g[i] * ArdFormula::value(u[i]);
}

LACUNA_WIDE void multiply(Index n, double* a, const double* b) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) a[i] *= b[i];
}

LACUNA_WIDE void add(Index n, double* a, const double* b) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) a[i] += b[i];
}

LACUNA_WIDE void scaled_product(Index n, double* out, double s, const double* a, const double* b) {
#pragma omp simd
  for (Index i = 0; i < n; ++i) out[i] = s * a[i] * b[i];
}

}  // namespace lacuna::compute::cpu
