#!/bin/sh
# Lines and branches of the runtime and of the readers of recipes and arrays
# that their own tests reach, by folder. With --missed also each branch that
# goes one way alone: file, line, how often it was true and false.
# usage: scripts/coverage.sh [--missed]
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$source/build-coverage
profiles=$build/profiles
log=$build/coverage.log
jobs=${JOBS:-$(nproc)}
command -v ccache > /dev/null || export RLSCAN_CCACHE=
counters=$(clang++-22 -print-file-name=libclang_rt.profile.a)
[ -e "$counters" ] || counters=$(clang++-22 -print-runtime-dir)/libclang_rt.profile-$(uname -m).a
[ -e "$counters" ] || counters=$(dirname "$(clang++-22 -print-runtime-dir)")/linux/libclang_rt.profile-$(uname -m).a

mkdir -p "$build"
cmake -S "$source" --preset dev -B "$build" > "$log" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$source/scripts/coverage-compile.sh;$profiles" \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,-u,__llvm_profile_runtime \
  -DCMAKE_SHARED_LINKER_FLAGS=-Wl,-u,__llvm_profile_runtime \
  -DCMAKE_CXX_STANDARD_LIBRARIES="$counters -ldl" \
  -DRLSCAN_PYTHON=OFF
programs="host-test device-test fault-test scarce-test threads-test driver-test
  device-bench-test inflate-test npz-test rlscan-compile rlscan-opt rlscan-run
  rlscan-translate"
ninja -C "$build" -j "$jobs" $programs rlscan-shared fake-cuda fake-hip \
  fake-cuda-old fake-hip-old >> "$log" || {
  tail -30 "$log"
  exit 1
}

rm -rf "$profiles"
mkdir "$profiles"
lit=$(sed -n 's/^RLSCAN_LIT:FILEPATH=//p' "$build/CMakeCache.txt")
tests=$build/test
"$lit" -sv "$tests"/runtime/device.test "$tests"/runtime/faults.test \
  "$tests"/runtime/host.test "$tests"/runtime/memory.test \
  "$tests"/runtime/packed.test "$tests"/runtime/threads.test "$tests"/unit \
  "$tests"/Execution/npz.test "$tests"/RecipeToRecurrence \
  "$tests"/recipes/gae.test "$tests"/recipes/vtrace.test \
  "$tests"/tools/rlscan-run-cuda.test "$tests"/tools/rlscan-run-hip.test > "$log" || {
  cat "$log"
  exit 1
}
llvm-profdata-22 merge -o "$profiles/all" "$profiles"/*.profraw
objects="-object $build/lib/librlscan.so"
for program in $programs; do
  objects="$objects -object $build/bin/$program"
done
llvm-cov-22 export -format=text -skip-expansions -skip-functions \
  -instr-profile "$profiles/all" $objects > "$profiles/all.json" 2> "$log"
python3 "$source/scripts/coverage-table.py" "$source" "$profiles/all.json" "$@"
