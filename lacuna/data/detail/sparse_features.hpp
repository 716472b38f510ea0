// data/detail/sparse_features.hpp -- the encoding of sparse rows: columns are divided by their deviation and never
// centred, so that zeros stay zeros; constant columns (those that never occur among them) are left out, so that memory
// follows the entries and not the largest index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/data/dataset.hpp"

namespace lacuna::detail {

/// Requires: table.sparse.
void learn_sparse(const Table& table, const DataOptions& options, const std::vector<std::int64_t>& rows,
                  Encoding& encoding, std::vector<std::string>& notes);

/// The encoded rows; indices beyond those of training are left out with a note. Requires: table.sparse.
SparseMatrix encode_sparse(const Table& table, const Encoding& encoding, const std::vector<std::int64_t>& rows,
                           std::vector<std::string>& notes);

}  // namespace lacuna::detail
