# belay_import(<name> <header> <advice>) makes belay::<name> of the library lib<name>. A project that brings a
# target of its own for it can define belay::<name> first. Our own build stops with the advice where there is
# no such library.
function(belay_import name header advice)
  if(TARGET belay::${name})
    return()
  endif()
  string(TOUPPER "${name}" variable)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(BELAY_PC_${variable} QUIET lib${name})
  endif()
  find_path(BELAY_${variable}_INCLUDE_DIR ${header} HINTS ${BELAY_PC_${variable}_INCLUDE_DIRS}
    DOC "Where ${header} is")
  find_library(BELAY_${variable}_LIBRARY ${name} HINTS ${BELAY_PC_${variable}_LIBRARY_DIRS}
    DOC "lib${name}")
  mark_as_advanced(BELAY_${variable}_INCLUDE_DIR BELAY_${variable}_LIBRARY)
  if(BELAY_${variable}_INCLUDE_DIR AND BELAY_${variable}_LIBRARY)
    add_library(belay::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(belay::${name} PROPERTIES
      IMPORTED_LOCATION "${BELAY_${variable}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${BELAY_${variable}_INCLUDE_DIR}")
  elseif(NOT CMAKE_FIND_PACKAGE_NAME)
    message(FATAL_ERROR "lib${name} was not found; ${advice}")
  endif()
endfunction()
