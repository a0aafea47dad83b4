# Finds swiftc and, from it, the toolchain's clang. Included before project(), because the
# sanitizers want that clang as the C compiler.
find_program(BELAY_SWIFTC swiftc REQUIRED DOC "The Swift compiler")
execute_process(COMMAND "${BELAY_SWIFTC}" -print-target-info
  OUTPUT_VARIABLE info COMMAND_ERROR_IS_FATAL ANY)
string(JSON BELAY_SWIFT_RESOURCES GET "${info}" paths runtimeResourcePath)
string(JSON BELAY_SWIFT_PLATFORM GET "${info}" target platform)
set(BELAY_SWIFT_LIBDIR "${BELAY_SWIFT_RESOURCES}/${BELAY_SWIFT_PLATFORM}")
get_filename_component(BELAY_SWIFT_BINDIR "${BELAY_SWIFT_RESOURCES}/../../bin" ABSOLUTE)
set(BELAY_SWIFT_CLANG "${BELAY_SWIFT_BINDIR}/clang")

if(BELAY_SANITIZE AND NOT CMAKE_C_COMPILER AND EXISTS "${BELAY_SWIFT_CLANG}"
    AND CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
  set(CMAKE_C_COMPILER "${BELAY_SWIFT_CLANG}" CACHE FILEPATH "The C compiler")
endif()
