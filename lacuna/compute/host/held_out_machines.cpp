#include "lacuna/compute/host/held_out_machines.hpp"

#include <algorithm>
#include <cmath>

#include "lacuna/compute/parallel.hpp"

namespace lacuna::compute::host {
namespace {

constexpr std::size_t adjoints_at_once = 256;

}  // namespace

// Some folds side by side, a column each.
struct FollowedMachines::Block {
  std::vector<const Arrived*> fold;
  Matrix alpha, z;  // of the machine without the fold, for rows in the system
  Matrix bend;      // zeta c'' there; 0 on the fold and for rows that are not in the system
  Matrix a, y;      // the adjoint and its outputs
  Matrix r;         // lambda a + bend y, 0 on the fold
  Matrix d_a, d_y;  // the direction last taken
  Matrix own;       // Q_:F where all folds have one row, which spares them a solve; else empty
  Vector rho, energy;
  std::vector<char> done;
};

// Where the weights of the factor would be those of the machine: a = Q_:F Q_FF^-1 P'_F, and what is left of that.
void FollowedMachines::begin(Block& block, const Vector& d_output) const {
  const Index l = beta_.size(), count = Index(block.fold.size());
  const Vector t = learn_.t.col(column_);
  Matrix right = Matrix::Zero(l, count), unseen;
  for (Index k = 0; k < count; ++k) {
    const Arrived& fold = *block.fold[std::size_t(k)];
    Vector target(Index(fold.inside.size()));
    for (Index i = 0; i < target.size(); ++i) target[i] = d_output[fold.inside[std::size_t(i)]];
    if (fold.members.size() > fold.inside.size()) {
      Vector p = Vector::Zero(l);
      for (const Index i : fold.members)
        if (!(beta_[i] > 0.0)) p[i] = d_output[i];
      if ((p.array() != 0.0).any()) {
        if (unseen.size() == 0) unseen = Matrix::Zero(l, count);
        const Vector response = system_.respond(p);
        unseen.col(k) = p - response;
        for (Index i = 0; i < target.size(); ++i) target[i] += response[fold.inside[std::size_t(i)]];
      }
    }
    fold.Q_FF.solveInPlace(target);
    for (Index i = 0; i < target.size(); ++i) right(fold.inside[std::size_t(i)], k) = target[i];
  }
  std::vector<Index> alone;
  for (const Arrived* fold : block.fold)
    if (fold->inside.size() == 1) alone.push_back(fold->inside[0]);
  if (Index(alone.size()) == count) {
    block.own = system_.columns_of_Q(alone);
    block.a = block.own;
    for (Index k = 0; k < count; ++k) block.a.col(k) *= right(alone[std::size_t(k)], k);
  } else {
    block.a = system_.apply_Q(right);
  }
  if (unseen.size() > 0) block.a += unseen;
  block.alpha = block.z = block.bend = block.y = block.r = block.d_a = block.d_y = Matrix::Zero(l, count);
  block.rho = block.energy = Vector::Zero(count);
  block.done.assign(std::size_t(count), 0);
  parallel_ranges(count, 8, [&](Index from, Index to) {
    for (Index k = from; k < to; ++k) {
      const Arrived& fold = *block.fold[std::size_t(k)];
      for (const Index i : fold.inside) {
        block.y(i, k) = right(i, k) - lambda_ / beta_[i] * d_output[i];
        block.energy[k] += std::abs(lambda_ * d_output[i] * block.y(i, k));
        block.a(i, k) = d_output[i];
        block.z(i, k) = fold.z[i];
      }
      double most = 0.0;
      auto next = fold.inside.begin();
      for (Index j = 0; j < l; ++j) {
        if (next != fold.inside.end() && *next == j) {
          ++next;
          continue;
        }
        if (!(beta_[j] > 0.0)) continue;
        const losses::LossAt c = at(learn_.loss, fold.z[j] + learn_.offset_of(j), t[j]);
        block.z(j, k) = fold.z[j];
        block.alpha(j, k) = -learn_.zeta[j] * c.c1 / lambda_;
        block.bend(j, k) = learn_.zeta[j] * c.c2;
        block.y(j, k) = -lambda_ / beta_[j] * block.a(j, k);
        block.r(j, k) = lambda_ * block.a(j, k) + block.bend(j, k) * block.y(j, k);
        most += block.r(j, k) * block.r(j, k) / beta_[j];
        block.energy[k] += beta_[j] * block.y(j, k) * block.y(j, k);
      }
      const double enough = options_.tolerance * options_.tolerance * block.energy[k];
      if (most <= enough) block.done[std::size_t(k)] = 1;
    }
  });
}

// One step of conjugate gradients for all columns that need it. False: none does.
bool FollowedMachines::step(Block& block) const {
  std::vector<Index> going;
  for (std::size_t k = 0; k < block.done.size(); ++k)
    if (!block.done[k]) going.push_back(Index(k));
  if (going.empty()) return false;
  const Index l = beta_.size(), count = Index(going.size());
  Matrix G = Matrix::Zero(l, count);
  for (Index c = 0; c < count; ++c)
    for (Index j = 0; j < l; ++j)
      if (beta_[j] > 0.0) G(j, c) = -block.r(j, going[std::size_t(c)]) / beta_[j];
  Matrix P = system_.apply_Q(G);
  // Back to where the fold's own coefficients stay: Q_:F s, s = -Q_FF^-1 (Q g)_F.
  Matrix back;
  std::vector<Vector> s(going.size());
  for (Index c = 0; c < count; ++c) {
    const Arrived& fold = *block.fold[std::size_t(going[std::size_t(c)])];
    Vector& own = s[std::size_t(c)];
    own.resize(Index(fold.inside.size()));
    for (Index i = 0; i < own.size(); ++i) own[i] = -P(fold.inside[std::size_t(i)], c);
    fold.Q_FF.solveInPlace(own);
    if (block.own.size() > 0) continue;
    if (back.size() == 0) back = Matrix::Zero(l, count);
    for (Index i = 0; i < own.size(); ++i) back(fold.inside[std::size_t(i)], c) = own[i];
  }
  if (back.size() > 0) P += system_.apply_Q(back);
  parallel_ranges(count, 8, [&](Index from, Index to) {
    for (Index c = from; c < to; ++c) {
      const Index k = going[std::size_t(c)];
      const Arrived& fold = *block.fold[std::size_t(k)];
      auto a = P.col(c);
      const Vector& own = s[std::size_t(c)];
      if (block.own.size() > 0) a += own[0] * block.own.col(k);
      for (const Index i : fold.inside) a[i] = 0.0;
      Vector y = Vector::Zero(l);
      for (Index j = 0; j < l; ++j)
        if (beta_[j] > 0.0) y[j] = G(j, c) - lambda_ / beta_[j] * a[j];
      for (Index i = 0; i < own.size(); ++i) y[fold.inside[std::size_t(i)]] = own[i];
      const auto r = block.r.col(k);
      const double rho = -r.dot(y), enough = options_.tolerance * options_.tolerance * block.energy[k];
      if (!(rho > enough)) {
        block.done[std::size_t(k)] = 1;
        continue;
      }
      const double gamma = block.rho[k] > 0.0 ? rho / block.rho[k] : 0.0;
      block.rho[k] = rho;
      auto d_a = block.d_a.col(k);
      auto d_y = block.d_y.col(k);
      d_a = a + gamma * d_a;
      d_y = y + gamma * d_y;
      const auto bend = block.bend.col(k);
      const double curved = lambda_ * d_a.dot(d_y) + bend.dot(d_y.cwiseAbs2());
      const double length = -r.dot(d_y) / curved;
      if (!(curved > 0.0) || !std::isfinite(length)) {
        block.done[std::size_t(k)] = 1;
        continue;
      }
      block.a.col(k) += length * d_a;
      block.y.col(k) += length * d_y;
      block.r.col(k) += length * (lambda_ * d_a + bend.cwiseProduct(d_y));
      for (const Index i : fold.inside) block.r(i, k) = 0.0;
    }
  });
  return true;
}

CriterionGradient FollowedMachines::gradient(const Vector& d_output) const {
  CriterionGradient out;
  std::vector<const Arrived*> worth;
  for (const Arrived& fold : folds_)
    if (std::ranges::any_of(fold.members, [&](Index i) { return d_output[i] != 0.0; })) worth.push_back(&fold);
  for (std::size_t first = 0; first < worth.size(); first += adjoints_at_once) {
    Block block;
    block.fold.assign(worth.begin() + std::ptrdiff_t(first),
                      worth.begin() + std::ptrdiff_t(std::min(worth.size(), first + adjoints_at_once)));
    begin(block, d_output);
    for (int k = 0; k < options_.max_steps && step(block); ++k) {
    }
    // Of lambda itself: the machine without the fold pays (lambda/2) alpha' K alpha, and y' alpha = a' K alpha.
    out.d_log_lambda -= block.alpha.cwiseProduct(block.y).sum();
    const Vector d = system_.contract(block.alpha, block.z, block.a, block.y);
    if (out.d_log_kernel.size() == 0)
      out.d_log_kernel = d;
    else
      out.d_log_kernel += d;
  }
  return out;
}

}  // namespace lacuna::compute::host
