/*===- gpu-test.c - A compiled library on a real GPU ---------------*- C
-*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: gpu-test [quick|launches] [cuda|hip]                                *|
|*                                                                            *|
|* One program that needs the driver of NVIDIA or of AMD and nothing else; it *|
|* takes the one that is there. `quick` leaves the timing out and repeats     *|
|* less: for a sanitizer. `launches` compares no numbers either: for a driver *|
|* that computes nothing.                                                     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "cost.h"
#include "driver.h"
#include "ga_gae.h"
#include "gb_gae.h"
#include "gc_gae.h"
#include "rollout.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int takesTime; /* whether times are those of the GPU alone */
static int failures, replays = 1000, comparesNumbers = 1;
static const double gamma_ = 0.97, lambda_ = 0.9;

static void report(int isGood, const char *what, const char *detail) {
  printf("%s: %s%s%s\n", isGood ? "good" : "BAD", what, detail[0] ? ": " : "",
         detail);
  fflush(stdout);
  failures += !isGood;
}

/* The call is as it should be, and so are the numbers. */
static int isDone(rlscan_status status) {
  if (status)
    printf("     %s\n", rlscan_last_error());
  return status == RLSCAN_OK;
}

static int64_t wrongOf(const struct rollout *rollout, double gamma,
                       void *stream) {
  if (!comparesNumbers)
    return 0;
  int64_t wrong = countWrong(rollout, gamma, lambda_, stream);
  if (wrong)
    printf("     %lld values are wrong\n", (long long)wrong);
  return wrong;
}

#define FILL(args, rollout)                                                    \
  do {                                                                         \
    (args).gamma = gamma_;                                                     \
    (args).lambda = lambda_;                                                   \
    (args).reward = tensorOf(rollout, REWARD);                                 \
    (args).value = tensorOf(rollout, VALUE);                                   \
    (args).terminated = tensorOf(rollout, TERMINATED);                         \
    (args).last_value = tensorOf(rollout, LAST);                               \
    (args).advantage = tensorOf(rollout, ADVANTAGE);                           \
    (args).target = tensorOf(rollout, TARGET);                                 \
  } while (0)

static ga_gae_args argsOf(const struct rollout *rollout) {
  ga_gae_args args = GA_GAE_ARGS_INIT;
  FILL(args, rollout);
  return args;
}

static void *makeStream(void) {
  void *stream = NULL;
  CHECK(createStream(&stream, 1));
  return stream;
}

/* What the call asks for, zeroed once; NULL where it needs none. */
static void *giveWorkspace(ga_gae_args *args, int device, void *stream) {
  size_t size = 0;
  args->device = device;
  if (!isDone(ga_gae_workspace_size(args, &size)))
    return NULL;
  args->device = RLSCAN_DEVICE_AUTO;
  args->workspace = size ? allocate(size) : NULL;
  args->workspace_size = size;
  if (size)
    CHECK(fill(args->workspace, 0, size, stream));
  return args->workspace;
}

/*===----------------------------------------------------------------------===*\
|* Numbers
\*===----------------------------------------------------------------------===*/

static const struct storing storings[] = {
    {4096, 16, 'n', 0, 0},   {4096, 128, 'n', 0, 0},  {512, 128, 'n', 0, 1},
    {333, 127, 'n', 0, 0},   {1024, 1024, 'n', 0, 0}, {65, 5000, 'n', 0, 0},
    {8, 100000, 'n', 0, 0},  {3, 99999, 'n', 0, 3},   {4096, 128, 'n', 1, 0},
    {512, 1000, 'n', 1, 1},  {4096, 128, 't', 0, 0},  {16384, 16, 't', 0, 0},
    {1000, 1000, 't', 0, 0}, {7, 50000, 't', 0, 0},   {4096, 128, 't', 1, 0},
    {100, 300, 's', 0, 0},   {5, 20000, 's', 0, 0},   {1, 1, 'n', 0, 0},
    {1, 1, 't', 0, 0}};

static void checkStoring(struct storing storing, int device, int hasWorkspace) {
  char name[128];
  void *stream = makeStream(), *memory = NULL;
  struct rollout *rollout = makeRollout(storing, stream);
  ga_gae_args args = argsOf(rollout);
  int good = 1;
  if (hasWorkspace)
    memory = giveWorkspace(&args, device, stream);
  /* Twice: a launch leaves the workspace as the next one needs it. */
  for (int i = 0; i < 2; ++i) {
    spoil(rollout, stream);
    good &= isDone(ga_gae_launch(&args, stream));
    good &= wrongOf(rollout, gamma_, stream) == 0;
  }
  snprintf(name, sizeof name, "GPU %d, %lld x %lld, order %c, %s, offset %d%s",
           device, (long long)storing.rows, (long long)storing.steps,
           storing.order, storing.isHalf ? "bf16" : "f32", storing.offset,
           hasWorkspace ? ", workspace" : "");
  report(good, name, "");
  if (memory)
    release(memory);
  freeRollout(rollout);
  CHECK(destroyStream(stream));
}

static void checkNumbers(int device) {
  enterDevice(device);
  report(isDone(ga_gae_prepare(device)), "prepare", "");
  for (size_t i = 0; i < sizeof storings / sizeof *storings; ++i)
    for (int hasWorkspace = 0; hasWorkspace < 2; ++hasWorkspace)
      checkStoring(storings[i], device, hasWorkspace);
  leaveDevice();
}

/*===----------------------------------------------------------------------===*\
|* Graphs
\*===----------------------------------------------------------------------===*/

/* Replays a graph of one launch, each time with another gamma in memory. */
static int replay(void *graph, struct rollout *rollout, float *gamma,
                  void *stream) {
  void *exec = NULL;
  int64_t wrong = 0;
  CHECK(instantiateGraph(&exec, graph, 0));
  for (int i = 0; i < replays && !wrong; ++i) {
    float now = 0.9f + 0.01f * (float)(i % 10);
    upload(gamma, &now, sizeof now, stream);
    spoil(rollout, stream);
    CHECK(launchGraph(exec, stream));
    wrong = wrongOf(rollout, (double)now, stream);
  }
  CHECK(destroyExec(exec));
  return wrong == 0;
}

/* The first launch after prepare is captured. */
static void checkCapture(void) {
  void *stream = makeStream(), *graph = NULL;
  struct rollout *rollout =
      makeRollout((struct storing){64, 256, 'n', 0, 0}, stream);
  float *gamma = allocate(sizeof *gamma);
  gb_gae_args args = GB_GAE_ARGS_INIT;
  FILL(args, rollout);
  args.gamma_at = rlscan_number(gamma, RLSCAN_F32);
  int good = isDone(gb_gae_prepare(0));
  CHECK(beginCapture(stream, 1));
  good &= isDone(gb_gae_launch(&args, stream));
  CHECK(endCapture(stream, &graph));
  good = good && replay(graph, rollout, gamma, stream);
  report(good, "the first launch captured, replayed with changing gamma", "");
  CHECK(destroyGraph(graph));
  release(gamma);
  freeRollout(rollout);
}

/* A kernel of many workgroups that wait for each other. */
static void checkLookBackCapture(void) {
  void *stream = makeStream(), *graph = NULL;
  struct rollout *rollout =
      makeRollout((struct storing){4, 60000, 'n', 0, 0}, stream);
  float *gamma = allocate(sizeof *gamma);
  ga_gae_args args = argsOf(rollout);
  void *memory = giveWorkspace(&args, 0, stream);
  args.gamma_at = rlscan_number(gamma, RLSCAN_F32);
  CHECK(synchronizeStream(stream));
  CHECK(beginCapture(stream, 1));
  int good = isDone(ga_gae_launch(&args, stream));
  CHECK(endCapture(stream, &graph));
  good = good && memory && replay(graph, rollout, gamma, stream);
  report(good, "look-back captured and replayed", "");
  CHECK(destroyGraph(graph));
  release(memory);
  release(gamma);
  freeRollout(rollout);
}

/* Nothing was prepared: that has a status of its own, and spoils no capture. */
static void checkUnprepared(void) {
  void *stream = makeStream(), *graph = NULL;
  struct rollout *rollout =
      makeRollout((struct storing){64, 256, 'n', 0, 0}, stream);
  gc_gae_args args = GC_GAE_ARGS_INIT;
  FILL(args, rollout);
  CHECK(beginCapture(stream, 1));
  rlscan_status status = gc_gae_launch(&args, stream);
  CHECK(endCapture(stream, &graph));
  report(status == RLSCAN_NOT_PREPARED, "unprepared in a capture",
         rlscan_last_error());
  CHECK(destroyGraph(graph));
  spoil(rollout, stream);
  int good = isDone(gc_gae_launch(&args, stream));
  good = good && wrongOf(rollout, gamma_, stream) == 0;
  report(good, "unprepared, not in a capture", "");
  report(isDone(gc_gae_release()), "release", "");
  freeRollout(rollout);
}

/*===----------------------------------------------------------------------===*\
|* Streams, threads, mistakes
\*===----------------------------------------------------------------------===*/

static void waitLong(void *unused) {
  struct timespec duration = {0, 200000000};
  (void)unused;
  nanosleep(&duration, NULL);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The inputs are written on the stream, late. The launch must not wait, and the
   kernel must. */
static void checkDelayedProducer(void) {
  void *stream = makeStream();
  struct rollout *rollout =
      makeRollout((struct storing){256, 512, 'n', 0, 0}, stream);
  size_t bytes = (size_t)rollout->elements * sizeof(float);
  void *copy = allocate(bytes);
  CHECK(copyOnDevice(copy, rollout->device[REWARD], bytes, stream));
  CHECK(fill(rollout->device[REWARD], 0x7f, bytes, stream));
  spoil(rollout, stream);
  CHECK(synchronizeStream(stream));
  ga_gae_args args = argsOf(rollout);
  double begin = now();
  CHECK(launchHostFunction(stream, waitLong, NULL));
  CHECK(copyOnDevice(rollout->device[REWARD], copy, bytes, stream));
  int good = isDone(ga_gae_launch(&args, stream));
  double seconds = now() - begin;
  good = good && wrongOf(rollout, gamma_, stream) == 0;
  report(good, "a side stream with a delayed producer", "");
  if (takesTime)
    report(seconds < 0.15, "the launch does not wait", "");
  release(copy);
  freeRollout(rollout);
}

struct caller {
  struct rollout *rollout;
  void *stream;
  int bad;
};

static void *launchOften(void *given) {
  struct caller *caller = given;
  ga_gae_args args = argsOf(caller->rollout);
  for (int i = 0; i < 100; ++i)
    caller->bad += !isDone(ga_gae_launch(&args, caller->stream));
  return NULL;
}

static void checkThreads(void) {
  enum { CALLERS = 32 };
  struct caller callers[CALLERS];
  pthread_t threads[CALLERS];
  int64_t bad = 0;
  for (int i = 0; i < CALLERS; ++i) {
    callers[i].stream = makeStream();
    callers[i].rollout = makeRollout(
        (struct storing){16 + i, 64 + i, "nt"[i % 2], 0, 0}, callers[i].stream);
    callers[i].bad = 0;
  }
  for (int i = 0; i < CALLERS; ++i)
    pthread_create(&threads[i], NULL, launchOften, &callers[i]);
  for (int i = 0; i < CALLERS; ++i) {
    pthread_join(threads[i], NULL);
    bad += callers[i].bad;
    bad += wrongOf(callers[i].rollout, gamma_, callers[i].stream);
    freeRollout(callers[i].rollout);
    CHECK(destroyStream(callers[i].stream));
  }
  report(bad == 0, "32 threads launch at once", "");
}

static void checkMistakes(void) {
  void *stream = makeStream();
  float host[64 * 8];
  struct rollout *rollout =
      makeRollout((struct storing){64, 8, 'n', 0, 0}, stream);
  ga_gae_args args = argsOf(rollout);
  args.value.data = host;
  report(ga_gae_launch(&args, stream) == RLSCAN_INVALID_DEVICE, "host memory",
         rlscan_last_error());
  args = argsOf(rollout);
  args.value.sizes[1] = 7;
  report(ga_gae_launch(&args, stream) == RLSCAN_INVALID_SHAPE, "a wrong shape",
         rlscan_last_error());
  args = argsOf(rollout);
  args.target = args.advantage;
  report(ga_gae_launch(&args, stream) == RLSCAN_OVERLAP, "an overlap",
         rlscan_last_error());
  report(ga_gae_prepare(99) == RLSCAN_INVALID_DEVICE, "GPU 99",
         rlscan_last_error());
  /* The default stream, found by the memory. */
  args = argsOf(rollout);
  spoil(rollout, NULL);
  int good = isDone(ga_gae_launch(&args, NULL));
  CHECK(synchronizeDevice());
  report(good && wrongOf(rollout, gamma_, stream) == 0, "the default stream",
         "");
  freeRollout(rollout);
}

/* Launching alone takes a kernel that does nothing, which is PTX. */
static void checkCost(void) {
  void *stream = makeStream();
  struct rollout *rollout =
      makeRollout((struct storing){8, 16, 'n', 0, 0}, stream);
  ga_gae_args args = argsOf(rollout);
  double ratio = measureCost(&args, stream);
  report(ratio <= 2.0, "at most twice the host cost of cuLaunchKernel", "");
  freeRollout(rollout);
}

/* The word, where it is one of the arguments, else null. */
static const char *findWord(int argc, char **argv, const char *word) {
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], word) == 0)
      return word;
  return NULL;
}

int main(int argc, char **argv) {
  const char *vendor = findWord(argc, argv, "cuda");
  int isShort =
      findWord(argc, argv, "quick") || findWord(argc, argv, "launches");
  comparesNumbers = !findWord(argc, argv, "launches");
  if (isShort)
    replays = 20;
  takesTime = !isShort;
  openDriver(vendor ? vendor : findWord(argc, argv, "hip"));
  printf("%d GPUs, the first is %s\n", deviceCount(), deviceName(0));
  checkNumbers(0);
  if (deviceCount() > 1)
    checkNumbers(1);
  enterDevice(0);
  checkCapture();
  checkLookBackCapture();
  checkUnprepared();
  checkDelayedProducer();
  checkThreads();
  checkMistakes();
  if (!isShort && !driver.isHip)
    checkCost();
  printf("%d failures\n", failures);
  return failures != 0;
}
