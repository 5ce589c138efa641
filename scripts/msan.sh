#!/bin/sh
# The runtime under the memory sanitizer: msan.sh BUILD, for the fake drivers. What is
# read before it is written is an error; only clang finds that, and the C++ library,
# which is not instrumented, writes nothing that is read here.
set -eu
build=$(cd "$1" && pwd)
out=$build/msan
mkdir -p "$out"
flags="-g -O1 -fsanitize=memory -fsanitize-memory-track-origins -Werror"
flags="$flags -Iruntime/include -I. -Itest/gpu"
for source in runtime/core/*.cpp runtime/cpu/*.cpp runtime/device/*.cpp \
  runtime/cuda/*.cpp runtime/hip/*.cpp; do
  clang++-22 -std=c++20 $flags -c "$source" -o "$out/$(basename "$source" .cpp).o-cpp"
done
for source in test/runtime/decay.c test/runtime/host-test.c test/runtime/device-test.c \
  test/gpu/driver.c; do
  clang-22 $flags -c "$source" -o "$out/$(basename "$source" .c).o-c"
done
cd "$out"
clang++-22 -fsanitize=memory -x none ./*.o-cpp decay.o-c host-test.o-c -ldl -lpthread -o host-test
clang++-22 -fsanitize=memory ./*.o-cpp decay.o-c device-test.o-c driver.o-c -ldl -lpthread \
  -o device-test

runs=0
check() {
  runs=$((runs + 1))
  "$@" > log 2>&1 || { echo "msan: failed: $*"; cat log; exit 1; }
}
for command in errors results workspace parallel threads fork status; do
  check ./host-test "$command"
done
export FAKE_DEVICES=2
for command in prepare launch kernels capture places axes limits numbers threads forks early \
  slow; do
  check env RLSCAN_CUDA_DRIVER="$build/lib/libfake-cuda.so" ./device-test cuda "$command"
  check env RLSCAN_HIP_DRIVER="$build/lib/libfake-hip.so" ./device-test hip "$command"
done
echo "msan: $runs runs of the runtime's tests, nothing read before it is written"
