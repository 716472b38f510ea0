// compute/cpu/buffer.hpp -- memory for a large matrix: uninitialised, aligned, and on huge pages where the system
// offers them (a fresh 4000 x 4000 matrix otherwise costs 32,000 page faults, several per cent of its own
// factorisation). While a Workspace lives, what its thread frees is kept and handed out again: a search asks for the
// same sizes every time.
#pragma once

#include <memory>

#include "lacuna/base/matrix.hpp"
#include "lacuna/compute/compute.hpp"

namespace lacuna::compute::cpu {

class Buffer {
 public:
  Buffer() = default;
  /// Throws std::bad_alloc.
  explicit Buffer(Index doubles);
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }

 private:
  struct Free {
    std::size_t bytes;
    void operator()(double* p) const;
  };
  std::unique_ptr<double, Free> data_{nullptr, Free{0}};
};

/// Memory that is asked for over and over, as thread_local: grows to the largest request and is kept.
class Scratch {
 public:
  /// Room for so many doubles, holding anything; the last room is gone.
  double* room(Index doubles) {
    if (doubles > size_) {
      kept_ = Buffer();
      kept_ = Buffer(doubles);
      size_ = doubles;
    }
    return kept_.data();
  }

 private:
  Buffer kept_;
  Index size_ = 0;
};

/// The cpu back end's Workspace (compute.hpp); nested ones share the outermost.
std::unique_ptr<Workspace> keep_buffers();

}  // namespace lacuna::compute::cpu
