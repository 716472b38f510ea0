#include "lacuna/compute/cpu/tiles.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "lacuna/compute/cpu/elementwise.hpp"
#include "lacuna/kernel/slope.hpp"

namespace lacuna::compute::cpu {
namespace {

double sparse_dot(const SparseView& a, Index i, const SparseView& b, Index j) {
  double sum = 0.0;
  for (auto p = a.row_start[i], q = b.row_start[j]; p < a.row_start[i + 1] && q < b.row_start[j + 1];) {
    if (a.column[p] == b.column[q])
      sum += a.value[p++] * b.value[q++];
    else if (a.column[p] < b.column[q])
      ++p;
    else
      ++q;
  }
  return sum;
}

// f(column, a_ik - b_jk) for the columns in which either has an entry.
template <class F>
void each_difference(const SparseView& a, Index i, const SparseView& b, Index j, const F& f) {
  auto p = a.row_start[i], q = b.row_start[j];
  const auto p_end = a.row_start[i + 1], q_end = b.row_start[j + 1];
  while (p < p_end || q < q_end) {
    if (q == q_end || (p < p_end && a.column[p] < b.column[q])) {
      f(a.column[p], a.value[p]);
      ++p;
    } else if (p == p_end || b.column[q] < a.column[p]) {
      f(b.column[q], -b.value[q]);
      ++q;
    } else {
      f(a.column[p], a.value[p] - b.value[q]);
      ++p, ++q;
    }
  }
}

// `centre` and `scale` may be empty: none.
void prepare_rows(PreparedRows& out, const RowsView& X, const Vector& centre, const Vector& scale, bool norms) {
  if (X.is_sparse()) {
    out.sparse_view = X.sparse();
    if (scale.size() > 0) {
      const SparseView& s = X.sparse();
      out.sparse_value.resize(std::size_t(s.row_start[s.rows]));
      for (std::size_t k = 0; k < out.sparse_value.size(); ++k) out.sparse_value[k] = s.value[k] * scale[s.column[k]];
      out.sparse_view.value = out.sparse_value.data();
    }
    out.sparse = &out.sparse_view;
    if (norms) {
      out.norm.resize(X.rows());
      for (Index i = 0; i < X.rows(); ++i) out.norm[i] = sparse_dot(out.sparse_view, i, out.sparse_view, i);
    }
    return;
  }
  out.dense = X.dense().eigen();
  if (centre.size() > 0) out.dense.rowwise() -= centre.transpose();
  if (scale.size() > 0) out.dense.array().rowwise() *= scale.transpose().array();
  if (norms) out.norm = out.dense.rowwise().squaredNorm();
}

// A value of k = value(u) shows an error of u that is eps times `squares` where it exceeds some eps.
constexpr double visible = 16.0;

// The largest u where it does. Kernels fall, ever more slowly, so it does everywhere below; and nowhere beyond a
// sixteenth of the squares, since a fall of 1 at most has a slope of 1/u at most.
template <class K>
double steep_up_to(const K& kernel, double squares) {
  if constexpr (HasSlope<K>) {
    const auto shows = [&](double u) { return -slope_in_u(kernel, u, kernel.value(u)) * squares > visible; };
    double high = squares / visible, low = 1e-16 * squares;
    if (!(low > 0.0) || !shows(low)) return 0.0;
    for (int step = 0; step < 60 && high > 1.01 * low; ++step) {
      const double middle = std::sqrt(low * high);
      (shows(middle) ? low : high) = middle;
    }
    return high;
  } else {
    return squares / visible;
  }
}

// Empty: 1.
Vector scaled(const Vector& a, const Vector& b) { return b.size() > 0 ? Vector(a.cwiseProduct(b)) : a; }

}  // namespace

KernelTiles::KernelTiles(const Kernel& kernel, const RowsView& X, const RowsView& Y, Distances distances)
    : kernel_(kernel), X_(X), Y_(Y), distances_(distances), parameter_count_(Index(kernel_parameters(kernel).size())) {
  same_ = X.is_sparse() == Y.is_sparse() && X.rows() == Y.rows() && X.cols() == Y.cols() &&
          (X.is_sparse() ? X.sparse().value == Y.sparse().value : X.dense().data == Y.dense().data);
  // Leaves point into themselves (sparse views), so the list must not move while it grows.
  const auto count = [](const Kernel& k, const auto& self) -> std::size_t {
    return std::visit(
        [&]<class K>(const K& form) -> std::size_t {
          if constexpr (kernels::HasParts<K>) {
            std::size_t n = 0;
            for (const Kernel& part : form.parts) n += self(part, self);
            return n;
          } else {
            return 1;
          }
        },
        k.form);
  };
  leaves_.reserve(count(kernel_, count));
  prepare(kernel_, {});
}

// `weights` of the features, from whatever weighs them around this kernel; empty: nothing does.
void KernelTiles::prepare(const Kernel& kernel, const Vector& weights) {
  std::visit(
      [&]<class K>(const K& k) {
        if constexpr (std::is_same_v<K, kernels::Relevance>) {
          prepare(k.parts[0], scaled(Eigen::Map<const Vector>(k.weights.data(), Index(k.weights.size())), weights));
        } else if constexpr (kernels::Combination<K>) {
          for (const Kernel& part : k.parts) prepare(part, weights);
        } else {
          Leaf& leaf = leaves_.emplace_back();
          leaf.geometry = K::geometry;
          if (K::geometry == kernels::Geometry::given) return;  // the data are the block
          const bool distance =
              K::geometry == kernels::Geometry::distance || K::geometry == kernels::Geometry::scaled_distance;
          Vector centre;
          Vector& scale = leaf.scale = weights;
          if (distance && !Y_.is_sparse() && Y_.rows() > 0) centre = Y_.dense().eigen().colwise().mean().transpose();
          if constexpr (std::is_same_v<K, kernels::Ard>)
            scale = scaled(Eigen::Map<const Vector>(k.theta.data(), Index(k.theta.size())).cwiseSqrt(), weights);
          prepare_rows(leaf.y, Y_, centre, scale, distance);
          if (!same_) prepare_rows(leaf.x, X_, centre, scale, distance);
          // A row so near one of Y has at most three times its squared norm. The other rows of X are not looked at:
          // the values of a row do not depend on them.
          if constexpr (kernels::Elementwise<K> || kernels::PerFeature<K>)
            if (distance && distances_ == Distances::exact && leaf.y.norm.size() > 0)
              leaf.steep = steep_up_to(k, 4.0 * leaf.y.norm.maxCoeff());
        }
      },
      kernel.form);
}

// The tile of u: one matrix product, or sparse rows one against another through a dense copy of one of them.
void KernelTiles::coordinates(std::size_t index, const Tile& t, double* u, Index ld) const {
  const Leaf& leaf = leaves_[index];
  if (leaf.geometry == kernels::Geometry::given) {
    for (Index j = 0; j < t.nj; ++j)
      for (Index i = 0; i < t.ni; ++i) u[i + j * ld] = X_.dense()(t.i0 + i, t.j0 + j);
    return;
  }
  const PreparedRows& y = leaf.y;
  const PreparedRows& x = same_ ? leaf.y : leaf.x;
  const bool sparse = x.sparse != nullptr && y.sparse != nullptr;
  if (sparse) {
    std::vector<double> row(std::size_t(std::max(x.sparse->cols, y.sparse->cols)), 0.0);
    for (Index j = 0; j < t.nj; ++j) {
      const SparseView& s = *y.sparse;
      const auto first = s.row_start[t.j0 + j], last = s.row_start[t.j0 + j + 1];
      for (auto k = first; k < last; ++k) row[std::size_t(s.column[k])] = s.value[k];
      for (Index i = 0; i < t.ni; ++i) {
        double sum = 0.0;
        for (auto k = x.sparse->row_start[t.i0 + i]; k < x.sparse->row_start[t.i0 + i + 1]; ++k)
          sum += x.sparse->value[k] * row[std::size_t(x.sparse->column[k])];
        u[i + j * ld] = sum;
      }
      for (auto k = first; k < last; ++k) row[std::size_t(s.column[k])] = 0.0;
    }
  } else {
    const Index d = y.dense.cols();
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, int(t.ni), int(t.nj), int(d), 1.0, x.dense.data() + t.i0 * d,
                int(d), y.dense.data() + t.j0 * d, int(d), 0.0, u, int(ld));
  }
  if (leaf.geometry == kernels::Geometry::dot) return;
  for (Index j = 0; j < t.nj; ++j) {
    double* column = u + j * ld;
    const double norm = y.norm[t.j0 + j];
    if (distances(t.ni, column, x.norm.data() + t.i0, norm) == 0 && leaf.steep == 0.0) continue;
    for (Index i = 0; i < t.ni; ++i) {  // twins, near twins and, of steep kernels, neighbours
      const double squares = x.norm[t.i0 + i] + norm;
      if (column[i] < std::max(1e-8 * squares, std::min(squares / visible, leaf.steep)))
        column[i] = squared_difference(index, t.i0 + i, t.j0 + j);
    }
  }
}

// Of the rows as they were given: those that are prepared have been rounded.
double KernelTiles::squared_difference(std::size_t index, Index i, Index j) const {
  const Vector& scale = leaves_[index].scale;
  double sum = 0.0;
  const auto add = [&](Index k, double difference) {
    if (scale.size() > 0) difference *= scale[k];
    sum += difference * difference;
  };
  if (X_.is_sparse()) {
    each_difference(X_.sparse(), i, Y_.sparse(), j, add);
  } else {
    const MatrixView &x = X_.dense(), &y = Y_.dense();
    for (Index k = 0; k < x.cols; ++k) add(k, x(i, k) - y(j, k));
  }
  return sum;
}

void KernelTiles::custom(const kernels::Custom& kernel, const Tile& t, double* out, Index ld) const {
  std::vector<double> a(std::size_t(X_.cols())), b(std::size_t(Y_.cols()));
  for (Index j = 0; j < t.nj; ++j) {
    dense_row(Y_, t.j0 + j, b.data());
    for (Index i = 0; i < t.ni; ++i) {
      dense_row(X_, t.i0 + i, a.data());
      out[i + j * ld] = kernel.pair_value(a, b, kernel.parameter);
    }
  }
}

void KernelTiles::contract_custom(const kernels::Custom& kernel, const Tile& t, const double* G, double* sum) const {
  if (!kernel.pair_d_log) return;  // its parameters are fixed: nobody asks
  std::vector<double> a(std::size_t(X_.cols())), b(std::size_t(Y_.cols()));
  for (Index j = 0; j < t.nj; ++j)
    for (Index i = 0; i < t.ni; ++i) {
      dense_row(X_, t.i0 + i, a.data());
      dense_row(Y_, t.j0 + j, b.data());
      for (std::size_t p = 0; p < kernel.parameter.size(); ++p)
        sum[p] += G[i + j * t.ni] * kernel.pair_d_log(int(p), a, b, kernel.parameter);
    }
}

void KernelTiles::evaluate(Index i0, Index ni, Index j0, Index nj, double* out, Index ld) const {
  std::size_t leaf = 0;
  evaluate(kernel_, leaf, {i0, ni, j0, nj}, out, ld);
}

void KernelTiles::evaluate(const Kernel& kernel, std::size_t& leaf, const Tile& t, double* out, Index ld) const {
  std::visit(
      [&]<class K>(const K& k) {
        if constexpr (kernels::HasParts<K>) {
          evaluate(k.parts[0], leaf, t, out, ld);
          std::vector<double> more(std::size_t(t.size()));
          for (std::size_t i = 1; i < k.parts.size(); ++i) {
            evaluate(k.parts[i], leaf, t, more.data(), t.ni);
            for (Index j = 0; j < t.nj; ++j) {
              if constexpr (std::is_same_v<K, kernels::Sum>)
                add(t.ni, out + j * ld, more.data() + j * t.ni);
              else
                multiply(t.ni, out + j * ld, more.data() + j * t.ni);
            }
          }
        } else if constexpr (std::is_same_v<K, kernels::Custom>) {
          custom(k, t, out, ld);
          ++leaf;
        } else {
          coordinates(leaf++, t, out, ld);
          for (Index j = 0; j < t.nj; ++j) map_value(kernel, t.ni, out + j * ld);
        }
      },
      kernel.form);
}

std::vector<std::vector<double>> KernelTiles::values_of_parts(const std::vector<Kernel>& parts, std::size_t& leaf,
                                                              const Tile& t) const {
  std::vector<std::vector<double>> value(parts.size(), std::vector<double>(std::size_t(t.size())));
  for (std::size_t i = 0; i < parts.size(); ++i) evaluate(parts[i], leaf, t, value[i].data(), t.ni);
  return value;
}

std::vector<double> KernelTiles::times_others(const double* G, const std::vector<std::vector<double>>& value,
                                              std::size_t which) {
  std::vector<double> out(G, G + value[which].size());
  for (std::size_t j = 0; j < value.size(); ++j)
    if (j != which) multiply(Index(out.size()), out.data(), value[j].data());
  return out;
}

void KernelTiles::contract(Index i0, Index ni, Index j0, Index nj, const double* G, double* sum) const {
  std::size_t leaf = 0;
  contract(kernel_, leaf, {i0, ni, j0, nj}, G, sum);
}

void KernelTiles::contract(const Kernel& kernel, std::size_t& leaf, const Tile& t, const double* G,
                           double*& sum) const {
  std::visit(
      [&]<class K>(const K& k) {
        if constexpr (std::is_same_v<K, kernels::Sum> || std::is_same_v<K, kernels::Relevance>) {
          for (const Kernel& part : k.parts) contract(part, leaf, t, G, sum);
        } else if constexpr (std::is_same_v<K, kernels::Product>) {
          // <G, d(AB)> = <G o B, dA> + <G o A, dB>
          const std::size_t first = leaf;
          const std::vector<std::vector<double>> value = values_of_parts(k.parts, leaf, t);
          leaf = first;
          for (std::size_t i = 0; i < k.parts.size(); ++i)
            contract(k.parts[i], leaf, t, times_others(G, value, i).data(), sum);
        } else if constexpr (std::is_same_v<K, kernels::Ard>) {
          contract_ard(k, leaf++, t, G, sum);
          sum += k.theta.size();
        } else if constexpr (std::is_same_v<K, kernels::Custom>) {
          contract_custom(k, t, G, sum);
          sum += k.parameter.size();
          ++leaf;
        } else {
          if constexpr (K::names.size() > 0) {
            std::vector<double> u(std::size_t(t.size()));
            coordinates(leaf, t, u.data(), t.ni);
            add_contraction(kernel, t.size(), u.data(), G, sum);
          }
          sum += K::names.size();
          ++leaf;
        }
      },
      kernel.form);
}

// With H = G o dk/du and rows scaled by sqrt(theta):  sum_ij H_ij (x_ik - y_jk)^2
//   = sum_i (H 1)_i x_ik^2 + sum_j (H'1)_j y_jk^2 - 2 sum_i x_ik (H Y)_ik     for all k with one product (method 9)
void KernelTiles::contract_ard(const kernels::Ard& kernel, std::size_t index, const Tile& t, const double* G,
                               double* sum) const {
  const PreparedRows& y = leaves_[index].y;
  const PreparedRows& x = same_ ? leaves_[index].y : leaves_[index].x;
  Matrix H(t.ni, t.nj);
  coordinates(index, t, H.data(), t.ni);
  map_slope(kernel, t.size(), H.data(), G);
  const Index d = Index(kernel.theta.size());
  if (x.sparse == nullptr) {
    const auto X = x.dense.middleRows(t.i0, t.ni);
    const auto Y = y.dense.middleRows(t.j0, t.nj);
    RowMatrix HY(t.ni, d);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, int(t.ni), int(d), int(t.nj), 1.0, H.data(), int(t.ni),
                Y.data(), int(d), 0.0, HY.data(), int(d));
    const Eigen::RowVectorXd h_x = H.rowwise().sum().transpose();
    const Eigen::RowVectorXd h_y = H.colwise().sum();
    Eigen::Map<Eigen::RowVectorXd>(sum, d) +=
        h_x * X.cwiseAbs2() + h_y * Y.cwiseAbs2() - 2.0 * X.cwiseProduct(HY).colwise().sum();
    return;
  }
  const SparseView& a = *x.sparse;
  const SparseView& b = *y.sparse;
  std::vector<double> HY(static_cast<std::size_t>(d));
  for (Index i = 0; i < t.ni; ++i) {
    std::fill(HY.begin(), HY.end(), 0.0);
    double row_sum = 0.0;
    for (Index j = 0; j < t.nj; ++j) {
      row_sum += H(i, j);
      for (auto k = b.row_start[t.j0 + j]; k < b.row_start[t.j0 + j + 1]; ++k) {
        HY[std::size_t(b.column[k])] += H(i, j) * b.value[k];
        sum[b.column[k]] += H(i, j) * b.value[k] * b.value[k];
      }
    }
    for (auto k = a.row_start[t.i0 + i]; k < a.row_start[t.i0 + i + 1]; ++k)
      sum[a.column[k]] += a.value[k] * (row_sum * a.value[k] - 2.0 * HY[std::size_t(a.column[k])]);
  }
}

}  // namespace lacuna::compute::cpu
