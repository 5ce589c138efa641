/*===- cost.h - What a launch costs the host -----------------------*- C
-*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef RLSCAN_TEST_GPU_COST_H
#define RLSCAN_TEST_GPU_COST_H

#include "ga_gae.h"

/* CPU time of a launch over that of cuLaunchKernel alone with as many
   arguments, of 100000 calls each, and prints both. */
double measureCost(const ga_gae_args *args, void *stream);

#endif /* RLSCAN_TEST_GPU_COST_H */
