//===- fake-driver.h - A driver with nothing behind it ------------*- C -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two libraries of one source, with the functions of libcuda.so.1 and, where
// FAKE_HIP is defined, of libamdhip64.so that rlscan uses. They keep count of
// what is made and destroyed, run no kernel, and have a clock that only work
// moves: 10 us for a kernel, but 10 ns a block for one named rlscan_floor.
//
// FAKE_FAIL=NAME:CODE[:N] has the N-th call (the first) of NAME return CODE.
// fakeFailFrom(K, CODE, STICKY) has the K-th call from then on return CODE, and
// every later one as well where the error is sticky. What asks for the names of
// errors is not counted, nor what comes between fakeHold(1) and fakeHold(0).
// With NULL_HANDLE the K-th that makes a handle returns none, without an error.
//
// fakeImage() is a number of the image that was loaded last. fakeError() is
// what hipGetLastError() would return to the thread.
//
// FAKE_DELAY=SEED:MOST has every call sleep first, up to so many microseconds.
// fakeSlow(NAME, MILLISECONDS) has the next call of NAME do so; fakeAsleep() is
// how many of these do. Meanwhile other threads' calls go on.
//
// FAKE_TRACE=1 prints the calls that queue work. FAKE_DEVICES=2 has two of
// them. FAKE_ATTRIBUTES=75:9,76:0 are attributes of CUDA's device, by their
// numbers; FAKE_CHIP=gfx90a:xnack- is HIP's.
//
// Calls of several threads take turns. A context is current to a thread; of
// HIP's, where a device's number stands for it, there is always one.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_UNIT_FAKEDRIVER_H
#define RLSCAN_TEST_UNIT_FAKEDRIVER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  NULL_HANDLE = -1, // of fakeFailFrom(): no error, and no handle either
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  NO_BINARY = 209,
  INVALID_PTX = 218,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  CAPTURE_UNSUPPORTED = 900,
  CAPTURE_INVALIDATED = 901,
};

enum kind { MODULE, FUNCTION, MEMORY, STREAM, EVENT, GRAPH, EXEC };

/// Kept after it is destroyed, so that a later use is noticed.
struct object {
  struct object *next;
  enum kind kind;
  int live;
  char *text;             // a module's image, a function's name, memory
  size_t bytes;           // of an image, of memory
  void *context;          // that was current when it was made
  double seconds;         // a graph's length, an event's time
  struct object *owner;   // a function's module, the last one of a graph
  struct object *capture; // a stream's graph, while it records one
  int invalid;            // that graph
  int mode;               // of that capture
};

struct object *makeObject(enum kind kind);
struct object *makeModule(const char *image);
/// NULL, and a misuse, for what is not there.
struct object *findObject(const void *handle, enum kind kind);
struct object *lookUpMemory(uint64_t address, size_t bytes); // or NULL
struct object *findMemory(uint64_t address, size_t bytes);
int destroyObject(const void *handle, enum kind kind);

/// Is there a current context? Otherwise it is a misuse.
int hasContext(void);
/// Is it that of the object? Otherwise it is a misuse.
int hasContextOf(const struct object *object);
void *currentContext(void);

/// The first two contexts are of devices 0 and 1; device 0 has the third, too.
enum { MAX_DEVICES = 2 };
extern char contexts[MAX_DEVICES + 1];
int deviceOfContext(const void *context);
int deviceCount(void);

/// Of what is not an object: references to contexts, devices that are current.
int liveContexts(void);
/// While a stream is captured a thread may not load and allocate unless it
/// said so.
int mayLoad(void);

/// Keeps other threads out until the function returns; before, it may sleep.
int lockFake(const char *name);
void unlockFake(const int *locked);
#define TAKE_TURN                                                              \
  int locked __attribute__((cleanup(unlockFake), unused)) = lockFake(__func__)

/// HIP keeps a thread's last error until somebody asks for it: of every call
/// that fails, those of other libraries, too. Returns the code.
int leaveError(int code);
int takeError(void);

/// Counts the call; what it was told to return.
int enter(const char *name);
/// Of a function that makes a handle, which may be told to make none.
int enterMaking(const char *name);
char *copyText(const char *text);
int tracing(void);

#define TRACE(...)                                                             \
  do {                                                                         \
    if (tracing()) {                                                           \
      printf(__VA_ARGS__);                                                     \
      fflush(stdout);                                                          \
    }                                                                          \
  } while (0)

/// For functions that do nothing if they fail.
#define ENTER                                                                  \
  TAKE_TURN;                                                                   \
  do {                                                                         \
    int code = enter(__func__);                                                \
    if (code)                                                                  \
      return code;                                                             \
  } while (0)

#define ENTER_MAKING(handle)                                                   \
  TAKE_TURN;                                                                   \
  do {                                                                         \
    int code = enterMaking(__func__);                                          \
    if (code == NULL_HANDLE) {                                                 \
      *(handle) = 0;                                                           \
      return 0;                                                                \
    }                                                                          \
    if (code)                                                                  \
      return code;                                                             \
  } while (0)

#define REQUIRE(condition, code)                                               \
  do {                                                                         \
    if (!(condition))                                                          \
      return leaveError(code);                                                 \
  } while (0)

/// A function of the library.
#define EXPORT __attribute__((visibility("default"))) int
#ifdef FAKE_HIP
enum { IS_HIP = 1 };
#define API(cuda, hip) EXPORT hip
#else
enum { IS_HIP = 0 };
#define API(cuda, hip) EXPORT cuda
#endif

#endif // RLSCAN_TEST_UNIT_FAKEDRIVER_H
