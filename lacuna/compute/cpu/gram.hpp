// compute/cpu/gram.hpp -- the Gram matrix of the cpu back end: made of tiles, kept as its lower triangle or not at all.
#pragma once

#include <memory>
#include <vector>

#include "lacuna/compute/cpu/buffer.hpp"
#include "lacuna/compute/cpu/tiles.hpp"
#include "lacuna/compute/host/factor.hpp"

namespace lacuna::compute::cpu {

// Tiles of the lower triangle. Those on the diagonal are halved, so that less is computed above it.
struct TileAt {
  Index i0, ni, j0, nj;
};
inline std::vector<TileAt> lower_tiles(Index n) {
  std::vector<TileAt> list;
  for (Index j = 0; j < n; j += kTile) {
    const Index m = std::min(kTile, n - j), h = (m + 1) / 2;
    list.push_back({j, h, j, h});
    if (m > h) {
      list.push_back({j + h, m - h, j, h});
      list.push_back({j + h, m - h, j + h, m - h});
    }
    for (Index i = j + kTile; i < n; i += kTile) list.push_back({i, std::min(kTile, n - i), j, m});
  }
  return list;
}

// Keeps the lower triangle of K, or nothing when it is used once: then `lower` makes it for whoever asks. "Squared": K
// is R diag(c) R, and R, the kernel's own matrix, is never kept.
class CpuGram final : public host::HostGram, public std::enable_shared_from_this<CpuGram> {
 public:
  CpuGram(const Kernel& kernel, const RowsView& X, const Vector& c, Use use);  // c: squared; empty: not

  Vector diagonal() const override;
  Matrix multiply(const Matrix& V) const override;
  Matrix block(std::span<const Index> rows, std::span<const Index> cols) const override;
  std::unique_ptr<Factor> factor(const Vector& beta, double lambda, Want want) const override;
  Vector eigenvalues() const override;
  Matrix cross(const RowsView& X) const override;

  bool stored() const { return K_.data() != nullptr; }
  struct Lower {
    Buffer made;         // empty when it is the Gram's own
    const double* data;  // n x n, the lower triangle of K
  };
  Lower lower() const;
  const KernelTiles& tiles() const { return tiles_; }

  bool squared() const { return c_.size() > 0; }
  const Vector& column_weights() const { return c_; }  // c
  Buffer root() const;                                 // R, both triangles
  void square_into(double* out) const;                 // the lower triangle of R diag(c) R; out is n x n

 private:
  Buffer built() const;

  Kernel kernel_;
  KernelTiles tiles_;
  Index n_;
  Vector c_;  // empty: K is the kernel's own matrix
  Buffer K_;
};

}  // namespace lacuna::compute::cpu
