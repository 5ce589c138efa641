#!/bin/sh
# Both wheels twice: in folders of different names, with other times, time zones, masks and
# languages; then byte by byte: wheels.sh BUILD. For one level of the CPU, in minutes. Where
# they differ, says in which files; else leaves them and their SHA256SUMS in BUILD/wheels/one.
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
folder=$build/wheels
rm -rf "$folder"
mkdir -p "$folder"
python3 -m venv "$folder/python"
cp "$build/bin/rlscan-compile" "$folder/rlscan-compile" # one, whoever builds meanwhile
export RLSCAN_COMPILE="$folder/rlscan-compile"
export SOURCE_DATE_EPOCH=1700000000 # the time that archives have

# make NAME MASK ZONE LANGUAGE TIME
make() {
  (
    umask "$2"
    export TZ="$3" LC_ALL="$4"
    copy=$folder/$1/rlscan
    mkdir -p "$copy"
    cd "$source"
    cp -R CMakeLists.txt LICENSE README.md cmake include python pyproject.toml recipes runtime "$copy"
    find "$copy" -exec touch -d "$5" {} +
    for package in . python/compiler; do
      "$folder/python/bin/pip" wheel -q --no-input --disable-pip-version-check --no-deps \
        -w "$folder/$1" -Ccmake.define.RLSCAN_PYTHON_TARGETS=cpu:x86-64 "$copy/$package"
    done
  )
}
make one 022 UTC C 2020-01-01
make another/with-a-longer-name 077 Asia/Tokyo C.UTF-8 2026-02-03
python3 "$source/scripts/same-wheels.py" "$folder/one" "$folder/another/with-a-longer-name"
cd "$folder/one"
sha256sum ./*.whl > SHA256SUMS
