//===- fake-cuda.c - A driver's devices and contexts ----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fake-cuda.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  int code;
  const char *name, *text;
} errors[] = {
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
};

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

static struct object *objects;
static struct {
  char name[64];
  int count;
} calls[64];
static int initialized, retained, misuses;

enum { MAX_DEPTH = 16, MAX_DEVICES = 2, THE_DEVICE = 7 };
static int pushed; // by all threads
/// Two for each device: its primary one and another.
static char contexts[2 * MAX_DEVICES];
static _Thread_local void *stack[MAX_DEPTH];
static _Thread_local int depth;
static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER;

int lockFake(void) { return pthread_mutex_lock(&turns); }
void unlockFake(const int *locked) {
  (void)locked;
  pthread_mutex_unlock(&turns);
}

API fakeCudaLive(void) {
  TAKE_TURN;
  int live = retained + pushed;
  for (struct object *it = objects; it; it = it->next)
    live += it->live && it->kind != FUNCTION;
  return live;
}

/// Calls with something destroyed, or without the context.
API fakeCudaMisuses(void) {
  TAKE_TURN;
  return misuses;
}

API fakeCudaCalls(const char *name) {
  TAKE_TURN;
  for (int i = 0; i < 64; ++i)
    if (strcmp(calls[i].name, name) == 0)
      return calls[i].count;
  return 0;
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
    return INVALID_HANDLE;
  object->live = 0;
  return 0;
}

int enter(const char *name) {
  int i = 0;
  while (calls[i].name[0] && strcmp(calls[i].name, name) != 0)
    ++i;
  strncpy(calls[i].name, name, sizeof calls[i].name - 1);
  int count = ++calls[i].count;
  const char *told = getenv("FAKE_CUDA_FAIL");
  size_t length = strlen(name);
  if (!told || strncmp(told, name, length) != 0 || told[length] != ':')
    return 0;
  int code = 0, which = 1;
  sscanf(told + length + 1, "%d:%d", &code, &which);
  return count == which ? code : 0;
}

int tracing(void) { return getenv("FAKE_CUDA_TRACE") != NULL; }

void *currentContext(void) { return depth ? stack[depth - 1] : NULL; }

int hasContext(void) {
  misuses += depth == 0;
  return depth != 0;
}

int hasContextOf(const struct object *object) {
  int isRight = currentContext() == object->context;
  misuses += !isRight;
  return isRight;
}

int deviceOfContext(const void *context) {
  return (int)((const char *)context - contexts) % MAX_DEVICES;
}

//===----------------------------------------------------------------------===//
// The driver, its devices and contexts
//===----------------------------------------------------------------------===//

API cuInit(unsigned flags) {
  ENTER(cuInit);
  initialized = flags == 0;
  return flags == 0 ? 0 : INVALID_VALUE;
}

API cuDriverGetVersion(int *version) {
  ENTER(cuDriverGetVersion);
  *version = 12040;
  return 0;
}

API cuGetErrorName(int error, const char **name) {
  ENTER(cuGetErrorName);
  *name = NULL;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i)
    if (errors[i].code == error)
      *name = errors[i].name;
  return *name ? 0 : INVALID_VALUE;
}

API cuGetErrorString(int error, const char **text) {
  ENTER(cuGetErrorString);
  *text = NULL;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i)
    if (errors[i].code == error)
      *text = errors[i].text;
  return *text ? 0 : INVALID_VALUE;
}

/// Device 0 is known as 7, device 1 as 8.
static int deviceCount(void) {
  const char *told = getenv("FAKE_CUDA_DEVICES");
  return told ? atoi(told) : 1;
}

static int isDevice(int device) {
  return THE_DEVICE <= device && device < THE_DEVICE + deviceCount();
}

API cuDeviceGetCount(int *count) {
  ENTER(cuDeviceGetCount);
  REQUIRE(initialized, NOT_INITIALIZED);
  *count = deviceCount();
  return 0;
}

API cuDeviceGet(int *device, int ordinal) {
  ENTER(cuDeviceGet);
  REQUIRE(ordinal >= 0 && ordinal < deviceCount(), INVALID_DEVICE);
  *device = THE_DEVICE + ordinal;
  return 0;
}

API cuDeviceGetName(char *name, int length, int device) {
  ENTER(cuDeviceGetName);
  REQUIRE(isDevice(device), INVALID_DEVICE);
  snprintf(name, length, "Fake GPU");
  return 0;
}

/// What the attribute was told to be, or else something of its own.
static int attributeValue(int attribute) {
  const char *told = getenv("FAKE_CUDA_ATTRIBUTES");
  while (told) {
    int number, value;
    if (sscanf(told, "%d:%d", &number, &value) == 2 && number == attribute)
      return value;
    told = strchr(told, ',');
    told += told != NULL;
  }
  return 1000 + attribute;
}

API cuDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER(cuDeviceGetAttribute);
  REQUIRE(isDevice(device), INVALID_DEVICE);
  *value = attributeValue(attribute);
  return 0;
}

API cuDevicePrimaryCtxRetain(void **context, int device) {
  ENTER(cuDevicePrimaryCtxRetain);
  REQUIRE(isDevice(device), INVALID_DEVICE);
  ++retained;
  *context = &contexts[device - THE_DEVICE];
  return 0;
}

API cuDevicePrimaryCtxRelease_v2(int device) {
  TAKE_TURN;
  int code = enter("cuDevicePrimaryCtxRelease_v2");
  REQUIRE(isDevice(device) && retained > 0, INVALID_CONTEXT);
  --retained;
  return code;
}

API cuCtxPushCurrent_v2(void *context) {
  ENTER(cuCtxPushCurrent_v2);
  REQUIRE((char *)context >= contexts && retained > 0 && depth < MAX_DEPTH,
          INVALID_CONTEXT);
  stack[depth++] = context;
  ++pushed;
  return 0;
}

API cuCtxPopCurrent_v2(void **context) {
  TAKE_TURN;
  int code = enter("cuCtxPopCurrent_v2");
  REQUIRE(hasContext(), INVALID_CONTEXT);
  --pushed;
  *context = stack[--depth];
  return code;
}

API cuCtxSynchronize(void) {
  ENTER(cuCtxSynchronize);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  return 0;
}

/// A context of device 0 that is not its primary one.
API cuCtxCreate_v2(void **context, unsigned flags, int device) {
  ENTER(cuCtxCreate_v2);
  REQUIRE(flags == 0 && device == THE_DEVICE && depth < MAX_DEPTH,
          INVALID_VALUE);
  *context = stack[depth++] = &contexts[MAX_DEVICES];
  ++pushed;
  return 0;
}

API cuCtxGetCurrent(void **context) {
  ENTER(cuCtxGetCurrent);
  *context = currentContext();
  return 0;
}

API cuCtxGetDevice(int *device) {
  ENTER(cuCtxGetDevice);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  *device = THE_DEVICE + deviceOfContext(currentContext());
  return 0;
}
