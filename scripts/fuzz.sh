#!/bin/sh
# Runs a fuzzer: fuzz.sh BUILD recipe|npz|image SECONDS. What was found before is
# in test/fuzz/corpus; recipes and tests are there to start from. Findings are
# left in BUILD/fuzz.
set -eu
build=$1
target=$2
seconds=$3
work=$build/fuzz/$target
mkdir -p "$work/corpus" "$work/seeds"
dictionary=
length=65536
case $target in
recipe)
  find recipes test -name '*.rls' -exec cp {} "$work/seeds/" \;
  dictionary=-dict=test/fuzz/recipe.dict
  length=4096
  ;;
npz)
  python3 test/Execution/Inputs/make-npz.py make "$work/arrays"
  find "$work/arrays" -type f -size -64k -exec cp {} "$work/seeds/" \;
  ;;
image) python3 test/fuzz/pack.py "$work/seeds" ;;
esac
if [ -d "test/fuzz/corpus/$target" ]; then
  cp test/fuzz/corpus/"$target"/* "$work/seeds/"
fi
# The packaged MLIR is not instrumented: it frees its memory at the end only, and
# takes memory from pools that our inlined code would mark as unused.
export ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0
"$build/bin/$target-fuzzer" -max_total_time="$seconds" -max_len=$length -timeout=10 \
  -rss_limit_mb=4096 $dictionary -artifact_prefix="$work/" \
  -print_final_stats=1 -verbosity=0 "$work/corpus" "$work/seeds"
