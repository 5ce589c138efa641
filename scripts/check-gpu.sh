#!/bin/sh
# What only a machine with a GPU can say: check-gpu.sh BUILD. The tests that `make check`
# runs where it finds one, NVIDIA's sanitizers over small grids, and the Python package's
# tests with arrays of the GPU, for which RLSCAN_PYTHON_TARGETS names it.
set -u
build=$(cd "$1" && pwd)
export PATH="$build/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
failed=0
fail() {
  echo "check-gpu: failed: $1"
  failed=1
}

# Without a GPU every test below would be left out.
gpu-test quick || exit 1

lit=$(sed -n 's/^RLSCAN_LIT:FILEPATH=//p' "$build/CMakeCache.txt")
"$lit" -sv --filter ' (Execution/device|gpu)/' "$build/test" || fail "tests of the device"

sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
if [ -x "$sanitizer" ]; then
  for tool in memcheck racecheck initcheck synccheck; do
    for recipe in gae vtrace retrace masked_gae rnd_gae; do
      log=$build/check-gpu.log
      if timeout 300 "$sanitizer" --tool $tool --error-exitcode 9 grid-test --target=cuda \
        --schedules=all --limit-seconds=30 "recipes/$recipe.rls" > "$log" 2>&1; then
        echo "$tool: $(grep ' runs of ' "$log")"
      else
        cat "$log"
        fail "$tool, $recipe"
      fi
    done
  done
else
  echo "check-gpu: no compute-sanitizer, its four tools were left out"
fi

python=$build/python-env/bin/python
if grep -q '^RLSCAN_PYTHON_TARGETS:.*cuda' "$build/CMakeCache.txt" &&
  "$python" -c 'import torch; assert torch.cuda.is_available()' 2> /dev/null; then
  # JAX would take most of the memory that PyTorch is to have.
  (cd test/python && XLA_PYTHON_CLIENT_PREALLOCATE=false PYTHONPATH=$build/python "$python" -m pytest -q -p no:cacheprovider \
    --device=cuda test_numbers.py test_torch.py test_cuda.py test_jax.py test_errors.py \
    test_tools.py test_wider.py test_numpy.py test_compat.py test_rows.py) || fail "Python"
else
  echo "check-gpu: PyTorch sees no GPU or the package has no code for one:" \
    "its tests with --device=cuda were left out"
fi
exit $failed
