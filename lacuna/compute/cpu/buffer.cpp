#include "lacuna/compute/cpu/buffer.hpp"

#include <cstdlib>
#include <new>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace lacuna::compute::cpu {
namespace {

constexpr std::size_t huge_page = std::size_t(1) << 21;

// Freed buffers of one thread. A search holds four matrices and a few panels; more than that are not worth keeping.
class Kept final : public Workspace {
 public:
  Kept() { current() = this; }
  ~Kept() override {
    current() = nullptr;
    for (const auto& [p, bytes] : list_) std::free(p);
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  static Kept*& current() {
    thread_local Kept* kept = nullptr;
    return kept;
  }
  void* take(std::size_t bytes) {
    for (std::size_t k = 0; k < list_.size(); ++k)
      if (list_[k].second == bytes) {
        void* p = list_[k].first;
        list_.erase(list_.begin() + std::ptrdiff_t(k));
        return p;
      }
    return nullptr;
  }
  void keep(void* p, std::size_t bytes) {
    if (list_.size() >= 8) {  // the one unused for longest makes room
      std::free(list_.front().first);
      list_.erase(list_.begin());
    }
    list_.emplace_back(p, bytes);
  }

 private:
  std::vector<std::pair<void*, std::size_t>> list_;
};

struct Nothing final : Workspace {};

}  // namespace

Buffer::Buffer(Index doubles) {
  const std::size_t bytes = std::size_t(doubles > 0 ? doubles : 1) * sizeof(double);
  const std::size_t unit = bytes >= 2 * huge_page ? huge_page : 64;
  const std::size_t rounded = (bytes + unit - 1) / unit * unit;
  void* p = Kept::current() != nullptr ? Kept::current()->take(rounded) : nullptr;
  if (p == nullptr) {
    p = std::aligned_alloc(unit, rounded);
    if (p == nullptr) throw std::bad_alloc();
#ifdef __linux__
    if (unit == huge_page) madvise(p, rounded, MADV_HUGEPAGE);  // advice only: nothing depends on it
#endif
  }
  data_ = {static_cast<double*>(p), Free{rounded}};
}

void Buffer::Free::operator()(double* p) const {
  if (Kept::current() != nullptr)
    Kept::current()->keep(p, bytes);
  else
    std::free(p);
}

std::unique_ptr<Workspace> keep_buffers() {
  if (Kept::current() != nullptr) return std::make_unique<Nothing>();
  return std::make_unique<Kept>();
}

}  // namespace lacuna::compute::cpu
