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

enum { ROWS = 64, STEPS = 64, CALLS = 12, MISSING = -1, UNTOUCHED = 9 };

struct calls {
  const char *names[CALLS];
  rlscan_status statuses[CALLS];
  char messages[CALLS][512];
  int count;
  int firedIn; /* the number of the call in which the driver failed */
  /* What HIP keeps for whoever asks next, and how often a call changed it. */
  int errorBefore, errorsLeft;
  int after; /* calls of the driver that this call made after that */
};

/* The estimator without the code that no driver takes. */
static rlscan_estimator sound;

static void makeSound(void) {
  enum { MOST = 16 };
  static rlscan_variant variants[MOST];
  static void *state;
  sound = decay;
  sound.variants = variants;
  sound.variant_count = 0;
  sound.state = &state;
  for (int i = 0; i < decay.variant_count; ++i)
    if (!strstr(decay.variants[i].name, "bad"))
      variants[sound.variant_count++] = decay.variants[i];
}

/* What the test itself calls is not to fail, and does not count. */
static void hold(int isHeld) {
  ((int (*)(int))findFunction("fakeHold"))(isHeld);
}

static void add(struct calls *calls, const char *name, rlscan_status status) {
  int i = calls->count++;
  calls->names[i] = name;
  calls->statuses[i] = status;
  snprintf(calls->messages[i], sizeof calls->messages[i], "%s",
           status ? rlscan_last_error() : "");
  if (calls->firedIn < 0 && fired()) {
    calls->firedIn = i;
    calls->after = askFake("fakeAfter");
  }
  int left = driver.isHip ? askFake("fakeError") : 0;
  if (left != calls->errorBefore)
    ++calls->errorsLeft;
  calls->errorBefore = left;
}

enum { GPUS = 2, BYTES = ROWS * STEPS * 4, FILL = 0x5a };

/* One of each on every GPU; results are full of one byte. */
struct places {
  decay_args args[GPUS];
  void *streams[GPUS];
};

static decay_args makeArgs(int device) {
  decay_args args = decay_init();
  enterDevice(device);
  args.x = rlscan_steps(allocate(BYTES), RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  args.y = rlscan_steps(allocate(BYTES), RLSCAN_F32, ROWS, STEPS, STEPS, 1);
  leaveDevice();
  memset(args.x.data, 0, BYTES); /* the driver's memory is the host's */
  memset(args.y.data, FILL, BYTES);
  return args;
}

static int isUntouched(const struct places *places) {
  for (int i = 0; i < GPUS; ++i)
    for (int k = 0; k < BYTES; ++k)
      if (((const unsigned char *)places->args[i].y.data)[k] != FILL)
        return 0;
  return 1;
}

/* Contexts of CUDA that the test itself keeps. */
static int entered;

static void enter(void) {
  hold(1);
  enterDevice(0);
  entered += !driver.isHip;
}

static void leave(void) {
  leaveDevice();
  hold(0);
}

static void capture(struct calls *calls, const struct places *places) {
  void *graph = NULL;
  enter();
  CHECK(beginCapture(places->streams[0], 1));
  leave();
  add(calls, "captured launch",
      rlscan_launch(&sound, &places->args[0], places->streams[0]));
  enter();
  CHECK(endCapture(places->streams[0], &graph));
  CHECK(destroyGraph(graph));
  leave();
}

static void runAll(struct calls *calls, const struct places *places) {
  const decay_args *args = &places->args[0];
  void *stream = places->streams[0];
  size_t size = 0;
  memset(calls, 0, sizeof *calls);
  calls->firedIn = -1;
  add(calls, "size", rlscan_workspace_size(&sound, args, &size));
  add(calls, "launch", rlscan_launch(&sound, args, stream));
  add(calls, "launch where the memory is", rlscan_launch(&sound, args, NULL));
  add(calls, "prepare", rlscan_prepare_for(&sound, args, 0));
  capture(calls, places);
  add(calls, "launch again", rlscan_launch(&sound, args, stream));
  add(calls, "release", rlscan_release(&sound));
  add(calls, "prepare all", rlscan_prepare(&sound, 1));
  add(calls, "launch on another GPU",
      rlscan_launch(&sound, &places->args[1], places->streams[1]));
  add(calls, "release", rlscan_release(&sound));
}

/* How many bytes were printed. */
static int runSilently(struct calls *calls, const struct places *places) {
  FILE *file = tmpfile();
  int streams[] = {STDOUT_FILENO, STDERR_FILENO}, before[2];
  fflush(stdout);
  for (int i = 0; i < 2; ++i) {
    before[i] = dup(streams[i]);
    dup2(fileno(file), streams[i]);
  }
  runAll(calls, places);
  fflush(stdout);
  int printed = (int)lseek(fileno(file), 0, SEEK_END);
  for (int i = 0; i < 2; ++i)
    dup2(before[i], streams[i]);
  fclose(file);
  return printed;
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

/* And what to do, where one of many causes does not have to be guessed. */
static void checkCure(const struct calls *calls, int code) {
  static const struct {
    int from, to;
    const char *text;
  } cures[] = {
      {2, 2, "free memory of the GPU and call again"},
      {34, 35, "install a driver, or a newer one"},
      {100, 100, "make a GPU visible to the process, or choose the CPU"},
      {200, 200, "compile the library for this GPU"},
      {209, 209, "compile the library for this GPU"},
      {218, 222, "compile the library for this GPU"},
      {700, 799,
       "work that was queued before has failed: start the process anew"},
      {900, 909, "end the capture of the stream, or leave the call out of it"}};
  int i = 0;
  while (i < calls->count && !calls->statuses[i])
    ++i;
  for (size_t k = 0; k < sizeof cures / sizeof *cures; ++k)
    if (cures[k].from <= code && code <= cures[k].to &&
        !strstr(calls->messages[i], cures[k].text))
      complain("no cure", calls->messages[i]);
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
      return calls->firedIn >= 0 &&
             strcmp(calls->names[calls->firedIn], "release") == 0;
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
  struct places places;
  openDriver(vendor);
  for (int i = 0; i < GPUS; ++i) {
    places.args[i] = makeArgs(i);
    places.streams[i] = makeStreamOn(i);
  }
  int live = askFake("fakeLive");
  failFrom(call, code, isSticky(code));
  int printed = runSilently(&calls, &places);
  if (!fired())
    return UNTOUCHED;
  char function[64];
  snprintf(function, sizeof function, "%s", fired());
  failFrom(0, 0, 0);
  int isLeft = isOfRelease(function, &calls);
  int isTold = countErrors(&calls) > 0;
  if (!isTold && !isLeft && !refusesImage(code) &&
      strcmp(function, "cuCtxGetCurrent") != 0 && !isHostMemory(function, code))
    complain("no error came of", function);
  if (isTold && !isLeft && !isHostMemory(function, code))
    checkMessage(&calls, function);
  if (isTold && !isHostMemory(function, code))
    checkCure(&calls, code);
  if (printed)
    complain("prints while it fails", function);
  /* A driver that is not there, or knows no address, has no memory. */
  if (!isUntouched(&places) && !isFinal(function) &&
      !isHostMemory(function, code))
    complain("writes to results", function);
  if (calls.errorsLeft)
    complain("leaves an error to others", function);
  if (!isSticky(code) && countErrors(&calls) > 1 && !isFinal(function))
    complain("later calls fail, too", calls.messages[1]);
  enum { MOST_AFTER = 1 }; /* what was current is put back */
  if (isSticky(code) && calls.after > MOST_AFTER)
    complain("goes on calling", function);
  if (askFake("fakeMisuses") && !isLeft && !isSticky(code))
    complain("misuses a handle", function);
  if (!isFinal(function) && !isSticky(code)) {
    runAll(&calls, &places);
    if (countErrors(&calls))
      complain("does not recover", calls.messages[0]);
    if (!isLeft &&
        askFake("fakeLive") > live + GPUS + entered) /* contexts are kept */
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

/* A process takes longer with the memory sanitizer: it tries every fourth code.
 */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define CODE_STEP 4
#endif
#endif
#ifndef CODE_STEP
#define CODE_STEP 1
#endif

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
  makeSound();
  if (isLoaded(argv[1])) {
    printf("FAIL: the driver was loaded before it was needed\n");
    return 1;
  }
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i += CODE_STEP)
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
