// [SPARSE] on the motorcycle data: times scaled to [0, 1], theta = 13.1, lambda = 1.2e-3 (the printed gamma acts as
// lambda there).
//
//   basis     vectors before every other row is numerically a combination of those chosen: about 15
//   E_r       |fast - explicit| / |explicit| over leave-one-out residuals: at most 1e-8
//   speed     explicit over fast leave-one-out: at least 40, twice. Once both by the library's routines, which compute
//             kernel
//             values whenever they need them and keep none: l fits against one with leverages, l is the most there is.
//             Once both given the l n kernel values: every refit is one dsyrk, one factorisation and one solution, the
//             fast one the same with l right-hand sides; about l/2 is the most there is
//
// Processor time of one thread. Exits with 1 when a bar is missed, and with a message where the data are not there.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "benchmarks/whole/timing.hpp"
#include "lacuna/basis/basis.hpp"
#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/host/features.hpp"
#include "lacuna/compute/threads.hpp"
#include "lacuna/data/dataset.hpp"
#include "lacuna/loo/primal_held_out.hpp"
#include "lacuna/loo/refit.hpp"

using namespace lacuna;

int main() {
  const std::string path = std::string(LACUNA_SHARED_DATA) + "/mass/mcycle.csv";
  if (!std::filesystem::exists(path)) {
    fmt::print("motorcycle: {} is not there; nothing measured\n", path);
    return 0;
  }
  const ThreadScope one(1);
  const Encoded data = encode(read_table(path, {}), {.targets = {"accel"}, .standardise = false});
  RowMatrix x = data.data.X.dense();
  x = (x.array() - x.minCoeff()) / (x.maxCoeff() - x.minCoeff());
  const Index l = x.rows();
  const Kernel kernel = kernels::Rbf{.theta = 13.1};
  const double lambda = 1.2e-3;
  const Supervision learn{.loss = losses::Squared{}, .zeta = Vector::Ones(l), .t = data.data.targets};

  const BasisChoice choice = choose_basis(BasisMethod::greedy, cpu_backend(), kernel, x, {}, {.size = l});
  const Index n = Index(choice.rows.size());
  const Rows basis = take_rows(x, choice.rows);
  const auto features = cpu_backend().features(kernel, basis, l);
  const auto& inside = dynamic_cast<const compute::host::HostFeatures&>(*features);

  Matrix fast, slow;
  const auto closed = [&] {
    const PrimalFit fit = solve_primal(features, x, learn.zeta, learn.t, lambda, compute::Want::inverse);
    fast = learn.t - leave_one_out(fit);
  };
  const auto refitted = [&] { slow = learn.t - refit_held_out(features, x, learn, lambda, {}).z; };
  // Both given the kernel values of all rows. Every refit makes its own sums over the rows that are left, factors them
  // and solves; the closed form does that once, and solves for the leverages.
  const Matrix Z = features->outputs(x, Matrix::Identity(features->size(), features->size())).transpose();
  const auto kept = [&] {
    slow.resize(l, 1);
    Vector w = Vector::Ones(l);
    for (Index i = 0; i < l; ++i) {
      w[i] = 0.0;
      Matrix C;
      compute::cpu::add_square(Z, w, C);
      const Matrix p = inside.factor(C, lambda)->solve(Z * w.cwiseProduct(learn.t.col(0)));
      slow(i, 0) = learn.t(i, 0) - Z.col(i).dot(p.col(0));
      w[i] = 1.0;
    }
  };
  Vector by_closed_kept;
  const auto closed_kept = [&] {
    Matrix C;
    compute::cpu::add_square(Z, learn.zeta, C);
    const Matrix S = inside.factor(C, lambda)->solve(Z);
    const Vector h = Z.cwiseProduct(S).colwise().sum().transpose();
    const Vector z = Z.transpose() * (S * learn.t.col(0));
    by_closed_kept = (learn.t.col(0) - z).cwiseQuotient(Vector::Ones(l) - h);
  };
  const auto many = [](const auto& body) {
    return [&body] {
      for (int k = 0; k < 20; ++k) body();
    };
  };
  const auto s = bench::least_of_interleaved(9, {many(closed), refitted, many(closed_kept), kept});
  const Matrix by_kept = slow;
  refitted();
  const double off =
      std::max({(fast - slow).norm(), (by_kept - slow).norm(), (by_closed_kept - slow.col(0)).norm()}) / slow.norm();
  const double ratio = s[1] / (s[0] / 20.0), ratio_kept = s[3] / (s[2] / 20.0);
  const bool basis_met = n >= 10 && n <= 20, off_met = off <= 1e-8, speed_met = ratio >= 40.0,
             kept_met = ratio_kept >= 40.0;
  const auto say = [](const char* what, const std::string& value, const char* bar, bool met) {
    fmt::print("{:<58} {:>10}   {} {}\n", what, value, bar, met ? "met" : "MISSED");
  };
  fmt::print("motorcycle, l = {}, theta = 13.1, lambda = 1.2e-3\n", l);
  say("  basis vectors until it is complete", fmt::format("{}", n), "about 15", basis_met);
  say("  E_r of fast and explicit leave-one-out", fmt::format("{:.1e}", off), "<= 1e-8", off_met);
  say("  explicit / fast, by the library's routines", fmt::format("{:.1f}", ratio), ">= 40", speed_met);
  say("  explicit / fast, both given all kernel values", fmt::format("{:.1f}", ratio_kept), ">= 40", kept_met);
  fmt::print("  fast {:.1f} us, explicit {:.1f} us; given the kernel values {:.1f} us and {:.1f} us\n",
             1e6 * s[0] / 20.0, 1e6 * s[1], 1e6 * s[2] / 20.0, 1e6 * s[3]);
  return basis_met && off_met && speed_met && kept_met ? 0 : 1;
}
