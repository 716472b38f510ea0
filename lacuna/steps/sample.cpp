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
}

// Those of the smallest keys, and two of every stratum.
void thin(Sample& sample) {
  if (std::int64_t(sample.key.size()) <= sample.size) return;
  std::vector<Index> order(sample.key.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::sort(order, {},
                    [&](Index i) { return std::pair(sample.key[std::size_t(i)], sample.number[std::size_t(i)]); });
  std::map<std::string, int> seen;
  std::vector<Index> kept;
  for (std::size_t k = 0; k < order.size(); ++k)
    if (int& of_stratum = seen[sample.stratum[std::size_t(order[k])]]; of_stratum++ < 2 || k < std::size_t(sample.size))
      kept.push_back(order[k]);
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
  const auto rows = detail::kept_rows_of_part(part, roles, columns.missing, dropped);
  Sample out{.size = size};
  out.rows = take_rows(part, std::vector<Index>(rows.begin(), rows.end()));
  for (const std::int64_t i : rows) {
    out.number.push_back(first_row + i);
    out.key.push_back(key_of(std::uint64_t(out.number.back()), seed));
    out.stratum.push_back(stratum_of(part.columns[roles.targets[0]], columns.task, std::size_t(i)));
  }
  thin(out);
  return out;
}

}  // namespace lacuna
