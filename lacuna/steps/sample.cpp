#include "lacuna/steps/sample.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "lacuna/base/error.hpp"
#include "lacuna/data/detail/entering_rows.hpp"
#include "lacuna/data/detail/roles.hpp"
#include "lacuna/read/append.hpp"

namespace lacuna {
namespace {

// splitmix64: one number after another gives keys without a pattern.
std::uint64_t key_of(std::uint64_t number, std::uint64_t seed) {
  std::uint64_t z = number + 0x9e3779b97f4a7c15U * (seed + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

template <class T>
std::vector<T> taken(const std::vector<T>& all, const std::vector<Index>& which) {
  std::vector<T> out;
  for (const Index i : which) out.push_back(all[std::size_t(i)]);
  return out;
}

void take(Sample& sample, const std::vector<Index>& which) {
  sample.rows = take_rows(sample.rows, which);
  sample.key = taken(sample.key, which);
  sample.number = taken(sample.number, which);
  sample.stratum = taken(sample.stratum, which);
  sample.empty = taken(sample.empty, which);
}

// Those of the smallest keys, and two of every stratum.
void thin(Sample& sample) {
  if (std::int64_t(sample.key.size()) <= sample.size) return;
  std::vector<Index> order(sample.key.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::sort(order, {},
                    [&](Index i) { return std::pair(sample.key[std::size_t(i)], sample.number[std::size_t(i)]); });
  struct Seen {
    std::int64_t rows = 0;
    std::map<std::string, int> of_stratum{};
  };
  std::map<std::string, Seen> of_sample;
  std::vector<Index> kept;
  for (const Index i : order) {
    Seen& seen = of_sample[sample.empty[std::size_t(i)]];
    const bool rare = seen.of_stratum[sample.stratum[std::size_t(i)]]++ < 2;
    if (seen.rows++ < sample.size || rare) kept.push_back(i);
  }
  take(sample, kept);
}

std::string stratum_of(const Column& target, DataOptions::TaskRequest task, std::size_t row) {
  if (target.is_text) return target.code[row] < 0 ? "" : target.levels[std::size_t(target.code[row])];
  if (task == DataOptions::TaskRequest::classification) return number_text(target.number[row]);
  return task == DataOptions::TaskRequest::counts && target.number[row] > 0.0 ? "some" : "";
}

}  // namespace

Sample& Sample::operator+=(const Sample& others) {
  if (others.size > 0 && size > 0 && size != others.size)
    fail_usage("steps: samples of different sizes cannot be added");
  size = std::max(size, others.size);
  if (others.key.empty()) return *this;
  append_rows(rows, others.rows);
  key.insert(key.end(), others.key.begin(), others.key.end());
  number.insert(number.end(), others.number.begin(), others.number.end());
  stratum.insert(stratum.end(), others.stratum.begin(), others.stratum.end());
  empty.insert(empty.end(), others.empty.begin(), others.empty.end());
  thin(*this);
  return *this;
}

Table Sample::table() const {
  std::vector<Index> order(number.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::sort(order, {}, [&](Index i) { return number[std::size_t(i)]; });
  return take_rows(rows, order);
}

Sample draw(const Table& part, const DataOptions& columns, std::int64_t first_row, std::int64_t size,
            std::uint64_t seed) {
  if (size <= 0) fail_usage("steps: a sample has at least one row");
  const detail::Roles roles = detail::assign_roles(part, columns);
  Warnings dropped;
  const std::vector<std::size_t> features = detail::features_with_values(part, roles);
  const auto rows = detail::kept_rows_of_part(part, roles, columns.missing, features, dropped);
  std::string empty;
  if (columns.missing == Missing::drop)
    for (const std::size_t j : roles.features)
      if (std::ranges::find(features, j) == features.end()) empty += part.columns[j].name + '\n';
  Sample out{.size = size};
  out.rows = take_rows(part, std::vector<Index>(rows.begin(), rows.end()));
  for (const std::int64_t i : rows) {
    out.number.push_back(first_row + i);
    out.key.push_back(key_of(std::uint64_t(out.number.back()), seed));
    out.stratum.push_back(stratum_of(part.columns[roles.targets[0]], columns.task, std::size_t(i)));
    out.empty.push_back(empty);
  }
  thin(out);
  return out;
}

}  // namespace lacuna
