// compute/plugin.hpp -- back ends that need more than the library does lie in shared objects of their own,
// liblacuna_NAME.so, beside the library, and are loaded when one is asked for by name: one program serves machines with
// and without what they need.
//
// A plug-in has these two functions, and was built from the same version of the library:
//   extern "C" const char* lacuna_plugin_version();
//   extern "C" const lacuna::Backend* lacuna_plugin_backend();   null: this process has served another and is done
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lacuna/compute/compute.hpp"

namespace lacuna {

/// Names of back ends that are plug-ins, whether or not they are here.
const std::vector<std::string>& plugin_names();

/// Thrown where "mpi" is asked for on a rank other than 0, when that rank is done: it has done its part of whatever
/// rank 0 computed, which has ended, and there is nothing left to do. No Error: nothing went wrong.
struct Served {};

/// Throws Error(usage), saying what to do, where it is not installed or cannot be used; Served.
const Backend& plugin_backend(std::string_view name);

}  // namespace lacuna
