/*===- scarce-test.c - What a process may lack --------------------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: scarce-test cuda|hip symbols|library|memory                         *|
|* symbols: the driver lacks each function in turn. library: there is none,   *|
|* or something else is in its place. memory: the first allocation of the     *|
|* host fails, in a process of its own, then the second, until one goes       *|
|* through untouched.                                                         *|
|* RLSCAN_CUDA_DRIVER or RLSCAN_HIP_DRIVER names the fake driver.             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE 1

#include "decay.h"
#include "driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GOOD, BAD, UNTOUCHED = 9, MOST = 2000 };

static int problems;

static void complain(const char *what, const char *detail) {
  printf("  %s: %s\n", what, detail);
  problems = 1;
}

static const char *variable;

/*===----------------------------------------------------------------------===*\
|* Calls
\*===----------------------------------------------------------------------===*/

enum { ROWS = 64, STEPS = 64 };
static float x[ROWS * STEPS], y[ROWS * STEPS];

static decay_args argsOf(void *input, void *result) {
  decay_args args = decay_init();
  args.x = rlscan_steps(input, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  args.y = rlscan_steps(result, RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  return args;
}

static decay_args deviceArgs(void) {
  enterDevice(0);
  decay_args args = argsOf(allocate(sizeof x), allocate(sizeof y));
  leaveDevice();
  return args;
}

/* On the CPU; what is wrong with its results is said. */
static rlscan_status runOnHost(void) {
  decay_args args = argsOf(x, y);
  for (int i = 0; i < ROWS * STEPS; ++i)
    x[i] = y[i] = (float)(i % 7);
  rlscan_status status = rlscan_launch(&decay, &args, NULL);
  for (int i = 0; !status && i < ROWS * STEPS; ++i) {
    float want = x[i] + (i % STEPS ? 0.5f * y[i - 1] : 0.0f);
    if (y[i] < want - 1e-5f || y[i] > want + 1e-5f) {
      complain("the CPU", "wrong results");
      break;
    }
  }
  return status;
}

static void expect(const char *what, rlscan_status got, rlscan_status wanted) {
  if (got != wanted)
    complain(what, got ? rlscan_last_error() : "no error");
}

/* Runs a case in a process of its own. */
static int inProcess(int (*run)(const char *, int), const char *vendor, int k) {
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    int result = run(vendor, k);
    fflush(stdout);
    _exit(result);
  }
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : BAD;
}

/* Each case until one is past the last. */
static int runCases(const char *what, int (*run)(const char *, int),
                    const char *vendor) {
  int runs = 0, failures = 0;
  for (int k = 1; k < MOST; ++k) {
    int status = inProcess(run, vendor, k);
    if (status == UNTOUCHED)
      break;
    ++runs;
    failures += status != GOOD;
    if (status != GOOD)
      printf("FAIL: %s %d\n", what, k);
  }
  printf("%d %s, %d failures\n", runs, what, failures);
  return failures != 0 || runs == 0;
}

/*===----------------------------------------------------------------------===*\
|* A function that is not there
\*===----------------------------------------------------------------------===*/

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

static struct {
  int left; /* until one is not found; 0: all are */
  char name[64];
} hidden;

void *__wrap_dlsym(void *library, const char *name) {
  if (hidden.left == 0 || --hidden.left > 0)
    return __real_dlsym(library, name);
  snprintf(hidden.name, sizeof hidden.name, "%s", name);
  return NULL;
}

static int tryWithout(const char *vendor, int k) {
  hidden.left = k;
  rlscan_status status = rlscan_prepare(&decay, 0);
  if (!hidden.name[0])
    return UNTOUCHED;
  hidden.left = 0;
  char has[80];
  snprintf(has, sizeof has, " has no %s; ", hidden.name);
  for (int i = 0; i < 2; ++i) {
    expect("prepare", status, RLSCAN_NO_DRIVER);
    if (!strstr(rlscan_last_error(), has) ||
        !strstr(rlscan_last_error(), "update"))
      complain("the message", rlscan_last_error());
    status = rlscan_prepare(&decay, 0);
  }
  expect("the CPU", runOnHost(), RLSCAN_OK);
  driver.library = dlopen(getenv(variable), RTLD_NOW | RTLD_NOLOAD);
  if (!driver.library)
    complain(vendor, "not the fake driver");
  else if (askFake("fakeTotal"))
    complain("calls of a driver that lacks", hidden.name);
  return problems;
}

/*===----------------------------------------------------------------------===*\
|* No driver
\*===----------------------------------------------------------------------===*/

static int tryLibrary(const char *vendor, int k) {
  static const char *const files[] = {
      "/nowhere/libdriver.so", "/dev/null", "/",
      "/proc/self/status",     "driver.so", "\n"};
  if (k > (int)(sizeof files / sizeof *files))
    return UNTOUCHED;
  setenv(variable, files[k - 1], 1);
  for (int i = 0; i < 2; ++i) {
    expect("prepare", rlscan_prepare(&decay, 0), RLSCAN_NO_DRIVER);
    if (!strstr(rlscan_last_error(), files[k - 1]) ||
        !strstr(rlscan_last_error(), " cannot be opened (") ||
        !strstr(rlscan_last_error(), "; install "))
      complain(vendor, rlscan_last_error());
  }
  expect("the CPU", runOnHost(), RLSCAN_OK);
  return problems;
}

/*===----------------------------------------------------------------------===*\
|* No memory
\*===----------------------------------------------------------------------===*/

static struct {
  int left; /* until one fails; 0: none does */
  int isFired;
  uintptr_t begin, end; /* of the fake driver, whose own do not count */
} scarce;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&         \
    !defined(__clang__)
enum { CAN_REFUSE = 1 };

static int refuses(const void *caller) {
  uintptr_t from = (uintptr_t)caller;
  if (scarce.left == 0 || (scarce.begin <= from && from < scarce.end) ||
      __atomic_sub_fetch(&scarce.left, 1, __ATOMIC_RELAXED) > 0)
    return 0;
  scarce.isFired = 1;
  scarce.left = 0;
  errno = ENOMEM;
  return 1;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

/* C++'s new calls the first of these. */
void *malloc(size_t size) {
  return refuses(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  return refuses(__builtin_return_address(0)) ? NULL
                                              : __libc_calloc(count, size);
}
void *realloc(void *memory, size_t size) {
  return refuses(__builtin_return_address(0)) ? NULL
                                              : __libc_realloc(memory, size);
}
#else
enum { CAN_REFUSE = 0 }; /* the sanitizer has these functions */
#endif

static int findFake(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  if (!strstr(info->dlpi_name, "libfake"))
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
    if (part->p_type == PT_LOAD && end > scarce.end)
      scarce.end = end;
  }
  scarce.begin = info->dlpi_addr;
  return 1;
}

enum { CALLS = 5 };

/* How many fail; which of them are for want of memory. */
static int runAll(const decay_args *args, void *stream, int *scarceCalls) {
  rlscan_status statuses[CALLS];
  int failed = 0;
  statuses[0] = runOnHost();
  statuses[1] = rlscan_launch(&decay, args, stream);
  statuses[2] = rlscan_launch(&decay, args, NULL);
  statuses[3] = rlscan_prepare_for(&decay, args, 0);
  statuses[4] = rlscan_release(&decay);
  for (int i = 0; i < CALLS; ++i) {
    failed += statuses[i] != RLSCAN_OK;
    *scarceCalls += statuses[i] == RLSCAN_OUT_OF_MEMORY;
  }
  return failed;
}

static int tryMemory(const char *vendor, int k) {
  openDriver(vendor);
  decay_args args = deviceArgs();
  void *stream = makeStreamOn(0);
  int live = askFake("fakeLive"), ofMemory = 0, ignored = 0;
  dl_iterate_phdr(findFake, NULL);
  scarce.left = k;
  int failed = runAll(&args, stream, &ofMemory);
  scarce.left = 0;
  if (!scarce.isFired)
    return UNTOUCHED;
  if (failed != ofMemory || failed > 1)
    complain("other failures", rlscan_last_error());
  if (ofMemory && !strstr(rlscan_last_error(),
                          ": the host has no memory left for the call"))
    complain("the message", rlscan_last_error());
  if (k == 1)
    printf("the first: %s\n", rlscan_last_error());
  if (askFake("fakeMisuses"))
    complain(vendor, "misuses a handle");
  if (runAll(&args, stream, &ignored))
    complain("does not recover", rlscan_last_error());
  if (askFake("fakeLive") > live + 1) /* the context is kept */
    complain(vendor, "something is left");
  return problems;
}

int main(int argc, char **argv) {
  const char *vendor = argc == 3 ? argv[1] : "";
  const char *what = argc == 3 ? argv[2] : "";
  variable = strcmp(vendor, "hip") ? "RLSCAN_CUDA_DRIVER" : "RLSCAN_HIP_DRIVER";
  decay_choose(vendor);
  if (strcmp(what, "symbols") == 0)
    return runCases("symbols", tryWithout, vendor);
  if (strcmp(what, "library") == 0)
    return runCases("libraries", tryLibrary, vendor);
  if (strcmp(what, "memory") == 0 && CAN_REFUSE)
    return runCases("allocations", tryMemory, vendor);
  return 2;
}
