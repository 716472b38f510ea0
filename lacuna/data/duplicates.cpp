#include "lacuna/data/duplicates.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace lacuna {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t v) { return (std::rotl(h, 5) ^ v) * 0x9e3779b97f4a7c15U; }

// Calls f(column, value) for the elements of row i that are not zero, in order of columns, until it answers false.
template <class F>
void each_non_zero(const RowsView& X, Index i, F&& f) {
  if (X.is_sparse()) {
    const SparseView& s = X.sparse();
    for (std::int64_t k = s.row_start[i]; k < s.row_start[i + 1]; ++k)
      if (s.value[k] != 0.0 && !f(Index(s.column[k]), s.value[k])) return;
  } else {
    const MatrixView& d = X.dense();
    for (Index j = 0; j < d.cols; ++j)
      if (d(i, j) != 0.0 && !f(j, d(i, j))) return;
  }
}

}  // namespace

std::vector<Index> first_of_copies(const Dataset& data, const RowSource& X) {
  constexpr Index at_once = 4096;
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x + 0.0); };  // 0 and -0 are equal
  std::map<std::pair<std::uint64_t, std::uint64_t>, Index> seen;
  std::vector<Index> first(static_cast<std::size_t>(X.rows()));
  for (Index from = 0; from < X.rows(); from += at_once) {
    const Index count = std::min(at_once, X.rows() - from);
    const RowSource::Block block = X.block(from, count);
    const RowsView rows = block;
    for (Index k = 0; k < count; ++k) {
      const Index i = from + k;
      std::uint64_t one = 0, other = 0x243f6a8885a308d3U;  // two ways of mixing the same numbers
      const auto add = [&](std::uint64_t v) {
        one = mix(one, v);
        other = (std::rotl(other, 23) + v) * 0xd6e8feb86659fd93U;
        other ^= other >> 32;
      };
      each_non_zero(rows, k, [&](Index j, double x) {
        add(std::uint64_t(j));
        add(bits(x));
        return true;
      });
      if (!data.label.empty()) add(std::uint64_t(data.label[std::size_t(i)]));
      for (Index c = 0; c < data.targets.cols(); ++c) add(bits(data.targets(i, c)));
      if (data.offset.size() > 0) add(bits(data.offset[i]));
      if (!data.group.empty()) add(std::uint64_t(data.group[std::size_t(i)]));
      first[std::size_t(i)] = seen.emplace(std::pair(one, other), i).first->second;
    }
  }
  return first;
}

Index count_copies(const Dataset& data) {
  const std::vector<Index> first = first_of_copies(data, data.X);
  Index copies = 0;
  for (Index i = 0; i < data.size(); ++i) copies += first[std::size_t(i)] != i;
  return copies;
}

}  // namespace lacuna
