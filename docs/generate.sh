#!/bin/sh
# Writes dialect.md and passes.md, the reference made from TableGen, and recipes.md and
# recipe-index.md, made from the recipes:
# generate.sh OUT [TBLGEN [MLIR_INCLUDE_DIR [RLSCAN-RUN]]].
set -eu

source=$(dirname "$0")/..
out=$1
tblgen=${2:-mlir-tblgen}
include=${3:-$(llvm-config --includedir)}
run=${4:-rlscan-run}
mark="<!-- Made by docs/generate.sh: do not edit, run make docs. -->"
mkdir -p "$out"

# generate SOURCE.td OPTIONS...: without the generator's own mark and its
# request for a table of contents.
generate() {
  input=$source/$1
  shift
  "$tblgen" "$@" -I "$source" -I "$include" "$input" >"$out/page"
  sed -e 1,2d -e '/^\[TOC\]$/,+1d' "$out/page" | cat -s
  rm "$out/page"
}

{
  echo "$mark"
  echo
  generate dialects/rlscan/RLScanOps.td -gen-dialect-doc -dialect=rlscan
} >"$out/dialect.md"

{
  echo "$mark"
  echo
  echo "# The passes, by name"
  echo
  echo "Their order is that of the pipelines in lib/Pipelines/Pipelines.cpp."
  echo
  generate include/rlscan/Passes.td -gen-pass-doc | sed 's/^###/##/'
} >"$out/passes.md"

python3 -B "$source/docs/catalogue.py" "$out" "$run"
