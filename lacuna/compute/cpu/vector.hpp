// compute/cpu/vector.hpp -- vectors of 2, 4 or 8 doubles as the compiler knows them, and which the processor has.
#pragma once

namespace lacuna::compute::cpu {

// The same source for each vector width (in doubles). The compiler's vector types rather than a library's, so that one
// file serves every processor and the choice is made when the program runs. Type lives in registers; Memory is how it
// is read and written among plain doubles: a structure because Clang forgets the smaller alignment of a vector type
// under another name or as `auto`, and reads as if all were aligned.
template <int width>
struct VectorOf;
template <>
struct VectorOf<2> {
  using Type = double __attribute__((vector_size(16)));
  struct __attribute__((packed, aligned(8), may_alias)) Memory {
    Type v;
  };
};
template <>
struct VectorOf<4> {
  using Type = double __attribute__((vector_size(32)));
  struct __attribute__((packed, aligned(8), may_alias)) Memory {
    Type v;
  };
};
template <>
struct VectorOf<8> {
  using Type = double __attribute__((vector_size(64)));
  struct __attribute__((packed, aligned(8), may_alias)) Memory {
    Type v;
  };
};

/// The widest vectors this processor has, in doubles.
inline int widest_vector() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return 8;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 4;
#endif
  return 2;
}

// Functions compiled for the wider vectors; call them only where widest_vector() says so.
#if defined(__x86_64__)
#define LACUNA_VECTOR_4 __attribute__((target("avx2,fma")))
#define LACUNA_VECTOR_8 __attribute__((target("avx512f,avx512dq,avx2,fma")))
#endif

}  // namespace lacuna::compute::cpu
