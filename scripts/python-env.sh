#!/bin/sh
# Fills the virtual environments of the tests of the Python package in a build
# folder, once: python-env with the newest of everything, and one with the oldest
# PyTorch that is tested. What cannot be had is said; its tests are then skipped.
set -u
build=$1
source=$(dirname "$0")/..
oldest_torch=2.11.0

# fill NAME STAMP-TEXT requirements...
fill() {
  folder=$build/$1
  stamp=$2
  shift 2
  [ "$(cat "$folder/filled" 2>/dev/null)" != "$stamp" ] || return 0
  echo "installing $(basename "$folder") for the tests of the Python package"
  rm -rf "$folder"
  /usr/bin/python3 -m venv "$folder" &&
    "$folder/bin/pip" install -q --no-input --disable-pip-version-check "$@" \
      >"$folder/log" 2>&1 &&
    echo "$stamp" >"$folder/filled" && return 0
  tail -n 3 "$folder/log" 2>/dev/null
  echo "cannot be had: $*; the tests that need it are skipped"
}

mkdir -p "$build"
requirements=$source/test/python/requirements.txt
fill python-env "$(cksum <"$requirements")" -r "$requirements"
fill python-env-oldest "$oldest_torch" numpy pytest "torch==$oldest_torch"
exit 0
