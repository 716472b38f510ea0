# cmake/page.cmake -- what the report page carries (page/), as one C++ file. Needs npm once, and its registry; without
# them all else is built, and `lacuna report` says what is missing.
set(LACUNA_PAGE_FILE ${CMAKE_BINARY_DIR}/page/page_assets.cpp)
file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/page/*.* ${PROJECT_SOURCE_DIR}/page/charts/*.json
     ${PROJECT_SOURCE_DIR}/page/source/*.js)
add_custom_command(OUTPUT ${LACUNA_PAGE_FILE}
  COMMAND ${CMAKE_COMMAND} -DFROM=${PROJECT_SOURCE_DIR}/page -DINTO=${CMAKE_BINARY_DIR}/page -DOUTPUT=${LACUNA_PAGE_FILE}
          -P ${PROJECT_SOURCE_DIR}/cmake/make_page.cmake
  DEPENDS ${page_sources} ${PROJECT_SOURCE_DIR}/cmake/make_page.cmake
  COMMENT "The report page: Vega and our charts" VERBATIM)
