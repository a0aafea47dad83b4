# belay_import(<name> <header> <version> <advice>) makes belay::<name> of the library lib<name>, of that version or
# a later one; "" is any. A project that brings a target of its own for it can define belay::<name> first. Our own
# build stops with the advice where there is no such library; find_package(belay) gets it in belay_NOT_FOUND_MESSAGE.
function(belay_import name header version advice)
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
  set(directory "${BELAY_${variable}_INCLUDE_DIR}")
  set(wrong "")
  if(NOT directory OR NOT BELAY_${variable}_LIBRARY)
    set(wrong "was not found")
  elseif(version)
    # pkg-config may know another one than this.
    file(STRINGS "${directory}/${name}/version.h" lines
      REGEX "define ${variable}_VERSION_(MAJOR|MINOR) ")
    string(REGEX REPLACE ".*MAJOR +([0-9]+).*MINOR +([0-9]+).*" "\\1.\\2" found "${lines}")
    if(found VERSION_LESS version)
      set(wrong "is needed, and ${directory}/${header} is that of ${found}")
    endif()
  endif()
  if(NOT wrong)
    add_library(belay::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(belay::${name} PROPERTIES
      IMPORTED_LOCATION "${BELAY_${variable}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${directory}")
    return()
  endif()
  set(wanted "lib${name}")
  if(version)
    set(wanted "lib${name} ${version} or later")
  endif()
  set(message "${wanted} ${wrong}; ${advice}")
  if(NOT CMAKE_FIND_PACKAGE_NAME)
    message(FATAL_ERROR "${message}")
  endif()
  set(belay_NOT_FOUND_MESSAGE "${message}" PARENT_SCOPE)
endfunction()
