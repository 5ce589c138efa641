#!/bin/sh
# A folder for trust.sh on a machine without LLVM: trust-carry.sh FOLDER BUILD
# [BUILD-ASAN], the second one for the fuzzers. There: FOLDER/trust.sh FOLDER ...
set -eu
folder=$1
build=$2
fuzzers=${3:-}
scripts/carry.sh "$folder" "$build"/bin/random-test "$build"/bin/ring-test \
  "$build"/bin/mutant-test ${fuzzers:+"$fuzzers"/bin/*-fuzzer}
strip "$folder"/bin/*
# LLVM's library names these and nothing here calls them: empty ones take 55 MB less.
for library in "$folder"/lib/libz3.so.* "$folder"/lib/libicudata.so.*; do
  [ -f "$library" ] || continue
  name=$(basename "$library")
  echo "const char icudt${name##*.}_dat[16] = {0};" |
    cc -shared -x c - -o "$library" -Wl,-soname,"$name"
done
cp scripts/trust.sh "$folder/"
[ -n "$fuzzers" ] || exit 0
for fuzzer in "$folder"/bin/*-fuzzer; do
  target=$(basename "$fuzzer" -fuzzer)
  scripts/fuzz-seeds.sh "$target" "$folder/seeds/$target"
done
cp test/fuzz/recipe.dict "$folder/seeds/"
