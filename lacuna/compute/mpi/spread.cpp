#include "lacuna/compute/mpi/spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lacuna/compute/mpi/scalapack.hpp"

namespace lacuna::compute::mpi {
namespace {

constexpr Index largest_block = 128;
const int one = 1;

// Numbers of the rows (or columns) that place `mine` of `places` has.
std::vector<Index> numbers(Index n, Index block, int mine, int places) {
  std::vector<Index> out;
  for (Index first = Index(mine) * block; first < n; first += Index(places) * block)
    for (Index i = first; i < std::min(n, first + block); ++i) out.push_back(i);
  return out;
}

int order(const Spread& A) { return int(A.rows()); }

}  // namespace

// As square as the number of ranks allows: messages are fewest then.
Grid::Grid(const Team& team) : team_(team) {
  for (int r = 1; r * r <= team.size(); ++r)
    if (team.size() % r == 0) rows_ = r;
  cols_ = team.size() / rows_;
  context_ = Csys2blacs_handle(team.comm());
  Cblacs_gridinit(&context_, "Row", rows_, cols_);
  Cblacs_gridinfo(context_, &rows_, &cols_, &my_row_, &my_col_);
  MPI_Comm_split(team.comm(), my_row_, my_col_, &row_comm_);
  MPI_Comm_split(team.comm(), my_col_, my_row_, &col_comm_);
}

Grid::~Grid() {
  MPI_Comm_free(&row_comm_);
  MPI_Comm_free(&col_comm_);
  Cblacs_gridexit(context_);
}

Index Grid::block(Index n) const {
  const Index places = 2 * Index(std::max(rows_, cols_));
  return std::clamp<Index>((n + places - 1) / places, 1, largest_block);
}

Spread::Spread(const Grid& grid, Index rows, Index cols, Index block_rows, Index block_cols)
    : grid_(&grid), rows_(rows), cols_(cols), block_rows_(block_rows), block_cols_(block_cols) {
  bool room = true;
  try {
    row_numbers_ = numbers(rows, block_rows, grid.my_row(), grid.rows());
    col_numbers_ = numbers(cols, block_cols, grid.my_col(), grid.cols());
    local_ = Matrix::Zero(Index(row_numbers_.size()), Index(col_numbers_.size()));
  } catch (const std::bad_alloc&) {
    room = false;
  }
  grid.team().agree(
      room, fmt::format("has no memory for its part of a matrix of {} x {}; use more ranks or a basis", rows, cols));
  description_ = {1,  // dense
                  grid.context(),
                  int(rows),
                  int(cols),
                  int(block_rows),
                  int(block_cols),
                  0,  // the first block is on the first rank
                  0,
                  int(std::max<Index>(1, local_.rows()))};
}

Spread::Spread(const Grid& grid, const Matrix& B)
    : Spread(grid, B.rows(), B.cols(), grid.block(B.rows()),
             std::clamp<Index>((B.cols() + grid.cols() - 1) / grid.cols(), 1, largest_block)) {
  for (std::size_t c = 0; c < col_numbers_.size(); ++c)
    for (std::size_t r = 0; r < row_numbers_.size(); ++r)
      local_(Index(r), Index(c)) = B(row_numbers_[r], col_numbers_[c]);
}

void Spread::for_lower(const std::function<void(const Block&)>& body) {
  const Index nb = block_rows_, count = (rows_ + nb - 1) / nb;
  for (Index J = 0; J < count; ++J)
    for (Index I = J; I < count; ++I) {
      const int row = int(I % grid_->rows()), col = int(J % grid_->cols());
      Block block{I * nb,
                  std::min(nb, rows_ - I * nb),
                  J * nb,
                  std::min(nb, cols_ - J * nb),
                  grid_->rank_at(row, col),
                  nullptr,
                  local_.rows()};
      if (row == grid_->my_row() && col == grid_->my_col())
        block.at = &local_(I / grid_->rows() * nb, J / grid_->cols() * nb);
      body(block);
    }
}

void Spread::for_own_lower(const std::function<void(const Block&)>& body) {
  for_lower([&](const Block& block) {
    if (block.at != nullptr) body(block);
  });
}

void Spread::mirror() {
  const Spread other = transposed(*grid_, *this);
  for (std::size_t c = 0; c < col_numbers_.size(); ++c) {
    const Index above = rows_before(col_numbers_[c]);
    local_.col(Index(c)).head(above) = other.local_.col(Index(c)).head(above);
  }
}

Matrix Spread::at_first() const {
  Matrix out = Matrix::Zero(rows_, cols_);
  for (std::size_t c = 0; c < col_numbers_.size(); ++c)
    for (std::size_t r = 0; r < row_numbers_.size(); ++r)
      out(row_numbers_[r], col_numbers_[c]) = local_(Index(r), Index(c));
  grid_->team().sum_at_first(out.data(), out.size());
  return out;
}

Vector Spread::diagonal_everywhere() const {
  Vector out = Vector::Zero(rows_);
  for (std::size_t c = 0; c < col_numbers_.size(); ++c)
    if (const auto r = std::size_t(rows_before(col_numbers_[c])); r < row_numbers_.size())
      if (row_numbers_[r] == col_numbers_[c]) out[row_numbers_[r]] = local_(Index(r), Index(c));
  grid_->team().sum_everywhere(out.data(), out.size());
  return out;
}

Matrix Spread::symmetric_part_at_first(const std::vector<Index>& rows, const std::vector<Index>& cols) const {
  // Where the rows and columns here go; none twice.
  std::vector<Index> as_row(std::size_t(rows_), -1), as_col(std::size_t(rows_), -1);
  for (std::size_t k = 0; k < rows.size(); ++k) as_row[std::size_t(rows[k])] = Index(k);
  for (std::size_t k = 0; k < cols.size(); ++k) as_col[std::size_t(cols[k])] = Index(k);
  Matrix out = Matrix::Zero(Index(rows.size()), Index(cols.size()));
  for_lower_elements([&](Index i, Index j, double v) {
    const Index r = as_row[std::size_t(i)], c = as_col[std::size_t(j)];
    if (r >= 0 && c >= 0) out(r, c) = v;
    const Index s = as_row[std::size_t(j)], d = as_col[std::size_t(i)];
    if (s >= 0 && d >= 0) out(s, d) = v;
  });
  grid_->team().sum_at_first(out.data(), out.size());
  return out;
}

bool factor_in_place(Spread& A) {
  const int n = order(A);
  int info = 0;
  pdpotrf_("L", &n, A.data(), &one, &one, A.description(), &info);
  return info == 0;
}

void square_transposed(Spread& S) {
  const int n = order(S);
  pdlauum_("L", &n, S.data(), &one, &one, S.description());
}

void solve_factored(const Spread& L, Spread& B) {
  const int n = order(L), m = int(B.cols());
  int info = 0;
  if (m == 0) return;
  pdpotrs_("L", &n, &m, L.data(), &one, &one, L.description(), B.data(), &one, &one, B.description(), &info);
}

Spread symmetric_times(const Grid& grid, const Spread& A, const Spread& B) {
  Spread C(grid, B.rows(), B.cols(), B.block_rows(), B.block_cols());
  const int n = order(A), m = int(B.cols());
  const double alpha = 1.0, beta = 0.0;
  if (m == 0) return C;
  pdsymm_("L", "L", &n, &m, &alpha, A.data(), &one, &one, A.description(), B.data(), &one, &one, B.description(), &beta,
          C.data(), &one, &one, C.description());
  return C;
}

Spread product(const Grid& grid, const Spread& A, const Spread& B) {
  Spread C(grid, A.rows());
  const int n = order(A);
  const double alpha = 1.0, beta = 0.0;
  pdgemm_("N", "N", &n, &n, &n, &alpha, A.data(), &one, &one, A.description(), B.data(), &one, &one, B.description(),
          &beta, C.data(), &one, &one, C.description());
  return C;
}

Spread transposed(const Grid& grid, const Spread& A) {
  Spread C(grid, A.rows());
  const int n = order(A);
  const double alpha = 1.0, beta = 0.0;
  pdtran_(&n, &n, &alpha, A.data(), &one, &one, A.description(), &beta, C.data(), &one, &one, C.description());
  return C;
}

// The columns q_k with v_k > 0, then those with v_k < 0, each a sum of squares. Their order is of no account, so every
// column of the grid puts its own first and fills up with zeros: all columns of Q are met once.
Spread weighted_square(const Grid& grid, const Spread& Q, const Vector& v) {
  Spread T(grid, Q.rows());
  const double keep = 1.0;
  for (const double sign : {1.0, -1.0}) {
    std::vector<Index> mine(std::size_t(grid.cols()), 0), own;  // how many each column of the grid has
    for (Index k = 0; k < v.size(); ++k)
      if (sign * v[k] > 0.0) ++mine[std::size_t(k / grid.block(Q.rows()) % grid.cols())];
    for (std::size_t c = 0; c < Q.col_numbers().size(); ++c)
      if (sign * v[Q.col_numbers()[c]] > 0.0) own.push_back(Index(c));
    const Index most = *std::ranges::max_element(mine);
    if (most == 0) continue;
    Spread W(grid, Q.rows(), most * grid.cols(), grid.block(Q.rows()), most);
    for (std::size_t k = 0; k < own.size(); ++k)
      W.local().col(Index(k)) = std::sqrt(std::abs(v[Q.col_numbers()[std::size_t(own[k])]])) * Q.local().col(own[k]);
    const int n = order(Q), m = int(W.cols());
    pdsyrk_("L", "N", &n, &m, &sign, W.data(), &one, &one, W.description(), &keep, T.data(), &one, &one,
            T.description());
  }
  return T;
}

Vector eigenvalues(const Grid& grid, Spread A) {
  const int n = order(A);
  Vector omega(n);
  int info = 0, size = -1;
  double wanted = 0.0;
  pdsyev_("N", "L", &n, A.data(), &one, &one, A.description(), omega.data(), nullptr, &one, &one, A.description(),
          &wanted, &size, &info);
  size = int(wanted) + 1;
  std::vector<double> work(static_cast<std::size_t>(size));
  pdsyev_("N", "L", &n, A.data(), &one, &one, A.description(), omega.data(), nullptr, &one, &one, A.description(),
          work.data(), &size, &info);
  if (info != 0) throw Refused{Error::Kind::numerical, "eigenvalues: ScaLAPACK's pdsyev did not converge"};
  grid.team().broadcast(omega.data(), std::size_t(n) * sizeof(double));
  return omega;
}

}  // namespace lacuna::compute::mpi
