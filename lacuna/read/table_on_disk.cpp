#include "lacuna/read/table_on_disk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <variant>

#include "lacuna/base/error.hpp"
#include "lacuna/read/cell_store.hpp"
#include "lacuna/read/detail/csv_reader.hpp"
#include "lacuna/read/detail/libsvm_reader.hpp"
#include "lacuna/read/detail/sniff.hpp"
#include "lacuna/read/detail/windows.hpp"

namespace lacuna {
namespace {

using detail::CellStore;
using detail::CsvReader;
using detail::LibsvmReader;
using detail::Windows;

constexpr double megabyte = 1e6;

using Reader = std::variant<CsvReader, LibsvmReader>;

Reader reader_of(const Windows& windows, const ReadOptions& options, std::size_t most_levels) {
  const std::string& source = windows.reader().source();
  if (detail::is_libsvm(windows.head(), options)) return LibsvmReader(source, options, most_levels);
  return CsvReader(windows.head(), source, options, most_levels);
}

// Hands every window of the text to `use`.
template <class AnyReader, class Use>
void over_windows(Windows& windows, AnyReader& reader, const Observer& observer, Use&& use) {
  if (!windows.is_all() && reader.header_bytes() == windows.head().size())
    fail_data(fmt::format("read: {}: the first row is too long for a file that is read in pieces",
                          windows.reader().source()));
  windows.skip(reader.header_bytes());
  const auto whole_rows = [&](std::string_view text) { return reader.whole_rows(text); };
  for (auto window = windows.next(whole_rows); !window.empty(); window = windows.next(whole_rows)) {
    const Progress progress{.stage = "reading",
                            .done = long(double(windows.reader().consumed()) / megabyte),
                            .total = long(double(windows.reader().file_bytes()) / megabyte) + 1};
    if (!go_on(observer, progress)) fail_data(fmt::format("read: {}: stopped", windows.reader().source()));
    use(window);
    if (windows.too_long())
      fail_data(fmt::format("read: {}: a row of more than {} MB is too long for a file that is read in pieces",
                            windows.reader().source(), Windows::longest_row >> 20));
  }
}

// Moves the cells that were read into the store; the first of them are of row `first_row`.
void drain(Table& table, std::int64_t first_row, CellStore& store) {
  std::vector<double> codes;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    Column& column = table.columns[j];
    store.write(j, first_row, column.number);
    column.number.clear();
    codes.assign(column.code.begin(), column.code.end());
    store.write(j, first_row, codes);
    column.code.clear();
  }
  if (!table.sparse) return;
  SparseMatrix& X = *table.sparse;
  store.write_entries(X.row_start.back() - std::int64_t(X.value.size()), X.column, X.value);
  X.column.clear();
  X.value.clear();
}

template <class AnyReader>
Table read_into(AnyReader& reader, Windows& windows, std::shared_ptr<CellStore> store, const std::string& path,
                const ReadOptions& options, const StreamOptions& streaming) {
  over_windows(windows, reader, streaming.observer, [&](std::string_view window) {
    const std::int64_t first_row = reader.table().rows;
    reader.read(window);
    drain(reader.table(), first_row, *store);
  });
  if (reader.has_late()) {
    Windows again(path, streaming.window_bytes, options);
    over_windows(again, reader, streaming.observer, [&](std::string_view window) {
      const std::int64_t first_row = reader.rows_again();
      reader.read_again(window);
      drain(reader.table(), first_row, *store);
    });
    if (reader.rows_again() != reader.table().rows)
      fail_data(fmt::format("read: {}: the file changed while it was read", windows.reader().source()));
  }
  Table table = reader.finish();
  for (Column& column : table.columns) {
    column.number.shrink_to_fit();
    column.code.shrink_to_fit();
  }
  table.store = std::move(store);
  return table;
}

std::string temporary_folder() {
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  if (error)
    fail_data(fmt::format("cache: the folder for temporary files (TMPDIR{}) cannot be used: {}",
                          std::getenv("TMPDIR") != nullptr ? fmt::format(" = {}", std::getenv("TMPDIR")) : "",
                          error.message()));
  return folder.string();
}

// The beginning of the text, read into memory, tells what a row is like.
template <class AnyReader>
TableEstimate estimate(const Windows& windows, AnyReader reader) {
  const std::string_view body = windows.head().substr(reader.header_bytes());
  const std::size_t whole = windows.is_all() ? body.size() : reader.whole_rows(body);
  reader.read(body.substr(0, whole));
  const Table& table = reader.table();
  TableEstimate out;
  out.text_bytes = double(windows.head().size());
  if (table.rows == 0 || whole == 0) return out;
  if (!windows.is_all())  // packed or not, the rest is taken to be like the beginning
    out.text_bytes *= double(windows.reader().file_bytes()) / double(windows.reader().consumed());
  out.rows = double(table.rows) * out.text_bytes / double(whole);
  const double entries = table.sparse ? double(table.sparse->value.size()) / double(table.rows) : 0.0;
  double features = 0.0;
  for (const Column& c : table.columns)  // a text of very many levels cannot be a feature
    features += !c.is_text ? 1.0 : c.levels.size() <= 1000 ? double(c.levels.size()) : 0.0;
  out.cell_bytes = out.rows * (8.0 * double(table.columns.size()) + 12.0 * entries);
  out.input_bytes = out.rows * (table.sparse ? 12.0 * entries : 8.0 * features);
  // Which rows stay, where they are in the file, a target, weights, and one column at a time.
  out.row_bytes = out.rows * 5.0 * 8.0;
  return out;
}

}  // namespace

TableEstimate estimate_table(const std::string& path, const ReadOptions& options) {
  const Windows windows(path, Windows::usual_bytes, options);
  return std::visit([&](const auto& reader) { return estimate(windows, reader); },
                    reader_of(windows, options, StreamOptions{}.most_levels));
}

Table stream_table(const std::string& path, const ReadOptions& options, const StreamOptions& streaming) {
  Windows windows(path, streaming.window_bytes, options);
  if (windows.reader().file_bytes() < 0)
    fail_usage(
        fmt::format("read: {}: only a file can be read in pieces; save it to one first", windows.reader().source()));
  Reader reader = reader_of(windows, options, streaming.most_levels);
  const std::string folder = streaming.cache_folder.empty() ? temporary_folder() : streaming.cache_folder;
  return std::visit(
      [&](auto& r) {
        const double needed = estimate(windows, r).cell_bytes, free = detail::free_disk_bytes(folder);
        if (needed > free)
          fail_data(
              fmt::format("cache: {}: the rows take about {:.1f} GB, and {:.1f} GB are free; -o names a file on "
                          "another disk",
                          folder, needed / 1e9, free / 1e9));
        const auto store = std::make_shared<CellStore>(folder, r.table().columns.size());
        return read_into(r, windows, store, path, options, streaming);
      },
      reader);
}

double cache_bytes(const Table& table) { return table.store ? table.store->bytes() : 0.0; }

}  // namespace lacuna
