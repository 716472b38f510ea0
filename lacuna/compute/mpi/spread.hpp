// compute/mpi/spread.hpp -- a matrix over all ranks, block-cyclic as ScaLAPACK has it: the ranks form a grid, and block
// (I, J) lies on the rank at row I mod grid rows, column J mod grid columns. All ranks make and use one together.
//
// Blocks are small enough that small matrices, too, lie on all ranks, and no larger than a tile of kernel values.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "lacuna/compute/mpi/team.hpp"

namespace lacuna::compute::mpi {

class Grid {
 public:
  explicit Grid(const Team& team);
  ~Grid();
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;
  const Team& team() const { return team_; }
  int context() const { return context_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int my_row() const { return my_row_; }
  int my_col() const { return my_col_; }
  int rank_at(int row, int col) const { return row * cols_ + col; }
  MPI_Comm row_comm() const { return row_comm_; }  ///< the ranks of my row, by column
  MPI_Comm col_comm() const { return col_comm_; }  ///< of my column, by row
  Index block(Index n) const;                      ///< rows and columns of a block of a matrix of order n

 private:
  const Team& team_;
  int context_ = 0, rows_ = 1, cols_ = 1, my_row_ = 0, my_col_ = 0;
  MPI_Comm row_comm_ = MPI_COMM_NULL, col_comm_ = MPI_COMM_NULL;
};

class Spread {
 public:
  Spread(const Grid& grid, Index rows, Index cols, Index block_rows, Index block_cols);
  Spread(const Grid& grid, Index n) : Spread(grid, n, n, grid.block(n), grid.block(n)) {}
  /// The part of B, which all ranks have, that lies here; its rows lie as those of a matrix of order B.rows().
  Spread(const Grid& grid, const Matrix& B);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index block_rows() const { return block_rows_; }
  Index block_cols() const { return block_cols_; }
  const int* description() const { return description_.data(); }
  double* data() { return local_.data(); }
  const double* data() const { return local_.data(); }
  Matrix& local() { return local_; }
  const Matrix& local() const { return local_; }
  /// Numbers of the rows and columns of local(), ascending.
  const std::vector<Index>& row_numbers() const { return row_numbers_; }
  const std::vector<Index>& col_numbers() const { return col_numbers_; }
  /// How many of the rows and columns here come before number i.
  Index rows_before(Index i) const { return before(row_numbers_, i); }
  Index cols_before(Index j) const { return before(col_numbers_, j); }
  const Grid& grid() const { return *grid_; }

  /// A block of a square matrix on or below the diagonal.
  struct Block {
    Index i0, ni, j0, nj;
    int owner;
    double* at;  ///< null: on another rank
    Index ld;
    bool on_diagonal() const { return i0 == j0; }
  };
  /// All of them, in one order on all ranks.
  void for_lower(const std::function<void(const Block&)>& body);
  void for_own_lower(const std::function<void(const Block&)>& body);
  /// f(i, j, element) for the elements here that lie on or below the diagonal.
  template <class F>
  void for_lower_elements(const F& f) const {
    for (std::size_t c = 0; c < col_numbers_.size(); ++c)
      for (auto r = std::size_t(rows_before(col_numbers_[c])); r < row_numbers_.size(); ++r)
        f(row_numbers_[r], col_numbers_[c], local_(Index(r), Index(c)));
  }
  template <class F>
  void change_lower_elements(const F& f) {
    for (std::size_t c = 0; c < col_numbers_.size(); ++c)
      for (auto r = std::size_t(rows_before(col_numbers_[c])); r < row_numbers_.size(); ++r)
        local_(Index(r), Index(c)) = f(row_numbers_[r], col_numbers_[c], local_(Index(r), Index(c)));
  }

  void mirror();            ///< the lower triangle into the upper one
  Matrix at_first() const;  ///< all of it on rank 0; elsewhere nothing of use
  Vector diagonal_everywhere() const;
  /// Rows by columns of a symmetric matrix of which the lower triangle is here, on rank 0.
  Matrix symmetric_part_at_first(const std::vector<Index>& rows, const std::vector<Index>& cols) const;

 private:
  static Index before(const std::vector<Index>& numbers, Index i) {
    return std::lower_bound(numbers.begin(), numbers.end(), i) - numbers.begin();
  }

  const Grid* grid_;
  Index rows_, cols_, block_rows_, block_cols_;
  std::array<int, 9> description_;
  std::vector<Index> row_numbers_, col_numbers_;
  Matrix local_;
};

// All on lower triangles.
bool factor_in_place(Spread& A);                  ///< L; false: not positive definite
void invert_triangle(Spread& L);                  ///< L^-1 (triangle.cpp)
void square_transposed(Spread& S);                ///< S'S
void solve_factored(const Spread& L, Spread& B);  ///< (L L')^-1 B
Spread symmetric_times(const Grid& grid, const Spread& A, const Spread& B);
Spread product(const Grid& grid, const Spread& A, const Spread& B);  ///< of whole square matrices
Spread transposed(const Grid& grid, const Spread& A);
/// The lower triangle of Q diag(v) Q for a whole symmetric Q.
Spread weighted_square(const Grid& grid, const Spread& Q, const Vector& v);
Vector eigenvalues(const Grid& grid, Spread A);

}  // namespace lacuna::compute::mpi
