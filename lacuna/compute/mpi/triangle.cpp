// compute/mpi/triangle.cpp (of spread.hpp) -- S = L^-1 in place, by rows of blocks from the top:
//
//   W_k = sum_{m<k} L_km S_m,    S_k = L_kk^-1 ([0 I] - W_k),    and of what is below: W_i += L_ik S_k
//
// Block column k of L is needed in step k and changed by none before it, so it is sent along the rows of the grid a
// step ahead of the work; S_k goes down the columns. What is left of a step is one product, evenly divided. ScaLAPACK's
// pdtrtri multiplies one block column at a time by a whole triangle, which two ranks did no faster than one.
#include <array>

#include "lacuna/compute/cpu/blas.hpp"
#include "lacuna/compute/mpi/spread.hpp"

namespace lacuna::compute::mpi {
namespace {

// Of block column k: the rows here of blocks k, k + 1, ...
class ColumnAhead {
 public:
  ColumnAhead() = default;
  ~ColumnAhead() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
  ColumnAhead(const ColumnAhead&) = delete;
  ColumnAhead& operator=(const ColumnAhead&) = delete;

  void send(const Spread& L, Index k) {
    const Index first = k * L.block_cols(), width = std::min(L.block_cols(), L.cols() - first);
    const Index above = L.rows_before(first), height = L.local().rows() - above;
    const int from = int(k % L.grid().cols());
    part_.resize(height, width);
    if (L.grid().my_col() == from) part_ = L.local().block(above, L.cols_before(first), height, width);
    MPI_Ibcast(part_.data(), int(part_.size()), MPI_DOUBLE, from, L.grid().row_comm(), &request_);
  }
  const Matrix& arrived() {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    return part_;
  }

 private:
  Matrix part_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace

void invert_triangle(Spread& L) {
  const Grid& grid = L.grid();
  Matrix& here = L.local();
  const Index count = (L.cols() + L.block_cols() - 1) / L.block_cols();
  std::array<ColumnAhead, 2> columns;
  Matrix S_k;
  if (count > 0) columns[0].send(L, 0);
  for (Index k = 0; k < count; ++k) {
    if (k + 1 < count) columns[std::size_t((k + 1) % 2)].send(L, k + 1);
    const Matrix& L_k = columns[std::size_t(k % 2)].arrived();
    const Index width = L_k.cols(), above = L.rows_before(k * L.block_rows()), left = L.cols_before(k * L.block_cols());
    const bool has_row = k % grid.rows() == grid.my_row(), has_col = k % grid.cols() == grid.my_col();
    S_k.resize(width, left + (has_col ? width : 0));
    if (has_row) {
      S_k.leftCols(left) = -here.block(above, 0, width, left);
      if (has_col) S_k.rightCols(width).setIdentity();
      cpu::trsm_from_left(cpu::Op::as_is, width, S_k.cols(), L_k.data(), L_k.rows(), S_k.data(), width);
      here.block(above, 0, width, S_k.cols()) = S_k;
    }
    if (grid.rows() > 1) MPI_Bcast(S_k.data(), int(S_k.size()), MPI_DOUBLE, int(k % grid.rows()), grid.col_comm());
    const Index done = has_row ? width : 0, below = L_k.rows() - done;
    if (has_col) here.block(above + done, left, below, width).setZero();
    if (below == 0 || S_k.size() == 0) continue;
    cpu::gemm(cpu::Op::as_is, cpu::Op::as_is, below, S_k.cols(), width, 1.0, L_k.data() + done, L_k.rows(), S_k.data(),
              width, 1.0, here.data() + above + done, here.rows());
  }
}

}  // namespace lacuna::compute::mpi
