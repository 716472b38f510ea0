// tests/support/remote.hpp -- a back end as one on a device would be: it keeps its own copies of rows and matrices,
// counts every byte that crosses the door in either direction, and refuses calls from any thread but the one that made
// it. The arithmetic is that of another back end, which only it can see.
#pragma once

#include <atomic>
#include <stdexcept>
#include <thread>

#include "lacuna/compute/compute.hpp"

namespace lacuna::testing {

/// What crosses the door, and who may call.
class Crossing {
 public:
  void call() const {
    if (std::this_thread::get_id() != owner_) throw std::logic_error("remote: called from a second thread");
    ++calls_;
  }
  /// Counts what goes in, or comes out, and hands it on.
  const Matrix& of(const Matrix& m) const { return add(m.size()), m; }
  const Vector& of(const Vector& v) const { return add(v.size()), v; }
  Matrix of(Matrix&& m) const { return add(m.size()), std::move(m); }
  Vector of(Vector&& v) const { return add(v.size()), std::move(v); }
  const RowsView& of(const RowsView& X) const {
    add(X.is_sparse() ? 2 * Index(X.sparse().row_start[X.rows()] - X.sparse().row_start[0]) + X.rows()
                      : X.rows() * X.cols());
    return X;
  }
  const std::vector<Index>& of(const std::vector<Index>& rows) const { return add(Index(rows.size())), rows; }
  const Folds& of(const Folds& folds) const {
    for (const auto& fold : folds) of(fold);
    return folds;
  }
  const compute::PrimalState& of(const compute::PrimalState& s) const {
    for (const Matrix* m : {&s.p, &s.z, &s.pull}) of(*m);
    for (const Vector* v : {&s.beta, &s.variance, &s.rest, &s.bend}) of(*v);
    return s;
  }
  const compute::Pairs& of(const compute::Pairs& p) const { return of(p.side), of(p.tie), p; }
  const Supervision& of(const Supervision& s) const { return of(s.zeta), of(s.t), of(s.offset), s; }
  const compute::FollowProblem& of(const compute::FollowProblem& p) const {
    of(p.learn);
    of(p.folds);
    for (const Vector* v : {&p.self, &p.beta, &p.alpha, &p.z, &p.xi}) of(*v);
    return p;
  }
  compute::HeldOutOptimum of(compute::HeldOutOptimum&& h) const {
    of(h.z), of(h.left), add(Index(h.unfinished.size()));
    return std::move(h);
  }
  /// Rows are counted when they are read.
  RowSource of(const RowSource& X) const {
    Index columns = X.rows() > 0 ? RowsView(X.block(0, 1)).cols() : 0;
    return X.reporting([this, columns](Index count) { add(count * columns); });
  }

  double bytes() const { return 8.0 * double(numbers_); }
  long calls() const { return calls_; }

 private:
  void add(Index numbers) const { numbers_ += numbers; }

  std::thread::id owner_ = std::this_thread::get_id();
  mutable std::atomic<Index> numbers_ = 0;
  mutable std::atomic<long> calls_ = 0;
};

class RemoteFactor final : public compute::Factor {
 public:
  RemoteFactor(const Crossing& door, std::shared_ptr<const compute::Gram> of, std::unique_ptr<compute::Factor> there)
      : door_(door), of_(std::move(of)), there_(std::move(there)) {
    log_determinant_ = there_->log_determinant();
  }
  Matrix solve(const Matrix& B) const override { return door_.call(), door_.of(there_->solve(door_.of(B))); }
  Vector explained(const RowsView& X) const override { return door_.call(), door_.of(there_->explained(door_.of(X))); }
  compute::HeldOutOptimum follow(const compute::FollowProblem& problem) const override {
    return door_.call(), door_.of(there_->follow(door_.of(problem)));
  }
  compute::SitesOut take_sites(const Folds& folds, const Vector& pull) const override {
    door_.call();
    compute::SitesOut out = there_->take_sites(door_.of(folds), door_.of(pull));
    return door_.of(out.variance), door_.of(out.shift), out;
  }
  Vector inverse_diagonal() const override { return door_.call(), door_.of(there_->inverse_diagonal()); }
  Matrix leave_out(const Folds& folds, const Vector& xi, const Matrix& alpha) const override {
    return door_.call(), door_.of(there_->leave_out(door_.of(folds), door_.of(xi), door_.of(alpha)));
  }
  Vector pair_areas(const compute::PairsOut& p) const override {
    door_.call();
    door_.of(p.pairs);
    for (const Matrix* m : {&p.alpha, &p.z, &p.eta}) door_.of(*m);
    return door_.of(p.xi), door_.of(p.variance), door_.of(there_->pair_areas(p));
  }
  Vector second_step(const Vector& xi, const Vector& alpha, const Vector& curvature) const override {
    return door_.call(), door_.of(there_->second_step(door_.of(xi), door_.of(alpha), door_.of(curvature)));
  }
  compute::AdjointResult contract(const compute::Adjoint& a) const override {
    door_.call();
    door_.of(a.left), door_.of(a.right), door_.of(a.v), door_.of(a.xi), door_.of(a.curvature), door_.of(a.folds),
        door_.of(a.q);
    compute::AdjointResult out = there_->contract(a);
    return door_.of(out.d_log_kernel), door_.of(out.diagonal), door_.of(out.w), out;
  }

 private:
  const Crossing& door_;
  std::shared_ptr<const compute::Gram> of_;  // its rows
  std::unique_ptr<compute::Factor> there_;
};

class RemoteGram final : public compute::Gram, public std::enable_shared_from_this<RemoteGram> {
 public:
  RemoteGram(const Crossing& door, const Backend& backend, const Kernel& kernel, const RowsView& X, compute::Use use,
             const Vector& c)
      : compute::Gram(X), door_(door), X_(copy_rows(door.of(X))), there_(backend.gram(kernel, X_, use, door.of(c))) {}
  Vector diagonal() const override { return door_.call(), door_.of(there_->diagonal()); }
  Matrix multiply(const Matrix& V) const override { return door_.call(), door_.of(there_->multiply(door_.of(V))); }
  Vector eigenvalues() const override { return door_.call(), door_.of(there_->eigenvalues()); }
  std::unique_ptr<compute::Factor> factor(const Vector& beta, double lambda, compute::Want want) const override {
    door_.call();
    auto made = there_->factor(door_.of(beta), lambda, want);
    return made ? std::make_unique<RemoteFactor>(door_, shared_from_this(), std::move(made)) : nullptr;
  }

 private:
  const Crossing& door_;
  Rows X_;
  std::shared_ptr<const compute::Gram> there_;
};

class RemoteFeatureFactor final : public compute::FeatureFactor {
 public:
  RemoteFeatureFactor(const Crossing& door, std::unique_ptr<compute::FeatureFactor> there)
      : door_(door), there_(std::move(there)) {}
  Matrix solve(const Matrix& right) const override { return door_.call(), door_.of(there_->solve(door_.of(right))); }
  compute::RowMoments moments(const RowSource& X, const Matrix& p) const override {
    door_.call();
    compute::RowMoments out = there_->moments(door_.of(X), door_.of(p));
    return door_.of(out.z), door_.of(out.variance), out;
  }
  Matrix leave_out(const RowSource& X, const compute::PrimalState& fit, const Folds& folds) const override {
    return door_.call(), door_.of(there_->leave_out(door_.of(X), door_.of(fit), door_.of(folds)));
  }
  compute::CriterionGradient gradient(const RowSource& X, const compute::PrimalState& fit, const Folds& folds,
                                      const Matrix& d_output) const override {
    door_.call();
    return there_->gradient(door_.of(X), door_.of(fit), door_.of(folds), door_.of(d_output));
  }
  Vector pair_areas(const RowSource& X, const compute::PrimalState& fit, const compute::Pairs& pairs) const override {
    return door_.call(), door_.of(there_->pair_areas(door_.of(X), door_.of(fit), door_.of(pairs)));
  }
  compute::HeldOutOptimum beyond(const RowSource& X, const compute::PrimalState& fit, const Supervision& learn,
                                 Index column, const std::vector<Index>& rows) const override {
    door_.call();
    return door_.of(there_->beyond(door_.of(X), door_.of(fit), door_.of(learn), column, door_.of(rows)));
  }
  compute::HeldOutOptimum follow(const RowSource& X, const compute::FollowProblem& problem) const override {
    return door_.call(), door_.of(there_->follow(door_.of(X), door_.of(problem)));
  }

 private:
  const Crossing& door_;
  std::unique_ptr<compute::FeatureFactor> there_;
};

class RemoteNormal final : public compute::Normal {
 public:
  RemoteNormal(const Crossing& door, std::unique_ptr<compute::Normal> there) : door_(door), there_(std::move(there)) {
    right_ = door_.of(there_->right());
  }
  std::unique_ptr<compute::FeatureFactor> factor(double lambda) const override {
    door_.call();
    auto made = there_->factor(lambda);
    return made ? std::make_unique<RemoteFeatureFactor>(door_, std::move(made)) : nullptr;
  }
  compute::FeatureSums sums() const override {
    compute::FeatureSums out = there_->sums();
    return door_.call(), door_.of(out.ZWZ), door_.of(out.right), out;
  }

 private:
  const Crossing& door_;
  std::unique_ptr<compute::Normal> there_;
};

class RemoteFeatures final : public compute::Features {
 public:
  RemoteFeatures(const Crossing& door, std::shared_ptr<const compute::Features> there)
      : door_(door), there_(std::move(there)) {
    kept_ = door_.of(there_->kept());
    door_.of(RowsView(there_->basis()));
    basis_ = copy_rows(there_->basis());
  }
  Matrix coefficients(const Matrix& p) const override {
    return door_.call(), door_.of(there_->coefficients(door_.of(p)));
  }
  Matrix penalise(const Matrix& p) const override { return door_.call(), door_.of(there_->penalise(door_.of(p))); }
  Vector scale() const override { return door_.call(), door_.of(there_->scale()); }
  Matrix outputs(const RowSource& X, const Matrix& p) const override {
    return door_.call(), door_.of(there_->outputs(door_.of(X), door_.of(p)));
  }
  std::unique_ptr<compute::Normal> normal(const RowSource& X, const Matrix& p,
                                          const compute::Reweigh& reweigh) const override {
    door_.call();
    const auto counted = [&](Index first, const Matrix& z, Vector& beta, Matrix& R) {
      reweigh(first, door_.of(z), beta, R);
      door_.of(beta), door_.of(R);
    };
    return std::make_unique<RemoteNormal>(door_, there_->normal(door_.of(X), door_.of(p), counted));
  }
  std::unique_ptr<compute::Normal> normal(compute::FeatureSums sums) const override {
    door_.call(), door_.of(sums.ZWZ), door_.of(sums.right);
    return std::make_unique<RemoteNormal>(door_, there_->normal(std::move(sums)));
  }
  compute::Rotated by_rotations(const RowSource& X, const Vector& beta, const Matrix& eta, double lambda,
                                const std::vector<Index>& alone) const override {
    door_.call();
    compute::Rotated out = there_->by_rotations(door_.of(X), door_.of(beta), door_.of(eta), lambda, door_.of(alone));
    door_.of(out.p), door_.of(out.variance), door_.of(out.z);
    if (out.factor) out.factor = std::make_unique<RemoteFeatureFactor>(door_, std::move(out.factor));
    return out;
  }

 private:
  const Crossing& door_;
  std::shared_ptr<const compute::Features> there_;
};

class RemoteProjection final : public compute::Projection {
 public:
  RemoteProjection(const Crossing& door, const Backend& backend, const Kernel& kernel, const RowsView& X,
                   const compute::Judged& judged)
      : door_(door), X_(copy_rows(door.of(X))), there_(backend.projection(kernel, X_, judged)) {
    judge(judged, door_.of(there_->left()));
  }
  Candidates look(std::span<const Index> rows) override {
    door_.call();
    Candidates out = there_->look(rows);
    return door_.of(out.norm), door_.of(out.own), door_.of(out.taken), out;
  }
  void add(Index which) override {
    door_.call();
    there_->add(which);
    left_ = door_.of(there_->left());
  }

 private:
  const Crossing& door_;
  Rows X_;
  std::unique_ptr<compute::Projection> there_;
};

class RemoteBackend final : public Backend {
 public:
  explicit RemoteBackend(double memory = 1e12) : Backend("remote"), memory_(memory) {}
  const Crossing& door() const { return door_; }

  double memory() const override { return memory_; }
  std::shared_ptr<const compute::Gram> gram(const Kernel& kernel, const RowsView& X, compute::Use use,
                                            const Vector& c) const override {
    door_.call();
    return std::make_shared<RemoteGram>(door_, there_, kernel, X, use, c);
  }
  Matrix expand(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A) const override {
    return door_.call(), door_.of(there_.expand(kernel, door_.of(X), door_.of(Y), door_.of(A)));
  }
  Vector squared_slopes(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A,
                        const Vector& weights) const override {
    door_.call();
    return door_.of(there_.squared_slopes(kernel, door_.of(X), door_.of(Y), door_.of(A), door_.of(weights)));
  }
  std::shared_ptr<const compute::Features> features(const Kernel& kernel, const RowsView& basis,
                                                    Index rows) const override {
    door_.call();
    return std::make_shared<RemoteFeatures>(door_, there_.features(kernel, door_.of(basis), rows));
  }
  std::unique_ptr<compute::Projection> projection(const Kernel& kernel, const RowsView& X,
                                                  compute::Judged judged) const override {
    door_.call();
    return std::make_unique<RemoteProjection>(door_, there_, kernel, X, judged);
  }

 private:
  double memory_;
  const Backend& there_ = cpu_backend();
  Crossing door_;
};

inline const Backend& remote_backend() {
  static const RemoteBackend backend;
  return backend;
}

}  // namespace lacuna::testing
