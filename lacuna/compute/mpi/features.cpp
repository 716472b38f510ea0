#include "lacuna/compute/mpi/features.hpp"

#include "lacuna/compute/mpi/sweep.hpp"

namespace lacuna::compute::mpi {
namespace {

// The others make it anew from the same sums when they are asked for rows: O(n^3) beside O(l n^2).
class SpreadFeatureFactor final : public cpu::CpuFeatureFactor {
 public:
  SpreadFeatureFactor(const std::shared_ptr<const SpreadFeatures>& features, const Matrix& ZWZ, double lambda)
      : CpuFeatureFactor(features, ZWZ, lambda), features_(*features), ZWZ_(ZWZ), lambda_(lambda) {}

  RowMoments moments(const RowSource& X, const Matrix& p) const override {
    if (!features_.worth_spreading(X)) return CpuFeatureFactor::moments(X, p);
    return features_.moments(X, p, ZWZ_, lambda_);
  }

 private:
  const SpreadFeatures& features_;  // which the base keeps
  Matrix ZWZ_;
  double lambda_;
};

}  // namespace

SpreadFeatures::SpreadFeatures(Session& session, Index number, Index fewest, const Kernel& kernel,
                               const RowsView& basis, Index rows)
    // Folds are solved side by side, and calls of the ranks are made by one thread: its matrices are those of cpu.
    : CpuFeatures(static_cast<const host::HostBackend&>(cpu_backend()), kernel, basis, rows),
      session_(session),
      number_(number),
      fewest_(fewest) {}

Matrix SpreadFeatures::outputs(const RowSource& X, const Matrix& p) const {
  if (!worth_spreading(X)) return CpuFeatures::outputs(X, p);
  const Sweep sweep{*this, X, nullptr};
  const Lend here(session_.sweep, sweep);
  return session_.call(sweep_outputs, Writer() << number_ << X.rows() << p).matrix;
}

std::unique_ptr<Normal> SpreadFeatures::normal(const RowSource& X, const Matrix& p, const Reweigh& reweigh) const {
  if (!worth_spreading(X)) return CpuFeatures::normal(X, p, reweigh);
  const Sweep sweep{*this, X, &reweigh};
  const Lend here(session_.sweep, sweep);
  return normal(session_.call(sweep_sums, Writer() << number_ << X.rows() << p).sums);
}

RowMoments SpreadFeatures::moments(const RowSource& X, const Matrix& p, const Matrix& ZWZ, double lambda) const {
  const Sweep sweep{*this, X, nullptr};
  const Lend here(session_.sweep, sweep);
  return session_.call(sweep_moments, Writer() << number_ << X.rows() << p << ZWZ << lambda).moments;
}

std::unique_ptr<host::HostFeatureFactor> SpreadFeatures::factor(const Matrix& ZWZ, double lambda) const {
  const auto self = std::static_pointer_cast<const SpreadFeatures>(shared_from_this());
  auto factor = std::make_unique<SpreadFeatureFactor>(self, ZWZ, lambda);
  if (!factor->positive_definite()) return nullptr;
  return factor;
}

// Which basis vectors are kept is a matter of rounding where they are nearly dependent.
Result make_features(Session& session, Reader& in) {
  const Index number = in.index(), fewest = in.index();
  const Kernel kernel = in.kernel().value();
  const Rows basis = in.rows();
  const Index rows = in.index();
  const Team& team = session.team();
  std::shared_ptr<const cpu::CpuFeatures> made;
  if (team.first())
    made = std::make_shared<SpreadFeatures>(session, number, fewest, kernel, basis, rows);
  else
    made = std::static_pointer_cast<const cpu::CpuFeatures>(cpu_backend().features(kernel, basis, rows));
  std::vector<Index> kept = made->kept();
  auto count = Index(kept.size());
  team.broadcast(&count, sizeof count);
  kept.resize(std::size_t(count));
  team.broadcast(kept.data(), kept.size() * sizeof(Index));
  team.agree(kept == made->kept(), "keeps other basis vectors than rank 0; all ranks need processors of one kind");
  session.features[number] = std::move(made);
  return {};
}

Result drop_features(Session& session, Reader& in) {
  session.features.erase(in.index());
  return {};
}

std::shared_ptr<const Features> spread_features(Session& session, const Kernel& kernel, const RowsView& basis,
                                                Index rows, Index fewest) {
  const Index number = session.next_number();
  session.call(make_features, Writer() << number << fewest << kernel << basis << rows);
  return session.features.extract(number).mapped();  // its owner drops it everywhere
}

}  // namespace lacuna::compute::mpi
