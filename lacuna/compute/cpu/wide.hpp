// compute/cpu/wide.hpp -- marks a function with a plain loop in it: one version is compiled for wide, medium and plain
// vector units each, and the dynamic linker picks. (Sanitizers cannot run before the linker has picked: they get one
// version.)
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define LACUNA_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define LACUNA_WIDE
#endif
