/*===- client.c - A program compiled with an old header -----------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Prints the bits of what a frozen gae computes on the CPU, and whether its  *|
|* code for a GPU is taken by the driver that RLSCAN_CUDA_DRIVER names.       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "rlscan_gae.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 3, STEPS = 7, ALL = ROWS * STEPS };

static void print(const char *name, const float *values) {
  for (int i = 0; i < ALL; ++i) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    printf("%s %d %08x\n", name, i, (unsigned)bits);
  }
}

static int report(const char *what, rlscan_status status) {
  printf("%s: %d %s\n", what, status, status ? rlscan_last_error() : "done");
  return status != RLSCAN_OK;
}

int main(void) {
  float reward[ALL], value[ALL], advantage[ALL], target[ALL];
  uint8_t terminated[ALL];
  rlscan_gae_args args = RLSCAN_GAE_ARGS_INIT;
  for (int i = 0; i < ALL; ++i) {
    reward[i] = (float)(i * 37 % 19 - 9) / 8.0f;
    value[i] = (float)(i * 53 % 23 - 11) / 16.0f;
    terminated[i] = i % 5 == 3;
  }
  args.reward = rlscan_steps(reward, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  args.value = rlscan_steps(value, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  args.terminated = rlscan_steps(terminated, RLSCAN_U8, ROWS, STEPS, STEPS, 1);
  args.advantage = rlscan_steps(advantage, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  args.target = rlscan_steps(target, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  args.device = RLSCAN_DEVICE_CPU;
  if (report("launch", rlscan_gae_launch(&args, NULL)))
    return 1;
  print("advantage", advantage);
  print("target", target);
  return report("prepare", rlscan_gae_prepare(0));
}
