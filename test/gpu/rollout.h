/*===- rollout.h - Arrays of a call, on both sides -----------------*- C
-*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef RLSCAN_TEST_GPU_ROLLOUT_H
#define RLSCAN_TEST_GPU_ROLLOUT_H

#include "rlscan/runtime.h"

/* How a rollout is stored. */
struct storing {
  int64_t rows, steps;
  char
      order; /* 'n': the steps of a row together; 't': its rows; 's': neither */
  int isHalf; /* reals are bf16 */
  int offset; /* elements that arrays begin past an aligned address */
};

enum { REWARD, VALUE, LAST, TERMINATED, ADVANTAGE, TARGET, ARRAYS };

struct rollout {
  struct storing storing;
  int64_t rowStride, stepStride, elements; /* of what has a value a step */
  void *device[ARRAYS];                    /* where they begin */
  void *memory[ARRAYS];                    /* what was allocated */
  double *reward, *value, *last;           /* [rows, steps], as stored */
  unsigned char *terminated;
};

/* Random arrays, in the memory of the current device. */
struct rollout *makeRollout(struct storing storing, void *stream);
void freeRollout(struct rollout *rollout);

rlscan_tensor tensorOf(const struct rollout *rollout, int array);

/* Writes what no result is over the results. */
void spoil(const struct rollout *rollout, void *stream);

/* Compares the results with a plain loop in double: the number of values past
   the tolerance, 1e-5 * (1 + the largest of the row), of bf16 half a unit in
   the last place more. */
int64_t countWrong(const struct rollout *rollout, double gamma, double lambda,
                   void *stream);

#endif /* RLSCAN_TEST_GPU_ROLLOUT_H */
