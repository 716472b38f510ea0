#include "lacuna/read/csv.hpp"

#include "lacuna/read/detail/csv_reader.hpp"

namespace lacuna {

Table parse_csv(std::string_view text, const std::string& source, const ReadOptions& options) {
  detail::CsvReader reader(text, source, options);
  reader.read(text.substr(reader.header_bytes()));
  return reader.finish();
}

}  // namespace lacuna
