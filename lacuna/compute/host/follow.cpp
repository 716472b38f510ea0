// compute/host/follow.cpp (of factor.hpp) -- held-out fits followed to their optimum (loo/held_out_optimum.hpp), some
// folds side by side.

#include <algorithm>
#include <numeric>
#include <utility>

#include "lacuna/compute/host/factor.hpp"
#include "lacuna/compute/host/features.hpp"
#include "lacuna/compute/host/follower.hpp"
#include "lacuna/compute/host/held_out_machines.hpp"
#include "lacuna/compute/parallel.hpp"
#include "lacuna/compute/side_by_side.hpp"
#include "lacuna/loss/detail/summed_loss.hpp"

namespace lacuna::compute::host {
namespace {

constexpr Index worth_a_thread = 20000;  // losses looked at

// Rows that no machine has learned from get what the machine without the rest of their fold says.
void predict_unseen(const System& system, const std::vector<Index>& fold, const Way& way, HeldOutOptimum& out) {
  if (fold.size() == way.inside.size()) return;
  const Vector z = system.predict(way.alpha, way.z);
  for (const Index i : fold) {
    if (system.in_system(i)) continue;
    out.z[i] = z[i];
    out.left[i] = way.left;
  }
}

// What there is to say of rows without which nothing of their kind is left: the bias alone, had half a row of it been
// seen; and nothing that would set them apart from the other rows as what they are.
double as_good_as_unseen(const FollowProblem& problem, const std::vector<Index>& inside) {
  const Supervision& learn = problem.learn;
  Vector zeta = learn.zeta;
  for (const Index i : inside) zeta[i] *= 0.5 / double(inside.size());
  const Vector t = learn.t.col(problem.column);
  double z = lacuna::detail::SummedLoss(learn.loss, zeta, t, learn.offset).intercept().value_or(0.0);
  const Index one = inside.front();
  const bool wants_more = at(learn.loss, z + learn.offset_of(one), t[one]).c1 < 0.0;
  for (Index j = 0; j < t.size(); ++j)
    if (problem.beta[j] > 0.0 && !std::ranges::binary_search(inside, j))
      z = wants_more ? std::min(z, problem.z[j]) : std::max(z, problem.z[j]);
  return z;
}

// Columns of a matrix that can only be applied.
template <class Apply>
Matrix columns(const Apply& apply, const std::vector<Index>& rows, Index l) {
  Matrix E = Matrix::Zero(l, Index(rows.size()));
  for (std::size_t c = 0; c < rows.size(); ++c) E(rows[c], Index(c)) = 1.0;
  return apply(E);
}

// Rows that leave, as a share of all, from which all of Q is worth its l^3/3.
constexpr double worth_all_of_Q = 0.2;

template <class L>
HeldOutOptimum follow(const L& loss, const System& system, std::vector<Arrived>& arrived) {
  const FollowProblem& problem = system.of;
  const Folds& folds = problem.folds;
  const Index l = problem.z.size(), rows_at_once = followed_side_by_side(l);
  HeldOutOptimum out{problem.z, Vector::Zero(l), {}};
  std::vector<std::pair<double, std::size_t>> unfinished;
  const Follower<L> follower(loss, problem);
  const std::size_t count = folds.empty() ? std::size_t(l) : folds.size();
  for (std::size_t next = 0; next < count;) {
    std::vector<std::size_t> which;  // folds that go side by side, their rows, and those of them in the system
    std::vector<std::vector<Index>> members, inside;
    Index width = 0;
    for (; next < count && (width < rows_at_once || inside.empty()); ++next) {
      std::vector<Index> fold = folds.empty() ? std::vector<Index>{Index(next)} : folds[next];
      std::vector<Index> in;
      for (const Index i : fold)
        if (system.in_system(i)) in.push_back(i);
      std::ranges::sort(in);
      if (in.empty()) continue;
      if (!follower.has_optimum(in)) {
        for (const Index i : fold) out.left[i] = infinity;
        for (const Index i : fold) out.z[i] = as_good_as_unseen(problem, in);
        continue;
      }
      width += Index(in.size());
      which.push_back(next);
      members.push_back(std::move(fold));
      inside.push_back(std::move(in));
    }
    std::vector<Index> all;
    for (const auto& rows : inside) all.insert(all.end(), rows.begin(), rows.end());
    Matrix Q_E = system.columns_of_Q(all);
    std::vector<Way> ways(inside.size());
    std::vector<Index> begins;
    Index c = 0;
    for (const auto& rows : inside) begins.push_back(std::exchange(c, c + Index(rows.size())));
    const Index at_a_time = std::max<Index>(1, worth_a_thread / l);
    parallel_ranges(Index(ways.size()), at_a_time, [&](Index from, Index to) {
      for (auto k = std::size_t(from); k < std::size_t(to); ++k) {
        const auto f = Index(inside[k].size());
        ways[k] = follower.begin(std::move(inside[k]), Q_E.middleCols(begins[k], f));
      }
    });
    Q_E.resize(0, 0);  // every way has its own
    out.steps += long(ways.size());
    for (int step = 1; step < problem.options.max_steps; ++step) {
      std::vector<Way*> going;
      for (Way& way : ways)
        if (!way.done) going.push_back(&way);
      if (going.empty()) break;
      const auto many = Index(going.size());
      Matrix G(l, many);
      for (Index k = 0; k < many; ++k) G.col(k) = follower.working(*going[std::size_t(k)]);
      const Matrix Q_G = system.apply_Q(G);
      parallel_ranges(many, at_a_time, [&](Index from, Index to) {
        for (Index k = from; k < to; ++k) follower.step(*going[std::size_t(k)], G.col(k), Q_G.col(k));
      });
      out.steps += many;
    }
    for (std::size_t k = 0; k < ways.size(); ++k) {
      for (const Index i : ways[k].inside) {
        out.z[i] = ways[k].z[i];
        out.left[i] = ways[k].left;
      }
      predict_unseen(system, members[k], ways[k], out);
      if (!ways[k].arrived) unfinished.emplace_back(-ways[k].left, which[k]);
      if (problem.options.keep && ways[k].Q_FF.info() == Eigen::Success)
        arrived.push_back(
            {std::move(members[k]), std::move(ways[k].inside), std::move(ways[k].Q_FF), std::move(ways[k].z)});
    }
  }
  std::ranges::sort(unfinished);
  for (const auto& [left, fold] : unfinished) out.unfinished.push_back(fold);
  return out;
}

HeldOutOptimum follow(const System& system, AdjointSystem adjoint) {
  std::vector<Arrived> arrived;
  HeldOutOptimum out =
      std::visit([&](const auto& loss) { return follow(loss, system, arrived); }, system.of.learn.loss);
  if (system.of.options.keep)
    out.machines = std::make_shared<FollowedMachines>(system.of, std::move(adjoint), std::move(arrived));
  return out;
}

}  // namespace

HeldOutOptimum HostFactor::follow(const FollowProblem& problem) const {
  const Vector& xi = problem.xi;
  const auto predict = [&](const Vector& alpha, const Vector& z) -> Vector {
    Index any = 0;  // of the system: the bias moves all outputs alike
    problem.beta.maxCoeff(&any);
    const Vector change = gram().multiply(alpha - problem.alpha);
    return problem.z + change + Vector::Constant(z.size(), z[any] - problem.z[any] - change[any]);
  };
  const Index l = problem.z.size();
  Index leaving = problem.folds.empty() ? l : 0;
  for (const auto& fold : problem.folds) leaving += Index(fold.size());
  std::shared_ptr<const Matrix> all;
  if (has_inverse_ && double(leaving) > worth_all_of_Q * double(l)) all = all_of_Q(xi);
  const auto Q = [this, xi, all](const Matrix& G) { return all ? product(*all, G) : apply_Q(xi, G); };
  const auto columns_of_Q = [Q, all, l](const std::vector<Index>& rows) -> Matrix {
    return all ? Matrix((*all)(Eigen::all, rows)) : columns(Q, rows, l);
  };
  const auto respond = [this, xi](const Vector& p) -> Vector {
    Vector out = apply_Q(xi, gram().multiply(p));
    if (xi.size() > 0) out += xi * (p.sum() / xi.sum());
    return out;
  };
  const auto contract_with = [this, xi](const Matrix& alpha, const Matrix&, const Matrix& a, const Matrix&) {
    return contract({alpha, a, {}, xi}).d_log_kernel;
  };
  return host::follow({problem, Q, columns_of_Q, predict}, {Q, columns_of_Q, respond, contract_with});
}

// With V = Z T^-T (C = T T'), Q = (W - W V V'W)/lambda. A machine's coefficients are C p = lambda P0 p + Z'W Z p =
// Z'(lambda alpha + W z), p^ = V'(lambda alpha + W z), and those of its adjoint q^ = V'(lambda a + W y) likewise:
//   dP/dZ T = alpha q^' + a p^',    dP/d(lambda P0) = -sym(q^ p^')/lambda
HeldOutOptimum HostFeatureFactor::follow(const RowSource& X, const FollowProblem& problem) const {
  struct Rows {
    Matrix across, down;  // one row to a column, and its transpose
  };
  const auto V = std::make_shared<Rows>();
  V->across.resize(features().size(), X.rows());
  over_rows(X, features().size(), [&](Index, Index first, const RowsView& block) {
    V->across.middleCols(first, block.rows()) = rows(block);
  });
  V->down = V->across.transpose();
  const Vector beta = problem.beta;
  const double lambda = problem.lambda;
  const auto multiply = [this](const Matrix& A, const Matrix& B) { return features().backend().multiply(A, B); };
  const auto apply_Q = [=](const Matrix& G) -> Matrix {
    const Matrix W_G = beta.asDiagonal() * G;
    Matrix out = multiply(V->down, multiply(V->across, W_G));
    out = (W_G - beta.asDiagonal() * out) / lambda;
    return out;
  };
  const auto columns_of_Q = [=, l = X.rows()](const std::vector<Index>& rows) { return columns(apply_Q, rows, l); };
  const auto coefficients = [=](const Matrix& alpha, const Matrix& z) -> Matrix {
    return multiply(V->across, lambda * alpha + beta.asDiagonal() * z);
  };
  const auto predict = [=](const Vector& alpha, const Vector& z) -> Vector { return V->down * coefficients(alpha, z); };
  // Rows that are not in the system: the outputs p pull the coefficients by C^-1 Z'p, and a by W Z of that.
  const auto respond = [=](const Vector& p) -> Vector { return beta.asDiagonal() * (V->down * (V->across * p)); };
  // Captures a copy of the source, which is a view: what was handed in may be gone when this is called.
  const auto contract_with = [=, this](const Matrix& alpha, const Matrix& z, const Matrix& a, const Matrix& y) {
    const Matrix p = coefficients(alpha, z), q = coefficients(a, y);
    std::vector<Vector> sums(static_cast<std::size_t>(row_lanes(X, features().size())));
    over_rows(X, features().size(), [&](Index lane, Index first, const RowsView& block) {
      const Index count = block.rows();
      const Vector d = contract(block, multiply(q, alpha.middleRows(first, count).transpose()) +
                                           multiply(p, a.middleRows(first, count).transpose()));
      Vector& sum = sums[std::size_t(lane)];
      sum = sum.size() == 0 ? d : Vector(sum + d);
    });
    const Matrix qp = multiply(q, p.transpose());
    Vector out = contract_penalty(-0.5 * (qp + qp.transpose())).d_log_kernel;
    for (const Vector& sum : sums)
      if (sum.size() > 0) out += sum;
    return out;
  };
  return host::follow({problem, apply_Q, columns_of_Q, predict}, {apply_Q, columns_of_Q, respond, contract_with});
}

}  // namespace lacuna::compute::host
