// compute/detail/inside.hpp -- marks a thread as working on a step of a parallel loop: loops inside it have one
// thread, and so does BLAS.
#pragma once

namespace lacuna::detail {

class Inside {
 public:
  Inside();
  ~Inside();
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  bool before_;
  int blas_before_;
};

}  // namespace lacuna::detail
