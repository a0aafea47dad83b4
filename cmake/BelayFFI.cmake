# Makes belay::ffi, libffi: for our own build and, installed, for find_package(belay).
# A project that brings a libffi target of its own can define belay::ffi first.
if(TARGET belay::ffi)
  return()
endif()
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(BELAY_PC_FFI QUIET libffi)
endif()
find_path(BELAY_FFI_INCLUDE_DIR ffi.h HINTS ${BELAY_PC_FFI_INCLUDE_DIRS} DOC "Where ffi.h is")
find_library(BELAY_FFI_LIBRARY ffi HINTS ${BELAY_PC_FFI_LIBRARY_DIRS} DOC "libffi")
mark_as_advanced(BELAY_FFI_INCLUDE_DIR BELAY_FFI_LIBRARY)
if(BELAY_FFI_INCLUDE_DIR AND BELAY_FFI_LIBRARY)
  add_library(belay::ffi UNKNOWN IMPORTED GLOBAL)
  set_target_properties(belay::ffi PROPERTIES
    IMPORTED_LOCATION "${BELAY_FFI_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${BELAY_FFI_INCLUDE_DIR}")
elseif(NOT CMAKE_FIND_PACKAGE_NAME)
  message(FATAL_ERROR "libffi was not found; on Debian: apt-get install libffi-dev, or set BELAY_INTERCEPTION to OFF")
endif()
