# cmake/make_page.cmake -- run by the build: installs the pinned packages of page/package-lock.json where they are not
# there yet, and has page/build.mjs write OUTPUT. Where that cannot be done, OUTPUT says why.
cmake_minimum_required(VERSION 3.25)
# Looked for when it is built, not when it is configured, so that a program that is installed later is found.
find_program(NPM npm)
find_program(NODE node)
set(why "")
if(NOT NPM OR NOT NODE)
  set(why "npm was not found")
else()
  file(MAKE_DIRECTORY ${INTO})
  file(SHA256 ${FROM}/package-lock.json wanted)
  set(mark ${INTO}/installed.txt)
  set(have "")
  if(EXISTS ${mark})
    file(READ ${mark} have)
  endif()
  file(COPY ${FROM}/package.json ${FROM}/package-lock.json DESTINATION ${INTO})
  if(NOT have STREQUAL wanted)
    execute_process(COMMAND ${NPM} ci --no-audit --no-fund --ignore-scripts --loglevel=error WORKING_DIRECTORY ${INTO}
                    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
    if(failed)
      set(why "npm could not install the packages of page/package-lock.json")
      message(WARNING "page: ${why}:\n${said}")
    else()
      file(WRITE ${mark} ${wanted})
    endif()
  endif()
  if(why STREQUAL "")
    execute_process(COMMAND ${NODE} ${FROM}/build.mjs ${INTO} ${OUTPUT} RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "page: page/build.mjs failed")
    endif()
    return()
  endif()
endif()
message(STATUS "page: ${why}: reports will not be written as pages")
file(WRITE ${OUTPUT} "// Made by cmake/make_page.cmake.
#include \"lacuna/report/page/assets.hpp\"

namespace lacuna {

const PageAssets& page_assets() {
  static const PageAssets all{.missing =
      \"this program was built without the parts that a page is made of, because ${why}; install npm (Node.js 18 or \"
      \"later), remove page/page_assets.cpp from the build folder, and build again\"};
  return all;
}

}  // namespace lacuna
")
