//===- fake-driver.c - What a driver with nothing behind it keeps ---------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE 1 // nanosleep

#include "fake-driver.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct {
  int code;
  const char *cuda, *hip, *text;
} errors[] = {
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "hipErrorInvalidValue",
     "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "hipErrorOutOfMemory",
     "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "hipErrorNotInitialized",
     "initialization error"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "hipErrorInvalidDevice",
     "invalid device ordinal"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "hipErrorInvalidContext",
     "invalid device context"},
    {NO_BINARY, "CUDA_ERROR_NO_BINARY_FOR_GPU", "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "hipErrorInvalidKernelFile",
     "a PTX JIT compilation failed"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "hipErrorInvalidHandle",
     "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "hipErrorNotFound",
     "named symbol not found"},
    {34, "CUDA_ERROR_STUB_LIBRARY", "hipErrorStubLibrary", "stub library"},
    {35, "CUDA_ERROR_INSUFFICIENT_DRIVER", "hipErrorInsufficientDriver",
     "driver too old"},
    {100, "CUDA_ERROR_NO_DEVICE", "hipErrorNoDevice", "no device"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "hipErrorInvalidImage", "invalid image"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "hipErrorUnsupportedVersion",
     "unsupported version of PTX"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "hipErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "hipErrorMisalignedAddress",
     "misaligned address"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "hipErrorLaunchFailure",
     "unspecified launch failure"},
    {902, "CUDA_ERROR_STREAM_CAPTURE_MERGE", "hipErrorStreamCaptureMerge",
     "stream capture merge"},
    {903, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "hipErrorStreamCaptureUnmatched", "stream capture unmatched"},
    {904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "hipErrorStreamCaptureUnjoined",
     "stream capture unjoined"},
    {905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "hipErrorStreamCaptureIsolation", "stream capture isolation"},
    {906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "hipErrorStreamCaptureImplicit",
     "stream capture implicit"},
    {907, "CUDA_ERROR_CAPTURED_EVENT", "hipErrorCapturedEvent",
     "captured event"},
    {908, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
     "hipErrorStreamCaptureWrongThread", "stream capture wrong thread"},
    {999, "CUDA_ERROR_UNKNOWN", "hipErrorUnknown", "unknown"},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "hipErrorStreamCaptureInvalidated", "stream capture invalidated"},
    {CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "hipErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
};

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

char contexts[MAX_DEVICES + 1];
static struct object *objects;
static struct {
  char name[64];
  int count;
} calls[64];
static int initialized, misuses;
/// What fakeFailFrom() was told, and what came of it.
static struct {
  int left, code, isSticky, isFired, after, isHeld;
  char name[64];
} plan;
/// No mutex: a thread sanitizer would take turns at the driver for an order
/// that the runtime made.
static atomic_flag turns = ATOMIC_FLAG_INIT;

static int takeTurn(void) {
  while (atomic_flag_test_and_set(&turns))
    sched_yield();
  return 0;
}

static struct {
  char name[64];
  int milliseconds;
} slow;
static atomic_int asleep, sleepers;

static void sleepFor(long microseconds) {
  struct timespec time = {microseconds / 1000000,
                          microseconds % 1000000 * 1000};
  nanosleep(&time, NULL);
}

/// Another number in every call, and in every thread.
static uint64_t nextRandom(unsigned seed) {
  static _Thread_local uint64_t state;
  if (!state)
    state = seed + (uint64_t)++sleepers * 0x9e3779b97f4a7c15u;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}

/// What fakeSlow() said of the call, once.
static int takeSlow(const char *name) {
  int milliseconds = 0;
  takeTurn();
  if (strcmp(slow.name, name) == 0) {
    milliseconds = slow.milliseconds;
    slow.name[0] = 0;
  }
  atomic_flag_clear(&turns);
  return milliseconds;
}

static void mayBeSlow(const char *name) {
  const char *told = getenv("FAKE_DELAY");
  unsigned seed, most;
  int milliseconds = takeSlow(name);
  if (milliseconds) {
    ++asleep;
    sleepFor(1000L * milliseconds);
    --asleep;
  }
  if (told && sscanf(told, "%u:%u", &seed, &most) == 2)
    sleepFor((long)(nextRandom(seed) % (most + 1)));
}

int lockFake(const char *name) {
  if (strncmp(name, "fake", 4) != 0)
    mayBeSlow(name);
  return takeTurn();
}

void unlockFake(const int *locked) {
  (void)locked;
  atomic_flag_clear(&turns);
}

EXPORT fakeLive(void) {
  TAKE_TURN;
  int live = liveContexts();
  for (struct object *it = objects; it; it = it->next)
    live += it->live && it->kind != FUNCTION;
  return live;
}

/// Calls with something destroyed, or without the context.
EXPORT fakeMisuses(void) {
  TAKE_TURN;
  return misuses;
}

EXPORT fakeCalls(const char *name) {
  TAKE_TURN;
  for (int i = 0; i < 64; ++i)
    if (strcmp(calls[i].name, name) == 0)
      return calls[i].count;
  return 0;
}

/// The name of the I-th function that was ever called; null: there are fewer.
__attribute__((visibility("default"))) const char *fakeName(int i) {
  TAKE_TURN;
  return 0 <= i && i < 64 && calls[i].name[0] ? calls[i].name : NULL;
}

/// The number of the device that is current to the thread, or -1.
EXPORT fakeCurrent(void) {
  const void *context = currentContext();
  return context ? deviceOfContext(context) : -1;
}

EXPORT fakeFailFrom(int call, int code, int isSticky) {
  TAKE_TURN;
  memset(&plan, 0, sizeof plan);
  plan.left = call;
  plan.code = code;
  plan.isSticky = isSticky;
  return 0;
}

EXPORT fakeHold(int isHeld) {
  TAKE_TURN;
  plan.isHeld = isHeld;
  return 0;
}

EXPORT fakeSlow(const char *name, int milliseconds) {
  TAKE_TURN;
  memset(&slow, 0, sizeof slow);
  strncpy(slow.name, name, sizeof slow.name - 1);
  slow.milliseconds = milliseconds;
  return 0;
}

EXPORT fakeAsleep(void) { return asleep; }

/// The name of the call that failed so; null where none was reached.
__attribute__((visibility("default"))) const char *fakeFired(void) {
  TAKE_TURN;
  return plan.isFired ? plan.name : NULL;
}

/// How many calls came after it.
EXPORT fakeAfter(void) {
  TAKE_TURN;
  return plan.after;
}

/// How many calls there ever were.
EXPORT fakeTotal(void) {
  TAKE_TURN;
  int total = 0;
  for (int i = 0; i < 64; ++i)
    total += calls[i].count;
  return total;
}

static int failsByPlan(const char *name, int isMaking) {
  if (plan.isHeld || (plan.code == NULL_HANDLE && !isMaking))
    return 0;
  if (plan.isFired) {
    ++plan.after;
    return plan.isSticky ? plan.code : 0;
  }
  if (plan.left == 0 || --plan.left > 0)
    return 0;
  plan.isFired = 1;
  strncpy(plan.name, name, sizeof plan.name - 1);
  return plan.code;
}

struct object *makeObject(enum kind kind) {
  struct object *object = calloc(1, sizeof *object);
  object->kind = kind;
  object->live = 1;
  object->context = currentContext();
  object->next = objects;
  objects = object;
  return object;
}

struct object *findObject(const void *handle, enum kind kind) {
  for (struct object *it = objects; it; it = it->next)
    if (it == handle && it->kind == kind && it->live)
      return it;
  ++misuses;
  return NULL;
}

struct object *lookUpMemory(uint64_t address, size_t bytes) {
  for (struct object *it = objects; it; it = it->next) {
    uint64_t begin = (uintptr_t)it->text;
    if (it->kind == MEMORY && it->live && begin <= address &&
        address + bytes <= begin + it->bytes)
      return it;
  }
  return NULL;
}

struct object *findMemory(uint64_t address, size_t bytes) {
  struct object *memory = lookUpMemory(address, bytes);
  misuses += memory == NULL;
  return memory;
}

int destroyObject(const void *handle, enum kind kind) {
  struct object *object = findObject(handle, kind);
  if (!object)
    return leaveError(INVALID_HANDLE);
  object->live = 0;
  return 0;
}

char *copyText(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(malloc(size), text, size);
}

static int countCall(const char *name, int isMaking) {
  int i = 0;
  while (calls[i].name[0] && strcmp(calls[i].name, name) != 0)
    ++i;
  strncpy(calls[i].name, name, sizeof calls[i].name - 1);
  int count = ++calls[i].count;
  int isAsking = strstr(name, "GetError") || strstr(name, "GetLastError");
  int planned = isAsking ? 0 : failsByPlan(name, isMaking);
  if (planned)
    return planned;
  const char *told = getenv("FAKE_FAIL");
  size_t length = strlen(name);
  if (!told || strncmp(told, name, length) != 0 || told[length] != ':')
    return 0;
  int code = 0, which = 1;
  sscanf(told + length + 1, "%d:%d", &code, &which);
  return count == which ? code : 0;
}

static _Thread_local int lastError;

int leaveError(int code) {
  if (code > 0)
    lastError = code;
  return code;
}

int takeError(void) {
  int code = lastError;
  lastError = 0;
  return code;
}

EXPORT fakeError(void) { return lastError; }

int enter(const char *name) { return leaveError(countCall(name, 0)); }
int enterMaking(const char *name) { return leaveError(countCall(name, 1)); }

int tracing(void) { return getenv("FAKE_TRACE") != NULL; }

int hasContext(void) {
  int isThere = currentContext() != NULL;
  misuses += !isThere;
  return isThere;
}

int hasContextOf(const struct object *object) {
  int isRight = currentContext() == object->context;
  misuses += !isRight;
  return isRight;
}

int deviceOfContext(const void *context) {
  return (int)((const char *)context - contexts) % MAX_DEVICES;
}

int deviceCount(void) {
  const char *told = getenv("FAKE_DEVICES");
  return told ? atoi(told) : 1;
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

API(cuInit, hipInit)(unsigned flags) {
  ENTER;
  initialized = flags == 0;
  return leaveError(flags == 0 ? 0 : INVALID_VALUE);
}

API(cuDriverGetVersion, hipDriverGetVersion)(int *version) {
  ENTER;
  *version = IS_HIP ? 60443483 : 12040;
  return 0;
}

API(cuGetErrorName, hipDrvGetErrorName)(int error, const char **name) {
  ENTER;
  *name = NULL;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i)
    if (errors[i].code == error)
      *name = IS_HIP ? errors[i].hip : errors[i].cuda;
  return leaveError(*name ? 0 : INVALID_VALUE);
}

API(cuGetErrorString, hipDrvGetErrorString)(int error, const char **text) {
  ENTER;
  *text = NULL;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i)
    if (errors[i].code == error)
      *text = errors[i].text;
  return leaveError(*text ? 0 : INVALID_VALUE);
}

API(cuDeviceGetCount, hipGetDeviceCount)(int *count) {
  ENTER;
  REQUIRE(initialized, NOT_INITIALIZED);
  *count = deviceCount();
  return 0;
}

API(cuCtxSynchronize, hipDeviceSynchronize)(void) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  return 0;
}
