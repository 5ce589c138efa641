/*===- rollout.c - Arrays of a call, on both sides ----------------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "rollout.h"
#include "driver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*===----------------------------------------------------------------------===*\
|* Numbers as they are stored
\*===----------------------------------------------------------------------===*/

static uint32_t random32(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)(state >> 32);
}

/* In [-1, 1), of a few bits: every type holds it. */
static double randomReal(void) {
  return ((int)(random32() % 256) - 128) / 128.0;
}

static void writeReal(void *array, int64_t index, double real, int isHalf) {
  float number = (float)real;
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  if (isHalf)
    ((uint16_t *)array)[index] = (uint16_t)(bits >> 16);
  else
    ((float *)array)[index] = number;
}

static double readReal(const void *array, int64_t index, int isHalf) {
  uint32_t bits;
  float number;
  if (!isHalf)
    return ((const float *)array)[index];
  bits = (uint32_t)((const uint16_t *)array)[index] << 16;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/*===----------------------------------------------------------------------===*\
|* Arrays
\*===----------------------------------------------------------------------===*/

static size_t widthOf(const struct rollout *rollout, int array) {
  if (array == TERMINATED)
    return 1;
  return rollout->storing.isHalf ? 2 : 4;
}

static int64_t elementsOf(const struct rollout *rollout, int array) {
  return array == LAST ? rollout->storing.rows : rollout->elements;
}

static int64_t place(const struct rollout *rollout, int64_t row, int64_t step) {
  return row * rollout->rowStride + step * rollout->stepStride;
}

static void setStrides(struct rollout *rollout) {
  int64_t rows = rollout->storing.rows, steps = rollout->storing.steps;
  int64_t gap = rollout->storing.order == 's' ? 3 : 1;
  int isRows = rollout->storing.order == 't';
  rollout->rowStride = (isRows ? 1 : steps) * gap;
  rollout->stepStride = (isRows ? rows : 1) * gap;
  rollout->elements = rows * steps * gap;
}

static void fill(const struct rollout *rollout, void *bytes, int array) {
  int isHalf = rollout->storing.isHalf;
  int64_t steps = rollout->storing.steps;
  for (int64_t row = 0; row < rollout->storing.rows; ++row) {
    if (array == LAST)
      writeReal(bytes, row, rollout->last[row], isHalf);
    for (int64_t t = 0; array != LAST && t < steps; ++t) {
      int64_t at = place(rollout, row, t);
      if (array == TERMINATED)
        ((unsigned char *)bytes)[at] = rollout->terminated[row * steps + t];
      else
        writeReal(bytes, at,
                  (array == REWARD ? rollout->reward
                                   : rollout->value)[row * steps + t],
                  isHalf);
    }
  }
}

static void makeArray(struct rollout *rollout, int array, void *stream) {
  enum { ALIGNED = 256 };
  size_t width = widthOf(rollout, array);
  size_t bytes = (size_t)elementsOf(rollout, array) * width;
  void *host = calloc(1, bytes);
  rollout->memory[array] = allocate(bytes + ALIGNED);
  rollout->device[array] =
      (char *)rollout->memory[array] + (size_t)rollout->storing.offset * width;
  if (array < ADVANTAGE)
    fill(rollout, host, array);
  upload(rollout->device[array], host, bytes, stream);
  free(host);
}

struct rollout *makeRollout(struct storing storing, void *stream) {
  struct rollout *rollout = calloc(1, sizeof *rollout);
  int64_t count = storing.rows * storing.steps;
  rollout->storing = storing;
  setStrides(rollout);
  rollout->reward = malloc(sizeof(double) * (size_t)count);
  rollout->value = malloc(sizeof(double) * (size_t)count);
  rollout->last = malloc(sizeof(double) * (size_t)storing.rows);
  rollout->terminated = malloc((size_t)count);
  for (int64_t i = 0; i < count; ++i) {
    rollout->reward[i] = randomReal();
    rollout->value[i] = randomReal();
    rollout->terminated[i] = random32() % 50 == 0;
  }
  for (int64_t row = 0; row < storing.rows; ++row)
    rollout->last[row] = randomReal();
  for (int array = 0; array < ARRAYS; ++array)
    makeArray(rollout, array, stream);
  return rollout;
}

void freeRollout(struct rollout *rollout) {
  for (int array = 0; array < ARRAYS; ++array)
    release(rollout->memory[array]);
  free(rollout->reward);
  free(rollout->value);
  free(rollout->last);
  free(rollout->terminated);
  free(rollout);
}

rlscan_tensor tensorOf(const struct rollout *rollout, int array) {
  const struct storing *storing = &rollout->storing;
  rlscan_dtype type = array == TERMINATED ? RLSCAN_BOOL
                      : storing->isHalf   ? RLSCAN_BF16
                                          : RLSCAN_F32;
  if (array == LAST)
    return rlscan_rows(rollout->device[array], type, storing->rows, 1);
  return rlscan_steps(rollout->device[array], type, storing->rows,
                      storing->steps, rollout->rowStride, rollout->stepStride);
}

void spoil(const struct rollout *rollout, void *stream) {
  for (int array = ADVANTAGE; array < ARRAYS; ++array)
    CHECK(fill(rollout->device[array], 0xff,
               (size_t)elementsOf(rollout, array) * widthOf(rollout, array),
               stream));
}

/*===----------------------------------------------------------------------===*\
|* Comparison
\*===----------------------------------------------------------------------===*/

/* Advantages of one row, by the equations. */
static double expectRow(const struct rollout *rollout, int64_t row,
                        double gamma, double lambda, double *advantage) {
  int64_t steps = rollout->storing.steps;
  double carry = 0.0, largest = 0.0, next = rollout->last[row];
  for (int64_t t = steps; t-- > 0;) {
    int64_t at = row * steps + t;
    double alive = rollout->terminated[at] ? 0.0 : 1.0;
    double delta =
        rollout->reward[at] + gamma * alive * next - rollout->value[at];
    carry = delta + gamma * lambda * alive * carry;
    next = rollout->value[at];
    advantage[t] = carry;
    if (fabs(carry) > largest)
      largest = fabs(carry);
  }
  return largest;
}

int64_t countWrong(const struct rollout *rollout, double gamma, double lambda,
                   void *stream) {
  const struct storing *storing = &rollout->storing;
  double *expected = malloc(sizeof(double) * (size_t)storing->steps);
  void *got[2];
  int64_t wrong = 0;
  for (int i = 0; i < 2; ++i) {
    size_t bytes = (size_t)rollout->elements * widthOf(rollout, ADVANTAGE + i);
    got[i] = malloc(bytes);
    download(got[i], rollout->device[ADVANTAGE + i], bytes, stream);
  }
  for (int64_t row = 0; row < storing->rows; ++row) {
    double largest = expectRow(rollout, row, gamma, lambda, expected);
    for (int64_t t = 0; t < storing->steps; ++t)
      for (int i = 0; i < 2; ++i) {
        double x =
            expected[t] + (i ? rollout->value[row * storing->steps + t] : 0.0);
        double limit = 1e-5 * (2 + largest);
        if (storing->isHalf)
          limit += fabs(x) / 256;
        double y = readReal(got[i], place(rollout, row, t), storing->isHalf);
        wrong += !(fabs(x - y) <= limit);
      }
  }
  free(expected);
  free(got[0]);
  free(got[1]);
  return wrong;
}
