# rlscan_add_estimators(TARGET RECIPES recipes... [TARGETS targets...] [IO types...]
#   [LAYOUTS layouts...] [PRESENT choices...] [SHAPES shapes...] [PREFIX prefix]
#   [OPTIONS options...] [SHARED_RUNTIME])
#
# A library TARGET to link: the compiled estimators of the recipes (files, or @NAME
# for a built-in one), their headers, and the runtime. Each list is an option of
# rlscan-compile, with its default. What changed is compiled again.

# The names of the estimators of a recipe.
function(_rlscan_estimators_of recipe out)
  if(recipe MATCHES "^@(.*)$")
    set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${recipe})
  file(STRINGS ${recipe} lines REGEX "^[ \t]*estimator[ \t]+[A-Za-z_0-9]+")
  set(names "")
  foreach(line ${lines})
    string(REGEX REPLACE "^[ \t]*estimator[ \t]+([A-Za-z_0-9]+).*" "\\1" name "${line}")
    list(APPEND names ${name})
  endforeach()
  if(NOT names)
    message(FATAL_ERROR "rlscan_add_estimators: ${recipe} has no estimator")
  endif()
  set(${out} ${names} PARENT_SCOPE)
endfunction()

function(rlscan_add_estimators target)
  cmake_parse_arguments(ARG "SHARED_RUNTIME" "PREFIX"
    "RECIPES;TARGETS;IO;LAYOUTS;PRESENT;SHAPES;OPTIONS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_RECIPES)
    message(FATAL_ERROR "rlscan_add_estimators(${target}): expected RECIPES and "
      "known words, got '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT ARG_PREFIX)
    set(ARG_PREFIX rlscan)
  endif()
  set(options --prefix=${ARG_PREFIX} ${ARG_OPTIONS})
  foreach(pair TARGETS=target IO=io LAYOUTS=layout PRESENT=present SHAPES=shape)
    string(REGEX MATCH "^([A-Z]+)=(.*)$" unused ${pair})
    if(ARG_${CMAKE_MATCH_1})
      list(JOIN ARG_${CMAKE_MATCH_1} "," values)
      list(APPEND options --${CMAKE_MATCH_2}=${values})
    endif()
  endforeach()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  set(libraries "")
  set(files "")
  foreach(recipe ${ARG_RECIPES})
    set(depends "")
    if(NOT recipe MATCHES "^@")
      get_filename_component(recipe ${recipe} ABSOLUTE)
      set(depends ${recipe})
    endif()
    _rlscan_estimators_of(${recipe} names)
    set(outputs "")
    foreach(name ${names})
      set(symbol ${ARG_PREFIX}_${name})
      list(APPEND libraries ${folder}/lib${symbol}.a)
      list(APPEND outputs ${folder}/lib${symbol}.a ${folder}/${symbol}.h
        ${folder}/${symbol}.json)
    endforeach()
    list(APPEND files ${outputs})
    add_custom_command(OUTPUT ${outputs}
      COMMAND rlscan::rlscan-compile ${recipe} ${options} -o ${folder}
      DEPENDS ${depends} rlscan::rlscan-compile
      COMMENT "Compiling the estimators of ${recipe}" VERBATIM)
  endforeach()

  add_custom_target(${target}-files DEPENDS ${files})
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}-files)
  target_include_directories(${target} INTERFACE ${folder})
  set(runtime rlscan::static)
  if(ARG_SHARED_RUNTIME)
    set(runtime rlscan::shared)
  endif()
  target_link_libraries(${target} INTERFACE ${libraries} ${runtime} m)
endfunction()
