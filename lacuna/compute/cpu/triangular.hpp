// compute/cpu/triangular.hpp -- the cubic work of the cpu back end: Cholesky factor, its inverse, and what both give.
//
//   A = L L'      (lower Cholesky factor, A symmetric positive definite, n x n)
//   S = L^-1      A^-1 = S'S,   (A^-1)_ii = sum_j S_ji^2          (method 3, 4)
//
// Storage, "the pair": ONE column-major array P of n rows and n + 1 columns (leading dimension ld >= n) holds L and S,
// each with its own diagonal, because S' starts one column to the right:
//
//   L(i, j)  = P[i + j * ld]         i >= j        (on entry: the lower triangle of A)
//   S'(i, j) = P[i + (j + 1) * ld]   i <= j        (S'(i, j) = S(j, i); on entry: anything)
//
// so BLAS may take either triangle as it stands, and the pair costs n doubles more than A. `pair_size` says how much to
// allocate. `factor` alone already writes some small blocks of S' along its diagonal.
//
// LAPACK is not the ceiling: everything here is blocked for products and substitutions of our own (product.hpp,
// panel_substitute.hpp), which run at nearly full speed, down to small blocks (leaf.hpp). L is found by
// substitution, never by multiplying with an inverted block: at the edge of a search K / lambda + I has condition 1e12,
// and the shortcut then costs the inverse one to two of its last digits.
//
// All routines are plain functions on memory the caller owns: re-entrant, callable inside parallel loops (and then
// with one thread), with the same bits for the same number of threads. Arrays must not overlap. n = 0 is allowed.
#pragma once

#include <span>

#include "lacuna/base/matrix.hpp"

namespace lacuna::compute::cpu {

/// Doubles in a pair of order n with leading dimension ld.
constexpr Index pair_size(Index n, Index ld) { return (n + 1) * ld; }

/// L and S at once: n^3/3 + n^3/3 flops. False when A is not (numerically) positive definite or not finite: then
/// *failed_order, if given, is the order (1..n) of the first leading minor found wanting, and P is spoilt.
[[nodiscard]] bool factor_and_invert(Index n, double* P, Index ld, Index* failed_order = nullptr);

/// L only (and the diagonal blocks of S'): n^3/3 flops. Enough for the solves. Fails as factor_and_invert does.
[[nodiscard]] bool factor(Index n, double* P, Index ld, Index* failed_order = nullptr);

/// Completes S after `factor`: n^3/3 flops. factor + invert == factor_and_invert, bit for bit.
void invert(Index n, double* P, Index ld);

/// B := A^-1 B for m right-hand sides (B is n x m): 2 n^2 m flops. Needs `factor` only.
void solve(Index n, const double* P, Index ld, Index m, double* B, Index ldb);
/// B := L^-1 B, half of a solve (column sums of squares of the result are leverages).
void solve_lower(Index n, const double* P, Index ld, Index m, double* B, Index ldb);
/// B := L^-T B, the other half.
void solve_lower_transposed(Index n, const double* P, Index ld, Index m, double* B, Index ldb);

/// log det A = 2 sum log L_ii.
double log_determinant(Index n, const double* P, Index ld);

/// d_i = (A^-1)_ii, column sums of squares of S: n^2 flops, one pass over S. Needs S.
void inverse_diagonal(Index n, const double* P, Index ld, double* d);

/// C := (A^-1)_FF = S_:F' S_:F, full symmetric |F| x |F|: |F|^2 (n - min F) flops. Needs S.
/// F: indices in 0..n-1, any order, repeats allowed. Workspace: a panel of |F| x 384 doubles.
void inverse_block(Index n, const double* P, Index ld, std::span<const Index> F, double* C, Index ldc);

/// C := A^-1 = S'S, both triangles: n^3/3 flops. Needs S, leaves the pair as it is.
void inverse(Index n, const double* P, Index ld, double* C, Index ldc);
/// The lower triangle of it only, for who has more to do to it before it is mirrored.
void inverse_lower(Index n, const double* P, Index ld, double* C, Index ldc);

/// T := Q diag(v) Q for symmetric Q (both triangles stored) and v of any sign, the lower triangle of it: n^2 * #{v_i !=
/// 0} flops. The gradient's T = Q V Q (method 9) when folds are single rows.
void weighted_square(Index n, const double* Q, Index ldq, const double* v, double* T, Index ldt);

}  // namespace lacuna::compute::cpu
