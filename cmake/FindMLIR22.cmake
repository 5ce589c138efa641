# The packaged MLIR: libMLIR.so and libLLVM.so. Only for a program that runs where
# these are not, the static libraries instead: never both.

# The package accepts only its own full version, so the major one is checked here.
find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "rlscan needs LLVM and MLIR 22, found ${LLVM_PACKAGE_VERSION}")
endif()
message(STATUS "rlscan: MLIR ${LLVM_PACKAGE_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
if(RLSCAN_STATIC)
  # The archives themselves: as targets they would bring in what only tests and
  # tools of MLIR need. The linker takes the members that are referred to, so that
  # of the targets of LLVM only those are in that the compiler names.
  file(GLOB RLSCAN_ARCHIVES ${LLVM_LIBRARY_DIR}/libMLIR*.a
    ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER RLSCAN_ARCHIVES EXCLUDE REGEX "Test|MLIR-C|CAPI")
  set(RLSCAN_LLVM_LIBS -static -Wl,--gc-sections -Wl,--start-group
    ${RLSCAN_ARCHIVES} -Wl,--end-group zstd z)
else()
  # Unset in the package, although the shared library is there.
  set(MLIR_LINK_MLIR_DYLIB ON)
  set(LLVM_LINK_LLVM_DYLIB ON)
  set(RLSCAN_LLVM_LIBS MLIR LLVM)
endif()
# The linker of AMD's code objects, which the package has as archives only.
set(RLSCAN_LLD_LIBS ${LLVM_LIBRARY_DIR}/liblldELF.a
  ${LLVM_LIBRARY_DIR}/liblldCommon.a zstd z)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${LLVM_DEFINITIONS_LIST})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

# Flags of the package that must agree with ours.
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
