# The project's own targets, each one line where it is declared.

add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU")
  # False positives inside LLVM's headers; and a move that clang wants.
  add_compile_options(-Wno-maybe-uninitialized
                      $<$<COMPILE_LANGUAGE:CXX>:-Wno-redundant-move>)
endif()
if(RLSCAN_WERROR)
  add_compile_options(-Werror)
endif()
if(RLSCAN_SANITIZE)
  # The packaged libraries are not instrumented: checks that need every
  # container or vtable to be ours are off.
  set(RLSCAN_SANITIZER_FLAGS -fsanitize=address,undefined
      -fno-sanitize=vptr -fno-sanitize-recover=undefined
      -fno-omit-frame-pointer)
  if(RLSCAN_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
  add_compile_options(${RLSCAN_SANITIZER_FLAGS})
  add_link_options(${RLSCAN_SANITIZER_FLAGS})
endif()

# add_rlscan_library(name SOURCES... [LINK_LIBS libs...])
function(add_rlscan_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} rlscan-headers)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} ${RLSCAN_LLVM_LIBS})
endfunction()

# add_rlscan_tool(name SOURCES... [LINK_LIBS libs...])
function(add_rlscan_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  add_dependencies(${name} rlscan-headers)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${RLSCAN_LLVM_LIBS})
endfunction()
