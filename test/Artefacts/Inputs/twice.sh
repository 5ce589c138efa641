#!/bin/sh
# Compiles the recipes of a folder with two prefixes and links all: twice.sh
# INCLUDE RUNTIME WORK. The header is for C and for C++.
set -eu
cd "$3"
for prefix in one two; do
  rlscan-compile ./*.rls --target=cpu:x86-64 --layout=nt --present=none \
    --emit=static,header --prefix=$prefix -o .
done
cc -std=c99 -pedantic -Wall -Wextra -Werror -I. -I"$1" -c main.c
cc -x c++ -std=c++17 -pedantic -Wall -Wextra -Werror -I. -I"$1" -fsyntax-only main.c
c++ main.o ./*.a "$2" -lm -o all
./all
