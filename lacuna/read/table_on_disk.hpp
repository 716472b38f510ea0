// read/table_on_disk.hpp -- a file that does not fit into memory to a Table whose cells are in a cache on disk.
//
// The text is read once, in windows of a few megabytes, by the same code as read_table(); each window's cells go to the
// cache, eight bytes each (a file of which most is numbers shrinks to about half), and what remains in memory is names,
// levels and counts. Only where a column of numbers shows its first text beyond the first four megabytes is the text
// read once more, for such columns. The cache has no name in its folder and ends with the program, however that ends.
// Columns of text keep at most a million different texts.
//
// The result equals read_table() in all but where the cells are, and refuses the same with the same words. Files only:
// standard input and pipes cannot be read twice.
#pragma once

#include <cstddef>
#include <string>

#include "lacuna/base/observer.hpp"
#include "lacuna/read/table.hpp"

namespace lacuna {

struct StreamOptions {
  std::string cache_folder{};           ///< empty: the system's folder for temporary files
  Observer observer{};                  ///< stage "reading", in megabytes of the file
  std::size_t window_bytes = 4 << 20;   ///< text read at a time
  std::size_t most_levels = 1'000'000;  ///< different texts kept of a column
};

/// Throws Error(data) as read_table() does, and when the cache's disk is too small (before anything is written, by the
/// estimate below).
Table stream_table(const std::string& path, const ReadOptions& options, const StreamOptions& streaming = {});

/// What a file will amount to, by its size and its first four megabytes.
struct TableEstimate {
  double rows = 0.0;
  double text_bytes = 0.0;   ///< unpacked
  double cell_bytes = 0.0;   ///< of read_table() in memory, or of the cache of stream_table() on disk
  double input_bytes = 0.0;  ///< of the inputs that encode() makes
  double row_bytes = 0.0;    ///< what encode_streamed() holds in memory while it works
};
TableEstimate estimate_table(const std::string& path, const ReadOptions& options);

/// The bytes of the cache on disk.
double cache_bytes(const Table& table);

}  // namespace lacuna
