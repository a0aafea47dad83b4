# Makes belay::uv, the host's libuv: for our own build and, installed, for find_package(belay).
# A project that brings a libuv target of its own can define belay::uv first.
if(TARGET belay::uv)
  return()
endif()
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(BELAY_PC_UV QUIET libuv)
endif()
find_path(BELAY_UV_INCLUDE_DIR uv.h HINTS ${BELAY_PC_UV_INCLUDE_DIRS} DOC "Where uv.h is")
find_library(BELAY_UV_LIBRARY uv HINTS ${BELAY_PC_UV_LIBRARY_DIRS} DOC "libuv")
mark_as_advanced(BELAY_UV_INCLUDE_DIR BELAY_UV_LIBRARY)
if(BELAY_UV_INCLUDE_DIR AND BELAY_UV_LIBRARY)
  add_library(belay::uv UNKNOWN IMPORTED GLOBAL)
  set_target_properties(belay::uv PROPERTIES
    IMPORTED_LOCATION "${BELAY_UV_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${BELAY_UV_INCLUDE_DIR}")
elseif(NOT CMAKE_FIND_PACKAGE_NAME)
  message(FATAL_ERROR "libuv was not found; on Debian: apt-get install libuv1-dev")
endif()
