// data/row_source.hpp -- rows that need not all be in memory: anything that can hand over rows first ... first + count
// - 1, again and again. Rows in memory are lent as they are; a reader (of a file, say) makes each block when it is
// asked for.
#pragma once

#include <functional>

#include "lacuna/data/rows.hpp"

namespace lacuna {

class RowSource {
 public:
  /// Makes rows first ... first + count - 1. Called from several threads at a time.
  using Reader = std::function<Rows(Index first, Index count)>;

  RowSource(const RowsView& X) : view_(X), rows_(X.rows()) {}   // NOLINT: rows are their own source
  RowSource(const Rows& X) : RowSource(RowsView(X)) {}          // NOLINT
  RowSource(const SparseMatrix& X) : RowSource(RowsView(X)) {}  // NOLINT
  template <class Derived>
  RowSource(const Eigen::PlainObjectBase<Derived>& X) : RowSource(RowsView(X)) {}  // NOLINT
  RowSource(Index rows, Reader read) : rows_(rows), read_(std::move(read)) {}

  Index rows() const { return rows_; }

  /// A block of rows, alive as long as this is.
  class Block {
   public:
    explicit Block(Rows own) : own_(std::move(own)) {}
    explicit Block(const RowsView& lent) : lent_(lent), is_lent_(true) {}
    operator RowsView() const { return is_lent_ ? lent_ : RowsView(own_); }  // NOLINT

   private:
    Rows own_;
    RowsView lent_;
    bool is_lent_ = false;
  };
  Block block(Index first, Index count) const;
  /// Any rows, in the order given.
  Block take(std::span<const Index> which) const { return Block(copy(which)); }
  /// The same, to keep.
  Rows copy(std::span<const Index> which) const;

 private:
  RowsView view_;
  Index rows_;
  Reader read_;
};

}  // namespace lacuna
