// compute/backend.cpp (of compute.hpp) -- back ends by name, and Gram matrices of some of the rows.
#include <algorithm>
#include <string>

#include "lacuna/base/error.hpp"
#include "lacuna/base/names.hpp"
#include "lacuna/compute/compute.hpp"
#include "lacuna/compute/plugin.hpp"

namespace lacuna {
namespace {

// Vectors of some rows spread over all of K's, and back.
Matrix spread(const Matrix& some, std::span<const Index> rows, Index all) {
  Matrix out = Matrix::Zero(all, some.cols());
  out(rows, Eigen::all) = some;
  return out;
}

class SubsetFactor final : public compute::Factor {
 public:
  SubsetFactor(std::unique_ptr<compute::Factor> all, std::vector<Index> rows, Index size)
      : all_(std::move(all)), rows_(std::move(rows)), size_(size) {
    log_determinant_ = all_->log_determinant();
  }
  Matrix solve(const Matrix& B) const override { return gather(all_->solve(spread(B, rows_, size_))); }
  Vector explained(const RowsView& X) const override { return all_->explained(X); }
  compute::HeldOutOptimum follow(const compute::FollowProblem&) const override { refuse(); }
  compute::SitesOut take_sites(const Folds&, const Vector&) const override { refuse(); }
  Vector inverse_diagonal() const override { return all_->inverse_diagonal()(rows_); }
  Matrix leave_out(const Folds&, const Vector&, const Matrix&) const override { refuse(); }
  Vector pair_areas(const compute::PairsOut&) const override { refuse(); }
  compute::AdjointResult contract(const compute::Adjoint&) const override { refuse(); }
  Vector second_step(const Vector&, const Vector&, const Vector&) const override { refuse(); }

 private:
  Matrix gather(const Matrix& all) const { return all(rows_, Eigen::all); }
  [[noreturn]] static void refuse() { fail_usage("compute: a subset of a Gram matrix is for refits"); }

  std::unique_ptr<compute::Factor> all_;
  std::vector<Index> rows_;
  Index size_;
};

class Subset final : public compute::Gram {
 public:
  Subset(const compute::Gram& K, std::vector<Index> rows)
      : compute::Gram(Index(rows.size())), K_(K), rows_(std::move(rows)) {}
  Vector diagonal() const override { return K_.diagonal()(rows_); }
  Matrix multiply(const Matrix& V) const override {
    return K_.multiply(spread(V, rows_, K_.size()))(rows_, Eigen::all);
  }
  Vector eigenvalues() const override { fail_usage("compute: a subset of a Gram matrix is for refits"); }
  std::unique_ptr<compute::Factor> factor(const Vector& beta, double lambda, compute::Want want) const override {
    auto all = K_.factor(spread(beta, rows_, K_.size()), lambda, want);
    if (!all) return nullptr;
    return std::make_unique<SubsetFactor>(std::move(all), rows_, K_.size());
  }

 private:
  const compute::Gram& K_;
  std::vector<Index> rows_;
};

}  // namespace

std::shared_ptr<const compute::Gram> compute::subset(const compute::Gram& K, std::vector<Index> rows) {
  return std::make_shared<Subset>(K, std::move(rows));
}

void compute::Projection::judge(const compute::Judged& judged, Vector norm) {
  left_ = std::move(norm);
  weight_ = Vector::Zero(left_.size());
  for (Index j = 0; j < left_.size(); ++j) {
    if (!(left_[j] > 0.0)) continue;
    const double w = judged.weights.size() > 0 ? judged.weights[j] : 1.0;
    weight_[j] = w / left_[j];
    total_ += w;
  }
}

const Backend& backend_named(std::string_view name) {
  if (name == "auto" || name == "cpu") return cpu_backend();
  if (name == "reference") return reference_backend();
  if (std::ranges::find(plugin_names(), name) != plugin_names().end()) return plugin_backend(name);
  std::vector<std::string> names{"auto", "cpu", "reference"};
  names.insert(names.end(), plugin_names().begin(), plugin_names().end());
  fail_usage("backend: unknown back end '" + std::string(name) + "'" + did_you_mean(name, names) + "; one of " +
             join(names));
}

}  // namespace lacuna
