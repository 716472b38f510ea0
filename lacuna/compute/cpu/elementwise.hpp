// compute/cpu/elementwise.hpp -- a kernel's formula over arrays of u (kernel/geometry.hpp). The formula itself is the
// one in kernel/: here it is only repeated over an array in loops that the compiler widens, with exp and log from the
// vector library of the C library, in a version for each generation of processor chosen when the program runs.
//
// The source file is compiled with -ffast-math. That is safe here because every u is finite (data are checked at the
// door), the formulas have no cancellation that reordering could spoil, and sums are taken inside one block of fixed
// size, so results do not depend on threads.
#pragma once

#include "lacuna/kernel/kernel.hpp"

namespace lacuna::compute::cpu {

/// u[i] := max(0, a[i] + b - 2 u[i]): squared distances from dot products and squared norms. Returns how many came out
/// below 1e-8 (a[i] + b), where cancellation has left few digits and the caller had better take differences.
Index distances(Index n, double* u, const double* a, double b);

/// u[i] := k(u[i]). Requires a kernel that is a formula in u.
void map_value(const Kernel& kernel, Index n, double* u);

/// sum[p] += sum_i g[i] * d k(u[i]) / d log theta_p, for each of the kernel's parameters. Not for Ard.
void add_contraction(const Kernel& kernel, Index n, const double* u, const double* g, double* sum);

/// u[i] := g[i] * dk/du(u[i]): the first half of the chain rule for Ard.
void map_slope(const kernels::Ard& kernel, Index n, double* u, const double* g);

/// a[i] *= b[i] and a[i] += b[i].
void multiply(Index n, double* a, const double* b);
void add(Index n, double* a, const double* b);
/// out[i] := s * a[i] * b[i].
void scaled_product(Index n, double* out, double s, const double* a, const double* b);

}  // namespace lacuna::compute::cpu
