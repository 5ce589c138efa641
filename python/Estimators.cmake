# Every recipe, compiled ahead of time into PACKAGE/lib: one library an estimator
# for the CPU, and two for GPUs. Sets RLSCAN_PYTHON_LIBRARIES and
# RLSCAN_PYTHON_PREFIXES.

set(RLSCAN_RECIPES ${CMAKE_CURRENT_SOURCE_DIR}/../recipes)
file(GLOB recipes CONFIGURE_DEPENDS ${RLSCAN_RECIPES}/*.rls)

# Reals of one type, flags as bytes or stored like the reals.
function(with_flags type out)
  set(${out}
    ${type}+terminated:${type}+truncated:${type}+done:${type} PARENT_SCOPE)
endfunction()
foreach(type f32 f64 bf16 f16)
  with_flags(${type} flags_${type})
endforeach()

# Indices have 64 bits, and 32 for JAX, which has no others unless it is told so.

# Arrays that are left out and are not in a choice are read as zeros.
string(JOIN "," present
  last_value+seed+init
  truncated+bootstrap+last_value+done+seed+init
  next_target_prob+last_value+seed+init
  next_target_prob+truncated+bootstrap+last_value+done+seed+init)

set(RLSCAN_PYTHON_LIBRARIES "")
set(RLSCAN_PYTHON_PREFIXES "")

# estimators(PREFIX TARGETS targets... IO types... OPTIONS options...)
function(estimators prefix)
  cmake_parse_arguments(ARG "" "" "TARGETS;IO;OPTIONS" ${ARGN})
  string(JOIN "," targets ${ARG_TARGETS})
  string(JOIN "," io ${ARG_IO})
  set(made "")
  foreach(recipe ${recipes})
    get_filename_component(name ${recipe} NAME_WE)
    list(APPEND made ${package}/lib/lib${prefix}_${name}.so
      ${package}/lib/${prefix}_${name}.json)
  endforeach()
  add_custom_command(OUTPUT ${made}
    COMMAND ${RLSCAN_COMPILE} ${recipes} --target=${targets} --io=${io}
      --present=${present} --prefix=${prefix} --emit=shared,manifest
      -o ${package}/lib ${ARG_OPTIONS}
    DEPENDS ${recipes} ${RLSCAN_COMPILE_TARGET}
    COMMENT "Compiling every recipe for ${targets}" VERBATIM)
  set(RLSCAN_PYTHON_LIBRARIES ${RLSCAN_PYTHON_LIBRARIES} ${made} PARENT_SCOPE)
  set(RLSCAN_PYTHON_PREFIXES ${RLSCAN_PYTHON_PREFIXES} ${prefix} PARENT_SCOPE)
endfunction()

set(RLSCAN_COMPILE_TARGET "")
if(TARGET rlscan-compile)
  set(RLSCAN_COMPILE $<TARGET_FILE:rlscan-compile>)
  set(RLSCAN_COMPILE_TARGET rlscan-compile)
endif()

set(forHost ${RLSCAN_PYTHON_TARGETS})
list(FILTER forHost INCLUDE REGEX "^cpu")
set(forDevices ${RLSCAN_PYTHON_TARGETS})
list(FILTER forDevices EXCLUDE REGEX "^cpu")
estimators(rlscan TARGETS ${forHost} OPTIONS --layout=any
  IO f32 ${flags_f32} f64 ${flags_f64} bf16 ${flags_bf16} f16 ${flags_f16}
    f32+action:i32)
if(forDevices)
  # What trainers store has code for each memory order; the rest has one for all.
  estimators(rlscan_gpu TARGETS ${forDevices} OPTIONS --layout=any
    IO f32 ${flags_f32} f32+action:i32 bf16)
  estimators(rlscan_gpu_other TARGETS ${forDevices}
    OPTIONS --layout=strided --shape=4096x128,256x8192
    IO ${flags_bf16} f64 ${flags_f64} f16 ${flags_f16})
endif()
