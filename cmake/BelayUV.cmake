# Makes belay::uv, the host's libuv: for our own build and, installed, for find_package(belay).
include("${CMAKE_CURRENT_LIST_DIR}/BelayImport.cmake")
belay_import(uv uv.h
  "on Debian: apt-get install libuv1-dev")
