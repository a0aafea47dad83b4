include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/belay")
configure_package_config_file(cmake/belayConfig.cmake.in belayConfig.cmake
  INSTALL_DESTINATION "${package_dir}")
# As docs/versions.md has it: a minor version only adds something, before 1.0, too.
write_basic_package_version_file(belayConfigVersion.cmake COMPATIBILITY SameMajorVersion)

# Two sets, because a distribution may have a package for each.
install(TARGETS belay_shared belay_static EXPORT belayTargets)
install(TARGETS belay_testing belay_testing_static EXPORT belayTestingTargets)
# Builds all that is installed, and nothing else.
add_custom_target(belay_libraries DEPENDS belay_shared belay_static belay_testing belay_testing_static)
install(DIRECTORY include/belay DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")
# For Swift and for clang's modules, which look for CBelay in a folder of that name.
install(FILES cmake/CBelay.map RENAME module.modulemap
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/CBelay")
# The manual is there if `scripts/api manual` has written it, as `make install` does: it needs Python. A source
# release has it.
foreach(place "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  install(DIRECTORY "${place}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
endforeach()
foreach(set belayTargets belayTestingTargets)
  install(EXPORT ${set} NAMESPACE belay:: DESTINATION "${package_dir}")
endforeach()
if(BELAY_INTERCEPTION)
  install(FILES cmake/BelayFFI.cmake DESTINATION "${package_dir}")
  set(BELAY_REQUIRES_FFI ", libffi")
endif()
install(FILES cmake/BelayImport.cmake cmake/BelayUV.cmake "${CMAKE_CURRENT_BINARY_DIR}/belayConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/belayConfigVersion.cmake" DESTINATION "${package_dir}")

# Written at install time, when the prefix is known: `cmake --install --prefix` changes it.
foreach(kind LIB INCLUDE)
  set(${kind}DIR_FOR_PC "${CMAKE_INSTALL_${kind}DIR}")
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${kind}DIR}")
    set(${kind}DIR_FOR_PC "\${prefix}/${CMAKE_INSTALL_${kind}DIR}")
  endif()
endforeach()
# belay_install_pc(<template> <name>): <name>.pc, with the variables of the caller.
function(belay_install_pc template name)
  configure_file("${template}" ${name}.pc.in @ONLY)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc")
  install(CODE "
    file(READ \"${file}.in\" text)
    # Elsewhere the loader does not look.
    if(NOT CMAKE_INSTALL_PREFIX MATCHES \"^/usr(/local)?/?\$\")
      string(REGEX REPLACE \"(\\nLibs:[^\\n]*)\" \"\\\\1 -Wl,-rpath,\\\"\\\${libdir}\\\"\" text \"\${text}\")
    endif()
    get_filename_component(prefix \"\${CMAKE_INSTALL_PREFIX}\" ABSOLUTE)
    file(WRITE \"${file}\" \"prefix=\${prefix}\\n\${text}\")")
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
function(belay_pkg_config name other description)
  belay_install_pc(cmake/belay.pc.in ${name})
endfunction()
belay_pkg_config(belay belay-testing "${PROJECT_DESCRIPTION}")
belay_pkg_config(belay-testing belay "Belay for test programs: with marble tests and drawings")
