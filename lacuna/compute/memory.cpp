// compute/memory.cpp (of compute.hpp) -- what fits: what is too large is refused before it is allocated.
#include <unistd.h>

#include <fstream>
#include <string>

#include "lacuna/compute/compute.hpp"

namespace lacuna {

double dual_bytes(Index rows, bool gradient) { return (gradient ? 4.0 : 2.0) * double(rows) * double(rows) * 8.0; }

double available_bytes() {
  // What the kernel thinks can be had without swapping; elsewhere, the free pages.
  std::ifstream info("/proc/meminfo");
  for (std::string key; info >> key;) {
    double kilobytes = 0.0;
    if (key == "MemAvailable:" && info >> kilobytes) return kilobytes * 1024.0;
    info.ignore(256, '\n');
  }
  return double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
}

}  // namespace lacuna
