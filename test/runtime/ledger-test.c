/*===- ledger-test.c - What a launch asks of a driver -------------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: ledger-test cuda|hip calls|alike|graphs                             *|
|* calls: every call of the driver that a launch makes, by its name.          *|
|* alike: as many, whatever the numbers, the values and the addresses are.    *|
|* graphs: captures in every mode, two graphs on two streams, and a release.  *|
|* RLSCAN_CUDA_DRIVER or RLSCAN_HIP_DRIVER names the fake driver.             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "decay.h"
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, STEPS = 64, NAMES = 64, SPACE = 8192 };

static void report(const char *what, rlscan_status status) {
  printf("%s: %d %s\n", what, status, status ? rlscan_last_error() : "done");
}

static void *allocateOne(size_t bytes) {
  enterDevice(0);
  void *memory = allocate(bytes);
  leaveDevice();
  return memory;
}

static decay_args callOf(int64_t rows, int64_t steps) {
  decay_args args = decay_init();
  size_t bytes = (size_t)(rows * steps) * 4 + 16;
  args.x = rlscan_steps(allocateOne(bytes), RLSCAN_F32, rows, steps, steps, 1);
  args.y = rlscan_steps(allocateOne(bytes), RLSCAN_F32, rows, steps, steps, 1);
  return args;
}

/*===----------------------------------------------------------------------===*\
|* The driver's count
\*===----------------------------------------------------------------------===*/

static int counts[NAMES];

static const char *nameOf(int i) {
  return ((const char *(*)(int))findFunction("fakeName"))(i);
}

static int countOf(int i) {
  const char *name = nameOf(i);
  return name ? countCalls(name, name) : 0;
}

static void mark(void) {
  for (int i = 0; i < NAMES; ++i)
    counts[i] = countOf(i);
}

/* How many there were since; each is printed. */
static int since(int isPrinted) {
  int total = 0;
  for (int i = 0; i < NAMES; ++i) {
    int made = countOf(i) - counts[i];
    total += made;
    if (made && isPrinted)
      printf("  %s %d\n", nameOf(i), made);
  }
  return total;
}

static void list(const char *what, const decay_args *args, void *stream) {
  mark();
  report(what, rlscan_launch(&decay, args, stream));
  since(1);
}

static void calls(void) {
  void *stream = makeStreamOn(0);
  decay_args args = callOf(ROWS, STEPS), none = args;
  report("prepare", rlscan_prepare_for(&decay, &args, 0));
  list("the first", &args, stream);
  list("another", &args, stream);
  list("where the memory is", &args, NULL);
  args.device = 0;
  list("on a GPU by its number", &args, NULL);
  enterDevice(0);
  list("where it is current", &args, NULL);
  leaveDevice();
  none.x.sizes[0] = none.y.sizes[0] = 0;
  list("of no rows", &none, stream);
  args.y.sizes[1] = 1;
  list("a wrong one", &args, stream);
}

/*===----------------------------------------------------------------------===*\
|* As many for every call of a shape
\*===----------------------------------------------------------------------===*/

static int callsOf(const decay_args *args, void *stream) {
  mark();
  if (rlscan_launch(&decay, args, stream))
    printf("%s\n", rlscan_last_error());
  return since(0);
}

static void fillWith(const decay_args *args, int seed) {
  size_t bytes = (size_t)(args->x.sizes[0] * args->x.sizes[1]) * 4;
  memset(args->x.data, seed, bytes); /* the driver's memory is the host's */
  memset(args->y.data, seed * 7, bytes);
  if (args->workspace)
    memset(args->workspace, seed * 3, args->workspace_size);
}

/* Values, numbers, a number in memory, alignment, workspace. */
static int countShape(int64_t rows, int64_t steps, void *stream) {
  decay_args args = callOf(rows, steps);
  void *space = allocateOne(SPACE);
  int wanted = 0, others = 0;
  for (int i = 0; i < 64; ++i) {
    decay_args call = args;
    call.gamma = (double)i;
    call.limit = i % 3 ? 1e300 : -0.0;
    if (i & 1)
      call.gamma_at = rlscan_number(call.x.data, RLSCAN_F32);
    if (i & 2)
      call.x.data = (char *)call.x.data + 4;
    if (i & 4)
      call.y.data = (char *)call.y.data + 4;
    if (i & 8) {
      call.workspace = space;
      call.workspace_size = SPACE;
    }
    fillWith(&call, i);
    /* Addresses that the thread does not know are asked for. */
    callsOf(&call, stream);
    int made = callsOf(&call, stream);
    wanted = i ? wanted : made;
    others += made != wanted;
  }
  printf("%d x %d: %d calls, %d of 64 others\n", (int)rows, (int)steps, wanted,
         others);
  return others;
}

static int alike(void) {
  void *stream = makeStreamOn(0);
  int others = countShape(ROWS, STEPS, stream);
  others += countShape(1, 2, stream);
  others += countShape(3, 65536, stream);
  others += countShape(4096, 128, stream);
  decay_args args = callOf(ROWS, STEPS);
  int first = callsOf(&args, stream), made = callsOf(&args, stream);
  mark();
  for (int i = 0; i < 1000; ++i)
    rlscan_launch(&decay, &args, stream);
  printf("1000 launches: %s\n", since(0) == 1000 * made ? "alike" : "others");
  return others || first <= made;
}

/*===----------------------------------------------------------------------===*\
|* Graphs
\*===----------------------------------------------------------------------===*/

static void *capture(const decay_args *args, void *stream, int mode) {
  void *graph = NULL;
  CHECK(beginCapture(stream, mode));
  mark();
  rlscan_status status = rlscan_launch(&decay, args, stream);
  int made = since(0);
  printf("captured in mode %d: %d, %d calls\n", mode, status, made);
  CHECK(endCapture(stream, &graph));
  return graph;
}

static void replay(void *const *graphs, void *const *streams, int count) {
  mark();
  for (int i = 0; i < 1000; ++i)
    CHECK(launchGraph(graphs[i % count], streams[i % 2]));
  printf("1000 replays: %d calls, %d misuses\n", since(0),
         askFake("fakeMisuses"));
}

static void graphs(void) {
  enum { GRAPHS = 4 };
  static void *state;
  rlscan_estimator other = decay;
  void *streams[2] = {makeStreamOn(0), makeStreamOn(0)}, *runs[GRAPHS];
  decay_args args[2] = {callOf(ROWS, STEPS), callOf(ROWS * 2, STEPS)};
  other.state = &state;
  report("prepare", rlscan_prepare_for(&decay, &args[0], 0));
  report("prepare another", rlscan_prepare_for(&other, &args[0], 0));
  enterDevice(0);
  for (int mode = 0; mode < 3; ++mode)
    CHECK(destroyGraph(capture(&args[0], streams[0], mode)));
  for (int i = 0; i < 2; ++i) {
    void *graph = capture(&args[i], streams[i], 1);
    for (int k = 0; k < 2; ++k)
      CHECK(instantiateGraph(&runs[2 * i + k], graph, 0));
    CHECK(destroyGraph(graph));
  }
  replay(runs, streams, GRAPHS);
  /* What is loaded of one is not unloaded with the other. */
  report("release of another", rlscan_release(&other));
  replay(runs, streams, GRAPHS);
  /* A release under a graph is the caller's mistake: the driver sees it. */
  report("release", rlscan_release(&decay));
  int code = driver.launchGraph(runs[0], streams[0]);
  printf("a replay then: %d, %d misuses\n", code, askFake("fakeMisuses"));
  for (int i = 0; i < GRAPHS; ++i)
    CHECK(destroyExec(runs[i]));
  leaveDevice();
  report("launch", rlscan_launch(&decay, &args[0], streams[0]));
}

int main(int argc, char **argv) {
  const char *vendor = argc == 3 ? argv[1] : "";
  const char *command = argc == 3 ? argv[2] : "";
  decay_choose(vendor);
  openDriver(vendor);
  if (strcmp(command, "alike") == 0)
    return alike();
  if (strcmp(command, "graphs") == 0)
    graphs();
  else if (strcmp(command, "calls") == 0)
    calls();
  else
    return 2;
  return 0;
}
