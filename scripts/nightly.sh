#!/bin/sh
# The random tests with seeds of the day: nightly.sh BUILD SECONDS, each part for
# so long, on all cores. A failure prints the command that repeats it. Then wheels that
# are built twice.
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
scripts/wheels.sh "$build" || failed=1
exit $failed
