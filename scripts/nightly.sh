#!/bin/sh
# The random tests with seeds of the day: nightly.sh BUILD SECONDS, each part for
# so long. A failure prints the command that repeats it.
set -u
build=$1
seconds=$2
seed=$(date +%Y%m%d)0000
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
check mutant-test --count=20000 --seed="$seed"
check random-test --target=every --count=1000000 --seed="$seed" --limit-seconds="$seconds"
check ring-test --count=1000000 --seed="$seed" --limit-seconds="$seconds"
export RLSCAN_CUDA_DRIVER="$build/lib/libfake-cuda.so" RLSCAN_HIP_DRIVER="$build/lib/libfake-hip.so"
check fault-test cuda
check fault-test hip
exit $failed
