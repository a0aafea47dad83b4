# The core as one relocatable object, and where its code comes from if no Swift compiler makes it.

# belay_assembly(<flavour>): the code of a flavour, core or core_testing, from the source release's folder. It
# is that of the usual release build. Sets the variable <flavour> to an object library.
function(belay_assembly flavour)
  set(processor "${CMAKE_SYSTEM_PROCESSOR}")
  string(REGEX REPLACE "^AMD64$" x86_64 processor "${processor}")
  string(REGEX REPLACE "^arm64$" aarch64 processor "${processor}")
  set(source "${BELAY_ASSEMBLY}/${flavour}-${processor}.s")
  if(NOT EXISTS "${source}")
    message(FATAL_ERROR "This release has no core for ${CMAKE_SYSTEM_PROCESSOR}; the repository's build makes "
      "one with a Swift compiler")
  endif()
  foreach(option CHECKED EXPLORE)
    if(BELAY_${option})
      message(FATAL_ERROR "BELAY_${option} needs a Swift compiler, and so the repository instead of a release")
    endif()
  endforeach()
  if(BELAY_SANITIZE OR NOT BELAY_INTERCEPTION OR NOT BELAY_IO OR NOT BELAY_OWN_REFERENCES)
    message(FATAL_ERROR "BELAY_SANITIZE, BELAY_INTERCEPTION, BELAY_IO and BELAY_OWN_REFERENCES can be set in the "
      "repository, and not in a release, whose core is compiled already")
  endif()
  add_library(belay_${flavour}_code OBJECT "${source}")
  set(${flavour} belay_${flavour}_code PARENT_SCOPE)
  # There is nothing to optimise, and clang warns of flags that say so.
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  set(CMAKE_ASM_FLAGS_${configuration} "" PARENT_SCOPE)
  # As SwiftModule.cmake has it for a release.
  if(processor STREQUAL "x86_64")
    set(BELAY_PRESERVING ON PARENT_SCOPE)
  endif()
endfunction()

# belay_joined_object(<flavour> <object or object library>...): the code and C's objects in one; only belay_* is
# global. The code carries what it uses of the modules before it. Sets the variable <flavour> to the object.
function(belay_joined_object flavour)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/${flavour}")
  file(MAKE_DIRECTORY "${directory}")
  set(joined "${directory}/joined.o")
  set(localised "${directory}/belay.o")
  set(objects "")
  foreach(part IN LISTS ARGN)
    if(TARGET ${part})
      set(part "$<TARGET_OBJECTS:${part}>")
    endif()
    list(APPEND objects "${part}")
  endforeach()
  # The shim's symbols are belay_* too, but hidden. The address sanitizer has a hidden one that all
  # objects of a program must share.
  set(keep --localize-hidden)
  if(BELAY_SANITIZE STREQUAL "address")
    set(keep --keep-global-symbol=___asan_globals_registered)
  endif()
  add_custom_command(OUTPUT "${localised}"
    COMMAND "${CMAKE_LINKER}" -r -o "${joined}" ${objects}
    COMMAND "${CMAKE_OBJCOPY}" --wildcard
      --keep-global-symbol=belay_* ${keep} "${joined}" "${localised}"
    # A program that has probes of its own has the section of this symbol once.
    COMMAND "${CMAKE_OBJCOPY}" --globalize-symbol=_.stapsdt.base "${localised}"
    DEPENDS ${ARGN} ${objects} BYPRODUCTS "${joined}"
    COMMAND_EXPAND_LISTS VERBATIM COMMENT "Joining and localising belay.o")
  set_source_files_properties("${localised}" PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
  set(${flavour} "${localised}" PARENT_SCOPE)
endfunction()
