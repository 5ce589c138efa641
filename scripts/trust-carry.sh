#!/bin/sh
# A folder for trust.sh on a machine without LLVM: trust-carry.sh FOLDER BUILD
# [BUILD-ASAN], the second one for the fuzzers. There: FOLDER/trust.sh FOLDER ...
set -eu
folder=$1
build=$2
fuzzers=${3:-}
scripts/carry.sh "$folder" "$build"/bin/random-test "$build"/bin/ring-test \
  "$build"/bin/mutant-test ${fuzzers:+"$fuzzers"/bin/*-fuzzer}
strip "$folder"/bin/*-test
cp scripts/trust.sh "$folder/"
[ -n "$fuzzers" ] || exit 0
for fuzzer in "$folder"/bin/*-fuzzer; do
  target=$(basename "$fuzzer" -fuzzer)
  scripts/fuzz-seeds.sh "$target" "$folder/seeds/$target"
done
cp test/fuzz/recipe.dict "$folder/seeds/"
