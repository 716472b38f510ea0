#include "lacuna/report/work.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna {
namespace {

std::string about_memory(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.0f} MB", std::max(1.0, bytes / 1e6)) : fmt::format("{:.2g} GB", bytes / 1e9);
}

std::string what(const WorkEstimate& work) {
  switch (work.way) {
    case WorkEstimate::Way::all_rows:
      return "a machine of all rows";
    case WorkEstimate::Way::columns:
      return "a linear machine, solved by its columns";
    case WorkEstimate::Way::basis:
      break;
  }
  return fmt::format("a basis of {}{} rows", work.grows ? "up to " : "", work.basis);
}

}  // namespace

std::string about_time(double seconds) {
  constexpr double minute = 60.0, hour = 3600.0, day = 86400.0;
  if (seconds < 1.5 * minute) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 1.5 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 1.5 * day) return fmt::format("{:.0f} h", seconds / hour);
  return fmt::format("{:.0f} days", seconds / day);
}

std::string work_text(const WorkEstimate& work) {
  std::string time = "about " + about_time(work.seconds);
  if (const std::string least = about_time(work.least_seconds); work.grows && least != about_time(work.seconds))
    time = fmt::format("about {} on easy to {} on hard data", least, about_time(work.seconds));
  std::string out = fmt::format("{} rows, {} columns: {}, {} and {} of memory", work.rows, work.features, what(work),
                                time, about_memory(work.bytes));
  if (work.by_size)
    out += fmt::format("; all rows would take about {} and {} (`basis=none` insists)",
                       about_time(work.seconds_of_all_rows), about_memory(work.bytes_of_all_rows));
  return out;
}

}  // namespace lacuna
