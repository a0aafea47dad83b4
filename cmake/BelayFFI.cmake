# Makes belay::ffi, libffi: for our own build and, installed, for find_package(belay).
include("${CMAKE_CURRENT_LIST_DIR}/BelayImport.cmake")
belay_import(ffi ffi.h ""
  "on Debian: apt-get install libffi-dev, or set BELAY_INTERCEPTION to OFF")
