#include "cli/on_disk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/program.hpp"
#include "lacuna/base/error.hpp"

namespace lacuna::cli {

std::optional<TableEstimate> estimate_file(const std::string& path, ReadOptions& reading, double allowed) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored) || std::filesystem::is_directory(path, ignored))
    return estimate_table(path, reading);
  reading.most_bytes = allowed;
  return std::nullopt;
}

void require_inputs_fit(const Table& table, double allowed, double fit, bool was_given) {
  double features = 0.0, entries = 0.0;
  for (const Column& c : table.columns)  // a text of very many levels cannot be a feature
    features += !c.is_text ? 1.0 : c.levels.size() <= 1000 ? double(c.levels.size()) : 0.0;
  if (table.sparse) entries = double(table.sparse->value.size());
  const auto rows = double(table.rows);
  const double cells = 8.0 * rows * double(table.columns.size()) + 12.0 * entries;
  const double inputs = table.sparse ? 12.0 * entries : 8.0 * rows * features;
  if (const double needed = std::max(cells + inputs, inputs + fit); needed > allowed)
    fail_data(
        fmt::format("fit: {}: {} rows of {} columns need {} of memory, and {}; raise --memory, or fit a sample of "
                    "the rows or columns",
                    table.source, table.rows, table.columns.size(), size_text(needed), limit_text(allowed, was_given)));
}

std::string limit_text(double allowed, bool was_given) {
  return fmt::format("{} {}", size_text(allowed), was_given ? "are allowed" : "are free");
}

void say_on_disk(const std::string& path, const TableEstimate& estimate, double needed, const std::string& limit) {
  say(fmt::format("{}: about {:.0f} rows would need {} of memory, and {}: they stay on disk", path, estimate.rows,
                  size_text(needed), limit));
}

Table stream_watched(const std::string& path, const ReadOptions& reading, const std::string& cache_folder,
                     Watch& watch) {
  try {
    Table table = stream_table(path, reading, {.cache_folder = cache_folder, .observer = watch.observer()});
    watch.clear();
    return table;
  } catch (const Error&) {
    if (watch.stopped()) throw Interrupted{};
    throw;
  }
}

}  // namespace lacuna::cli
