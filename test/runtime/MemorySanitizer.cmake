# The runtime and its tests with the memory sanitizer, by a clang beside the
# compiler of everything else. It has to see every write: the drivers are built
# so, too, and of C++'s library the strings, which its own copy has compiled,
# are instantiated anew where assertions are asked for.
find_program(RLSCAN_CLANG NAMES clang++-22 clang++)
set(folder ${CMAKE_CURRENT_BINARY_DIR}/msan)
file(WRITE ${folder}/empty.cpp "int main() { return 0; }\n")
if(RLSCAN_CLANG AND NOT DEFINED RLSCAN_HAS_MSAN)
  execute_process(RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET
    COMMAND ${RLSCAN_CLANG} -fsanitize=memory ${folder}/empty.cpp
      -o ${folder}/empty)
  set(RLSCAN_HAS_MSAN ON CACHE INTERNAL "")
  if(failed)
    set(RLSCAN_HAS_MSAN OFF CACHE INTERNAL "")
  endif()
endif()
if(NOT RLSCAN_HAS_MSAN)
  return()
endif()

# Sets OBJECTS to what is compiled of SOURCES; SUFFIX tells apart what is
# compiled twice.
function(rlscan_msan_objects objects suffix)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;OPTIONS")
  foreach(source ${arg_SOURCES})
    get_filename_component(name ${source} NAME)
    set(object ${folder}/${name}${suffix}.o)
    set(language -std=c++17)
    if(name MATCHES "\\.c$")
      set(language -x c -std=gnu11)
    endif()
    add_custom_command(OUTPUT ${object} DEPENDS ${source}
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${RLSCAN_CLANG} ${language} -O1 -g1
        -fsanitize=memory -fno-omit-frame-pointer -fPIC -D_GLIBCXX_ASSERTIONS
        -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/runtime/include
        -I${PROJECT_SOURCE_DIR}/test/gpu ${arg_OPTIONS}
        -MD -MF ${object}.d -c ${source} -o ${object}
      DEPFILE ${object}.d VERBATIM)
    list(APPEND made ${object})
  endforeach()
  set(${objects} ${made} PARENT_SCOPE)
endfunction()

function(rlscan_msan_link output)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHARED" "" "")
  add_custom_command(OUTPUT ${output} DEPENDS ${arg_UNPARSED_ARGUMENTS}
    COMMAND ${RLSCAN_CLANG} -fsanitize=memory $<$<BOOL:${arg_SHARED}>:-shared>
      ${arg_UNPARSED_ARGUMENTS} -o ${output} -pthread -ldl
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

rlscan_msan_objects(runtime "" SOURCES ${core_sources} ${device_sources}
  ${CMAKE_CURRENT_SOURCE_DIR}/decay.c ${PROJECT_SOURCE_DIR}/test/gpu/driver.c)
foreach(test host-test device-test fault-test threads-test)
  rlscan_msan_objects(own "" SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/${test}.c)
  list(APPEND programs ${PROJECT_BINARY_DIR}/bin/${test}-msan)
  rlscan_msan_link(${PROJECT_BINARY_DIR}/bin/${test}-msan ${own} ${runtime})
endforeach()
foreach(vendor cuda hip)
  string(TOUPPER ${vendor} name)
  rlscan_msan_objects(own -${vendor} OPTIONS -fvisibility=hidden -DFAKE_${name}
    SOURCES ${PROJECT_SOURCE_DIR}/test/unit/fake-driver.c
      ${PROJECT_SOURCE_DIR}/test/unit/fake-work.c
      ${PROJECT_SOURCE_DIR}/test/unit/fake-${vendor}.c)
  set(library ${PROJECT_BINARY_DIR}/lib/libfake-${vendor}-msan.so)
  list(APPEND programs ${library})
  rlscan_msan_link(${library} SHARED ${own})
endforeach()
add_custom_target(msan-tests DEPENDS ${programs})
add_dependencies(check-tools msan-tests)
