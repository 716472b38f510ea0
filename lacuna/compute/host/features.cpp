#include "lacuna/compute/host/features.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/compute/host/pairs.hpp"
#include "lacuna/compute/host/triangle.hpp"

namespace lacuna {

Matrix compute::PrimalState::eta() const {
  Matrix out = z;
  for (Index i = 0; i < out.rows(); ++i)
    if (beta[i] > 0.0) out.row(i) += pull.row(i) / beta[i];
  return out;
}

compute::FeatureSums& compute::FeatureSums::operator+=(const FeatureSums& others) {
  if (others.ZWZ.size() == 0) return *this;
  if (ZWZ.size() == 0) return *this = others;
  ZWZ += others.ZWZ;
  right += others.right;
  return *this;
}

}  // namespace lacuna

namespace lacuna::compute::host {
namespace {

Index block_count(const RowSource& X) { return (X.rows() + kBlockRows - 1) / kBlockRows; }

class HostNormal final : public Normal {
 public:
  HostNormal(std::shared_ptr<const HostFeatures> features, std::shared_ptr<const Sums> sums)
      : features_(std::move(features)), sums_(std::move(sums)) {
    right_ = sums_->right;
  }
  std::unique_ptr<FeatureFactor> factor(double lambda) const override {
    auto factor = features_->factor(sums_->ZWZ, lambda);
    if (factor) factor->keep(sums_);
    return factor;
  }
  FeatureSums sums() const override { return *sums_; }

 private:
  std::shared_ptr<const HostFeatures> features_;
  std::shared_ptr<const Sums> sums_;
};

}  // namespace

Index row_lanes(const RowSource& X, Index features) { return lanes_for(features, block_count(X)); }

void over_rows(const RowSource& X, Index features,
               const std::function<void(Index lane, Index first, const RowsView&)>& body) {
  in_lanes(row_lanes(X, features), block_count(X), [&](Index lane, Index block) {
    const Index first = block * kBlockRows;
    const RowSource::Block rows = X.block(first, std::min(kBlockRows, X.rows() - first));
    body(lane, first, rows);
  });
}

void over_blocks(const RowSource& X, std::span<const Index> rows,
                 const std::function<void(std::span<const Index>, const RowsView&)>& body) {
  for (std::size_t first = 0; first < rows.size(); first += std::size_t(kBlockRows)) {
    const auto some = rows.subspan(first, std::min(std::size_t(kBlockRows), rows.size() - first));
    body(some, X.take(some));
  }
}

// The features of basis vector j itself are the largest it gives; the constant's are 1.
Vector HostFeatures::scale() const {
  return of_block(basis(), Matrix::Identity(size(), size())).cwiseAbs().colwise().maxCoeff().transpose();
}

Matrix HostFeatures::outputs(const RowSource& X, const Matrix& p) const {
  Matrix z(X.rows(), p.cols());
  over_rows(X, size(),
            [&](Index, Index first, const RowsView& rows) { z.middleRows(first, rows.rows()) = of_block(rows, p); });
  return z;
}

std::unique_ptr<Normal> HostFeatures::normal(const RowSource& X, const Matrix& p, const Reweigh& reweigh) const {
  std::vector<Sums> part(std::size_t(row_lanes(X, size())));
  over_rows(X, size(), [&](Index lane, Index first, const RowsView& rows) {
    const auto of_rows = [&](const Matrix& z, Vector& beta, Matrix& R) { reweigh(first, z, beta, R); };
    accumulate(rows, p, of_rows, part[std::size_t(lane)]);
  });
  for (std::size_t k = 1; k < part.size(); ++k) part[0] += part[k];
  return normal(std::move(part[0]));
}

std::unique_ptr<Normal> HostFeatures::normal(FeatureSums sums) const {
  auto self = std::static_pointer_cast<const HostFeatures>(shared_from_this());
  return std::make_unique<HostNormal>(std::move(self), std::make_shared<Sums>(std::move(sums)));
}

Rotated HostFeatures::by_rotations(const RowSource& X, const Vector& beta, const Matrix& eta, double lambda,
                                   const std::vector<Index>& alone) const {
  std::vector<Index> rows;
  for (Index i = 0; i < X.rows(); ++i)
    if (beta[i] > 0.0) rows.push_back(i);
  Triangle all(*this, lambda, eta.cols());
  all.add(X, rows, beta, eta);
  if (!all.usable()) return {};
  const auto n = Index(alone.size());
  Rotated out{known_factor(all.lower()), all.solution(), Vector::Constant(n, std::nan("")), Matrix(n, eta.cols())};
  Folds each;
  for (const Index i : alone) each.push_back({i});
  for_each_left_out(*this, X, beta, eta, lambda, each, [&](std::size_t k, const Triangle& without) {
    if (!without.usable()) return;
    const RowSource::Block row = X.take(each[k]);
    out.variance[Index(k)] = without.half(row).squaredNorm();
    out.z.row(Index(k)) = without.outputs(row);
  });
  return out;
}

RowMoments HostFeatureFactor::moments(const RowSource& X, const Matrix& p) const {
  RowMoments out{Matrix(X.rows(), p.cols()), Vector(X.rows())};
  const Matrix rotated = rotate(p).transpose();
  over_rows(X, features().size(), [&](Index, Index first, const RowsView& block) {
    const RowMoments some = moments_of(block, rotated);
    out.z.middleRows(first, block.rows()) = some.z;
    out.variance.segment(first, block.rows()) = some.variance;
  });
  return out;
}

RowMoments HostFeatureFactor::moments_of(const RowsView& block, const Matrix& rotated) const {
  const Matrix V = rows(block);
  return {(rotated * V).transpose(), V.colwise().squaredNorm().transpose()};
}

Vector HostFeatureFactor::pair_areas(const RowSource& X, const PrimalState& fit, const Pairs& pairs) const {
  Vector areas = Vector::Constant(fit.z.cols(), std::nan(""));
  for (Index c = 0; c < areas.size(); ++c) {
    const Sides sides(pairs.side.col(c));
    if (!sides.both()) continue;
    const Matrix V_up = rows(X.take(sides.up)).transpose();
    const Matrix inner = features().backend().multiply(V_up, rows(X.take(sides.down)));
    areas[c] = area(sides, pairs.side.col(c), pairs.tie[c], [&](Index p, Index q) {
      const Index i = sides.up[std::size_t(p)], j = sides.down[std::size_t(q)];
      const double v = inner(p, q), hi = fit.rest[i], hj = fit.rest[j], ri = fit.pull(i, c), rj = fit.pull(j, c);
      const double determinant = hi * hj - fit.beta[i] * fit.beta[j] * v * v;
      const double yi = (hj * ri + fit.beta[i] * v * rj) / determinant;
      const double yj = (hi * rj + fit.beta[j] * v * ri) / determinant;
      return (fit.z(i, c) - fit.variance[i] * yi - v * yj) - (fit.z(j, c) - v * yi - fit.variance[j] * yj);
    });
  }
  return areas;
}

}  // namespace lacuna::compute::host
