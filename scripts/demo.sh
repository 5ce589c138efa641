#!/bin/sh
# The demonstration: demo.sh BUILD, after the tools are built in BUILD. Runs gae
# on recorded rollouts on this CPU and compares with the serial reference.
set -eu

cd "$(dirname "$0")/.."
build=${1:-build}
run=$build/bin/rlscan-run
recipe=recipes/gae.rls
inputs=examples/rollouts/cartpole.npz
out=$build/demo
results=$out/advantage.npz
[ -x "$run" ] || {
  echo "error: no $run; run make demo" >&2
  exit 1
}
mkdir -p "$out"

# Runs the recipe and prints its lines, indented; what it says on stderr (which
# arrays of the file gae does not read) only where it fails.
run_gae() {
  "$run" "$recipe" "$@" >"$out/stdout" 2>"$out/stderr" || {
    cat "$out/stdout" "$out/stderr" >&2
    exit 1
  }
  sed 's/^/  /' "$out/stdout"
}

echo "The recipes, recipes/NAME.rls:"
for file in recipes/*.rls; do
  printf '  %-23s  %s\n' "$(basename "$file" .rls)" \
    "$(sed -n '1s/^# *//p' "$file")"
done

echo
echo "The recurrence of $recipe, and the coefficients derived from its text:"
run_gae --print-coefficients

echo
echo "Running it on this CPU, on $inputs; errors against the"
echo "serial float64 reference:"
rm -f "$results"
run_gae --inputs="$inputs" --check --outputs="$results"

echo
echo "Row 0 of inputs and results:"
/usr/bin/python3 scripts/demo-table.py "$inputs" "$results" | sed 's/^/  /'

echo
echo "Time of one call, and of a plain copy of as many bytes:"
run_gae --inputs="$inputs" --bench

echo
echo "Wrote advantage and target to $results"
