#include "cli/on_disk.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/program.hpp"
#include "lacuna/base/error.hpp"

namespace lacuna::cli {

std::optional<TableEstimate> estimate_file(const std::string& path, ReadOptions& reading, double allowed) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return estimate_table(path, reading);
  reading.most_bytes = allowed / 2.0;  // the numbers come to about as much as the text
  return std::nullopt;
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
