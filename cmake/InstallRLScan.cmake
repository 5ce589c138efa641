# What find_package(rlscan) reads.
include(CMakePackageConfigHelpers)

set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/rlscan)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/RLScanConfig.cmake.in
  ${CMAKE_BINARY_DIR}/cmake/rlscanConfig.cmake INSTALL_DESTINATION ${folder})
write_basic_package_version_file(
  ${CMAKE_BINARY_DIR}/cmake/rlscanConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/cmake/rlscanConfig.cmake
  ${CMAKE_BINARY_DIR}/cmake/rlscanConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/RLScanAddEstimators.cmake
  DESTINATION ${folder} COMPONENT runtime)
install(EXPORT rlscanTargets NAMESPACE rlscan:: DESTINATION ${folder}
  COMPONENT runtime)
