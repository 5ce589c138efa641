/*===- host-test.c - Calls on the CPU, right and wrong -------------*- C
-*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: host-test errors|results|numbers|workspace|parallel|threads|fork|   *|
|*        status                                                              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "decay.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 40, STEPS = 6 };
static float x[ROWS * STEPS], y[ROWS * STEPS], seed[ROWS];
static unsigned char done[ROWS * STEPS];
static double wide[ROWS * STEPS];

static decay_args validCall(void) {
  decay_args args = decay_init();
  args.x = rlscan_steps(x, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  args.y = rlscan_steps(y, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  return args;
}

static decay_args fullCall(void) {
  decay_args args = validCall();
  args.done = rlscan_steps(done, RLSCAN_BOOL, ROWS, STEPS, STEPS, 1);
  args.seed = rlscan_rows(seed, RLSCAN_F32, ROWS, 1);
  return args;
}

static void report(rlscan_status status) {
  printf("%d: %s\n", status, status ? rlscan_last_error() : "done");
}

static void launch(const decay_args *args) {
  report(rlscan_launch(&decay, args, NULL));
}

/*===----------------------------------------------------------------------===*\
|* What is wrong with a call
\*===----------------------------------------------------------------------===*/

static void wrongStructs(void) {
  decay_args args = validCall();
  report(rlscan_launch(&decay, NULL, NULL));
  args.size -= 8;
  launch(&args);
  args.size += 16;
  launch(&args);
  args.size = SIZE_MAX;
  launch(&args);
  args = validCall();
  decay.abi_version = 99;
  launch(&args);
  report(rlscan_prepare(&decay, RLSCAN_DEVICE_CPU));
  report(rlscan_release(&decay));
  decay.abi_version = RLSCAN_ABI_VERSION;
  args.limit = strtod("nan", NULL);
  launch(&args);
}

static void wrongShapes(void) {
  decay_args args = validCall();
  args.y.sizes[1] = 5;
  launch(&args);
  args = fullCall();
  args.done.sizes[0] = 41;
  launch(&args);
  args = fullCall();
  args.seed.sizes[0] = 39;
  launch(&args);
  args = validCall();
  args.x.sizes[1] = -1;
  launch(&args);
  args = validCall();
  args.x = rlscan_rows(x, RLSCAN_F32, ROWS, 1);
  launch(&args);
  args = validCall();
  args.gamma_at = rlscan_rows(seed, RLSCAN_F32, ROWS, 1);
  launch(&args);
  args = validCall();
  args.weight = rlscan_along(x, RLSCAN_F32, ROWS, STEPS, 0, 1, 1, 1);
  args.weight.rank = 4;
  launch(&args);
  memset(&args.x, 0, sizeof args.x);
  memset(&args.weight, 0, sizeof args.weight);
  launch(&args);
}

static void wrongArrays(void) {
  decay_args args = validCall();
  memset(&args.y, 0, sizeof args.y);
  launch(&args);
  args = validCall();
  args.x.data = NULL;
  launch(&args);
  args.x.data = (char *)x + 2;
  launch(&args);
  args = validCall();
  args.x.dtype = RLSCAN_BOOL;
  launch(&args);
  args.x.dtype = 17;
  launch(&args);
  args = validCall();
  args.gamma_at = rlscan_number(x, RLSCAN_BF16);
  launch(&args);
}

/* Of an estimator with other inputs. */
static void wrongInputs(void) {
  enum { DONE = 4 };
  const rlscan_argument *arguments = decay.arguments;
  rlscan_argument changed[7];
  memcpy(changed, arguments, sizeof changed);
  decay.arguments = changed;
  changed[DONE].is_optional = 0;
  decay_args args = validCall();
  launch(&args);
  changed[DONE].element = RLSCAN_INDEX;
  args = fullCall();
  launch(&args);
  decay.arguments = arguments;
}

static void wrongOverlaps(void) {
  decay_args args = validCall();
  args.y.data = x;
  launch(&args);
  args.y.data = x + ROWS * STEPS - 1;
  launch(&args);
  args = validCall();
  args.y.strides[0] = 0;
  launch(&args);
  args.y.strides[0] = STEPS - 1;
  launch(&args);
}

static void wrongPlaces(void) {
  decay_args args = validCall();
  args.device = -7;
  launch(&args);
  args.device = RLSCAN_DEVICE_CPU;
  report(rlscan_launch(&decay, &args, x));
  report(rlscan_prepare(&decay, RLSCAN_DEVICE_AUTO));
  args = validCall();
  args.x = rlscan_steps(wide, RLSCAN_F64, ROWS, STEPS, STEPS, 1);
  launch(&args);
  args = fullCall();
  memset(&args.seed, 0, sizeof args.seed);
  launch(&args);
  args = fullCall();
  memset(&args.done, 0, sizeof args.done);
  launch(&args);
  args = validCall();
  rlscan_parallel nobody = {NULL, NULL, 0};
  args.parallel = &nobody;
  launch(&args);
  decay.variant_count = 0;
  args = validCall();
  launch(&args);
  report(rlscan_prepare(&decay, RLSCAN_DEVICE_CPU));
  report(rlscan_prepare(&decay, 0));
  report(rlscan_launch(&decay, &args, x));
}

/*===----------------------------------------------------------------------===*\
|* Numbers
\*===----------------------------------------------------------------------===*/

static void fill(void) {
  for (int i = 0; i < ROWS * STEPS; ++i) {
    x[i] = (float)(i % 7) - 2.0f;
    done[i] = i % 11 == 0;
    y[i] = -1.0f;
  }
  for (int row = 0; row < ROWS; ++row)
    seed[row] = (float)row;
}

/* Compares with a plain loop; the strides are those of the call. */
static int isRight(const decay_args *args, double gamma) {
  const float *in = args->x.data, *out = args->y.data;
  for (int64_t row = 0; row < args->x.sizes[0]; ++row) {
    double carry = args->seed.data ? seed[row] : 0.0;
    for (int64_t t = 0; t < args->x.sizes[1]; ++t) {
      int isDone = args->done.data && done[row * STEPS + t];
      carry = in[row * args->x.strides[0] + t * args->x.strides[1]] +
              (isDone ? 0.0 : gamma * carry);
      if (out[row * args->y.strides[0] + t * args->y.strides[1]] !=
          (float)carry)
        return 0;
    }
  }
  return 1;
}

static int check(const char *what, const decay_args *args, double gamma) {
  fill();
  rlscan_status status = rlscan_launch(&decay, args, NULL);
  int right = status == RLSCAN_OK && isRight(args, gamma);
  printf("%s: %s\n", what,
         status  ? rlscan_last_error()
         : right ? "right"
                 : "wrong");
  return !right;
}

static int results(void) {
  decay_args args = validCall();
  float fields[ROWS * STEPS * 2];
  float single = 0.25f;
  double twice = 0.125;
  int bad = check("plain", &args, 0.5);
  args.gamma_at = rlscan_number(&single, RLSCAN_F32);
  bad |= check("a number in memory", &args, 0.25);
  args.gamma_at = rlscan_number(&twice, RLSCAN_F64);
  bad |= check("one of f64", &args, 0.125);
  args = validCall();
  args.x =
      rlscan_steps(x + ROWS * STEPS - 1, RLSCAN_F32, ROWS, STEPS, -STEPS, -1);
  bad |= check("backwards", &args, 0.5);
  args.x = rlscan_steps(x, RLSCAN_F32, ROWS, STEPS, 0, 0);
  bad |= check("one for all", &args, 0.5);
  /* Both arrays as fields of records: they do not overlap. */
  args.x = rlscan_steps(fields, RLSCAN_F32, ROWS, STEPS, 2 * STEPS, 2);
  args.y = rlscan_steps(fields + 1, RLSCAN_F32, ROWS, STEPS, 2 * STEPS, 2);
  memset(fields, 0, sizeof fields);
  bad |= check("records", &args, 0.5);
  args = validCall();
  args.x.sizes[0] = args.y.sizes[0] = 0;
  args.x.data = args.y.data = NULL;
  bad |= check("no rows", &args, 0.5);
  return bad;
}

/* What a kernel is given for "limit". */
static int64_t limitSeen;
static void keepLimit(const rlscan_host_array *arrays, const int64_t *axisSizes,
                      void *memory, int64_t steps, int64_t begin, int64_t end) {
  (void)axisSizes, (void)memory, (void)steps, (void)begin, (void)end;
  memcpy(&limitSeen, arrays[1].data, sizeof limitSeen);
}

static void reportLimit(const char *what, const rlscan_estimator *estimator,
                        decay_args *args, const void *number, int32_t dtype) {
  args->parallel = &rlscan_serial;
  args->limit_at = rlscan_number(number, dtype);
  limitSeen = -99;
  rlscan_status status = rlscan_launch(estimator, args, NULL);
  printf("%s: %lld%s%s\n", what, (long long)limitSeen, status ? " " : "",
         status ? rlscan_last_error() : "");
}

/* Params that are flags and counts, in the struct and in memory. */
static int numbers(void) {
  enum { LIMIT = 1, ARGUMENTS = 7 };
  rlscan_argument changed[ARGUMENTS];
  rlscan_variant own = decay.variants[0];
  rlscan_estimator other = decay;
  decay_args args = validCall();
  const int64_t large = INT64_C(1) << 40, unset = INT64_MIN;
  const int32_t negative = -5, on = 1, off = 0, unsetFlag = INT32_MIN;
  const signed char byte = -1, clear = 0;
  const float small = 0.5f, zero = -0.0f;
  const double wideZero = -0.0;
  memcpy(changed, decay.arguments, sizeof changed);
  own.run = keepLimit;
  other.arguments = changed;
  other.variants = &own;
  other.variant_count = 1;
  changed[LIMIT].element = RLSCAN_INDEX;
  memcpy(&args.limit, &large, sizeof large);
  reportLimit("count", &other, &args, NULL, RLSCAN_I64);
  reportLimit("i32", &other, &args, &negative, RLSCAN_I32);
  memcpy(&args.limit, &on, sizeof on);
  reportLimit("i64", &other, &args, &large, RLSCAN_I64);
  reportLimit("f32", &other, &args, &large, RLSCAN_F32);
  memcpy(&args.limit, &unset, sizeof unset);
  reportLimit("no count", &other, &args, NULL, RLSCAN_I64);
  changed[LIMIT].element = RLSCAN_FLAG;
  memcpy(&args.limit, &on, sizeof on);
  reportLimit("flag", &other, &args, NULL, RLSCAN_BOOL);
  reportLimit("clear", &other, &args, &clear, RLSCAN_BOOL);
  memcpy(&args.limit, &off, sizeof off);
  reportLimit("no flag", &other, &args, NULL, RLSCAN_BOOL);
  reportLimit("i8", &other, &args, &byte, RLSCAN_I8);
  reportLimit("f32", &other, &args, &small, RLSCAN_F32);
  reportLimit("-0 of f32", &other, &args, &zero, RLSCAN_F32);
  reportLimit("-0 of f64", &other, &args, &wideZero, RLSCAN_F64);
  memcpy(&args.limit, &unsetFlag, sizeof unsetFlag);
  reportLimit("neither", &other, &args, NULL, RLSCAN_BOOL);
  return 0;
}

static int workspace(void) {
  _Alignas(64) static char memory[65536];
  size_t size = 1;
  decay_args args = validCall();
  report(rlscan_workspace_size(&decay, &args, &size));
  printf("%zu bytes\n", size);
  args = fullCall();
  args.parallel = &rlscan_serial;
  report(rlscan_workspace_size(&decay, &args, &size));
  printf("%zu bytes\n", size);
  launch(&args);
  args.workspace = memory;
  args.workspace_size = 63;
  launch(&args);
  int bad = 0;
  args.workspace_size = 64;
  bad |= check("one piece", &args, 0.5);
  args.workspace_size = size;
  bad |= check("all pieces", &args, 0.5);
  args.workspace = memory + 1;
  bad |= check("misaligned", &args, 0.5);
  return bad;
}

/*===----------------------------------------------------------------------===*\
|* Threads
\*===----------------------------------------------------------------------===*/

static void countPieces(const rlscan_parallel *self, int64_t count,
                        void (*body)(void *context, int64_t index),
                        void *context) {
  *(int64_t *)self->self += count;
  while (count-- > 0) /* in any order */
    body(context, count);
}

static int parallel(void) {
  int64_t pieces = 0;
  rlscan_parallel hook = {countPieces, &pieces, 3};
  decay_args args = validCall();
  args.parallel = &hook;
  int bad = check("a hook", &args, 0.5);
  printf("%d pieces\n", (int)pieces);
  args.parallel = &rlscan_serial;
  bad |= check("alone", &args, 0.5);
  args.parallel = &rlscan_threads;
  bad |= check("threads", &args, 0.5);
  return bad;
}

/* One of many callers, with results of its own. */
static void *launchOften(void *unused) {
  float mine[ROWS * STEPS];
  decay_args args = validCall();
  size_t bad = 0;
  (void)unused;
  args.y.data = mine;
  for (int i = 0; i < 200; ++i) {
    memset(mine, 0, sizeof mine);
    bad += rlscan_launch(&decay, &args, NULL) != RLSCAN_OK;
    bad += !isRight(&args, 0.5);
    /* Each thread has a text of its own. */
    args.y.sizes[1] = STEPS - 1;
    bad += rlscan_launch(&decay, &args, NULL) != RLSCAN_INVALID_SHAPE;
    bad += strncmp(rlscan_last_error(), "y: dim 1 is 5", 13) != 0;
    args.y.sizes[1] = STEPS;
  }
  return (void *)bad;
}

static int threads(void) {
  enum { THREADS = 32 };
  pthread_t callers[THREADS];
  size_t bad = 0;
  fill();
  for (int i = 0; i < THREADS; ++i)
    pthread_create(&callers[i], NULL, launchOften, NULL);
  for (int i = 0; i < THREADS; ++i) {
    void *result = NULL;
    pthread_join(callers[i], &result);
    bad += (size_t)result;
  }
  printf("%d threads, %zu wrong\n", THREADS, bad);
  return bad != 0;
}

/* A child has no threads but its own. */
static int forked(void) {
  decay_args args = validCall();
  int status = 0;
  check("parent", &args, 0.5);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int bad = check("child", &args, 0.5);
    fflush(stdout);
    _exit(bad);
  }
  waitpid(child, &status, 0);
  return status != 0;
}

static void statuses(void) {
  for (int status = 0; status <= RLSCAN_DAMAGED + 1; ++status)
    printf("%d %s\n", status, rlscan_status_string((rlscan_status)status));
  printf("'%s', version %d\n", rlscan_last_error(), rlscan_abi_version());
}

int main(int argc, char **argv) {
  const char *command = argc == 2 ? argv[1] : "";
  fill();
  if (strcmp(command, "numbers") == 0)
    return numbers();
  if (strcmp(command, "results") == 0)
    return results();
  if (strcmp(command, "workspace") == 0)
    return workspace();
  if (strcmp(command, "parallel") == 0)
    return parallel();
  if (strcmp(command, "threads") == 0)
    return threads();
  if (strcmp(command, "fork") == 0)
    return forked();
  if (strcmp(command, "status") == 0) {
    statuses();
    return 0;
  }
  wrongStructs();
  wrongShapes();
  wrongArrays();
  wrongInputs();
  wrongOverlaps();
  wrongPlaces();
  return 0;
}
