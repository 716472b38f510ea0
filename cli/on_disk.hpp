// cli/on_disk.hpp -- rows that do not fit into memory: whether that is so, what is said about it, and reading them into
// the cache.
#pragma once

#include <optional>
#include <string>

#include "cli/watch.hpp"
#include "lacuna/read/table_on_disk.hpp"

namespace lacuna::cli {

/// What a file will amount to. None for standard input and pipes, which cannot be read twice: `reading` then refuses
/// what is too long for the memory allowed.
std::optional<TableEstimate> estimate_file(const std::string& path, ReadOptions& reading, double allowed);

/// Throws Error(data) when a table in memory, its inputs and a fit that takes `fit` bytes do not fit together.
void require_inputs_fit(const Table& table, double allowed, double fit, bool was_given);

/// "1.0 GB are free", or "are allowed" when --memory said so.
std::string limit_text(double allowed, bool was_given);
/// On standard error: so many bytes would be needed, and the rows stay on disk.
void say_on_disk(const std::string& path, const TableEstimate& estimate, double needed, const std::string& limit);

/// stream_table(), watched. Throws Interrupted after Ctrl-C.
Table stream_watched(const std::string& path, const ReadOptions& reading, const std::string& cache_folder,
                     Watch& watch);

}  // namespace lacuna::cli
