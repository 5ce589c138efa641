#!/bin/sh
# What only a machine with a GPU can say: check-gpu.sh BUILD [tests] [sanitizers]
# [python], all three where none is named. The tests that `make check` runs where it
# finds a GPU, NVIDIA's sanitizers over small grids, and the Python package's tests with
# arrays of the GPU, for which RLSCAN_PYTHON_TARGETS names it.
set -u
build=$(cd "$1" && pwd)
shift
parts=${*:-tests sanitizers python}
export PATH="$build/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
failed=0
fail() {
  echo "check-gpu: failed: $1"
  failed=1
}

check_tests() {
  gpu-test || fail "gpu-test"
  lit=$(sed -n 's/^RLSCAN_LIT:FILEPATH=//p' "$build/CMakeCache.txt")
  "$lit" -sv --filter ' (Execution/device|gpu)/' "$build/test" || fail "tests of the device"
}

sanitize() {
  tool=$1
  recipe=$2
  log=$build/check-gpu-$tool-$recipe.log
  options=
  [ "$tool" = memcheck ] && options="--leak-check full --padding 512"
  # shellcheck disable=SC2086 # some options or none
  if timeout 300 "$sanitizer" --tool "$tool" $options --error-exitcode 9 grid-test \
    --target=cuda --schedules=all --limit-seconds=40 "recipes/$recipe.rls" > "$log" 2>&1; then
    echo "$tool: $(grep ' runs of ' "$log")"
  else
    cat "$log"
    echo "check-gpu: failed: $tool, $recipe"
    return 1
  fi
}

# The recipes of a tool at once: most of the time goes into compiling kernels.
check_sanitizers() {
  sanitizer=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
  if [ ! -x "$sanitizer" ]; then
    echo "check-gpu: no compute-sanitizer, its four tools were left out"
    return
  fi
  for tool in memcheck racecheck initcheck synccheck; do
    running=
    for recipe in gae vtrace retrace masked_gae rnd_gae; do
      sanitize $tool $recipe &
      running="$running $!"
    done
    for process in $running; do
      wait "$process" || failed=1
    done
  done
}

# Each file in a process of its own: an error of the GPU stays for all later calls of
# its process.
check_python() {
  python=$build/python-env/bin/python
  if ! grep -q '^RLSCAN_PYTHON_TARGETS:.*cuda' "$build/CMakeCache.txt" ||
    ! "$python" -c 'import torch; assert torch.cuda.is_available()' 2> /dev/null; then
    echo "check-gpu: PyTorch sees no GPU or the package has no code for one:" \
      "its tests with --device=cuda were left out"
    return
  fi
  # JAX would take most of the memory that PyTorch is to have.
  export XLA_PYTHON_CLIENT_PREALLOCATE=false PYTHONPATH="$build/python${PYTHONPATH:+:$PYTHONPATH}"
  for file in numbers torch cuda jax errors tools wider numpy compat rows; do
    (cd test/python && timeout 900 "$python" -m pytest -q -p no:cacheprovider \
      --device=cuda test_$file.py) || fail "test_$file.py"
  done
}

# Without a GPU every test would be left out.
gpu-test quick > "$build/check-gpu.log" 2>&1 || {
  cat "$build/check-gpu.log"
  exit 1
}
for part in $parts; do
  case $part in
    tests) check_tests ;;
    sanitizers) check_sanitizers ;;
    python) check_python ;;
    *)
      echo "check-gpu: $part: expected tests, sanitizers or python"
      exit 2
      ;;
  esac
done
exit $failed
