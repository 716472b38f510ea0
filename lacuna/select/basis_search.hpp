// select/basis_search.hpp -- hyper-parameters of a machine on a basis, and the basis itself. Rows are chosen by the
// kernel, and the kernel is chosen on the rows: so it goes in rounds.
//
//   1. choose n rows by the kernel at the start of the search (basis.hpp), then select as for any machine; where that
//      kernel cannot tell n rows apart, any others make up the number, since a sharper one may;
//   2. when a kernel parameter has moved by more than a factor of two since the rows were chosen, choose them again by
//      the kernel found and search on from there; they are kept where they are as many and serve no worse. At most
//      three rounds.
//   3. with several ways of choosing, the next chooses by the kernel found and is searched from there; the criterion
//      says which rows are kept.
//   auto: n = 100 at first, then twice as many, chosen by the kernel found and searched from there, for as long as the
//      criterion falls by more than chance would make it: by more than the standard error of what each row gains, and
//      half a hundredth. The last size that was worth its rows is kept. These searches are rough ones.
//   patient: few rows may make the kernel wide, and where it is wide more rows gain nothing. So each size begins where
//      the one before ended or at the point that all began at, whichever is lower, a gain need only be more than its
//      standard error, and growth ends when two sizes in a row gain nothing.
//
// Rows that are given, and ways that do not ask the kernel (random, kmeans), need one round.
#pragma once

#include <vector>

#include "lacuna/basis/basis.hpp"
#include "lacuna/select/select.hpp"

namespace lacuna {

struct BasisPlan {
  std::vector<BasisMethod> methods = {BasisMethod::random, BasisMethod::stochastic};  ///< at least one, in this order
  Index size = 100;
  bool grow = false;  ///< auto: the size is found; `size` is where it ends at the latest
  bool patient = false;  ///< as it grows: nobody asked for a basis, and what it would cost was said
  Rows given = {};       ///< no rows: choose them
  std::uint64_t seed = 0;
};

struct BasisSearch {
  Selection chosen;
  Rows basis;
  BasisMethod method = BasisMethod::random;  ///< that it was chosen by
  int rounds = 0;                            ///< how often rows were chosen and searched on
  BasisEnd end = BasisEnd::size;             ///< why no more rows were taken
  struct Size {
    Index size = 0;
    double criterion = 0.0;
  };
  std::vector<Size> sizes;  ///< auto: all that were tried
};

/// How many rows auto begins with.
inline constexpr Index first_basis_size = 100;

/// `problem` has its rows in memory and no basis yet. Interrupted: chosen.search.stop says so.
BasisSearch select_on_basis(Problem problem, const BasisPlan& plan, const KernelSpec& kernel,
                            std::optional<double> lambda, const SearchPlan& options, const Observer& observer = {});

}  // namespace lacuna
