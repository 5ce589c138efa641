/*===- extreme-test.c - Sizes and strides of all magnitudes -------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: extreme-test messages|sweep                                         *|
|* messages: a row of the result is 2^30 to 2^66 bytes from the next, and the *|
|* input lies in the first; then other calls that no memory holds.            *|
|* sweep: whether random calls are refused, against the same in 128 bits.     *|
|* Nothing is launched that is not refused.                                   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "decay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

static float memory[64];

static decay_args callOf(int64_t rows, int64_t steps) {
  decay_args args = decay_init();
  args.device = RLSCAN_DEVICE_CPU;
  args.x = rlscan_steps(memory, RLSCAN_F32, rows, steps, 0, 0);
  args.y = rlscan_steps(memory + 32, RLSCAN_F32, rows, steps, steps, 1);
  return args;
}

/* What a launch is told before anything runs. */
static rlscan_status ask(const decay_args *args) {
  size_t size = 0;
  return rlscan_workspace_size(&decay, args, &size);
}

static void report(const char *what, const decay_args *args) {
  rlscan_status status = ask(args);
  printf("%s: %d %s\n", what, status, status ? rlscan_last_error() : "done");
}

/*===----------------------------------------------------------------------===*\
|* By hand
\*===----------------------------------------------------------------------===*/

/* More rows where no stride is so many bytes. */
static void apart(int power) {
  int rest = power > 64 ? power - 64 : 0;
  decay_args args = callOf(1 + (INT64_C(1) << rest), 4);
  char what[32];
  args.x.data = memory + 1;
  args.y.data = memory;
  args.y.strides[0] = INT64_C(1) << (power - rest - 2);
  snprintf(what, sizeof what, "2^%d bytes", power);
  report(what, &args);
  rlscan_status asked = ask(&args);
  if (rlscan_launch(&decay, &args, NULL) != asked)
    printf("launched\n");
}

static void messages(void) {
  const int64_t large = INT64_C(1) << 62;
  for (int power = 30; power <= 66; power += power < 60 ? 15 : 1)
    apart(power);
  decay_args args = callOf(2, 4);
  args.y.strides[0] = -large;
  report("down", &args);
  args.y.strides[0] = INT64_MIN;
  report("the least stride", &args);
  args.y.strides[0] = (int64_t)((uintptr_t)args.y.data / 4 + 1024) * -1;
  report("below 0", &args);
  args = callOf(large, large);
  report("many of both", &args);
  args = callOf(INT64_MAX, INT64_MAX);
  report("the most of both", &args);
  args = callOf(1, INT64_MAX);
  report("the most steps", &args);
  args = callOf(0, INT64_MAX);
  report("of no rows", &args);
  args = callOf(INT64_C(1) << 30, INT64_C(1) << 30);
  report("a result of 2^62 bytes", &args);
  args = callOf(2, 4);
  args.weight = rlscan_along(memory, RLSCAN_F32, 2, 4, INT64_MAX, 0, 0, 0);
  args.weight.strides[1] = INT64_MAX;
  report("strides along an axis", &args);
  args = callOf(2, 4);
  args.seed = rlscan_rows(memory, RLSCAN_F32, 2, INT64_MAX);
  report("of rows", &args);
  /* Temporaries of the CPU: 8 bytes a step. */
  args = callOf(1, INT64_C(1) << 59);
  args.done = rlscan_steps(memory, RLSCAN_BOOL, 1, INT64_C(1) << 59, 0, 0);
  args.seed = rlscan_rows(memory, RLSCAN_F32, 1, 1);
  report("workspace", &args);
}

/*===----------------------------------------------------------------------===*\
|* By chance
\*===----------------------------------------------------------------------===*/

static uint64_t state = 1;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* Of any magnitude, and often next to a power of two. */
static int64_t number(int most) {
  int bits = (int)(next() % (unsigned)most);
  uint64_t value = UINT64_C(1) << bits;
  switch (next() % 4) {
  case 0:
    return (int64_t)(next() % 4);
  case 1:
    return (int64_t)(value - 1);
  case 2:
    return (int64_t)value;
  default:
    return (int64_t)(value + next() % value);
  }
}

static int64_t strideOf(void) {
  int64_t stride = number(63);
  return next() % 4 ? stride : -stride;
}

struct span {
  wide begin, end; /* of bytes */
};

static struct span spanOf(const rlscan_tensor *array) {
  struct span span = {(wide)(uintptr_t)array->data,
                      (wide)(uintptr_t)array->data + 4};
  for (int dim = 0; dim < 2; ++dim) {
    wide reach = ((wide)array->sizes[dim] - 1) * array->strides[dim] * 4;
    if (array->sizes[dim] == 0)
      reach = 0;
    if (reach < 0)
      span.begin += reach;
    else
      span.end += reach;
  }
  if (array->sizes[0] == 0 || array->sizes[1] == 0)
    span.begin = span.end = 0;
  return span;
}

static int isOutside(struct span span) {
  return span.begin < 0 || span.end > (wide)UINT64_MAX ||
         span.end - span.begin > ((wide)1 << 62);
}

static wide magnitude(int64_t stride) {
  return stride < 0 ? -(wide)stride : stride;
}

/* Whether no two elements share memory. */
static int isNested(const rlscan_tensor *array) {
  int isSwapped = magnitude(array->strides[0]) < magnitude(array->strides[1]);
  wide reach = 1;
  for (int i = 1; i >= 0; --i) {
    int dim = isSwapped ? 1 - i : i; /* the smaller stride first */
    if (array->sizes[dim] < 2)
      continue;
    if (magnitude(array->strides[dim]) < reach)
      return 0;
    reach += magnitude(array->strides[dim]) * (array->sizes[dim] - 1);
  }
  return 1;
}

/* -1: either, where arrays may be interleaved. */
static int expected(const decay_args *args) {
  struct span x = spanOf(&args->x), y = spanOf(&args->y);
  wide steps = args->x.sizes[0] > 0 ? (wide)args->x.sizes[0] : 1;
  steps *= args->x.sizes[1];
  if (steps > ((wide)1 << 61) || isOutside(x) || isOutside(y))
    return RLSCAN_INVALID_SHAPE;
  if (y.begin == y.end)
    return RLSCAN_OK;
  if (!isNested(&args->y))
    return RLSCAN_OVERLAP;
  if (x.end <= y.begin || y.end <= x.begin)
    return RLSCAN_OK;
  return isNested(&args->x) ? -1 : RLSCAN_OVERLAP;
}

static rlscan_tensor arrayOf(int64_t rows, int64_t steps) {
  rlscan_tensor array = rlscan_steps(memory + next() % 64, RLSCAN_F32, rows,
                                     steps, strideOf(), strideOf());
  if (next() % 2)
    array.data = (void *)(uintptr_t)(next() >> next() % 64 & ~UINT64_C(3));
  if (!array.data)
    array.data = memory;
  return array;
}

static int sweep(void) {
  enum { CALLS = 1000000, STATUSES = 6 };
  int counts[STATUSES] = {0}, failures = 0, open = 0;
  for (int i = 0; i < CALLS; ++i) {
    int64_t rows = number(63), steps = number(63);
    /* Small ones, or most calls would be refused. */
    if (next() % 2)
      rows %= 1024, steps %= 1024;
    decay_args args = callOf(rows, steps);
    args.x = arrayOf(rows, steps);
    args.y = arrayOf(rows, steps);
    int wanted = expected(&args), status = (int)ask(&args);
    open += wanted < 0;
    if (wanted < 0 ? status == RLSCAN_OK || status == RLSCAN_OVERLAP
                   : status == wanted) {
      ++counts[wanted < 0 ? 0 : wanted];
      continue;
    }
    if (++failures < 10)
      printf("FAIL: call %d: expected %d, got %d %s\n", i, wanted, status,
             status ? rlscan_last_error() : "");
  }
  printf("%d calls, %d with no memory, %d overlap, %d open, %d failures\n",
         CALLS, counts[RLSCAN_INVALID_SHAPE], counts[RLSCAN_OVERLAP], open,
         failures);
  return failures != 0;
}

int main(int argc, char **argv) {
  const char *command = argc == 2 ? argv[1] : "";
  if (strcmp(command, "sweep") == 0)
    return sweep();
  if (strcmp(command, "messages") != 0)
    return 2;
  messages();
  return 0;
}
