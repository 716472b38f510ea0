#include "lacuna/compute/host/precise.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <limits>

#include "lacuna/base/twofold.hpp"
#include "lacuna/compute/cpu/wide.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/kernel/diagonal.hpp"

// Everything inside is compiled into each version of a wide function: the twofold operations are too many and too small
// to be calls.
#define LACUNA_WIDE_INLINE LACUNA_WIDE __attribute__((flatten))

namespace lacuna {
namespace {

// Eight doubles, one for each of eight rows, as the compiler's vectors have them. Packed: in memory they need not lie
// where the widest registers would like them, which not every operator new of a host process heeds.
struct __attribute__((packed, aligned(8))) Eight {
  using Vector = double __attribute__((vector_size(64)));
  Vector v;

  static Eight of(const double* x) {
    Eight out;
    std::memcpy(&out, x, sizeof out);
    return out;
  }
  template <class F>
  Eight each(const F& f) const {
    Vector out = v;
    for (int i = 0; i < 8; ++i) out[i] = f(out[i]);
    return {out};
  }
};

inline Eight operator-(const Eight& a) { return {-a.v}; }
inline Eight operator+(const Eight& a, const Eight& b) { return {a.v + b.v}; }
inline Eight operator-(const Eight& a, const Eight& b) { return {a.v - b.v}; }
inline Eight operator*(const Eight& a, const Eight& b) { return {a.v * b.v}; }
inline Eight operator/(const Eight& a, const Eight& b) { return {a.v / b.v}; }
inline Eight operator+(const Eight& a, double b) { return {a.v + b}; }
inline Eight operator+(double a, const Eight& b) { return {a + b.v}; }
inline Eight operator-(double a, const Eight& b) { return {a - b.v}; }
inline Eight operator*(const Eight& a, double b) { return {a.v * b}; }
inline Eight operator*(double a, const Eight& b) { return {a * b.v}; }
inline Eight operator/(const Eight& a, double b) { return {a.v / b}; }
inline Eight max(const Eight& a, double b) { return {a.v > b ? a.v : Eight::Vector{} + b}; }
inline Eight min(const Eight& a, double b) { return {a.v < b ? a.v : Eight::Vector{} + b}; }
inline Eight sqrt(const Eight& a) {
  return a.each([](double x) { return std::sqrt(x); });
}
inline Eight log1p(const Eight& a) {
  return a.each([](double x) { return std::log1p(x); });
}

constexpr std::size_t kGroups = 8;
constexpr Index kRows = 8 * Index(kGroups);  // of X, that are worked on together
using Block = std::array<Twofold<Eight>, kGroups>;

LACUNA_WIDE_INLINE void add_products(Block& u, const double* x, double weight, double y) {
  for (std::size_t g = 0; g < kGroups; ++g) u[g] = u[g] + two_product(Eight::of(x + 8 * g) * weight, Eight{} + y);
}

LACUNA_WIDE_INLINE void add_squares(Block& u, const double* x, double weight, double y, double theta) {
  for (std::size_t g = 0; g < kGroups; ++g)
    u[g] = u[g] + theta * square(two_sum(Eight::of(x + 8 * g) * weight, Eight{} - (Eight{} + y)));
}

LACUNA_WIDE_INLINE void add_times(Block& sum, const Block& k, double a) {
  for (std::size_t g = 0; g < kGroups; ++g) sum[g] = sum[g] + k[g] * a;
}

LACUNA_WIDE_INLINE void combine(Block& a, const Block& b, bool sum) {
  for (std::size_t g = 0; g < kGroups; ++g) a[g] = sum ? a[g] + b[g] : a[g] * b[g];
}

template <class K>
LACUNA_WIDE_INLINE void map_values(const K& kernel, Block& u) {
  for (std::size_t g = 0; g < kGroups; ++g) u[g] = kernel.value(u[g]);
}

// Some rows of X, feature by feature, against one row of Y.
struct Pairs {
  const Matrix& x;  // kRows x d
  const double* y;
  // Of sparse rows, ascending: columns where y is not 0, and where it or some x is not. Null: all. The others would add
  // zeros, and leave every bit as it is.
  const std::vector<Index>* of_y = nullptr;
  const std::vector<Index>* of_either = nullptr;
  std::vector<double> weights{};  // of the features; empty: none
};

Block coordinates(const Pairs& pairs, kernels::Geometry geometry, const std::vector<double>* theta) {
  Block u{};
  const auto add = [&](Index k) {
    const double w = pairs.weights.empty() ? 1.0 : pairs.weights[std::size_t(k)];
    if (geometry == kernels::Geometry::dot)
      add_products(u, pairs.x.col(k).data(), w, pairs.y[k] * w);
    else
      add_squares(u, pairs.x.col(k).data(), w, pairs.y[k] * w, theta ? (*theta)[std::size_t(k)] : 1.0);
  };
  if (const auto* columns = geometry == kernels::Geometry::dot ? pairs.of_y : pairs.of_either)
    for (const Index k : *columns) add(k);
  else
    for (Index k = 0; k < pairs.x.cols(); ++k) add(k);
  return u;
}

Block kernel_values(const Kernel& kernel, const Pairs& pairs) {
  return std::visit(
      [&]<class K>(const K& k) -> Block {
        if constexpr (std::is_same_v<K, kernels::Relevance>) {
          Pairs weighed = pairs;
          weighed.weights = k.weights;
          for (std::size_t j = 0; j < weighed.weights.size() && !pairs.weights.empty(); ++j)
            weighed.weights[j] *= pairs.weights[j];
          return kernel_values(k.parts[0], weighed);
        } else if constexpr (kernels::Combination<K>) {
          Block out = kernel_values(k.parts[0], pairs);
          for (std::size_t p = 1; p < k.parts.size(); ++p)
            combine(out, kernel_values(k.parts[p], pairs), std::is_same_v<K, kernels::Sum>);
          return out;
        } else if constexpr (std::is_same_v<K, kernels::Linear>) {
          return coordinates(pairs, kernels::Geometry::dot, nullptr);
        } else if constexpr (kernels::PerFeature<K>) {
          Block u = coordinates(pairs, K::geometry, &k.theta);
          map_values(k, u);
          return u;
        } else if constexpr (K::geometry == kernels::Geometry::dot || K::geometry == kernels::Geometry::distance) {
          Block u = coordinates(pairs, K::geometry, nullptr);
          map_values(k, u);
          return u;
        } else {
          return {};  // no formula: has_precise_values() has said so
        }
      },
      kernel.form);
}

Twofold<double> lane(const Block& block, Index i) {
  const auto& at = block[std::size_t(i / 8)];
  return {at.high.v[i % 8], at.low.v[i % 8]};
}

// One row after another with its zeros, and of sparse ones the columns where it has none.
class RowReader {
 public:
  explicit RowReader(const RowsView& rows) : rows_(rows), row_(std::size_t(rows.cols())) {}

  const double* at(Index i) {
    if (!rows_.is_sparse()) {
      Eigen::Map<Eigen::RowVectorXd>(row_.data(), rows_.cols()) = rows_.dense().eigen().row(i);
      return row_.data();
    }
    for (const Index k : columns_) row_[std::size_t(k)] = 0.0;
    columns_.clear();
    const SparseView& sparse = rows_.sparse();
    for (std::int64_t e = sparse.row_start[i]; e < sparse.row_start[i + 1]; ++e) {
      row_[std::size_t(sparse.column[e])] = sparse.value[e];
      columns_.push_back(sparse.column[e]);
    }
    return row_.data();
  }
  /// Of the row that was read last; null: all.
  const std::vector<Index>* columns() const { return rows_.is_sparse() ? &columns_ : nullptr; }

 private:
  const RowsView& rows_;
  std::vector<double> row_;
  std::vector<Index> columns_;
};

// Some rows of X, feature by feature.
class RowBlock {
 public:
  explicit RowBlock(const RowsView& X) : X_(X), reader_(X), x_(Matrix::Zero(kRows, X.cols())) {}

  void read(Index first, Index last) {
    for (const Index k : columns_) x_.col(k).setZero();
    columns_.clear();
    for (Index i = 0; i < kRows; ++i) {
      const double* row = reader_.at(std::min(first + i, last - 1));
      if (const auto* columns = reader_.columns()) {
        for (const Index k : *columns) x_(i, k) = row[k];
        columns_.insert(columns_.end(), columns->begin(), columns->end());
      } else {
        x_.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row, X_.cols());
      }
    }
    std::ranges::sort(columns_);
    columns_.erase(std::ranges::unique(columns_).begin(), columns_.end());
  }
  /// Kernel values with the row that `y` has read last, which is at `row`.
  Block values(const Kernel& kernel, const RowReader& y, const double* row) {
    if (y.columns() == nullptr) return kernel_values(kernel, {x_, row});
    either_.clear();
    std::ranges::set_union(columns_, *y.columns(), std::back_inserter(either_));
    return kernel_values(kernel, {x_, row, y.columns(), &either_});
  }

 private:
  const RowsView& X_;
  RowReader reader_;
  Matrix x_;
  std::vector<Index> columns_, either_;  // of sparse rows
};

// step(x, first, count): x has kRows rows, of which the first `count` are those from `first` on.
template <class Step>
void for_each_block(const RowsView& X, const Step& step) {
  parallel_ranges(X.rows(), kRows, [&](Index first, Index last) {
    RowBlock x(X);
    x.read(first, last);
    step(x, first, last - first);
  });
}

}  // namespace

double expansion_error(const Kernel& kernel, const RowsView& Y, const Matrix& A) {
  if (A.size() == 0 || uses_geometry(kernel, kernels::Geometry::given)) return 0.0;
  const Vector self = kernel_diagonal(kernel, Y);
  return std::numeric_limits<double>::epsilon() * (self.asDiagonal() * A).colwise().norm().maxCoeff();
}

bool has_precise_values(const Kernel& kernel, const RowsView& Y) {
  constexpr Index most_columns = 100'000;  // of sparse rows, whose blocks are written out with their zeros
  return (!Y.is_sparse() || Y.cols() <= most_columns) && !uses_geometry(kernel, kernels::Geometry::given) &&
         !uses_geometry(kernel, kernels::Geometry::rows);
}

bool wants_precision(const Kernel& kernel, const RowsView& Y, const Matrix& A) {
  constexpr double visible = 4e-14;  // typically: the largest of a thousand rows may have ten times that
  return has_precise_values(kernel, Y) &&
         (uses_geometry(kernel, kernels::Geometry::dot) || expansion_error(kernel, Y, A) > visible);
}

Matrix expand_precisely(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A) {
  Matrix out(X.rows(), A.cols());
  for_each_block(X, [&](RowBlock& x, Index first, Index count) {
    RowReader to(Y);
    std::vector<Block> z(std::size_t(A.cols()), Block{});
    for (Index j = 0; j < Y.rows(); ++j) {
      const Block k = x.values(kernel, to, to.at(j));
      for (Index c = 0; c < A.cols(); ++c) add_times(z[std::size_t(c)], k, A(j, c));
    }
    for (Index c = 0; c < A.cols(); ++c)
      for (Index i = 0; i < count; ++i) out(first + i, c) = lane(z[std::size_t(c)], i).high;
  });
  return out;
}

PreciseValues precise_values(const Kernel& kernel, const RowsView& X, const RowsView& Y) {
  PreciseValues out{Matrix(X.rows(), Y.rows()), std::vector<Twofold<double>>(std::size_t(X.rows()))};
  for_each_block(X, [&](RowBlock& x, Index first, Index count) {
    RowReader from(X), to(Y);
    for (Index j = 0; j < Y.rows(); ++j) {
      const Block k = x.values(kernel, to, to.at(j));
      for (Index i = 0; i < count; ++i) out.k(first + i, j) = lane(k, i).high;
    }
    for (Index i = 0; i < count; ++i)
      out.self[std::size_t(first + i)] = lane(x.values(kernel, from, from.at(first + i)), i);
  });
  return out;
}

}  // namespace lacuna
