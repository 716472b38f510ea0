# Warnings are errors for everything in this tree; dependencies are included as system headers.
add_library(lacuna_warnings INTERFACE)
target_compile_options(lacuna_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Wold-style-cast -Woverloaded-virtual -Wnull-dereference -Wdouble-promotion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of GCC 12 inside Eigen and the standard library when it inlines at -O2 and above.
  target_compile_options(lacuna_warnings INTERFACE -Wno-null-dereference -Wno-maybe-uninitialized -Wno-array-bounds
                         -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict)
endif()
