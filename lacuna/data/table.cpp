#include "lacuna/data/table.hpp"

#include <algorithm>

#include "lacuna/data/csv.hpp"
#include "lacuna/data/detail/bytes.hpp"
#include "lacuna/data/detail/sniff.hpp"
#include "lacuna/data/detail/windows.hpp"
#include "lacuna/data/libsvm.hpp"

namespace lacuna {
std::int64_t LineNumbers::operator[](std::int64_t row) const {
  const auto after = std::upper_bound(stretches_.begin(), stretches_.end(), row,
                                      [](std::int64_t r, const Stretch& s) { return r < s.row; });
  return after[-1].line + row - after[-1].row;
}

const Column* Table::find(std::string_view name) const {
  for (const Column& c : columns)
    if (c.name == name) return &c;
  return nullptr;
}

Table parse_table(std::string_view text, const std::string& source, const ReadOptions& options) {
  text = detail::plain_text(text, source);
  return detail::is_libsvm(text, options) ? parse_libsvm(text, source, options) : parse_csv(text, source, options);
}

Table read_table(const std::string& path, const ReadOptions& options) {
  detail::ByteReader reader(path);
  const detail::Bytes text = detail::read_text(reader, options.most_bytes);
  return parse_table(text.view(), reader.source(), options);
}

}  // namespace lacuna
