# Every recipe, compiled ahead of time into PACKAGE/lib. Sets RLSCAN_PYTHON_LIBRARIES
# and RLSCAN_PYTHON_MADE, which has their manifests too.
#
# Those that most trainers call have code for every type and memory order. The rest of
# the catalogue has code for every order of f32 on the CPU and code for all orders at
# once elsewhere, for a tenth of the time and the size; rlscan.load compiles more.

set(RLSCAN_RECIPES ${CMAKE_CURRENT_SOURCE_DIR}/../recipes)
file(GLOB wider CONFIGURE_DEPENDS ${RLSCAN_RECIPES}/*.rls)
set(everywhere "")
foreach(name discounted_return eligibility_trace episodic_prefix_sum gae
    linear_scan_backward linear_scan_forward retrace td_lambda vtrace)
  list(APPEND everywhere ${RLSCAN_RECIPES}/${name}.rls)
endforeach()
list(REMOVE_ITEM wider ${everywhere})

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

# The same of the wider catalogue, where nothing is chosen but that those that are not
# zeros may be left out alone.
string(JOIN "," presentWider
  none
  terminated+truncated+last+done+last_done+bootstrap+last_value+intrinsic_last_value+seed+seed_followon
  all)

set(RLSCAN_PYTHON_LIBRARIES "")
set(RLSCAN_PYTHON_MADE "")

# estimators(PREFIX RECIPES files... TARGETS targets... IO types... PRESENT choices
#            OPTIONS options...)
function(estimators prefix)
  cmake_parse_arguments(ARG "" "PRESENT" "RECIPES;TARGETS;IO;OPTIONS" ${ARGN})
  string(JOIN "," targets ${ARG_TARGETS})
  string(JOIN "," io ${ARG_IO})
  set(libraries "")
  set(manifests "")
  foreach(recipe ${ARG_RECIPES})
    get_filename_component(name ${recipe} NAME_WE)
    list(APPEND libraries ${package}/lib/lib${prefix}_${name}.so)
    list(APPEND manifests ${package}/lib/${prefix}_${name}.json)
  endforeach()
  list(LENGTH ARG_RECIPES count)
  add_custom_command(OUTPUT ${libraries} ${manifests}
    COMMAND ${RLSCAN_COMPILE} ${ARG_RECIPES} --target=${targets} --io=${io}
      --present=${ARG_PRESENT} --prefix=${prefix} --emit=shared,manifest
      -o ${package}/lib ${ARG_OPTIONS}
    DEPENDS ${ARG_RECIPES} ${RLSCAN_COMPILE_TARGET}
    COMMENT "Compiling ${count} recipes for ${targets}" VERBATIM)
  set(RLSCAN_PYTHON_LIBRARIES ${RLSCAN_PYTHON_LIBRARIES} ${libraries} PARENT_SCOPE)
  set(RLSCAN_PYTHON_MADE ${RLSCAN_PYTHON_MADE} ${libraries} ${manifests} PARENT_SCOPE)
endfunction()

set(RLSCAN_COMPILE_TARGET "")
if(TARGET rlscan-compile)
  set(RLSCAN_COMPILE $<TARGET_FILE:rlscan-compile>)
  set(RLSCAN_COMPILE_TARGET rlscan-compile)
endif()

foreach(target ${RLSCAN_PYTHON_TARGETS})
  if(NOT target MATCHES "^(cpu|cuda|hip)(:|$)")
    message(FATAL_ERROR "RLSCAN_PYTHON_TARGETS has '${target}', expected "
      "targets of rlscan-compile: cpu, cuda:ptx, cuda:sm_90, hip ...")
  endif()
endforeach()
set(forHost ${RLSCAN_PYTHON_TARGETS})
list(FILTER forHost INCLUDE REGEX "^cpu")
set(forNVIDIA ${RLSCAN_PYTHON_TARGETS})
list(FILTER forNVIDIA INCLUDE REGEX "^cuda")
set(forAMD ${RLSCAN_PYTHON_TARGETS})
list(FILTER forAMD INCLUDE REGEX "^hip")
estimators(rlscan RECIPES ${everywhere} TARGETS ${forHost}
  PRESENT ${present} OPTIONS --layout=any
  IO f32 ${flags_f32} f64 ${flags_f64} bf16 ${flags_bf16} f16 ${flags_f16}
    f32+action:i32)
estimators(rlscan RECIPES ${wider} TARGETS ${forHost}
  PRESENT ${presentWider} OPTIONS --layout=any
  IO f32)
estimators(rlscan_other RECIPES ${wider} TARGETS ${forHost}
  PRESENT ${presentWider} OPTIONS --layout=strided
  IO f64 bf16 f16 f32+next_action:i32)

# Rows with lengths, and packed ones, of f32: with each of these choices beside them. What
# is no zero where it is left out is in the last one alone.
function(with_rows word out)
  set(made ${word})
  foreach(choice ${ARGN})
    list(APPEND made ${choice}+${word})
  endforeach()
  string(JOIN "," made ${made})
  set(${out} ${made} PARENT_SCOPE)
endfunction()
set(chosen
  terminated+truncated+last+done+last_done+bootstrap+last_value+intrinsic_last_value+seed+seed_followon+init)
set(others next_target_prob+mask+interest+last_valid+ratio)
# Lengths as PyTorch has them, as kernels of attention do, and all indices as JAX.
set(rows f32 f32+lengths:i32+cu_seqlens:i32
  f32+action:i32+next_action:i32+lengths:i32+cu_seqlens:i32)
with_rows(lengths presentLengths ${chosen} ${others}+${chosen})
with_rows(cu_seqlens presentPacked ${chosen} ${others}+${chosen})
estimators(rlscan_lengths RECIPES ${everywhere} ${wider} TARGETS ${forHost}
  PRESENT ${presentLengths} OPTIONS --rows=full,lengths,packed --layout=nt,tn
  IO ${rows})
estimators(rlscan_packed RECIPES ${everywhere} ${wider} TARGETS ${forHost}
  PRESENT ${presentPacked} OPTIONS --rows=full,lengths,packed --layout=nt
  IO ${rows})
if(forNVIDIA)
  # On GPUs only of what post-training calls.
  set(ofRows "")
  foreach(name discounted_return gae masked_gae masked_return vtrace)
    list(APPEND ofRows ${RLSCAN_RECIPES}/${name}.rls)
  endforeach()
  set(chosen terminated+truncated+bootstrap+last_value)
  set(rows f32 f32+lengths:i32+cu_seqlens:i32)
  with_rows(lengths presentLengths ${chosen})
  with_rows(cu_seqlens presentPacked ${chosen})
  estimators(rlscan_gpu_lengths RECIPES ${ofRows} TARGETS ${forNVIDIA}
    PRESENT ${presentLengths} OPTIONS --rows=full,lengths,packed --layout=nt
      --shape=512x2048,64x32768
    IO ${rows})
  estimators(rlscan_gpu_packed RECIPES ${ofRows} TARGETS ${forNVIDIA}
    PRESENT ${presentPacked} OPTIONS --rows=full,lengths,packed --layout=nt
      --shape=1x1048576
    IO ${rows})
  # What trainers store has code for each memory order; the rest has one for all.
  # Packed entries of an axis have code for each number, so for fewer shapes.
  set(packed ${RLSCAN_RECIPES}/retrace.rls)
  set(plain ${everywhere})
  list(REMOVE_ITEM plain ${packed})
  estimators(rlscan_gpu RECIPES ${plain} TARGETS ${forNVIDIA}
    PRESENT last_value+seed+init,truncated+bootstrap+last_value+done+seed+init
    OPTIONS --layout=any
    IO f32 ${flags_f32} bf16)
  estimators(rlscan_gpu RECIPES ${packed} TARGETS ${forNVIDIA}
    PRESENT none,truncated,next_target_prob,next_target_prob+truncated
    OPTIONS --layout=any --entries=2,4,6,18
      --shape=128x1024,512x4096,4096x128,16384x16,16384x512
    IO f32 f32+terminated:f32+truncated:f32 f32+action:i32 bf16)
  estimators(rlscan_gpu_other RECIPES ${everywhere} TARGETS ${forNVIDIA}
    PRESENT ${present} OPTIONS --layout=strided --shape=4096x128,256x8192
    IO ${flags_bf16} f64 ${flags_f64} f16 ${flags_f16})
  estimators(rlscan_gpu RECIPES ${wider} TARGETS ${forNVIDIA}
    PRESENT ${presentWider} OPTIONS --layout=strided --shape=4096x128
    IO f32 bf16)
endif()
if(forAMD)
  estimators(rlscan_gpu_hip RECIPES ${everywhere} TARGETS ${forAMD}
    PRESENT ${present} OPTIONS --layout=any --shape=4096x512
    IO f32 ${flags_f32} f32+action:i32 bf16)
endif()
