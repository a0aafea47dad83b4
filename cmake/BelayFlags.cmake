# The flags of Belay's own targets: warnings, the checked build, the sanitizer.
set(BELAY_COMPILE_FLAGS -Wall -Wextra -Wno-unused-parameter
  $<$<BOOL:${BELAY_WERROR}>:-Werror>)
set(BELAY_LINK_FLAGS "")
set(BELAY_SANITIZE_LIBRARIES "")
set(BELAY_SWIFT_FLAGS $<$<BOOL:${BELAY_WERROR}>:-warnings-as-errors>)

# The toolchain's clang would take gold, which warns by the hundred.
if(CMAKE_C_COMPILER STREQUAL BELAY_SWIFT_CLANG)
  list(APPEND BELAY_LINK_FLAGS -fuse-ld=lld)
endif()

if(BELAY_CHECKED)
  list(APPEND BELAY_COMPILE_FLAGS -DBELAY_CHECKED=1)
  list(APPEND BELAY_SWIFT_FLAGS -D BELAY_CHECKED -Xcc -DBELAY_CHECKED=1)
endif()

# A watched send is no step of the explorer's.
if(BELAY_EXPLORE)
  set(BELAY_PROBES OFF)
endif()
set(probes $<BOOL:${BELAY_PROBES}>)
list(APPEND BELAY_COMPILE_FLAGS -DBELAY_PROBES=${probes})
list(APPEND BELAY_SWIFT_FLAGS -Xcc -DBELAY_PROBES=${probes})

if(NOT BELAY_OWN_REFERENCES)
  list(APPEND BELAY_COMPILE_FLAGS -DBELAY_RUNTIME_REFERENCES=1)
  if(BELAY_EXPLORE)
    message(FATAL_ERROR "The explorer steers our own counting: BELAY_EXPLORE needs BELAY_OWN_REFERENCES")
  endif()
endif()

if(BELAY_UNTRIED_SWIFT)
  list(APPEND BELAY_SWIFT_FLAGS -D BELAY_UNTRIED_SWIFT)
endif()

if(BELAY_EXPLORE)
  list(APPEND BELAY_COMPILE_FLAGS -DBELAY_EXPLORE=1)
  # What the thread sanitizer would be told of plain memory the explorer is told (races.c).
  list(APPEND BELAY_SWIFT_FLAGS -D BELAY_EXPLORE -Xcc -DBELAY_EXPLORE=1 -sanitize=thread)
endif()

if(NOT BELAY_SANITIZE MATCHES "^(address|thread)?$")
  message(FATAL_ERROR "BELAY_SANITIZE is \"${BELAY_SANITIZE}\"; it can be address or thread")
elseif(BELAY_SANITIZE)
  list(APPEND BELAY_COMPILE_FLAGS -fsanitize=${BELAY_SANITIZE} -fno-omit-frame-pointer)
  list(APPEND BELAY_LINK_FLAGS -fsanitize=${BELAY_SANITIZE})
  list(APPEND BELAY_SWIFT_FLAGS -sanitize=${BELAY_SANITIZE})
endif()
# The toolchain's thread sanitizer intercepts libdispatch and cannot be linked without it.
if(BELAY_SANITIZE STREQUAL "thread")
  set(BELAY_SANITIZE_LIBRARIES "-L${BELAY_SWIFT_LIBDIR}" -ldispatch -lBlocksRuntime
    "-Wl,-rpath,${BELAY_SWIFT_LIBDIR}")
endif()

function(belay_flags target)
  target_compile_options(${target} PRIVATE ${BELAY_COMPILE_FLAGS})
endfunction()

# A checked or sanitized build is for tests alone, so there the flavour that has all is tested, and the
# other one need not be compiled.
set(BELAY_TESTED_CORE core)
if(BELAY_CHECKED OR BELAY_SANITIZE)
  set(BELAY_TESTED_CORE core_testing)
endif()

# belay_link(<target> <kind>): links belay::<kind>, or the same of the flavour that is tested.
function(belay_link target kind)
  if(BELAY_TESTED_CORE STREQUAL "core_testing" AND NOT kind MATCHES "testing")
    string(REPLACE shared testing kind "${kind}")
    string(REPLACE static testing_static kind "${kind}")
    string(REGEX REPLACE "^cpp$" cpp_testing kind "${kind}")
  endif()
  target_link_libraries(${target} PRIVATE belay::${kind})
endfunction()

# belay_program(<name> <kind> <source>...): a program of ours in C that uses belay::<kind>. The target
# belay_programs is all of them.
add_custom_target(belay_programs)
function(belay_program name kind)
  add_executable(${name} ${ARGN})
  add_dependencies(belay_programs ${name})
  belay_flags(${name})
  target_link_options(${name} PRIVATE ${BELAY_LINK_FLAGS})
  belay_link(${name} ${kind})
  target_link_libraries(${name} PRIVATE ${BELAY_SANITIZE_LIBRARIES})
  set_target_properties(${name} PROPERTIES C_STANDARD 11)
endfunction()

# belay_test_environment(<test>...): reports with line numbers, leaks included.
function(belay_test_environment)
  set(symbolizer "${BELAY_SWIFT_BINDIR}/llvm-symbolizer")
  if(BELAY_SANITIZE STREQUAL "address")
    set(environment "ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1"
      "ASAN_SYMBOLIZER_PATH=${symbolizer}")
  elseif(BELAY_SANITIZE STREQUAL "thread")
    set(environment "TSAN_OPTIONS=second_deadlock_stack=1:external_symbolizer_path=${symbolizer}")
  else()
    return()
  endif()
  set_property(TEST ${ARGN} APPEND PROPERTY ENVIRONMENT ${environment})
endfunction()
