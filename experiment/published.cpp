#include "experiment/published.hpp"

#include <map>
#include <string>

#include "lacuna/base/error.hpp"
#include "published_tables.hpp"  // written by the build: name and text of each CSV

namespace lacuna {

const Table& published_table(std::string_view name) {
  static const auto tables = [] {
    std::map<std::string, Table, std::less<>> all;
    for (const auto& [key, text] : published_texts) all.emplace(key, parse_table(text, std::string(key)));
    return all;
  }();
  const auto at = tables.find(name);
  if (at == tables.end()) throw Error(Error::Kind::internal, "published: there is no table " + std::string(name));
  return at->second;
}

std::optional<SampleMean> published(std::string_view name, std::string_view dataset, std::string_view method) {
  const Table& table = published_table(name);
  const auto word = [&](std::size_t j, std::size_t i) {
    return std::string_view(table.columns[j].levels[std::size_t(table.columns[j].code[i])]);
  };
  for (std::size_t i = 0; i < std::size_t(table.rows); ++i)
    if (word(0, i) == dataset && word(1, i) == method)
      return SampleMean{table.columns[2].number[i], table.columns[3].number[i], 0};
  return {};
}

}  // namespace lacuna
