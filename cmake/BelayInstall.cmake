include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/belay")
configure_package_config_file(cmake/belayConfig.cmake.in belayConfig.cmake
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(belayConfigVersion.cmake COMPATIBILITY SameMajorVersion)

install(TARGETS belay_shared belay_static EXPORT belayTargets)
install(DIRECTORY include/belay DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")
# The manual is there if `scripts/api manual` has written it, as `make install` does: it needs Python.
install(DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}" OPTIONAL)
install(EXPORT belayTargets NAMESPACE belay:: DESTINATION "${package_dir}")
if(BELAY_INTERCEPTION)
  install(FILES cmake/BelayFFI.cmake DESTINATION "${package_dir}")
  set(BELAY_REQUIRES_FFI ", libffi")
endif()
install(FILES cmake/BelayUV.cmake "${CMAKE_CURRENT_BINARY_DIR}/belayConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/belayConfigVersion.cmake" DESTINATION "${package_dir}")

# Written at install time, when the prefix is known: `cmake --install --prefix` changes it.
foreach(kind LIB INCLUDE)
  set(${kind}DIR_FOR_PC "${CMAKE_INSTALL_${kind}DIR}")
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${kind}DIR}")
    set(${kind}DIR_FOR_PC "\${prefix}/${CMAKE_INSTALL_${kind}DIR}")
  endif()
endforeach()
configure_file(cmake/belay.pc.in belay.pc.in @ONLY)
install(CODE "
  file(READ \"${CMAKE_CURRENT_BINARY_DIR}/belay.pc.in\" text)
  file(WRITE \"${CMAKE_CURRENT_BINARY_DIR}/belay.pc\" \"prefix=\${CMAKE_INSTALL_PREFIX}\\n\${text}\")")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/belay.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
