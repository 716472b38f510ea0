// compute/mpi/operations.cpp (of session.hpp) -- what all ranks do when rank 0 calls: arguments in, the collective
// step, the result.
#include <algorithm>

#include "lacuna/compute/mpi/session.hpp"

namespace lacuna::compute::mpi {
namespace {

constexpr Index rows_at_once = 1024;  // a whole number of what expansions are padded to

SpreadGram& gram(Session& session, Reader& in) { return *session.grams.at(in.index()); }
SpreadFactor& factor(Session& session, Reader& in) { return *session.factors.at(in.index()); }

// body(first, count) for the blocks of rows that are this rank's.
template <class Body>
void own_rows(const Team& team, Index rows, const Body& body) {
  for (Index k = team.rank(); k * rows_at_once < rows; k += team.size())
    body(k * rows_at_once, std::min(rows_at_once, rows - k * rows_at_once));
}

}  // namespace

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all{
      make_gram,     drop_gram,     gram_diagonal, gram_multiply,   gram_part,   gram_eigenvalues,
      make_factor,   drop_factor,   factor_solve,  factor_diagonal, factor_part, factor_contract,
      factor_second, factor_pairs,  share_expand,  share_slopes,    free_bytes,  make_features,
      drop_features, sweep_outputs, sweep_sums,    sweep_moments};
  return all;
}

Result make_gram(Session& session, Reader& in) {
  const Index number = in.index();
  std::optional<Kernel> kernel = in.kernel();
  const bool user_written = !kernel;
  if (user_written && session.user_written != nullptr) kernel = *session.user_written;
  Rows X = in.rows();
  const Use use = in.index() != 0 ? Use::repeatedly : Use::once;
  Vector c = in.vector();
  session.grams[number] =
      std::make_unique<SpreadGram>(session.grid(), std::move(kernel), user_written, std::move(X), use, std::move(c));
  return {};
}

Result drop_gram(Session& session, Reader& in) {
  session.grams.erase(in.index());
  return {};
}

Result gram_diagonal(Session& session, Reader& in) {
  return {.vector = gram(session, in).matrix().diagonal_everywhere()};
}

Result gram_multiply(Session& session, Reader& in) {
  const SpreadGram& K = gram(session, in);
  const Spread V(session.grid(), in.matrix());
  if (K.kept()) return {.matrix = symmetric_times(session.grid(), *K.kept(), V).at_first()};
  return {.matrix = symmetric_times(session.grid(), K.matrix(), V).at_first()};
}

Result gram_part(Session& session, Reader& in) {
  const SpreadGram& K = gram(session, in);
  const std::vector<Index> rows = in.indices(), cols = in.indices();
  if (K.kept()) return {.matrix = K.kept()->symmetric_part_at_first(rows, cols)};
  return {.matrix = K.matrix().symmetric_part_at_first(rows, cols)};
}

Result gram_eigenvalues(Session& session, Reader& in) {
  return {.vector = eigenvalues(session.grid(), gram(session, in).matrix())};
}

Result make_factor(Session& session, Reader& in) {
  const Index number = in.index();
  const SpreadGram& K = gram(session, in);
  Vector beta = in.vector();
  const double lambda = in.number();
  const Want want = in.index() != 0 ? Want::inverse : Want::solve;
  auto made = std::make_unique<SpreadFactor>(K, std::move(beta), lambda, want);
  const Result out{.yes = made->positive_definite(), .number = made->log_determinant()};
  if (out.yes) session.factors[number] = std::move(made);
  return out;
}

Result drop_factor(Session& session, Reader& in) {
  session.factors.erase(in.index());
  return {};
}

Result factor_solve(Session& session, Reader& in) {
  const SpreadFactor& of = factor(session, in);
  return {.matrix = of.solve(in.matrix())};
}

Result factor_diagonal(Session& session, Reader& in) { return {.vector = factor(session, in).inverse_diagonal()}; }

Result factor_part(Session& session, Reader& in) {
  SpreadFactor& of = factor(session, in);
  return {.matrix = of.inverse_part(in.indices())};
}

Result factor_contract(Session& session, Reader& in) {
  SpreadFactor& of = factor(session, in);
  Adjoint adjoint;
  adjoint.left = in.matrix();
  adjoint.right = in.matrix();
  adjoint.v = in.vector();
  adjoint.xi = in.vector();
  adjoint.curvature = in.vector();
  adjoint.inverse = in.number();
  return {.adjoint = of.contract(adjoint)};
}

Result factor_second(Session& session, Reader& in) {
  SpreadFactor& of = factor(session, in);
  const Vector xi = in.vector(), alpha = in.vector(), curvature = in.vector();
  return {.vector = of.second_step(xi, alpha, curvature)};
}

Result factor_pairs(Session& session, Reader& in) {
  SpreadFactor& of = factor(session, in);
  const Vector xi = in.vector();
  const Matrix side = in.matrix();
  const Vector tie = in.vector();
  const Matrix alpha = in.matrix(), eta = in.matrix();
  return {.vector = of.pairs_won(xi, side, tie, alpha, eta)};
}

Result share_expand(Session& session, Reader& in) {
  const std::optional<Kernel> kernel = in.kernel();
  const Rows X = in.rows(), Y = in.rows();
  const Matrix A = in.matrix();
  Matrix out = Matrix::Zero(X.rows(), A.cols());
  own_rows(session.team(), X.rows(), [&](Index first, Index count) {
    out.middleRows(first, count) = cpu_backend().expand(*kernel, middle_rows(X, first, count), Y, A);
  });
  session.team().sum_at_first(out.data(), out.size());
  return {.matrix = std::move(out)};
}

Result share_slopes(Session& session, Reader& in) {
  const std::optional<Kernel> kernel = in.kernel();
  const Rows X = in.rows(), Y = in.rows();
  const Matrix A = in.matrix();
  const Vector weights = in.vector();
  Vector out = Vector::Zero(X.cols());
  own_rows(session.team(), X.rows(), [&](Index first, Index count) {
    out += cpu_backend().squared_slopes(*kernel, middle_rows(X, first, count), Y, A, weights.segment(first, count));
  });
  session.team().sum_at_first(out.data(), out.size());
  return {.vector = std::move(out)};
}

// Ranks of one machine share its memory. Matrices are spread evenly, so the rank with the least room sets the bound.
Result free_bytes(Session& session, Reader&) {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(session.team().comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int here = 1;
  MPI_Comm_size(machine, &here);
  MPI_Comm_free(&machine);
  return {.number = session.team().least(available_bytes() / here) * session.team().size()};
}

}  // namespace lacuna::compute::mpi
