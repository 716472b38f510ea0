#!/usr/bin/env bash
# Installs what the build needs and is not there yet: Debian and Ubuntu packages, as root or through sudo.
# On other systems it says what is missing. --test adds the browser that report pages are tested in, --deep what
# `make check-deep`, `format` and `tidy` need, --mpi what `make mpi` needs.
set -euo pipefail

packages=(g++ cmake ninja-build make pkg-config libopenblas-openmp-dev liblapacke-dev libeigen3-dev libnlopt-dev
          libcli11-dev nlohmann-json3-dev libfmt-dev libgtest-dev libbenchmark-dev zlib1g-dev
          python3 python3-dev python3-venv)
deep=0
test=0
mpi=0
for argument in "$@"; do
  case "$argument" in
    --deep) deep=1 ;;
    --test) test=1 ;;
    --mpi) mpi=1 ;;
    *) echo "usage: scripts/setup.sh [--test] [--deep] [--mpi]" >&2; exit 2 ;;
  esac
done
((test)) && packages+=(chromium fonts-dejavu-core)
((deep)) && packages+=(clang clang-format clang-tidy libomp-dev)
((mpi)) && packages+=(libopenmpi-dev openmpi-bin libscalapack-openmpi-dev)

installed() { [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" == installed* ]]; }
as_root() { if ((EUID == 0)); then "$@"; else sudo "$@"; fi; }
apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 "$@"; }

# The library of Clang's sanitizers and fuzzer goes by the compiler's version where there is no package for any.
clang_runtime() {
  local version
  version=$(apt-cache depends clang 2>/dev/null | grep -oP 'Depends: clang-\K[0-9]+$' | head -1) || true
  if [[ -n "$version" ]]; then echo "libclang-rt-$version-dev"; else echo libclang-rt-dev; fi
}

debian() {
  local missing=() package updated=0
  for package in "${packages[@]}"; do installed "$package" || missing+=("$package"); done
  if ((${#missing[@]})); then
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
      echo "setup: as root, please run: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    echo "setup: installing ${missing[*]}" >&2
    apt update
    updated=1
    apt install --no-install-recommends -y "${missing[@]}" >/dev/null
  fi
  # Report pages are made with npm (Node.js 18 or later), whoever installed it; all else is built without it.
  if ! command -v npm >/dev/null; then
    ((updated)) || apt update
    updated=1
    echo "setup: installing npm" >&2
    apt install --no-install-recommends -y npm >/dev/null || echo "setup: no npm: lacuna report will not work" >&2
  fi
  if ((deep)) && ! installed "$(clang_runtime)" && ! installed libclang-rt-dev; then
    ((updated)) || apt update
    apt install --no-install-recommends -y "$(clang_runtime)" >/dev/null
  fi
}

elsewhere() {
  local missing=() tool header compiler=${CXX:-c++}
  local tools=("$compiler" cmake ninja make python3)
  ((deep)) && tools+=(clang++ clang-format clang-tidy)
  ((mpi)) && tools+=(mpicc mpirun)
  for tool in "${tools[@]}"; do command -v "$tool" >/dev/null || missing+=("$tool"); done
  for header in cblas.h lapacke.h nlopt.h CLI/CLI.hpp nlohmann/json.hpp fmt/format.h gtest/gtest.h \
                benchmark/benchmark.h zlib.h; do
    echo "#include <$header>" | "$compiler" -std=c++20 -E -x c++ - >/dev/null 2>&1 || missing+=("<$header>")
  done
  ((${#missing[@]})) || return 0
  cat >&2 <<'END'
setup: this is not Debian or Ubuntu, so nothing was installed. The build needs
  GCC 12 or Clang 14, CMake 3.25, Ninja, GNU make, Python 3 (with venv and headers, for the Python package),
  OpenBLAS (its OpenMP build) with CBLAS and LAPACKE, Eigen 3.4, NLopt,
  CLI11, nlohmann-json, fmt, GoogleTest, Google Benchmark, zlib;
  and, for report pages, npm (Node.js 18 or later) and, for their tests, chromium
END
  echo "setup: not found: ${missing[*]}" >&2
  exit 1
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then debian; else elsewhere; fi
