#!/bin/sh
# The random tests with seeds of the day: nightly.sh BUILD SECONDS, each part for
# so long, on all cores. A failure prints the command that repeats it. Then faults in
# drivers, coefficients, orders and weaker operations, and wheels that are built twice.
set -u
build=$1
seconds=$2
seed=$(date +%Y%m%d)
failed=0
check() {
  log=$build/nightly.log
  echo "$*"
  if "$build/bin/$@" > "$log" 2>&1; then
    tail -1 "$log"
  else
    cat "$log"
    failed=1
  fi
}
scripts/trust.sh "$build" "$(nproc)" "$seconds" "$seed" || failed=1
export RLSCAN_CUDA_DRIVER="$build/lib/libfake-cuda.so" RLSCAN_HIP_DRIVER="$build/lib/libfake-hip.so"
check fault-test cuda
check fault-test hip
check field-test --count=20000 --seed="$seed" recipes/*.rls
rows=test/Execution/Inputs/no-boundary.rls
check timing-test sim v4_l32_g2_r1_look_back_a1,v4_l32_g2_r1_loop_a1,v8_l32_g4_r1_once_a1 3x1000 --seeds=500 recipes/gae.rls $rows
check timing-test sim:wave64 v4_l64_g1_r1_look_back_a1 3x1000 --seeds=500 recipes/gae.rls $rows
except=--except=test/Execution/simulator/mutations.except
check mutation-test $rows sim v1_l32_g2_r1_look_back_a1 2x150,1x4500 --resident=75 $except
check mutation-test recipes/gae.rls sim v4_l32_g2_r1_loop_a1 6x700
check mutation-test recipes/gae.rls sim v4_l32_g2_r1_once_a1 3x256,3x200
scripts/wheels.sh "$build" || failed=1
exit $failed
