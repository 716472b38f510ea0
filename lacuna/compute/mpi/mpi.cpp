// compute/mpi/mpi.cpp (of compute.hpp) -- the door of compute.hpp over the ranks of MPI, as rank 0 sees it: Gram
// matrices and factors are numbers that all ranks know theirs by. A plug-in (compute/plugin.hpp).
//
// Spread over the ranks: Gram matrix, factor, inverse, and everything quadratic or cubic that is made of them; the rows
// of expansions and slopes; the rows of machines on a basis. On rank 0 alone, since it is O(l) for each row, output or
// fold: folds solved with their blocks of the inverse, held-out fits followed to their optimum, pairs with rows that
// were not in the system, pairs of Gaussian processes. On rank 0 alone because it looks at a sample: choosing a basis,
// gradients and folds of machines on it.
#include <cstdlib>

#include "lacuna/compute/cpu/dense.hpp"
#include "lacuna/compute/host/backend.hpp"
#include "lacuna/compute/host/factor.hpp"
#include "lacuna/compute/host/pairs.hpp"
#include "lacuna/compute/mpi/features.hpp"
#include "lacuna/compute/plugin.hpp"
#include "lacuna/compute/threads.hpp"

namespace lacuna::compute::mpi {
namespace {

// Matrices of l x l that are in memory at a time, as a multiple of what dual_bytes counts: 3 and 6 in place of 2 and 4.
constexpr double more_memory = 1.5;

// Fewer rows than this are not worth the messages, and rank 0 takes them alone. The environment may say otherwise:
// tests want small matrices spread.
constexpr Index worth_spreading = 1000;

Index fewest_rows() {
  const char* given = std::getenv("LACUNA_MPI_ROWS");
  return given != nullptr ? Index(std::strtol(given, nullptr, 10)) : worth_spreading;
}

class MpiGram;

class MpiFactor final : public host::HostFactor {
 public:
  MpiFactor(std::shared_ptr<const MpiGram> gram, Index number, const Vector& beta, double lambda,
            double log_determinant);
  ~MpiFactor() override;

  Matrix solve(const Matrix& B) const override;
  Vector inverse_diagonal() const override;
  Matrix leave_out(const Folds& folds, const Vector& xi, const Matrix& alpha) const override {
    const ThreadScope one(1);  // blocks of the inverse are asked for fold by fold, by this thread
    return HostFactor::leave_out(folds, xi, alpha);
  }
  AdjointResult contract(const Adjoint& adjoint) const override {
    const ThreadScope one(1);
    return HostFactor::contract(adjoint);
  }
  Vector pair_areas(const PairsOut& pairs) const override;
  Vector second_step(const Vector& xi, const Vector& alpha, const Vector& curvature) const override;

 protected:
  const host::HostGram& gram() const override;
  Matrix inverse_block(std::span<const Index> rows) const override;
  Matrix inverse() const override { return inverse_block(all_rows()); }
  AdjointResult contract_rows(const Adjoint& adjoint) const override;
  Matrix product(const Matrix& A, const Matrix& B) const override { return cpu::multiply(A, B); }

 private:
  const Session& session() const;

  std::shared_ptr<const MpiGram> gram_;
  Index number_;
};

class MpiGram final : public host::HostGram, public std::enable_shared_from_this<MpiGram> {
 public:
  MpiGram(Session& session, const Kernel& kernel, const RowsView& X, Use use, const Vector& c)
      : HostGram(X), session_(session), kernel_(kernel), squared_(c.size() > 0), number_(session.next_number()) {
    const Lend here(session.user_written, kernel);
    session.call(make_gram, Writer() << number_ << kernel << X << Index(use == Use::repeatedly) << c);
  }
  ~MpiGram() override { Session::drop(session_, drop_gram, number_); }

  Vector diagonal() const override {
    if (squared_) return session_.call(gram_diagonal, Writer() << number_).vector;
    const cpu::KernelTiles tiles(kernel_, rows(), rows());
    Vector out(size());
    for (Index i = 0; i < size(); ++i) tiles.evaluate(i, 1, i, 1, &out[i], 1);
    return out;
  }
  Matrix multiply(const Matrix& V) const override {
    return session_.call(gram_multiply, Writer() << number_ << V).matrix;
  }
  Vector eigenvalues() const override { return session_.call(gram_eigenvalues, Writer() << number_).vector; }
  std::unique_ptr<Factor> factor(const Vector& beta, double lambda, Want want) const override {
    const Index number = session_.next_number();
    const Result made =
        session_.call(make_factor, Writer() << number << number_ << beta << lambda << Index(want == Want::inverse));
    if (!made.yes) return nullptr;
    return std::make_unique<MpiFactor>(shared_from_this(), number, beta, lambda, made.number);
  }
  // A few rows of K are cheaper made than moved; of R diag(c) R they are not.
  Matrix block(std::span<const Index> some, std::span<const Index> cols) const override {
    if (squared_)
      return session_
          .call(gram_part, Writer() << number_ << std::vector<Index>(some.begin(), some.end())
                                    << std::vector<Index>(cols.begin(), cols.end()))
          .matrix;
    if (some.size() > cols.size()) return block(cols, some).transpose();
    return cpu::kernel_matrix(kernel_, take_rows(rows(), some), rows())(Eigen::all, cols);
  }
  Matrix cross(const RowsView& X) const override { return cpu::kernel_matrix(kernel_, X, rows()); }

  Session& session() const { return session_; }

 private:
  Session& session_;
  Kernel kernel_;
  bool squared_;
  Index number_;
};

MpiFactor::MpiFactor(std::shared_ptr<const MpiGram> gram, Index number, const Vector& beta, double lambda,
                     double log_determinant)
    : HostFactor(beta, lambda, false),  // all of Q is never to be on one rank
      gram_(std::move(gram)),
      number_(number) {
  log_determinant_ = log_determinant;
}

MpiFactor::~MpiFactor() { Session::drop(session(), drop_factor, number_); }

const Session& MpiFactor::session() const { return gram_->session(); }
const host::HostGram& MpiFactor::gram() const { return *gram_; }

Matrix MpiFactor::solve(const Matrix& B) const { return session().call(factor_solve, Writer() << number_ << B).matrix; }
Vector MpiFactor::inverse_diagonal() const { return session().call(factor_diagonal, Writer() << number_).vector; }
Matrix MpiFactor::inverse_block(std::span<const Index> rows) const {
  return session().call(factor_part, Writer() << number_ << std::vector<Index>(rows.begin(), rows.end())).matrix;
}

AdjointResult MpiFactor::contract_rows(const Adjoint& a) const {
  return session()
      .call(factor_contract, Writer() << number_ << a.left << a.right << a.v << a.xi << a.curvature << a.inverse)
      .adjoint;
}

Vector MpiFactor::second_step(const Vector& xi, const Vector& alpha, const Vector& curvature) const {
  return session().call(factor_second, Writer() << number_ << xi << alpha << curvature).vector;
}

// Rows in the system are compared where their elements of Q lie. Of the others, output z_i moves by (k_i'Q_:j +
// xi_j/1'xi) e_j when row j leaves: a column of Q K for each.
Vector MpiFactor::pair_areas(const PairsOut& of) const {
  if (of.xi.size() == 0) return HostFactor::pair_areas(of);
  const Matrix& side = of.pairs.side;
  Vector won =
      session().call(factor_pairs, Writer() << number_ << of.xi << side << of.pairs.tie << of.alpha << of.eta).vector;
  std::vector<Index> out, place(std::size_t(gram().size()), -1);
  for (Index i = 0; i < gram().size(); ++i)
    if (!in_system(i)) {
      place[std::size_t(i)] = Index(out.size());
      out.push_back(i);
    }
  Matrix reach;
  Vector own;
  if (!out.empty()) {
    reach = apply_Q(of.xi, gram().block(all_rows(), out));
    reach.colwise() += of.xi / of.xi.sum();
    own = inverse_diagonal() - of.xi.cwiseAbs2() / of.xi.sum();
  }
  for (Index c = 0; c < side.cols(); ++c) {
    const host::Sides sides(side.col(c));
    const auto output = [&](Index i, Index j) {  // of row i when i and j are left out
      if (in_system(i)) return of.eta(i, c) - of.alpha(i, c) / own[i];
      return in_system(j) ? of.z(i, c) - reach(j, place[std::size_t(i)]) * of.alpha(j, c) / own[j] : of.z(i, c);
    };
    double total = 0.0;
    for (const Index i : sides.up)
      for (const Index j : sides.down) {
        const double weight = side(i, c) * -side(j, c);
        total += weight;
        if (in_system(i) && in_system(j)) continue;
        won[c] += weight * host::share(output(i, j) - output(j, i), of.pairs.tie[c]);
      }
    won[c] = sides.both() ? won[c] / total : std::nan("");
  }
  return won;
}

class MpiBackend final : public host::HostBackend {
 public:
  explicit MpiBackend(Session& session) : HostBackend("mpi"), session_(session) {}

  double memory() const override { return session_.call(free_bytes, Writer()).number / more_memory; }
  std::shared_ptr<const Gram> gram(const Kernel& kernel, const RowsView& X, Use use, const Vector& c) const override {
    if (X.rows() < fewest_rows_) return cpu_backend().gram(kernel, X, use, c);
    return std::make_shared<MpiGram>(session_, kernel, X, use, c);
  }
  Matrix expand(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A) const override {
    if (!worth_sharing(kernel, X)) return cpu_backend().expand(kernel, X, Y, A);
    return session_.call(share_expand, Writer() << kernel << X << Y << A).matrix;
  }
  Vector squared_slopes(const Kernel& kernel, const RowsView& X, const RowsView& Y, const Matrix& A,
                        const Vector& weights) const override {
    if (!worth_sharing(kernel, X)) return cpu_backend().squared_slopes(kernel, X, Y, A, weights);
    return session_.call(share_slopes, Writer() << kernel << X << Y << A << weights).vector;
  }
  std::shared_ptr<const Features> features(const Kernel& kernel, const RowsView& basis, Index rows) const override {
    const bool by_name =
        !uses_geometry(kernel, kernels::Geometry::rows) && !uses_geometry(kernel, kernels::Geometry::given);
    if (!by_name || (rows > 0 && rows < fewest_swept_)) return cpu_backend().features(kernel, basis, rows);
    return spread_features(session_, kernel, basis, rows, fewest_swept_);
  }
  std::unique_ptr<Projection> projection(const Kernel& kernel, const RowsView& X, Judged judged) const override {
    return cpu_backend().projection(kernel, X, std::move(judged));
  }
  Matrix kernel_matrix(const Kernel& kernel, const RowsView& X, const RowsView& Y) const override {
    return cpu::kernel_matrix(kernel, X, Y);
  }
  Matrix multiply(const Matrix& A, const Matrix& B) const override { return cpu::multiply(A, B); }
  void add_square(const Matrix& V, const Vector& w, Matrix& S) const override { cpu::add_square(V, w, S); }

 private:
  // Blocks of rows go to ranks as a whole, and only rank 0 can evaluate a user-written kernel.
  static bool worth_sharing(const Kernel& kernel, const RowsView& X) {
    return X.rows() > 1024 && !uses_geometry(kernel, kernels::Geometry::rows);
  }

  Session& session_;
  Index fewest_rows_ = fewest_rows(), fewest_swept_ = 10 * fewest_rows_;  // a sweep does less for each row
};

// MPI from the first use to the end of the process.
class World {
 public:
  World() {
    int begun = 0;
    MPI_Initialized(&begun);
    own_ = begun == 0;
    if (own_) MPI_Init(nullptr, nullptr);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    session_.emplace(comm_);
    backend_.emplace(*session_);
    if (session_->team().first()) return;
    session_->serve();
    close();
  }
  ~World() {
    if (!session_) return;
    session_->end();
    close();
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  const Backend* backend() const { return backend_ ? &*backend_ : nullptr; }

 private:
  void close() {
    backend_.reset();
    session_.reset();
    MPI_Comm_free(&comm_);
    if (own_) MPI_Finalize();
  }
  bool own_ = false;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::optional<Session> session_;
  std::optional<MpiBackend> backend_;
};

}  // namespace
}  // namespace lacuna::compute::mpi

/// Null: this rank has served until rank 0 ended.
extern "C" const lacuna::Backend* lacuna_plugin_backend() {
  static const lacuna::compute::mpi::World world;
  return world.backend();
}
extern "C" const char* lacuna_plugin_version() { return LACUNA_VERSION; }
