// kernel/whole.hpp -- parameters of kernels that are whole numbers and are not searched, such as a degree.
#pragma once

#include <string_view>

namespace lacuna::kernels {

/// Its name, where it is, and its range.
template <class K>
struct Whole {
  std::string_view name;
  int K::*member;
  int least, most;
};
/// A name for a kernel with that number: "poly2".
struct Shorthand {
  std::string_view name;
  int whole;
};

}  // namespace lacuna::kernels
