// benchmarks/whole/read_csv.cpp -- how fast a numeric CSV becomes a Table, on one core: 20 columns of numbers as
// programs write them, about 100 MB, from memory, from a file (which the system then has in its cache), and from a file
// in pieces to a cache on disk (read/table_on_disk.hpp). Prints MB/s, the best of three runs each, and ends with 1
// below the bar of 150 MB/s.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "lacuna/base/random.hpp"
#include "lacuna/read/table_on_disk.hpp"

namespace {

constexpr double bar = 150.0;  // MB/s
constexpr int columns = 20;

// Long decimals (all digits of a double), short ones, whole numbers and exponents, as in real tables.
std::string numeric_csv(std::size_t bytes) {
  lacuna::Random random(1);
  std::string text;
  for (int j = 0; j < columns; ++j) text += fmt::format("{}x{}", j ? "," : "", j + 1);
  text += '\n';
  while (text.size() < bytes) {
    for (int j = 0; j < columns; ++j) {
      const double x = random.normal();
      if (j > 0) text += ',';
      if (j < 10)
        fmt::format_to(std::back_inserter(text), "{}", x);
      else if (j < 16)
        fmt::format_to(std::back_inserter(text), "{:.6f}", x);
      else if (j < 19)
        fmt::format_to(std::back_inserter(text), "{}", int(1000.0 * x));
      else
        fmt::format_to(std::back_inserter(text), "{:.8e}", x);
    }
    text += '\n';
  }
  return text;
}

template <class Read>
double megabytes_per_second(std::size_t bytes, Read&& read) {
  double best = 0.0;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    const lacuna::Table table = read();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (table.columns.size() != std::size_t(columns) || table.columns[0].is_text) return 0.0;
    best = std::max(best, double(bytes) / 1e6 / seconds.count());
  }
  return best;
}

}  // namespace

int main() {
  const std::string text = numeric_csv(100'000'000);
  const double memory = megabytes_per_second(text.size(), [&] { return lacuna::parse_table(text, "memory"); });
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "lacuna_read_csv_benchmark.csv";
  std::ofstream(path, std::ios::binary) << text;
  const double file = megabytes_per_second(text.size(), [&] { return lacuna::read_table(path.string()); });
  const double pieces = megabytes_per_second(text.size(), [&] { return lacuna::stream_table(path.string(), {}); });
  std::filesystem::remove(path);
  fmt::print(
      "read_csv: {:.0f} MB, {} columns; from memory {:.0f} MB/s, from a file {:.0f} MB/s, in pieces {:.0f} MB/s; bar "
      "{:.0f} MB/s\n",
      double(text.size()) / 1e6, columns, memory, file, pieces, bar);
  return std::min({memory, file, pieces}) >= bar ? 0 : 1;
}
