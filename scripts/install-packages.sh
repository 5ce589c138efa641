#!/bin/sh
# Installs the Debian packages that the build and the tests need, if any is
# missing. With --with-clang also those of the sanitizer and fuzzer builds.
set -eu

packages="build-essential cmake ninja-build pkg-config python3 python3-numpy
  python3-dev python3-venv libmlir-22-dev mlir-22-tools llvm-22-dev
  llvm-22-tools liblld-22-dev libzip-dev zlib1g-dev
  libeigen3-dev"
[ "${1:-}" != --with-clang ] ||
  packages="$packages clang-22 libclang-rt-22-dev"

missing=""
for package in $packages; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

sudo=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || {
    echo "error: not root and no sudo; install these packages:$missing" >&2
    exit 1
  }
  sudo=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for command in "update" "install -y --no-install-recommends $missing"; do
  # shellcheck disable=SC2086 # one word a package
  $sudo apt-get -q $command >"$log" 2>&1 || {
    cat "$log" >&2
    echo "error: apt-get $command failed; the packages of LLVM 22 are in" \
      "Debian 12 with its updates and in later releases" >&2
    exit 1
  }
done
