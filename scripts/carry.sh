#!/bin/sh
# Copies programs with the libraries that they need beside them, for a machine
# that has the C library and nothing else: carry.sh FOLDER PROGRAM...
# There: LD_LIBRARY_PATH=FOLDER/lib FOLDER/bin/PROGRAM
set -eu
folder=$1
shift
mkdir -p "$folder/bin" "$folder/lib"
cp "$@" "$folder/bin/"
for program; do
  ldd "$program" | awk '$3 ~ /^\// { print $3 }'
done | sort -u |
  grep -v -E '/(libc|libm|libdl|librt|libpthread|ld-linux[^/]*)\.so' |
  while read -r library; do cp -L "$library" "$folder/lib/"; done
du -sh "$folder"
