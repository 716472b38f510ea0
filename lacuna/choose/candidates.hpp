// choose/candidates.hpp -- choose/ decides between kernels and representations by rows that had no part in anything.
// This is the list of what is tried. A candidate is a whole procedure: how rows are seen, a kernel, and the selection
// of its parameters. The first is the plain machine, which is what a fit without any choice would be.
#pragma once

#include <string>
#include <vector>

#include "lacuna/data/dataset.hpp"
#include "lacuna/data/representation.hpp"
#include "lacuna/kernel/specification.hpp"

namespace lacuna {

struct Candidate {
  std::string name{};  ///< "rbf", "ard, codes"
  KernelSpec kernel{};
  double penalty = 0.0;  ///< on log parameters about those of the plain machine, in units of its criterion
  Views views{};
};

/// Kernels on the rows as they are, the plain machine first; a stack has use for more of them than a choice of one.
std::vector<Candidate> kernel_candidates(bool for_stack);
/// The same kernel on rows seen this way.
Candidate seen(Candidate candidate, const Views& views);
/// On rows seen in every other way that changes anything about these; the largest change last.
std::vector<Candidate> seen_otherwise(const Candidate& candidate, const Dataset& data);
/// Its name without the way rows are seen.
std::string kernel_of(const Candidate& candidate);

}  // namespace lacuna
