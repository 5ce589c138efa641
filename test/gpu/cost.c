/*===- cost.c - What a launch costs the host ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "cost.h"
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CALLS = 100000, BATCH = 200, PARAMS = 24, THREADS = 256 };

/* A kernel that does nothing, with as many arguments as gae has, in PTX. */
static void *makeKernel(void) {
  char text[2048] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                    ".visible .entry nothing(";
  void *module = NULL, *function = NULL;
  for (int i = 0; i < PARAMS; ++i)
    sprintf(text + strlen(text), "%s.param .u64 p%d", i ? ", " : "", i);
  strcat(text, ") { ret; }\n");
  checkDriver(
      "cuModuleLoadDataEx",
      ((int (*)(void **, const void *, unsigned, int *, void **))findFunction(
          "cuModuleLoadDataEx"))(&module, text, 0, NULL, NULL));
  CHECK(getFunction(&function, module, "nothing"));
  return function;
}

static double cpuSeconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void launchBare(void *function, void *stream) {
  static uint64_t values[PARAMS];
  void *pointers[PARAMS];
  for (int i = 0; i < PARAMS; ++i)
    pointers[i] = &values[i];
  CHECK(launchKernel(function, 1, 1, 1, THREADS, 1, 1, 0, stream, pointers,
                     NULL));
}

/* Batches are short enough for the queue, and finished before the next. */
static double measure(const ga_gae_args *args, void *function, void *stream) {
  double seconds = 0.0;
  for (int done = 0; done < CALLS; done += BATCH) {
    double begin = cpuSeconds();
    for (int i = 0; i < BATCH; ++i) {
      if (!args)
        launchBare(function, stream);
      else if (ga_gae_launch(args, stream) != RLSCAN_OK)
        exit(2);
    }
    seconds += cpuSeconds() - begin;
    CHECK(synchronizeStream(stream));
  }
  return seconds / CALLS;
}

double measureCost(const ga_gae_args *args, void *stream) {
  void *function = makeKernel();
  measure(args, function, stream); /* warm */
  double bare = measure(NULL, function, stream);
  double whole = measure(args, function, stream);
  ga_gae_args known = *args;
  known.device = 0;
  double again = measure(&known, function, stream);
  printf(
      "cuLaunchKernel: %.2f us, ga_gae_launch: %.2f us, ratio %.2f; the same "
      "again on a GPU by its number: %.2f us\n",
      bare * 1e6, whole * 1e6, whole / bare, again * 1e6);
  return whole / bare;
}
