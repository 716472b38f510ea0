// data/rows_on_disk.hpp -- rows that stay on disk. What a machine needs of every row all the time (target, weight,
// group) is in memory; the inputs are read back from a cache in blocks, by several threads at a time, and encoded on
// the way.
#pragma once

#include <span>

#include "lacuna/data/dataset.hpp"
#include "lacuna/data/row_source.hpp"

namespace lacuna {

struct StreamedDataset {
  Dataset rows;  ///< everything but the inputs: rows.X is empty, and rows.size() therefore 0
  RowSource X;   ///< the inputs, encoded and standardised; shares the cache, which goes with its last owner
  Index features = 0;

  Index size() const { return X.rows(); }
};

struct StreamedEncoded {
  StreamedDataset data;
  Encoding encoding;
};

/// What encode() decides, for a table whose cells are in a file (read/table_on_disk.hpp). Throws Error as encode()
/// does.
StreamedEncoded encode_streamed(Table table, const DataOptions& options);

/// What prepare() gives, for a table whose cells are in a file. Throws Error as prepare() does.
struct StreamedPrepared {
  RowSource X;
  Vector offset;
  std::vector<std::int64_t> source_row;
  Warnings notes;
};
StreamedPrepared prepare_streamed(Table table, const Encoding& encoding, std::optional<Missing> missing = {});

/// Some of the rows, inputs included, in memory. Ascending rows are read fastest.
Dataset take_rows(const StreamedDataset& data, std::span<const Index> rows);

/// Rows in memory that pass as streamed ones.
StreamedDataset as_streamed(Dataset data);

}  // namespace lacuna
