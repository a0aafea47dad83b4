# Finds swiftc and, from it, the toolchain's clang. Included before project(), because the
# sanitizers want that clang as the C compiler.
find_program(BELAY_SWIFTC swiftc REQUIRED DOC "The Swift compiler")

# Toolchain.swift has the list of the compilers that Belay has been tried with, and the compiler compares.
# The switch is a variable of the environment: SwiftPM and the builds that tests make read it, too.
set(BELAY_UNTRIED_SWIFT OFF)
if("$ENV{BELAY_UNTRIED_SWIFT}" STREQUAL "1")
  set(BELAY_UNTRIED_SWIFT ON)
else()
  execute_process(
    COMMAND "${BELAY_SWIFTC}" -frontend -typecheck -parse-stdlib -parse-as-library
      -module-name Toolchain "${CMAKE_CURRENT_LIST_DIR}/../Sources/Belay/Runtime/Toolchain.swift"
    RESULT_VARIABLE result ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    string(REGEX REPLACE "^.*[^`]error: ([^\n]*)\n.*$" "\\1" output "${output}")
    execute_process(COMMAND "${BELAY_SWIFTC}" --version
      OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    message(FATAL_ERROR "${output}\nThis is ${BELAY_SWIFTC}:\n${version}")
  endif()
endif()

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
