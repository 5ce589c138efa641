#!/bin/sh
# Runs a fuzzer: fuzz.sh BUILD recipe|npz|image SECONDS, from what fuzz-seeds.sh
# gathers. test/fuzz/corpus has small inputs that reached something new. Findings are
# left in BUILD/fuzz.
set -eu
build=$1
target=$2
seconds=$3
work=$build/fuzz/$target
scripts/fuzz-seeds.sh "$target" "$work/seeds"
mkdir -p "$work/corpus"
dictionary=
length=65536
if [ "$target" = recipe ]; then
  dictionary=-dict=test/fuzz/recipe.dict
  length=4096
fi
# The packaged MLIR is not instrumented: it frees its memory at the end only, and
# takes memory from pools that our inlined code would mark as unused.
export ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0
"$build/bin/$target-fuzzer" -max_total_time="$seconds" -max_len=$length -timeout=10 \
  -rss_limit_mb=4096 $dictionary -artifact_prefix="$work/" \
  -print_final_stats=1 -verbosity=0 "$work/corpus" "$work/seeds"
