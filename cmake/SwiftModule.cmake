# CMake's own Swift language cannot link an Embedded archive into a C program, so each module is one
# whole-module swiftc call.

set(BELAY_SWIFT_MODULES "")
set(BELAY_SWIFT_DIR "${CMAKE_CURRENT_BINARY_DIR}/swift")
file(MAKE_DIRECTORY "${BELAY_SWIFT_DIR}")
file(GLOB_RECURSE BELAY_SWIFT_HEADERS CONFIGURE_DEPENDS
  include/*.h include/*.modulemap Sources/C*/*.h Sources/C*/*.modulemap)

get_target_property(uv_includes belay::uv INTERFACE_INCLUDE_DIRECTORIES)
set(BELAY_SWIFT_INCLUDES "")
foreach(directory include Sources/CBelayShim/include Sources/CBelayClosure/include
    Sources/CLibuv)
  list(APPEND BELAY_SWIFT_INCLUDES -I "${CMAKE_CURRENT_SOURCE_DIR}/${directory}")
endforeach()
foreach(directory IN LISTS uv_includes)
  if(NOT directory IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
    list(APPEND BELAY_SWIFT_INCLUDES -Xcc "-I${directory}")
  endif()
endforeach()

# Another machine's code. Embedded Swift comes with a standard library for ARM without a system, and none for
# ARM Linux: the compiler is told of that, and takes Linux's headers.
set(BELAY_SWIFT_TARGET "")
if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  message(FATAL_ERROR "Belay needs a machine of 64 bits: its atomic states and a value's words have as many")
elseif(CMAKE_CROSSCOMPILING)
  if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
    message(FATAL_ERROR "Belay is compiled for another machine only if that is aarch64, not "
      "${CMAKE_SYSTEM_PROCESSOR}: docs/architecture.md tells what was tried")
  endif()
  set(BELAY_SWIFT_TARGET -target ${CMAKE_SYSTEM_PROCESSOR}-none-none-elf)
  foreach(directory IN LISTS CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
    list(APPEND BELAY_SWIFT_INCLUDES -Xcc -isystem -Xcc "${directory}")
  endforeach()
  list(APPEND BELAY_SWIFT_INCLUDES -Xcc -D__linux__=1 -Xcc -D__gnu_linux__=1 -Xcc -D__unix__=1 -Xcc -fPIC)
endif()

# What references.c defines instead must not be inlined before. Nor may a look at a count: LLVM moves a
# retain behind what it sees to be a plain load, and an array that is shared is then changed in place.
set(BELAY_SWIFT_OUT_OF_LINE "")
if(BELAY_OWN_REFERENCES)
  foreach(function allocObject initStaticObject retain retain_n release release_n)
    list(APPEND BELAY_SWIFT_OUT_OF_LINE -Xllvm -force-attribute=swift_${function}:noinline)
  endforeach()
endif()
set(BELAY_SWIFT_COUNTING ${BELAY_SWIFT_OUT_OF_LINE})
foreach(function isUniquelyReferenced_native isUniquelyReferenced_nonNull_native)
  list(APPEND BELAY_SWIFT_OUT_OF_LINE -Xllvm -force-attribute=swift_${function}:noinline)
endforeach()

# What -Osize leaves to be had: nothing is inlined into what is long already, LLVM inlines little more, a
# function has one trap for all of its checks, and is not copied for a closure that it is passed (6 KB). Nor are
# addresses and small numbers moved out of loops, where a register must be saved for each (1 KB). What all branches do
# is done once, before or behind them (0.5 KB). No function keeps a frame pointer, on ARM64 either (14 KB).
# No expression is computed on one branch so that it is at hand behind them (1 KB), blocks stand where they need the
# fewest jumps (3 KB), and where branches meet, values are copied little (0.5 KB). Two instructions at the ends of two
# blocks are enough for one copy of them, functions of ten instructions that differ in constants are one, and registers
# are saved where it takes least (1 KB).
set(BELAY_SWIFT_SMALL_LLVM -Xllvm -inline-threshold=10 -Xllvm -disable-machine-licm
  -Xllvm -enable-gvn-hoist -Xllvm -enable-gvn-sink -Xllvm -enable-pre=false
  -Xllvm -apply-ext-tsp-for-size -Xllvm -sink-common-insts -Xllvm -hoist-common-insts -Xllvm -join-splitedges
  -Xllvm -swiftmergefunc-threshold=10 -Xllvm -tail-merge-size=2 -Xllvm -phi-node-folding-threshold=1
  -Xllvm -instcombine-code-sinking=false -Xllvm -aggressive-ext-opt -Xllvm -split-spill-mode=size
  -Xllvm -large-interval-freq-threshold=10)
set(BELAY_SWIFT_SMALL -Xllvm -sil-inline-overall-caller-block-limit=6 ${BELAY_SWIFT_SMALL_LLVM}
  -Xfrontend -mergeable-traps -Xllvm -sil-disable-pass=closure-specialize -Xcc -fomit-frame-pointer
  -Xcc -fno-asynchronous-unwind-tables)

# In a release, belay_* alone is global in the code that is linked. internal.sed tells LLVM so, which
# inlines a function that has one caller and leaves out one that has none. That saves 37 KB and time.
set(BELAY_SWIFT_INTERNAL OFF)
# internal.sed has objects allocated by a function of references.c, so it needs our own counting.
if(CMAKE_BUILD_TYPE MATCHES "^(Release|MinSizeRel)$" AND BELAY_SANITIZE STREQUAL ""
    AND BELAY_OWN_REFERENCES)
  set(BELAY_SWIFT_INTERNAL ON)
endif()

# Then what functions have in common is taken out, but not of those that events pass through: direct.sed names
# them. LLVM's machine outliner does that, and outline.awk where it can do more.
set(BELAY_SWIFT_EDITS "${CMAKE_CURRENT_SOURCE_DIR}/cmake/internal.sed"
  "${CMAKE_CURRENT_SOURCE_DIR}/cmake/direct.sed")
set(BELAY_SWIFT_OUTLINER -Xllvm -enable-machine-outliner=always -Xllvm -machine-outliner-reruns=2)

# On x86-64 our own retain and release preserve registers, where we have written them so.
set(BELAY_PRESERVING OFF)
set(BELAY_SWIFT_SHORTEN "")
set(BELAY_SWIFT_ASSEMBLE "--target=${CMAKE_SYSTEM_PROCESSOR}-linux-gnu")
if(BELAY_SWIFT_INTERNAL AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(BELAY_PRESERVING ON)
  set(BELAY_SWIFT_ASSEMBLE -march=x86-64-v2)
  list(APPEND BELAY_SWIFT_EDITS "${CMAKE_CURRENT_SOURCE_DIR}/cmake/preserving.sed")
  set(BELAY_SWIFT_OUTLINER "")
  list(APPEND BELAY_SWIFT_SHORTEN shorten.sh fold.awk outline.awk join.awk order.txt no_plt.sed)
  list(TRANSFORM BELAY_SWIFT_SHORTEN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/cmake/")
endif()

# Folders that a build leaves out. Those of ordinary Swift, always: what needs tasks, key paths or
# objects with a runtime, and what Embedded Swift has in another form (Ordinary; SwiftPM leaves
# Embedded out). The others by an option.
set(BELAY_SWIFT_LEFT_OUT Tasks KeyPaths Native Ordinary)
if(BELAY_INTERCEPTION)
  list(APPEND BELAY_SWIFT_LEFT_OUT ForInterception)
else()
  list(APPEND BELAY_SWIFT_LEFT_OUT Interception)
endif()
if(BELAY_IO)
  list(APPEND BELAY_SWIFT_LEFT_OUT ForIO)
else()
  list(APPEND BELAY_SWIFT_LEFT_OUT IO)
endif()
if(NOT BELAY_CHECKED)
  list(APPEND BELAY_SWIFT_LEFT_OUT Checked)
endif()
if(NOT BELAY_EXPLORE)
  list(APPEND BELAY_SWIFT_LEFT_OUT Explored)
endif()

# belay_swift_module(<name> [OBJECT <out> [DIRECTORY <directory>] [WITHOUT <folder>...]]): compiles
# Sources/<name>/**.swift; may import every module before it. With OBJECT it is the last one, whose object
# is linked, and which may be compiled several times, to different directories.
function(belay_swift_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OBJECT;DIRECTORY" "WITHOUT")
  set(directory "${BELAY_SWIFT_DIR}/${arg_DIRECTORY}")
  file(MAKE_DIRECTORY "${directory}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    "${CMAKE_CURRENT_SOURCE_DIR}/Sources/${name}/*.swift")
  list(JOIN BELAY_SWIFT_LEFT_OUT "|" left_out)
  if(arg_WITHOUT)
    string(APPEND left_out "|${arg_WITHOUT}")
  endif()
  list(FILTER sources EXCLUDE REGEX "/Sources/${name}/(.*/)?(${left_out})/")
  set(object "${directory}/${name}.o")
  set(module "${directory}/${name}.swiftmodule")
  set(output -c -o "${object}")
  # The compiler keeps an object made from the same code, even under other flags.
  set(first COMMAND "${CMAKE_COMMAND}" -E rm -f "${object}")
  set(then "")
  set(rules "")
  if(NOT arg_OBJECT)
    # Its code is in the last one's object, too.
    set(object "")
    set(output "")
    set(first "")
  elseif(BELAY_SWIFT_INTERNAL)
    set(ir "${directory}/${name}.ll")
    set(rules ${BELAY_SWIFT_EDITS} ${BELAY_SWIFT_SHORTEN})
    list(TRANSFORM BELAY_SWIFT_EDITS REPLACE "(.+)" "-f;\\1" OUTPUT_VARIABLE edits)
    set(output -emit-irgen -o "${ir}")
    # An initialiser that throws before all fields are set leaks the object (docs/architecture.md), and
    # internal.sed has left out what would free its fields.
    set(compile "${ir}" ${BELAY_SWIFT_TARGET} -module-name ${name} -Osize -function-sections
      ${BELAY_SWIFT_SMALL_LLVM} ${BELAY_SWIFT_OUTLINER} ${BELAY_SWIFT_OUT_OF_LINE})
    set(then COMMAND sh -c "! grep -q 'call .*@swift_deallocPartialClassInstance' \"$0\"" "${ir}"
      COMMAND sed -E -i ${edits} "${ir}")
    set(assembly "${directory}/${name}.s")
    list(APPEND then COMMAND "${BELAY_SWIFTC}" -frontend -S ${compile} -o "${assembly}")
    if(BELAY_SWIFT_SHORTEN)
      list(GET BELAY_SWIFT_SHORTEN 0 shorten)
      list(APPEND then COMMAND sh "${shorten}" "${ir}" "${assembly}")
    endif()
    # The frontend aligns x86's loops by long nops. clang has them from this generation on; the code has no
    # other instruction of it.
    list(APPEND then COMMAND "${BELAY_SWIFT_CLANG}" ${BELAY_SWIFT_ASSEMBLE} -c "${assembly}" -o "${object}")
  endif()
  # -gdwarf-types, because under -Onone the driver answers -g by wrapping the module into an object
  # of the same name, and fails.
  add_custom_command(OUTPUT ${object} "${module}"
    ${first}
    COMMAND "${BELAY_SWIFTC}" ${BELAY_SWIFT_TARGET} -enable-experimental-feature Embedded -wmo -parse-as-library
      -swift-version 6 -package-name belay -module-name ${name}
      $<IF:$<CONFIG:Debug>,-Onone,-Osize> "$<$<NOT:$<CONFIG:Debug>>:${BELAY_SWIFT_SMALL}>"
      $<$<OR:$<CONFIG:Debug>,$<CONFIG:RelWithDebInfo>>:-gdwarf-types>
      $<$<NOT:$<CONFIG:Debug>>:-enforce-exclusivity=unchecked>
      -Xfrontend -function-sections ${BELAY_SWIFT_OUT_OF_LINE} ${BELAY_SWIFT_FLAGS}
      ${BELAY_SWIFT_INCLUDES} -I "${BELAY_SWIFT_DIR}"
      -emit-module -emit-module-path "${module}" -avoid-emit-module-source-info
      ${sources} ${output}
    ${then}
    # An unchanged module is not written again, and would stay older than its sources.
    COMMAND "${CMAKE_COMMAND}" -E touch "${module}"
    DEPENDS ${sources} ${BELAY_SWIFT_HEADERS} ${BELAY_SWIFT_MODULES} ${rules}
    COMMAND_EXPAND_LISTS VERBATIM COMMENT "Compiling Swift module ${name}")
  if(arg_OBJECT)
    set(${arg_OBJECT} "${object}" PARENT_SCOPE)
  else()
    set(BELAY_SWIFT_MODULES ${BELAY_SWIFT_MODULES} "${module}" PARENT_SCOPE)
  endif()
endfunction()
