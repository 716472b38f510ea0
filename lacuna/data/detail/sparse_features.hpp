// data/detail/sparse_features.hpp -- the encoding of sparse rows: columns are divided by their deviation and never
// centred, so that zeros stay zeros; constant columns (those that never occur among them) are left out, so that memory
// follows the entries and not the largest index.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lacuna/data/dataset.hpp"

namespace lacuna::detail {

/// `weights` is empty (all 1) or one for each of the rows. Requires: table.sparse.
void learn_sparse(const Table& table, const DataOptions& options, const std::vector<std::int64_t>& rows,
                  const Vector& weights, Encoding& encoding, Warnings& notes);

/// Encodes sparse rows of one table, some at a time.
class SparseEncoder {
 public:
  /// Entries left out because their index was not in the training data.
  struct Beyond {
    std::int64_t entries = 0;
    std::int64_t first = 0;  ///< index of the first
    /// Says so, if there are any.
    void note(Warnings& notes) const;
  };
  /// Both are referred to. Requires: table.sparse.
  SparseEncoder(const Table& table, const Encoding& encoding);
  /// Appends row `row` of the table, which is row `at` of `part`. Throws Error(data) for a value too large.
  void add(const SparseView& part, Index at, std::int64_t row, SparseMatrix& out, Beyond& beyond) const;

 private:
  std::int32_t feature_of(std::int64_t column) const;

  const Table& table_;
  const Encoding& encoding_;
  std::int64_t shift_;
  std::vector<std::int32_t> table_of_;  // feature of each column, or -1; empty: too many columns for a table
};

/// The encoded rows; indices beyond those of training are left out with a note. Requires: table.sparse.
SparseMatrix encode_sparse(const Table& table, const Encoding& encoding, const std::vector<std::int64_t>& rows,
                           Warnings& notes);

}  // namespace lacuna::detail
