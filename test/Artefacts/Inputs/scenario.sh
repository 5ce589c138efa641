#!/bin/sh
# The four steps from a recipe to a program, as docs/linking.md has them:
# scenario.sh INSTALLED EXAMPLE WORK
set -eu
PATH=$1/bin:$PATH
export PKG_CONFIG_PATH=$1/lib/pkgconfig LD_LIBRARY_PATH=$1/lib
example=$2
mkdir -p "$3"
cd "$3"

rlscan-compile --list-recipes
rlscan-compile @gae --target=cuda:sm_90,cuda:ptx,cpu --ptxas=none \
  --io=f32,bf16,f32+reward:bf16 --layout=any --present=last_value \
  --emit=static,header,manifest --prefix=tr -o build/adv
cc -std=c99 -Wall -Wextra -Werror -pedantic -Ibuild/adv $(pkg-config --cflags rlscan) \
  -c "$example/main.c"
c++ main.o build/adv/libtr_gae.a $(pkg-config --libs rlscan) -o trainer

./trainer
