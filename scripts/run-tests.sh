#!/bin/sh
# Runs the tests of a build folder and closes with "N passed, N failed".
set -u
build=$1
export PYTHONDONTWRITEBYTECODE=1
lit=$(sed -n 's/^RLSCAN_LIT:FILEPATH=//p' "$build/CMakeCache.txt")
results=$(mktemp)
trap 'rm -f "$results"' EXIT
"$lit" -sv --xunit-xml-output "$results" "$build/test"
status=$?
total=$(grep -c '<testcase ' "$results")
failed=$(grep -c '<failure' "$results")
skipped=$(grep -c '<skipped' "$results")
for name in python-env python-env-oldest; do
  [ -e "$build/$name/filled" ] ||
    echo "no $name: tests of the Python package were skipped"
done
echo "$((total - failed - skipped)) passed, $failed failed"
exit $status
