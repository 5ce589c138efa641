//===- fake-cuda.h - A CUDA driver with nothing behind it ---------*- C -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library with the functions of libcuda.so.1 that rlscan uses. It keeps count
// of what is made and destroyed, runs no kernel, and has a clock that only work
// moves: 10 us for a kernel, but 10 ns a block for one named rlscan_floor.
//
// FAKE_CUDA_FAIL=NAME:CODE[:N] has the N-th call (the first) of NAME return
// CODE. FAKE_CUDA_TRACE=1 prints the calls that queue work.
// FAKE_CUDA_ATTRIBUTES=75:9,76:0 are attributes of the device, by their
// numbers. FAKE_CUDA_DEVICES=2 has two of them.
//
// Calls of several threads take turns; a context is current to a thread.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_UNIT_FAKECUDA_H
#define RLSCAN_TEST_UNIT_FAKECUDA_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
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
  size_t bytes;           // of memory
  void *context;          // that was current when it was made
  double seconds;         // a graph's length, an event's time
  struct object *owner;   // a function's module
  struct object *capture; // a stream's graph, while it records one
  int invalid;            // that graph
};

struct object *makeObject(enum kind kind);
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
int deviceOfContext(const void *context);

/// Keeps other threads out until the function returns.
int lockFake(void);
void unlockFake(const int *locked);
#define TAKE_TURN                                                              \
  int locked __attribute__((cleanup(unlockFake), unused)) = lockFake()

/// Counts the call; what it was told to return.
int enter(const char *name);
int tracing(void);

#define TRACE(...)                                                             \
  do {                                                                         \
    if (tracing()) {                                                           \
      printf(__VA_ARGS__);                                                     \
      fflush(stdout);                                                          \
    }                                                                          \
  } while (0)

/// For functions that do nothing if they fail.
#define ENTER(name)                                                            \
  TAKE_TURN;                                                                   \
  do {                                                                         \
    int code = enter(#name);                                                   \
    if (code)                                                                  \
      return code;                                                             \
  } while (0)

#define REQUIRE(condition, code)                                               \
  do {                                                                         \
    if (!(condition))                                                          \
      return code;                                                             \
  } while (0)

/// A function of the library.
#define API __attribute__((visibility("default"))) int

#endif // RLSCAN_TEST_UNIT_FAKECUDA_H
