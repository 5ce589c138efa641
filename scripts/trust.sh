#!/bin/sh
# Random recipes, exact arithmetic, mutants and fuzzers on all cores at once:
# trust.sh FOLDER CORES SECONDS SEED [FUZZERS]. FOLDER/bin has the programs: a build
# folder, or what trust-carry.sh made, which takes no more than the C library. Each
# core has seeds of its own, each fuzzer FUZZERS processes where there are seeds for
# it. The next run's SEED is the last one's plus 1000.
# Prints what failed with the command that repeats it, then one table.
set -u
folder=$(cd "$1" && pwd)
cores=$2
seconds=$3
seed=$4
fuzzers=${5:-1}
PATH=$folder/bin:$PATH
[ -f "$folder/trust.sh" ] && export LD_LIBRARY_PATH="$folder/lib"
out=${TMPDIR:-/tmp}/rlscan-trust-$seed
rm -rf "$out"
mkdir -p "$out"
# See fuzz.sh.
export ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0

# Begins a program on a core; its output and status are in a file of its name. One
# that does not end is made to say which recipe it is at.
begin() {
  name=$1
  shift
  {
    timeout -s ABRT $((seconds + 120)) "$@" > "$out/$name.log" 2>&1
    echo "exit status $?" >> "$out/$name.log"
  } &
}

fuzz() {
  mkdir -p "$out/$1.corpus-$2"
  dictionary=
  [ "$1" = recipe ] && dictionary=-dict=$folder/seeds/recipe.dict
  begin "fuzz-$1-$2" "$1-fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
    -rss_limit_mb=4096 $dictionary -artifact_prefix="$out/$1-" -print_final_stats=1 \
    -verbosity=0 -seed=$((seed + $2)) "$out/$1.corpus-$2" "$folder/seeds/$1"
}

# A program on cores from the first to the last, counted from the given seed.
share() {
  program=$1
  core=$2
  while [ "$core" -lt "$3" ]; do
    begin "$program-$core" "$program" --count=1000000 \
      --seed=$(((seed + core) * 1000000)) --limit-seconds="$seconds" $4
    core=$((core + 1))
  done
}

free=$cores
for target in recipe npz image; do
  [ -x "$folder/bin/$target-fuzzer" ] && [ -d "$folder/seeds/$target" ] || continue
  for process in $(seq "$fuzzers"); do
    fuzz "$target" "$process"
    free=$((free - 1))
  done
done
ring=$((free / 4))
[ "$ring" -lt 1 ] && ring=1
[ "$free" -le "$ring" ] && free=$((ring + 1))
share random-test "$ring" "$free" --target=every
share ring-test 0 "$ring" ""
begin mutant-test mutant-test --count=$((seconds * 100)) --seed=$((seed * 1000000))
wait

# Status 0 and, of what stops at a time limit, nothing else are good ends.
status=0
for log in "$out"/*.log; do
  tail -1 "$log" | grep -q '^exit status 0$' && continue
  status=1
  echo "== $(basename "$log" .log)"
  grep -v '^INFO\|^stat::' "$log" | tail -60
done
for kind in random-test ring-test mutant-test; do
  cat "$out/$kind"*.log | awk -v kind=$kind '
    /^[0-9]+ recipes, |^[0-9]+ mutants / { recipes += $1; lines++ }
    match($0, /[0-9]+ calls/) { calls += substr($0, RSTART) }
    match($0, /[0-9]+ failures/) { failures += substr($0, RSTART) }
    match($0, /largest error [0-9.e-]+/) {
      error = substr($0, RSTART + 14, RLENGTH - 14) + 0
      if (error > largest) largest = error
    }
    END { printf "%s: %d processes, %d recipes", kind, lines, recipes
          if (calls) printf ", %d calls", calls
          printf ", %d failures", failures
          if (largest) printf ", largest error %.3g of the tolerance", largest
          print "" }'
done
for log in "$out"/fuzz-*.log; do
  [ -f "$log" ] || continue
  echo "$(basename "$log" .log): $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs in $seconds s"
done
echo "seed $seed, $cores cores, $seconds s; logs and findings in $out"
exit $status
