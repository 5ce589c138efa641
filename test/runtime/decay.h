/*===- decay.h - A compiled estimator, written by hand -------------*- C
-*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The runtime's tests need no compiler: what rlscan-compile would make of    *|
|*                                                                            *|
|*   estimator decay {                                                        *|
|*     param gamma = 0.5, limit                                               *|
|*     axis a                                                                 *|
|*     step x, weight[a] = 1                                                  *|
|*     step done = false : flag                                               *|
|*     row seed = 0                                                           *|
|*     y[t] = x + gamma * !done * y[t-1 | seed]  (no more than limit)         *|
|*     return y                                                               *|
|*   }                                                                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef RLSCAN_TEST_RUNTIME_DECAY_H
#define RLSCAN_TEST_RUNTIME_DECAY_H

#include "rlscan/abi.h"

typedef struct decay_args {
  size_t size;
  int32_t device;
  int32_t reserved;
  void *workspace;
  size_t workspace_size;
  const rlscan_parallel *parallel;
  double gamma;
  rlscan_tensor gamma_at;
  double limit;
  rlscan_tensor limit_at;
  rlscan_tensor x;
  rlscan_tensor weight;
  rlscan_tensor done;
  rlscan_tensor seed;
  rlscan_tensor y;
} decay_args;

decay_args decay_init(void);
/* With code for the CPU and for GPUs of "cuda". */
extern rlscan_estimator decay;
/* With code for "cuda", "hip" or "both". */
void decay_choose(const char *vendor);

#endif /* RLSCAN_TEST_RUNTIME_DECAY_H */
