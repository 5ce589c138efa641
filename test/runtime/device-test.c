/*===- device-test.c - Calls on a GPU, over the fake driver --------*- C
-*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: device-test cuda|hip COMMAND                                        *|
|* RLSCAN_CUDA_DRIVER or RLSCAN_HIP_DRIVER names the fake driver, for         *|
|* FAKE_DEVICES=2. The commands are at the end.                               *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "decay.h"
#include "driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*===----------------------------------------------------------------------===*\
|* The caller's side: a driver of its own to take memory and streams from
\*===----------------------------------------------------------------------===*/

static void *allocateOn(int ordinal, size_t bytes) {
  enterDevice(ordinal);
  void *memory = allocate(bytes);
  leaveDevice();
  return memory;
}

/*===----------------------------------------------------------------------===*\
|* Calls
\*===----------------------------------------------------------------------===*/

static void report(const char *what, rlscan_status status) {
  printf("%s: %d %s\n", what, status, status ? rlscan_last_error() : "done");
  fflush(stdout);
}

/* Arrays with the steps of a row together, at an address with so many bytes
   past an aligned one. */
static decay_args steps(int ordinal, int64_t rows, int64_t steps, int offset) {
  decay_args args = decay_init();
  size_t bytes = (size_t)(rows * steps) * 4 + 16;
  args.x = rlscan_steps((char *)allocateOn(ordinal, bytes) + offset, RLSCAN_F32,
                        rows, steps, steps, 1);
  args.y = rlscan_steps((char *)allocateOn(ordinal, bytes) + offset, RLSCAN_F32,
                        rows, steps, steps, 1);
  return args;
}

static decay_args rowsTogether(int ordinal, int64_t rows, int64_t count) {
  decay_args args = steps(ordinal, rows, count, 0);
  args.x.strides[0] = args.y.strides[0] = 1;
  args.x.strides[1] = args.y.strides[1] = rows;
  return args;
}

static void prepare(void) {
  decay_args args = steps(0, 64, 64, 0);
  report("a GPU that is not there", rlscan_prepare(&decay, 2));
  report("all of it", rlscan_prepare(&decay, 0));
  rlscan_release(&decay);
  report("for a call", rlscan_prepare_for(&decay, &args, 0));
  report("again", rlscan_prepare_for(&decay, &args, 0));
  args.seed = rlscan_rows(args.y.data, RLSCAN_F32, 64, 1);
  args.y.data = allocateOn(0, 65536);
  report("for another", rlscan_prepare_for(&decay, &args, 0));
  printf("%d modules\n", countModules());
  report("release", rlscan_release(&decay));
  printf("%d misuses\n", askFake("fakeMisuses"));
}

/* Which kernel is launched, and with what. */
static void kernels(void) {
  void *stream = makeStreamOn(0);
  size_t size = 0;
  decay_args args = steps(0, 4096, 128, 0);
  report("aligned", rlscan_launch(&decay, &args, stream));
  args = steps(0, 4096, 128, 4);
  report("misaligned", rlscan_launch(&decay, &args, stream));
  args = steps(0, 4096, 126, 0);
  report("odd steps", rlscan_launch(&decay, &args, stream));
  args = steps(0, 3, 65536, 0);
  report("long, no workspace", rlscan_launch(&decay, &args, stream));
  report("size", rlscan_workspace_size(&decay, &args, &size));
  args.workspace = allocateOn(0, size);
  args.workspace_size = size;
  printf("%zu bytes\n", size);
  report("long", rlscan_launch(&decay, &args, stream));
  args.workspace_size = size - 1;
  report("long, small workspace", rlscan_launch(&decay, &args, stream));
  args = rowsTogether(0, 64, 100);
  report("rows together", rlscan_launch(&decay, &args, stream));
  args.workspace = allocateOn(0, 51200);
  args.workspace_size = 51200;
  report("rows together", rlscan_launch(&decay, &args, stream));
  args.workspace = (char *)args.workspace + 8;
  report("misaligned workspace", rlscan_launch(&decay, &args, stream));
  args = steps(0, 0, 128, 0);
  report("no rows", rlscan_launch(&decay, &args, stream));
  args = rowsTogether(0, 6, 10);
  args.x.strides[0] = args.y.strides[0] = 2;
  args.x.strides[1] = args.y.strides[1] = 12;
  args.x.sizes[1] = args.y.sizes[1] = 4;
  report("strided", rlscan_launch(&decay, &args, stream));
}

static void capture(void) {
  void *stream = makeStreamOn(0), *graph = NULL;
  decay_args args = steps(0, 64, 64, 0);
  enterDevice(0);
  CHECK(beginCapture(stream, 1));
  report("not prepared", rlscan_launch(&decay, &args, stream));
  CHECK(endCapture(stream, &graph));
  report("prepare", rlscan_prepare_for(&decay, &args, 0));
  CHECK(beginCapture(stream, 1));
  report("prepared", rlscan_launch(&decay, &args, stream));
  CHECK(endCapture(stream, &graph));
  leaveDevice();
}

/* Which device a call runs on. */
static void places(void) {
  static float x[256], y[256];
  decay_args args = steps(1, 64, 64, 0);
  report("of the stream", rlscan_launch(&decay, &args, makeStreamOn(1)));
  report("of the memory", rlscan_launch(&decay, &args, NULL));
  args.device = 1;
  report("of the call", rlscan_launch(&decay, &args, NULL));
  args.device = RLSCAN_DEVICE_AUTO;
  report("of another GPU", rlscan_launch(&decay, &args, makeStreamOn(0)));
  args.x = rlscan_steps(x, RLSCAN_F32, 16, 16, 16, 1);
  args.y = rlscan_steps(y, RLSCAN_F32, 16, 16, 16, 1);
  report("of the host", rlscan_launch(&decay, &args, makeStreamOn(0)));
  report("on the CPU", rlscan_launch(&decay, &args, NULL));
  args = steps(0, 64, 64, 0);
  args.workspace = x;
  args.workspace_size = sizeof x;
  report("workspace", rlscan_launch(&decay, &args, makeStreamOn(0)));
  printf("device %d is current, %d misuses\n", askFake("fakeCurrent"),
         askFake("fakeMisuses"));
}

/* What a kernel takes for granted of arrays along an axis. */
static void axes(void) {
  enum { ROWS = 64, STEPS = 64 };
  void *stream = makeStreamOn(0);
  decay_args args = steps(0, ROWS, STEPS, 0);
  char *weight = allocateOn(0, ROWS * STEPS * 8 * 4);
  weight += (16 - (uintptr_t)weight % 16) % 16;
  args.weight =
      rlscan_along(weight, RLSCAN_F32, ROWS, STEPS, 4, STEPS * 4, 4, 1);
  report("packed", rlscan_launch(&decay, &args, stream));
  args.weight.data = weight + 4;
  report("misaligned", rlscan_launch(&decay, &args, stream));
  args.weight =
      rlscan_along(weight, RLSCAN_F32, ROWS, STEPS, 4, STEPS * 4, 1, STEPS);
  report("steps together", rlscan_launch(&decay, &args, stream));
  args.weight =
      rlscan_along(weight, RLSCAN_F32, ROWS, STEPS, 5, STEPS * 5, 5, 1);
  report("others", rlscan_launch(&decay, &args, stream));
}

/* The result is where there would be room; what is kept of a step is not. */
static void moreThanMemory(void *stream) {
  enum { GPU_TN = 4, MOST = 8 };
  const rlscan_variant *variants = decay.variants;
  rlscan_variant changed[MOST];
  rlscan_kernel keeping = variants[GPU_TN].kernels[0];
  size_t size = 0;
  decay_args args = rowsTogether(0, 64, 64);
  if ((char *)args.y.data < (char *)args.x.data) {
    void *lower = args.y.data;
    args.y.data = args.x.data;
    args.x.data = lower;
  }
  args.x.sizes[1] = args.y.sizes[1] = INT64_C(1) << 49;
  args.x.strides[1] = 0;
  args.workspace = allocateOn(0, 16);
  memcpy(changed, variants, (size_t)decay.variant_count * sizeof *changed);
  changed[GPU_TN].kernels = &keeping;
  decay.variants = changed;
  for (keeping.temporaries = 16; keeping.temporaries <= 64;
       keeping.temporaries *= 2) {
    /* The kernel of the last size is remembered. */
    args.workspace_size = SIZE_MAX / 2 - (size_t)keeping.temporaries;
    report("temporaries", rlscan_workspace_size(&decay, &args, &size));
    report("launch", rlscan_launch(&decay, &args, stream));
  }
  decay.variants = variants;
}

/* What no kernel takes. */
static void limits(void) {
  enum { GPU_NT = 3, MOST = 8 };
  const rlscan_variant *variants = decay.variants;
  rlscan_variant changed[MOST];
  decay_args args = steps(0, 64, 64, 0);
  void *stream = makeStreamOn(0);
  args.x.strides[0] = args.x.strides[1] = 0;
  /* The result goes down from where it is, or up: away from the input. */
  int isBelow = (char *)args.y.data < (char *)args.x.data;
  args.x.sizes[1] = args.y.sizes[1] = 1;
  args.x.sizes[0] = args.y.sizes[0] = INT64_C(1) << 40;
  args.y.strides[0] = isBelow ? -1 : 1;
  report("many rows", rlscan_launch(&decay, &args, stream));
  memcpy(changed, variants, (size_t)decay.variant_count * sizeof *changed);
  changed[GPU_NT].kernel_count = 1;
  decay.variants = changed;
  args = steps(0, 64, 126, 0);
  report("no kernel", rlscan_launch(&decay, &args, stream));
  decay.variants = variants;
  moreThanMemory(stream);
}

/* A context beside the primary one, which only CUDA has. */
static void context(void) {
  decay_args args = steps(0, 64, 64, 0);
  void *made = NULL, *stream = NULL;
  checkDriver("cuCtxCreate_v2", ((int (*)(void **, unsigned, int))findFunction(
                                    "cuCtxCreate_v2"))(&made, 0, 7));
  CHECK(createStream(&stream, 1));
  report("a context of its own", rlscan_launch(&decay, &args, stream));
}

/* A library with code for both vendors, in a process with both drivers. */
static void both(void) {
  decay_args args = steps(0, 64, 64, 0), other;
  decay_choose("both");
  report("prepare", rlscan_prepare_for(&decay, &args, 0));
  report("memory of one", rlscan_launch(&decay, &args, NULL));
  report("stream of one", rlscan_launch(&decay, &args, makeStreamOn(0)));
  openDriver(driver.isHip ? "cuda" : "hip");
  other = steps(0, 64, 64, 0);
  report("memory of the other", rlscan_launch(&decay, &other, NULL));
  report("stream of the other", rlscan_launch(&decay, &other, makeStreamOn(0)));
  other.device = 0;
  report("number of the other", rlscan_launch(&decay, &other, NULL));
  report("memory of one", rlscan_launch(&decay, &args, NULL));
  args.y = other.y;
  report("memory of both", rlscan_launch(&decay, &args, NULL));
}

static void numbers(void) {
  void *stream = makeStreamOn(0);
  decay_args args = steps(0, 8, 64, 0);
  args.limit = 2.0; /* 4611686018427387904 as it is stored */
  report("numbers", rlscan_launch(&decay, &args, stream));
  args.gamma_at = rlscan_number(args.x.data, RLSCAN_F32);
  report("in memory", rlscan_launch(&decay, &args, stream));
  args.gamma_at.dtype = RLSCAN_F64;
  report("of f64", rlscan_launch(&decay, &args, stream));
}

/* Params that are counts and flags, in memory: a kernel reads one type. */
static void others(void) {
  enum { LIMIT = 1, ARGUMENTS = 7 };
  const rlscan_argument *arguments = decay.arguments;
  rlscan_argument changed[ARGUMENTS];
  void *stream = makeStreamOn(0);
  decay_args args = steps(0, 8, 64, 0);
  memcpy(changed, arguments, sizeof changed);
  decay.arguments = changed;
  changed[LIMIT].element = RLSCAN_INDEX;
  args.limit_at = rlscan_number(args.x.data, RLSCAN_I64);
  report("a count", rlscan_launch(&decay, &args, stream));
  args.limit_at.dtype = RLSCAN_I32;
  report("of i32", rlscan_launch(&decay, &args, stream));
  changed[LIMIT].element = RLSCAN_FLAG;
  args.limit_at.dtype = RLSCAN_BOOL;
  report("a flag", rlscan_launch(&decay, &args, stream));
  args.limit_at.dtype = RLSCAN_U8;
  report("of u8", rlscan_launch(&decay, &args, stream));
  args.limit_at.dtype = RLSCAN_F32;
  report("of f32", rlscan_launch(&decay, &args, stream));
  decay.arguments = arguments;
}

static void *launchOften(void *given) {
  decay_args args = *(const decay_args *)given;
  size_t bad = 0;
  for (int i = 0; i < 50; ++i)
    bad += rlscan_launch(&decay, &args, NULL) != RLSCAN_OK;
  return (void *)bad;
}

static void threads(void) {
  enum { THREADS = 32 };
  pthread_t callers[THREADS];
  decay_args args = steps(0, 64, 64, 0);
  size_t bad = 0;
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&callers[i], NULL, launchOften, &args);
  for (int i = 0; i < THREADS; ++i) {
    void *result = NULL;
    pthread_join(callers[i], &result);
    bad += (size_t)result;
  }
  printf("%d launches, %d module, %zu wrong, %d misuses\n",
         countCalls("cuLaunchKernel", "hipModuleLaunchKernel"), countModules(),
         bad, askFake("fakeMisuses"));
}

/* A child has what its parent knows of a driver, and calls none of it. */
static void child(const decay_args *args, void *stream, const char *when) {
  decay_args host = *args;
  size_t size = 0;
  float x[64] = {0}, y[64];
  host.x = rlscan_steps(x, RLSCAN_F32, 1, 64, 64, 1);
  host.y = rlscan_steps(y, RLSCAN_F32, 1, 64, 64, 1);
  host.device = RLSCAN_DEVICE_CPU;
  ((int (*)(int, int, int))findFunction("fakeFailFrom"))(1, 999, 0);
  printf("child %s\n", when);
  report("stream", rlscan_launch(&decay, args, stream));
  report("memory", rlscan_launch(&decay, args, NULL));
  report("size", rlscan_workspace_size(&decay, args, &size));
  report("prepare", rlscan_prepare_for(&decay, args, 0));
  report("prepare another", rlscan_prepare(&decay, 1));
  report("release", rlscan_release(&decay));
  report("on the CPU", rlscan_launch(&decay, &host, NULL));
  const char *called = ((const char *(*)(void))findFunction("fakeFired"))();
  printf("called: %s\n", called ? called : "nothing");
}

static void inChild(const decay_args *args, void *stream, const char *when) {
  int status = 0;
  fflush(stdout);
  pid_t forked = fork();
  if (forked == 0) {
    alarm(10);
    child(args, stream, when);
    fflush(stdout);
    _exit(0);
  }
  waitpid(forked, &status, 0);
  if (status)
    printf("the child ended with %d\n", status);
}

static void forks(void) {
  decay_args args = steps(0, 64, 64, 0);
  void *stream = makeStreamOn(0);
  report("parent", rlscan_launch(&decay, &args, stream));
  inChild(&args, stream, "of a launch");
  report("parent again", rlscan_launch(&decay, &args, stream));
  report("release", rlscan_release(&decay));
  inChild(&args, stream, "of a release");
}

/* Forked before a GPU was used: the child is as good as its parent. */
static void early(void) {
  fflush(stdout);
  int status = 0;
  pid_t forked = fork();
  decay_args args = steps(0, 64, 64, 0);
  if (forked == 0) {
    report("child", rlscan_launch(&decay, &args, makeStreamOn(0)));
    _exit(0);
  }
  waitpid(forked, &status, 0);
  report("parent", rlscan_launch(&decay, &args, makeStreamOn(0)));
}

/* An error that another library has made, and not asked for, stays where it is;
   one of the runtime's own does not. */
static void otherErrors(void) {
  static float memory[64];
  decay_args args = steps(0, 64, 64, 0);
  void *stream = makeStreamOn(0);
  report("launch", rlscan_launch(&decay, &args, stream));
  ((int (*)(int))findFunction("hipSetDevice"))(99);
  printf("error %d\n", askFake("fakeError"));
  report("launch", rlscan_launch(&decay, &args, stream));
  printf("error %d\n", askFake("fakeError"));
  ((int (*)(void))findFunction("hipGetLastError"))();
  report("a stream that is none", rlscan_launch(&decay, &args, memory));
  printf("error %d\n", askFake("fakeError"));
}

/* Structs with the bytes of one that was launched are not checked again. */
static void again(void) {
  decay_args args = steps(0, 8, 64, 0);
  args.device = 0;
  args.limit = 2.0;
  report("the first", rlscan_launch(&decay, &args, NULL));
  report("the same", rlscan_launch(&decay, &args, NULL));
  args.limit = 1.0;
  report("another number", rlscan_launch(&decay, &args, NULL));
  report("release", rlscan_release(&decay));
  report("prepare", rlscan_prepare_for(&decay, &args, 0));
  report("what was released", rlscan_launch(&decay, &args, NULL));
  printf("%d misuses\n", askFake("fakeMisuses"));
}

static void launch(void) {
  decay_args args = steps(0, 64, 64, 0);
  report("launch", rlscan_launch(&decay, &args, makeStreamOn(0)));
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } commands[] = {{"prepare", prepare}, {"kernels", kernels},
                  {"capture", capture}, {"places", places},
                  {"numbers", numbers}, {"limits", limits},
                  {"axes", axes},       {"threads", threads},
                  {"launch", launch},   {"again", again},
                  {"context", context}, {"both", both},
                  {"forks", forks},     {"early", early},
                  {"others", others},   {"other-errors", otherErrors}};
  const char *vendor = argc == 3 ? argv[1] : "";
  const char *command = argc == 3 ? argv[2] : "";
  decay_choose(vendor);
  if (strcmp(command, "open") == 0) {
    report("prepare", rlscan_prepare(&decay, 0));
    return 0;
  }
  openDriver(vendor);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    if (strcmp(command, commands[i].name) == 0) {
      commands[i].run();
      return 0;
    }
  return 2;
}
