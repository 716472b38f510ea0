# Headers of others that most files read, parsed once per target (a second saved in nearly every file). None of them is
# ours, so that no edit in this tree makes them stale; and every file still includes what it uses, which builds with
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON hold it to (`make tidy` does). Not here: <filesystem>, which has std::quoted and
# so would capture calls of our quoted(); and <nlohmann/json.hpp>, which costs the files without it more than it saves.
set(LACUNA_PRECOMPILED <algorithm> <array> <chrono> <cmath> <cstdint> <cstring> <functional> <limits> <map>
    <memory> <numeric> <optional> <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector>
    <Eigen/Cholesky> <Eigen/Core> <fmt/format.h>)

# ccache caches such builds only when told that neither __TIME__ nor macros from outside matter to what is precompiled.
foreach(language C CXX)
  if(CMAKE_${language}_COMPILER_LAUNCHER MATCHES "ccache$")
    list(PREPEND CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros)
  endif()
endforeach()
