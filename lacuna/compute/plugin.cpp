#include "lacuna/compute/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "lacuna/base/error.hpp"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// The folder of the library, or of the program it is part of.
fs::path own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&plugin_backend), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code ignored;
  const fs::path file = fs::canonical(info.dli_fname, ignored);
  return file.parent_path();
}

std::string how_to_get(std::string_view name) {
  return fmt::format(
      "`make {0}` in the source builds it (docs/guide/several-machines.md), and `backend=cpu` does without", name);
}

template <class Function>
Function* function_of(void* object, const char* name) {
  return reinterpret_cast<Function*>(dlsym(object, name));
}

}  // namespace

const std::vector<std::string>& plugin_names() {
  static const std::vector<std::string> names{"mpi"};
  return names;
}

const Backend& plugin_backend(std::string_view name) {
  const fs::path file = own_folder() / fmt::format("liblacuna_{}.so", name);
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    fail_usage(fmt::format("backend: {} is a plug-in that is not installed here: there is no {}; {}", name,
                           file.string(), how_to_get(name)));
  // Global: MPI's own parts look for its symbols among those of the program.
  void* object = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (object == nullptr)
    fail_usage(fmt::format("backend: {} cannot be loaded: {}; {}", name, dlerror(), how_to_get(name)));
  auto* const version = function_of<const char*()>(object, "lacuna_plugin_version");
  auto* const backend = function_of<const Backend*()>(object, "lacuna_plugin_backend");
  if (version == nullptr || backend == nullptr)
    fail_usage(fmt::format("backend: {} is no plug-in of lacuna; {}", file.string(), how_to_get(name)));
  if (std::string_view(version()) != LACUNA_VERSION)
    fail_usage(fmt::format("backend: {} is of version {}, and this is {}; {}", file.string(), version(), LACUNA_VERSION,
                           how_to_get(name)));
  const Backend* made = backend();
  if (made == nullptr) throw Served{};
  return *made;
}

}  // namespace lacuna
