# cmake --install: libraries with their CMake and pkg-config files, public headers, the program.
# Components: runtime, library (all of Limber), c and program.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/headers.cmake)
set(limber_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/limber)

# limber_install_library(target component [PUBLIC MODULE...] [PRIVATE MODULE...] [LIBS FLAG...]
# [CFLAGS FLAG...]): as limber::NAME (the target's EXPORT_NAME) and for pkg-config as limber-COMPONENT.
# PRIVATE and LIBS: what only users of a static library link themselves.
function(limber_install_library target component)
  cmake_parse_arguments(pc "" "" "PUBLIC;PRIVATE;LIBS;CFLAGS" ${ARGN})
  install(TARGETS ${target} EXPORT limber-${component}
          RUNTIME COMPONENT ${component} ARCHIVE COMPONENT ${component}
          LIBRARY COMPONENT ${component} NAMELINK_COMPONENT ${component})
  install(EXPORT limber-${component} NAMESPACE limber:: FILE limber-${component}.cmake
          DESTINATION ${limber_cmake_dir} COMPONENT ${component})

  get_target_property(type ${target} TYPE)
  get_target_property(pc_library ${target} OUTPUT_NAME)
  set(pc_name limber-${component})
  if(type STREQUAL STATIC_LIBRARY)
    list(APPEND pc_PUBLIC ${pc_PRIVATE})
    set(pc_STATIC ${pc_LIBS})
    unset(pc_PRIVATE)
    unset(pc_LIBS)
  endif()
  foreach(list PUBLIC PRIVATE LIBS STATIC CFLAGS)
    list(JOIN pc_${list} " " pc_${list})
  endforeach()
  file(RELATIVE_PATH pc_up /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/limber.pc.in ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT ${component})
endfunction()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/limber-config.cmake.in ${PROJECT_BINARY_DIR}/limber-config.cmake
  INSTALL_DESTINATION ${limber_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/limber-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
foreach(component runtime c)
  install(FILES ${PROJECT_BINARY_DIR}/limber-config.cmake ${PROJECT_BINARY_DIR}/limber-config-version.cmake
          DESTINATION ${limber_cmake_dir} COMPONENT ${component})
endforeach()
