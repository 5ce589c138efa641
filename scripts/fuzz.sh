#!/bin/sh
# Runs the fuzzer of the recipe parser: fuzz.sh BUILD SECONDS. The corpus starts
# from the recipes and the tests; findings are left in BUILD/fuzz.
set -eu
build=$1
seconds=$2
work=$build/fuzz
mkdir -p "$work/corpus" "$work/seeds"
find recipes test -name '*.rls' -exec cp {} "$work/seeds/" \;
# The packaged MLIR is not instrumented: it frees its memory at the end only, and
# takes memory from pools that our inlined code would mark as unused.
export ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0
"$build/bin/recipe-fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
  -rss_limit_mb=4096 -dict=test/fuzz/recipe.dict -artifact_prefix="$work/" \
  -print_final_stats=1 -verbosity=0 "$work/corpus" "$work/seeds"
