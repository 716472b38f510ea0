#include "lacuna/data/table.hpp"

#include <fmt/format.h>

#include "lacuna/base/error.hpp"
#include "lacuna/data/csv.hpp"
#include "lacuna/data/detail/bytes.hpp"
#include "lacuna/data/detail/sniff.hpp"
#include "lacuna/data/libsvm.hpp"

namespace lacuna {
namespace {

void refuse_other_encodings(std::string_view text, const std::string& source) {
  if (text.substr(0, 2) == "\xff\xfe" || text.substr(0, 2) == "\xfe\xff")
    fail_data(fmt::format("read: {}: the text is UTF-16; save it as UTF-8", source));
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    fail_data(fmt::format("read: {}: not a text file (it holds zero bytes)", source));
}

}  // namespace

const Column* Table::find(std::string_view name) const {
  for (const Column& c : columns)
    if (c.name == name) return &c;
  return nullptr;
}

Table parse_table(std::string_view text, const std::string& source, const ReadOptions& options) {
  refuse_other_encodings(text, source);
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);  // UTF-8 byte-order mark
  using Format = ReadOptions::Format;
  const bool sparse = options.format == Format::libsvm ||
                      (options.format == Format::automatic && !options.delimiter && detail::looks_like_libsvm(text));
  return sparse ? parse_libsvm(text, source, options) : parse_csv(text, source, options);
}

Table read_table(const std::string& path, const ReadOptions& options) {
  const std::string source = path == "-" ? "standard input" : path;
  const detail::Bytes bytes = detail::read_bytes(path);
  if (!detail::is_gzip(bytes.view())) return parse_table(bytes.view(), source, options);
  const detail::Bytes unpacked = detail::gunzip(bytes.view(), source);
  return parse_table(unpacked.view(), source, options);
}

}  // namespace lacuna
