# Sources of one folder, some at a time in one run of the compiler: what they include is read once for all of them. A
# batch has files of one folder only, so names in anonymous namespaces differ within a folder. -DLACUNA_BATCHES=OFF
# compiles every file by itself; `make tidy` does, so that a file that lacks an include is found.
option(LACUNA_BATCHES "Compile several sources of a folder together" ON)

# `size`: sources in a batch, few enough for an edit to compile in seconds.
function(lacuna_in_batches target size)
  if(NOT LACUNA_BATCHES)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_source_file_property(alone ${source} SKIP_PRECOMPILE_HEADERS)
    if(alone OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" name)
    math(EXPR count_${name} "0${count_${name}} + 1")  # 0 where there is none yet
    math(EXPR batch "${count_${name}} / ${size}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${name}_${batch}")
  endforeach()
endfunction()
