// data/row_source.hpp -- rows that need not all be in memory: anything that can hand over rows first ... first + count
// - 1, again and again. Rows in memory are lent as they are; a reader (of a file, say) makes each block when it is
// asked for.
#pragma once

#include <functional>

#include "lacuna/base/rows.hpp"

namespace lacuna {

class RowSource {
 public:
  /// Makes rows first ... first + count - 1. Called from several threads at a time.
  using Reader = std::function<Rows(Index first, Index count)>;

  RowSource() = default;
  RowSource(const RowsView& X) : view_(X), rows_(X.rows()) {}   // NOLINT: rows are their own source
  RowSource(const Rows& X) : RowSource(RowsView(X)) {}          // NOLINT
  RowSource(const SparseMatrix& X) : RowSource(RowsView(X)) {}  // NOLINT
  template <class Derived>
  RowSource(const Eigen::PlainObjectBase<Derived>& X) : RowSource(RowsView(X)) {}  // NOLINT
  RowSource(Index rows, Reader read) : rows_(rows), read_(std::move(read)) {}

  Index rows() const { return rows_; }
  /// The same rows, and `seen(count)` is called for every block that is asked for, from several threads at a time.
  RowSource reporting(std::function<void(Index count)> seen) const {
    RowSource out = *this;
    out.seen_ = std::move(seen);
    return out;
  }
  /// Whether the rows are lent; then view() is all of them.
  bool in_memory() const { return !read_; }
  const RowsView& view() const { return view_; }

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
  Index rows_ = 0;
  Reader read_;
  std::function<void(Index)> seen_;
};

}  // namespace lacuna
