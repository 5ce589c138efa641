#!/bin/sh
# How fast the CPU path is beside a copy of the same bytes, with all cores:
# cpu.sh BUILD. Prints one Markdown row for each recipe, shape and layout.
# docs/performance-cpu.md holds what it printed, and where.
set -eu
build=$1
work=$build/benchmark
here=$(dirname "$0")
mkdir -p "$work"

echo "| recipe | rows x steps | layout | kernel us | GB/s | copy GB/s | of the copy |"
echo "|---|---|---|---|---|---|---|"
for shape in 4096x128 16384x512; do
  /usr/bin/python3 "$here/make-inputs.py" "$shape" "$work/$shape.npz"
  for recipe in gae vtrace discounted_return; do
    for layout in nt tn; do
      "$build/bin/rlscan-run" "recipes/$recipe.rls" --inputs="$work/$shape.npz" \
        --layout=$layout --bench 2>/dev/null |
        awk -v recipe=$recipe -v shape=$shape -v layout=$layout '
          /^kernel: /   { us = $3; rate = $5 }
          /^copy: /     { copy = $5 }
          /^kernel GB/  { ratio = $NF }
          END { printf "| %s | %s | %s | %s | %s | %s | %s |\n",
                recipe, shape, layout, us, rate, copy, ratio }'
    done
  done
  rm -f "$work/$shape.npz"
done
