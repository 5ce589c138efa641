#!/bin/sh
# What a fuzzer starts from: fuzz-seeds.sh recipe|npz|image FOLDER. Recipes
# and tests, or files that a script writes, and what was found before.
set -eu
target=$1
folder=$2
mkdir -p "$folder"
case $target in
recipe) find recipes test -name '*.rls' -exec cp {} "$folder/" \; ;;
npz)
  arrays=$(mktemp -d)
  /usr/bin/python3 test/Execution/Inputs/make-npz.py make "$arrays"
  find "$arrays" -type f -size -64k -exec cp {} "$folder/" \;
  rm -rf "$arrays"
  ;;
image) /usr/bin/python3 test/fuzz/pack.py "$folder" ;;
esac
if [ -f "test/fuzz/corpus/$target.tar.xz" ]; then
  tar -C "$folder" -xJf "test/fuzz/corpus/$target.tar.xz"
fi
