#!/bin/sh
# Stands before the compiler in the build folder of coverage.sh: what is measured
# is compiled by clang, and counts its branches in PROFILES; all else is compiled
# as in other builds.
profiles=$1
shift
for source; do :; done # the last argument
case $source in
*/runtime/core/* | */runtime/cpu/* | */runtime/cuda/* | */runtime/device/* | \
  */runtime/hip/* | */lib/RecipeToRecurrence/* | */lib/Execution/Np*) ;;
*) exec ${RLSCAN_CCACHE-ccache} "$@" ;;
esac
shift
exec ${RLSCAN_CCACHE-ccache} clang++-22 "$@" -Wno-unknown-warning-option \
  -fcoverage-mapping -fprofile-continuous -fprofile-update=atomic \
  "-fprofile-instr-generate=$profiles/%m.profraw"
