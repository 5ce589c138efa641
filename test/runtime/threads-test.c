/*===- threads-test.c - Threads over a slow driver -----------------*- C
-*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: threads-test cuda|hip cold|slow                                     *|
|* RLSCAN_CUDA_DRIVER or RLSCAN_HIP_DRIVER names the fake driver, for         *|
|* FAKE_DEVICES=2; FAKE_DELAY has its calls take other times.                 *|
|*                                                                            *|
|* After 10 s a process that has not ended says so and ends.                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "decay.h"
#include "driver.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ESTIMATORS = 3, DEVICES = 2, LAYOUTS = 2, ROWS = 64, STEPS = 64 };

static rlscan_estimator estimators[ESTIMATORS];
static void *states[ESTIMATORS];
static rlscan_tensor arrays[DEVICES][LAYOUTS][2];
enum { WORKSPACE = ROWS * STEPS * 8 };
static void *workspaces[DEVICES];

/* As if of other libraries: what is loaded of each is its own. */
static void makeEstimators(void) {
  for (int i = 0; i < ESTIMATORS; ++i) {
    estimators[i] = decay;
    estimators[i].state = &states[i];
  }
}

static void makeArrays(void) {
  for (int device = 0; device < DEVICES; ++device) {
    enterDevice(device);
    workspaces[device] = allocate(WORKSPACE);
    for (int i = 0; i < LAYOUTS * 2; ++i) {
      void *memory = allocate(ROWS * STEPS * 4);
      int isRows = i / 2;
      arrays[device][isRows][i % 2] =
          rlscan_steps(memory, RLSCAN_F32, ROWS, STEPS, isRows ? 1 : STEPS,
                       isRows ? ROWS : 1);
    }
    leaveDevice();
  }
}

static decay_args callOn(int device, int layout) {
  decay_args args = decay_init();
  args.x = arrays[device][layout][0];
  args.y = arrays[device][layout][1];
  args.workspace = workspaces[device];
  args.workspace_size = WORKSPACE;
  return args;
}

static int countDevices(void) {
  return countCalls("cuDevicePrimaryCtxRetain", "hipGetDevicePropertiesR0600");
}

static void *watch(void *command) {
  sleep(10);
  printf("%s: not finished after 10 s\n", (const char *)command);
  fflush(stdout);
  _exit(3);
}

static pthread_t start(void *(*run)(void *), void *argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, argument)) {
    printf("no thread\n");
    exit(2);
  }
  return thread;
}

/*===----------------------------------------------------------------------===*\
|* The first calls of many threads, all at once
\*===----------------------------------------------------------------------===*/

enum { THREADS = 64 };
static pthread_barrier_t gate;
static atomic_int failures;

static void expect(int holds, int thread, const char *what) {
  if (holds)
    return;
  ++failures;
  printf("thread %d: %s: %s\n", thread, what, rlscan_last_error());
}

/* An error that no other thread has: it is there after calls that work. */
static void fails(int thread, const rlscan_estimator *estimator) {
  decay_args args = callOn(thread % DEVICES, 0);
  char wanted[64];
  args.y.sizes[1] = 1000 + thread;
  snprintf(wanted, sizeof wanted, "y: dim 1 is %d, ", 1000 + thread);
  expect(rlscan_launch(estimator, &args, NULL) == RLSCAN_INVALID_SHAPE, thread,
         "a wrong shape is taken");
  args = callOn(thread % DEVICES, 1);
  expect(!rlscan_launch(estimator, &args, NULL), thread, "a launch");
  expect(strstr(rlscan_last_error(), wanted) != NULL, thread, wanted);
  snprintf(wanted, sizeof wanted, "there is no GPU %d, ", 100 + thread);
  expect(rlscan_prepare(estimator, 100 + thread) == RLSCAN_INVALID_DEVICE,
         thread, "a GPU that is not there");
  args = callOn(thread % DEVICES, 0);
  expect(!rlscan_launch(estimator, &args, NULL), thread, "a launch");
  expect(strstr(rlscan_last_error(), wanted) != NULL, thread, wanted);
}

static void *callAll(void *given) {
  int thread = (int)(intptr_t)given;
  pthread_barrier_wait(&gate);
  for (int i = 0; i < ESTIMATORS * DEVICES * LAYOUTS; ++i) {
    int turn = i + thread;
    const rlscan_estimator *estimator = &estimators[turn % ESTIMATORS];
    int device = turn / ESTIMATORS % DEVICES;
    decay_args args = callOn(device, turn / ESTIMATORS / DEVICES % LAYOUTS);
    rlscan_status status = thread / 2 % 2
                               ? rlscan_prepare_for(estimator, &args, device)
                               : rlscan_launch(estimator, &args, NULL);
    expect(!status, thread, "a call");
    if (i % 4 == thread % 4)
      fails(thread, estimator);
  }
  return NULL;
}

static void cold(void) {
  int devices = countDevices();
  pthread_barrier_init(&gate, NULL, THREADS);
  for (int round = 0; round < 2; ++round) {
    pthread_t threads[THREADS];
    int modules = countModules();
    for (int i = 0; i < THREADS; ++i)
      threads[i] = start(callAll, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; ++i)
      pthread_join(threads[i], NULL);
    printf("%d modules\n", countModules() - modules);
    for (int i = 0; i < ESTIMATORS; ++i)
      rlscan_release(&estimators[i]);
  }
  printf("%d devices, %d failures, %d misuses\n", countDevices() - devices,
         failures, askFake("fakeMisuses"));
}

/*===----------------------------------------------------------------------===*\
|* One call that takes long, and what other threads do meanwhile
\*===----------------------------------------------------------------------===*/

static atomic_int isFinished;

static void *prepareSlowly(void *args) {
  rlscan_status status = rlscan_prepare_for(&estimators[0], args,
                                            ((const decay_args *)args)->device);
  isFinished = 1;
  return status ? (void *)rlscan_last_error() : NULL;
}

static void during(const char *what, rlscan_status status) {
  printf("%s: %s%s\n", what, status ? rlscan_last_error() : "done",
         isFinished ? ", too late" : "");
}

static void others(void) {
  static float x[ROWS * STEPS], y[ROWS * STEPS];
  decay_args args = callOn(0, 0);
  for (int i = 0; i < 100; ++i)
    if (rlscan_launch(&estimators[0], &args, NULL))
      printf("%s\n", rlscan_last_error());
  during("a kernel that is loaded", RLSCAN_OK);
  during("another estimator", rlscan_launch(&estimators[1], &args, NULL));
  args.x = rlscan_steps(x, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  args.y = rlscan_steps(y, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  args.device = RLSCAN_DEVICE_CPU;
  during("the CPU", rlscan_launch(&estimators[0], &args, NULL));
}

/* A call for the device is in the function of the driver for so long. */
static void whileIn(const char *cuda, const char *hip, int device, int layout) {
  decay_args args = callOn(device, layout);
  const char *function = driver.isHip ? hip : cuda;
  void *error = NULL;
  args.device = device;
  isFinished = 0;
  ((int (*)(const char *, int))findFunction("fakeSlow"))(function, 500);
  pthread_t thread = start(prepareSlowly, &args);
  while (!askFake("fakeAsleep"))
    usleep(1000);
  printf("in %s\n", function);
  others();
  pthread_join(thread, &error);
  printf("slow: %s\n", error ? (const char *)error : "done");
}

static void slow(void) {
  decay_args args = callOn(0, 0);
  if (rlscan_launch(&estimators[0], &args, NULL))
    printf("%s\n", rlscan_last_error());
  whileIn("cuModuleLoadDataEx", "hipModuleLoadData", 0, 1);
  rlscan_release(&estimators[1]);
  whileIn("cuDevicePrimaryCtxRetain", "hipGetDevicePropertiesR0600", 1, 0);
}

int main(int argc, char **argv) {
  const char *vendor = argc == 3 ? argv[1] : "";
  const char *command = argc == 3 ? argv[2] : "";
  int isCold = strcmp(command, "cold") == 0;
  if (!isCold && strcmp(command, "slow") != 0)
    return 2;
  pthread_detach(start(watch, argv[2]));
  decay_choose(vendor);
  openDriver(vendor);
  makeEstimators();
  makeArrays();
  isCold ? cold() : slow();
  return 0;
}
