# Makes belay::uv, the host's libuv: for our own build and, installed, for find_package(belay).
include("${CMAKE_CURRENT_LIST_DIR}/BelayImport.cmake")
# A release's core is compiled for this one. Loops refuse an older one, because libuv promises to run only what was
# compiled for an older minor version. The source release's Makefile and scripts read this line.
set(BELAY_UV_VERSION 1.44)
belay_import(uv uv.h ${BELAY_UV_VERSION}
  "on Debian: apt-get install libuv1-dev")
