/*===- fault-test.c - Every call of the driver fails once ---------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* usage: fault-test cuda|hip                                                 *|
|* For each code, the first call of the driver fails, in a process of its own,
*|
|* then the second, until one goes through untouched. -1 is no error, and a   *|
|* handle that is null. RLSCAN_CUDA_DRIVER or RLSCAN_HIP_DRIVER names the     *|
|* fake driver.                                                               *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "decay.h"
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void failFrom(int call, int code, int isSticky) {
  ((int (*)(int, int, int))findFunction("fakeFailFrom"))(call, code, isSticky);
}

/* The function that failed; null where there were not so many calls. */
static const char *fired(void) {
  return ((const char *(*)(void))findFunction("fakeFired"))();
}

/*===----------------------------------------------------------------------===*\
|* What the program does, and what it is told
\*===----------------------------------------------------------------------===*/

enum { ROWS = 64, STEPS = 64, CALLS = 6, MISSING = -1, UNTOUCHED = 9 };

struct calls {
  const char *names[CALLS];
  rlscan_status statuses[CALLS];
  char messages[CALLS][512];
  int count;
  int firedIn; /* the number of the call in which the driver failed */
  /* What HIP keeps for whoever asks next, and how often a call changed it. */
  int errorBefore, errorsLeft;
};

static void add(struct calls *calls, const char *name, rlscan_status status) {
  int i = calls->count++;
  calls->names[i] = name;
  calls->statuses[i] = status;
  snprintf(calls->messages[i], sizeof calls->messages[i], "%s",
           status ? rlscan_last_error() : "");
  if (calls->firedIn < 0 && fired())
    calls->firedIn = i;
  int left = driver.isHip ? askFake("fakeError") : 0;
  if (left != calls->errorBefore)
    ++calls->errorsLeft;
  calls->errorBefore = left;
}

static decay_args makeArgs(void) {
  decay_args args = decay_init();
  enterDevice(0);
  args.x = rlscan_steps(allocate(ROWS * STEPS * 4), RLSCAN_F32, ROWS, STEPS,
                        STEPS, 1);
  args.y = rlscan_steps(allocate(ROWS * STEPS * 4), RLSCAN_F32, ROWS, STEPS,
                        STEPS, 1);
  leaveDevice();
  return args;
}

static void runAll(struct calls *calls, const decay_args *args, void *stream) {
  memset(calls, 0, sizeof *calls);
  calls->firedIn = -1;
  add(calls, "launch", rlscan_launch(&decay, args, stream));
  add(calls, "launch where the memory is", rlscan_launch(&decay, args, NULL));
  add(calls, "prepare", rlscan_prepare_for(&decay, args, 0));
  add(calls, "launch again", rlscan_launch(&decay, args, stream));
  add(calls, "release", rlscan_release(&decay));
}

/*===----------------------------------------------------------------------===*\
|* What has to hold
\*===----------------------------------------------------------------------===*/

static int problems;

static void complain(const char *what, const char *detail) {
  printf("  %s: %s\n", what, detail);
  problems = 1;
}

/* The first call that fails says which function failed, and why. */
static void checkMessage(const struct calls *calls, const char *function) {
  char name[64];
  const char *suffix = strstr(function, "_v2");
  int length = suffix ? (int)(suffix - function) : (int)strlen(function);
  snprintf(name, sizeof name, "%.*s failed: ", length, function);
  for (int i = 0; i < calls->count; ++i) {
    if (!calls->statuses[i])
      continue;
    const char *text = strstr(calls->messages[i], name);
    if (!text)
      complain(calls->names[i], calls->messages[i]);
    else if (strncmp(text + strlen(name), "error ", 6) == 0)
      complain("no name of the error", calls->messages[i]);
    return;
  }
}

static int countErrors(const struct calls *calls) {
  int errors = 0;
  for (int i = 0; i < calls->count; ++i)
    errors += calls->statuses[i] != RLSCAN_OK;
  return errors;
}

static int isOneOf(int code, const int *codes, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (codes[i] == code)
      return 1;
  return 0;
}

/* An image that the driver does not take: the one beside it is. */
static int refusesImage(int code) {
  static const int codes[] = {200, 209, 218, 222};
  return isOneOf(code, codes, sizeof codes / sizeof *codes);
}

/* An address that the driver does not know is of the host. */
static int isHostMemory(const char *function, int code) {
  return strstr(function, "PointerGetAttributes") && (code == 1 || code == 201);
}

/* What fails while code is unloaded is left as it is. */
static int isOfRelease(const char *function, const struct calls *calls) {
  static const char *const names[] = {
      "cuModuleUnload",      "hipModuleUnload",    "cuCtxGetCurrent",
      "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "hipGetDevice",
      "hipSetDevice"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (strcmp(function, names[i]) == 0)
      return calls->firedIn == calls->count - 1;
  return 0;
}

/* The driver's initialisation has one outcome a process. */
static int isFinal(const char *function) {
  return strstr(function, "Init") || strstr(function, "DriverGetVersion");
}

static int isSticky(int code) { return code >= 700 && code < 800; }

/* In a process of its own: 0, 1 with a message, or UNTOUCHED where `call`
   is more than there are. */
static int tryFault(const char *vendor, int call, int code) {
  struct calls calls;
  openDriver(vendor);
  decay_args args = makeArgs();
  void *stream = makeStreamOn(0);
  int live = askFake("fakeLive");
  failFrom(call, code, isSticky(code));
  runAll(&calls, &args, stream);
  if (!fired())
    return UNTOUCHED;
  char function[64];
  snprintf(function, sizeof function, "%s", fired());
  int after = askFake("fakeAfter");
  failFrom(0, 0, 0);
  int isLeft = isOfRelease(function, &calls);
  int isTold = countErrors(&calls) > 0;
  if (!isTold && !isLeft && !refusesImage(code) &&
      strcmp(function, "cuCtxGetCurrent") != 0 && !isHostMemory(function, code))
    complain("no error came of", function);
  if (isTold && !isHostMemory(function, code))
    checkMessage(&calls, function);
  if (calls.errorsLeft)
    complain("leaves an error to others", function);
  if (!isSticky(code) && countErrors(&calls) > 1 && !isFinal(function))
    complain("later calls fail, too", calls.messages[1]);
  enum { MOST_AFTER = 12 };
  if (isSticky(code) && after > MOST_AFTER)
    complain("goes on calling", function);
  if (askFake("fakeMisuses") && !isLeft && !isSticky(code))
    complain("misuses a handle", function);
  if (!isFinal(function) && !isSticky(code)) {
    runAll(&calls, &args, stream);
    if (countErrors(&calls))
      complain("does not recover", calls.messages[0]);
    if (!isLeft && askFake("fakeLive") > live + 1) /* the context is kept */
      complain("something is left", function);
  }
  return problems;
}

static int inProcess(const char *vendor, int call, int code) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(10);
    int status = tryFault(vendor, call, code);
    fflush(stdout);
    _exit(status);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : MISSING;
}

/* Who has the runtime in a process has no driver in it yet. */
static int isLoaded(const char *vendor) {
  const char *path = getenv(strcmp(vendor, "hip") == 0 ? "RLSCAN_HIP_DRIVER"
                                                       : "RLSCAN_CUDA_DRIVER");
  return path && dlopen(path, RTLD_NOW | RTLD_NOLOAD) != NULL;
}

int main(int argc, char **argv) {
  static const int codes[] = {-1,  1,   2,   3,   34,  35,  100, 101, 200, 201,
                              209, 218, 222, 400, 500, 700, 716, 719, 900, 901,
                              902, 903, 904, 905, 906, 907, 908, 999};
  enum { MOST = 500 };
  int runs = 0, failures = 0;
  if (argc != 2)
    return 2;
  decay_choose(argv[1]);
  if (isLoaded(argv[1])) {
    printf("FAIL: the driver was loaded before it was needed\n");
    return 1;
  }
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
    for (int call = 1, status = 0; status != UNTOUCHED && call < MOST; ++call) {
      status = inProcess(argv[1], call, codes[i]);
      runs += status != UNTOUCHED;
      if (status == 0 || status == UNTOUCHED)
        continue;
      ++failures;
      printf("FAIL: call %d with code %d%s\n", call, codes[i],
             status == MISSING ? ": ended by a signal" : "");
    }
  printf("%d faults, %d failures\n", runs, failures);
  return failures != 0 || runs == 0;
}
