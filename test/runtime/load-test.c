/*===- load-test.c - Libraries come and go ------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: load-test cuda|hip open|close|exit|release                          *|
|*          librlscan.so LIBRARY.so ESTIMATOR LIBRARY.so ESTIMATOR            *|
|* open: what the driver is called for when a library is.                     *|
|* close: the runtime and two libraries, closed in every order.               *|
|* exit: the process ends while its threads are in launches.                  *|
|* release: many threads release, each while others launch.                   *|
|* RLSCAN_CUDA_DRIVER or RLSCAN_HIP_DRIVER names the fake driver. Each case   *|
|* is a process of its own, which has 20 s.                                   *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "driver.h"
#include "rlscan/abi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIBRARIES = 2, ROWS = 64, STEPS = 64, BYTES = ROWS * STEPS * 8 };

static const char *vendor, *paths[1 + LIBRARIES], *names[LIBRARIES];

struct library {
  void *handle;
  const rlscan_estimator *table;
  rlscan_status (*launch)(const void *, void *);
  rlscan_status (*release)(void);
};

static void *open(const char *path, int flags) {
  void *handle = dlopen(path, RTLD_NOW | flags);
  if (handle)
    return handle;
  printf("%s\n", dlerror());
  exit(2);
}

static void find(void *handle, const char *name, const char *what, void *to) {
  char symbol[128];
  snprintf(symbol, sizeof symbol, "%s%s", name, what);
  void *found = dlsym(handle, symbol);
  if (!found)
    exit(2);
  memcpy(to, &found, sizeof found);
}

static void openLibrary(int i, struct library *library) {
  const rlscan_estimator *(*table)(void) = NULL;
  library->handle = open(paths[1 + i], RTLD_LOCAL);
  find(library->handle, names[i], "_table", &table);
  find(library->handle, names[i], "_launch", &library->launch);
  find(library->handle, names[i], "_release", &library->release);
  library->table = table();
}

/*===----------------------------------------------------------------------===*\
|* Calls of whatever a library takes
\*===----------------------------------------------------------------------===*/

static void *memoryOn(int32_t device) {
  if (device == RLSCAN_DEVICE_CPU)
    return calloc(1, BYTES);
  enterDevice(device);
  void *memory = allocate(BYTES);
  leaveDevice();
  return memset(memory, 0, BYTES); /* the driver's is the host's, too */
}

static void *makeArgs(const rlscan_estimator *table, int32_t device) {
  char *args = calloc(1, (size_t)table->args_size);
  rlscan_args_head *head = (rlscan_args_head *)(void *)args;
  const double number = 0.5;
  head->size = (size_t)table->args_size;
  head->device = device;
  head->workspace = memoryOn(device);
  head->workspace_size = BYTES;
  for (int i = 0; i < table->argument_count; ++i) {
    const rlscan_argument *argument = &table->arguments[i];
    rlscan_dtype type =
        argument->element == RLSCAN_REAL ? RLSCAN_F32 : RLSCAN_U8;
    if (argument->kind == RLSCAN_PARAM)
      memcpy(args + argument->number_offset, &number, sizeof number);
    if (argument->kind != RLSCAN_STEP || argument->is_optional)
      continue;
    rlscan_tensor array =
        rlscan_steps(memoryOn(device), type, ROWS, STEPS, STEPS, 1);
    memcpy(args + argument->offset, &array, sizeof array);
  }
  return args;
}

static rlscan_status launch(const struct library *library, const void *args) {
  return library->launch(args, NULL);
}

/* In a process of its own. */
static int inProcess(void (*run)(int), int which) {
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    run(which);
    exit(0);
  }
  waitpid(child, &status, 0);
  if (status)
    printf("FAIL: case %d ended with %d\n", which, status);
  return status != 0;
}

static void require(rlscan_status status, const char *what) {
  if (!status)
    return;
  printf("%s: %d\n", what, status);
  fflush(stdout);
  _exit(1);
}

/*===----------------------------------------------------------------------===*\
|* Opening
\*===----------------------------------------------------------------------===*/

static const char *driverPath(void) {
  return getenv(strcmp(vendor, "hip") ? "RLSCAN_CUDA_DRIVER"
                                      : "RLSCAN_HIP_DRIVER");
}

/* With the driver in the process before, or not. */
static void openAll(int isThere) {
  struct library libraries[LIBRARIES];
  if (isThere)
    openDriver(vendor);
  int before = isThere ? askFake("fakeTotal") : 0;
  open(paths[0], RTLD_GLOBAL);
  for (int i = 0; i < LIBRARIES; ++i)
    openLibrary(i, &libraries[i]);
  void *loaded = dlopen(driverPath(), RTLD_NOW | RTLD_NOLOAD);
  printf("opened: %s\n", loaded ? "the driver is there" : "no driver");
  if (isThere)
    printf("%d calls\n", askFake("fakeTotal") - before);
  void *args = makeArgs(libraries[0].table, RLSCAN_DEVICE_CPU);
  printf("on the CPU: %d\n", launch(&libraries[0], args));
  loaded = dlopen(driverPath(), RTLD_NOW | RTLD_NOLOAD);
  printf("launched: %s\n", loaded ? "the driver is there" : "no driver");
  if (isThere)
    printf("%d calls\n", askFake("fakeTotal") - before);
}

/*===----------------------------------------------------------------------===*\
|* Closing
\*===----------------------------------------------------------------------===*/

enum { THINGS = 4, ORDERS = 24, WAYS = 2 };

/* The runtime, two libraries and the test's own hold of the driver, in the
   order of that number; `which` is even where estimators are released first. */
static void closeAll(int which) {
  struct library libraries[LIBRARIES];
  void *handles[THINGS];
  openDriver(vendor);
  handles[0] = open(paths[0], RTLD_GLOBAL);
  handles[1] = driver.library;
  for (int i = 0; i < LIBRARIES; ++i) {
    openLibrary(i, &libraries[i]);
    void *onDevice = makeArgs(libraries[i].table, 0);
    void *onHost = makeArgs(libraries[i].table, RLSCAN_DEVICE_CPU);
    require(launch(&libraries[i], onDevice), "a GPU");
    require(launch(&libraries[i], onHost), "the CPU");
    if (which % WAYS == 0)
      require(libraries[i].release(), "release");
    handles[2 + i] = libraries[i].handle;
  }
  for (int order = which / WAYS, left = THINGS; left > 0; --left) {
    int chosen = order % left;
    order /= left;
    dlclose(handles[chosen]);
    handles[chosen] = handles[left - 1];
  }
  /* It has threads. */
  if (!dlopen(paths[0], RTLD_NOW | RTLD_NOLOAD))
    require(RLSCAN_WRONG_ABI, "the runtime was unloaded");
  /* What was closed is opened again as if for the first time. */
  open(paths[0], RTLD_GLOBAL);
  openLibrary(0, &libraries[0]);
  require(launch(&libraries[0], makeArgs(libraries[0].table, 0)), "again");
  require(libraries[0].release(), "release again");
}

/*===----------------------------------------------------------------------===*\
|* The end of the process
\*===----------------------------------------------------------------------===*/

enum { CALLERS = 8, EXITS = 40 };

static struct library opened[LIBRARIES];
static void *arguments[CALLERS];
static atomic_int launches, launchesOf[CALLERS];

static void *launchOften(void *given) {
  int caller = (int)(intptr_t)given;
  while (1) {
    require(launch(&opened[caller % LIBRARIES], arguments[caller]), "launch");
    ++launches;
    ++launchesOf[caller];
  }
  return NULL;
}

/* The last thing that an exit runs: launches go on until then. */
static void linger(void) {
  int before[CALLERS];
  for (int i = 0; i < CALLERS; ++i)
    before[i] = launchesOf[i];
  for (int i = 0; i < CALLERS; ++i)
    for (int turn = 0; launchesOf[i] < before[i] + 2; ++turn) {
      if (turn > 5000)
        require(RLSCAN_WRONG_ABI, "a launch does not end at the exit");
      usleep(1000);
    }
}

/* exit() after a time that is another in every case. */
static void exitAmid(int which) {
  pthread_t thread;
  atexit(linger);
  openDriver(vendor);
  open(paths[0], RTLD_GLOBAL);
  for (int i = 0; i < LIBRARIES; ++i)
    openLibrary(i, &opened[i]);
  for (int i = 0; i < CALLERS; ++i) {
    int32_t device = i / LIBRARIES % 2 ? 0 : RLSCAN_DEVICE_CPU;
    arguments[i] = makeArgs(opened[i % LIBRARIES].table, device);
    pthread_create(&thread, NULL, launchOften, (void *)(intptr_t)i);
  }
  while (launches < 1 + which % 4 * 100)
    usleep(10);
  usleep((unsigned)which * 50);
}

/*===----------------------------------------------------------------------===*\
|* Releases
\*===----------------------------------------------------------------------===*/

enum { ROUNDS = 50 };

static rlscan_status (*runtimeLaunch)(const rlscan_estimator *, const void *,
                                      void *);
static rlscan_status (*runtimeRelease)(const rlscan_estimator *);
static rlscan_estimator shared;
static void *sharedState;

/* Each with an estimator of its own, and one for all that nobody launches. */
static void *releaseOften(void *given) {
  int caller = (int)(intptr_t)given;
  void *state = NULL;
  rlscan_estimator own = *opened[caller % LIBRARIES].table;
  own.state = &state;
  for (int i = 0; i < ROUNDS; ++i) {
    require(runtimeLaunch(&own, arguments[caller], NULL), "launch");
    require(runtimeRelease(&shared), "release of all");
    require(runtimeRelease(&own), "release");
  }
  return NULL;
}

static void releaseAmid(int which) {
  pthread_t threads[CALLERS];
  (void)which;
  openDriver(vendor);
  void *runtime = open(paths[0], RTLD_GLOBAL);
  find(runtime, "rlscan", "_launch", &runtimeLaunch);
  find(runtime, "rlscan", "_release", &runtimeRelease);
  for (int i = 0; i < LIBRARIES; ++i)
    openLibrary(i, &opened[i]);
  for (int i = 0; i < CALLERS; ++i)
    arguments[i] = makeArgs(opened[i % LIBRARIES].table, 0);
  shared = *opened[0].table;
  shared.state = &sharedState;
  require(runtimeLaunch(&shared, arguments[0], NULL), "launch");
  int live = askFake("fakeLive");
  for (int i = 0; i < CALLERS; ++i)
    pthread_create(&threads[i], NULL, releaseOften, (void *)(intptr_t)i);
  for (int i = 0; i < CALLERS; ++i)
    pthread_join(threads[i], NULL);
  printf("%d modules, %d misuses, %d left\n", countModules(),
         askFake("fakeMisuses"), askFake("fakeLive") - live);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(int);
    int cases;
  } commands[] = {{"open", openAll, 2},
                  {"close", closeAll, ORDERS * WAYS},
                  {"exit", exitAmid, EXITS},
                  {"release", releaseAmid, 1}};
  int failures = 0;
  if (argc != 8)
    return 2;
  vendor = argv[1];
  paths[0] = argv[3];
  for (int i = 0; i < LIBRARIES; ++i) {
    paths[1 + i] = argv[4 + 2 * i];
    names[i] = argv[5 + 2 * i];
  }
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
    if (strcmp(argv[2], commands[i].name) != 0)
      continue;
    for (int which = 0; which < commands[i].cases; ++which)
      failures += inProcess(commands[i].run, which);
    printf("%d cases, %d failures\n", commands[i].cases, failures);
    return failures != 0;
  }
  return 2;
}
