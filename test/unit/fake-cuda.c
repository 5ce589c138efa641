//===- fake-cuda.c - NVIDIA's devices and contexts ------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fake-driver.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, THE_DEVICE = 7 };
static int retained;
static int pushed; // by all threads
static _Thread_local void *stack[MAX_DEPTH];
static _Thread_local int depth;

int liveContexts(void) { return retained + pushed; }

void *currentContext(void) { return depth ? stack[depth - 1] : NULL; }

/// Device 0 is known as 7, device 1 as 8.
static int isDevice(int device) {
  return THE_DEVICE <= device && device < THE_DEVICE + deviceCount();
}

EXPORT cuDeviceGet(int *device, int ordinal) {
  ENTER;
  REQUIRE(ordinal >= 0 && ordinal < deviceCount(), INVALID_DEVICE);
  *device = THE_DEVICE + ordinal;
  return 0;
}

EXPORT cuDeviceGetName(char *name, int length, int device) {
  ENTER;
  REQUIRE(isDevice(device), INVALID_DEVICE);
  snprintf(name, length, "Fake GPU");
  return 0;
}

/// What the attribute was told to be, or else something of its own.
static int attributeValue(int attribute) {
  const char *told = getenv("FAKE_ATTRIBUTES");
  while (told) {
    int number, value;
    if (sscanf(told, "%d:%d", &number, &value) == 2 && number == attribute)
      return value;
    told = strchr(told, ',');
    told += told != NULL;
  }
  return 1000 + attribute;
}

EXPORT cuDeviceGetAttribute(int *value, int attribute, int device) {
  ENTER;
  REQUIRE(isDevice(device), INVALID_DEVICE);
  *value = attributeValue(attribute);
  return 0;
}

EXPORT cuDevicePrimaryCtxRetain(void **context, int device) {
  ENTER_MAKING(context);
  REQUIRE(isDevice(device), INVALID_DEVICE);
  ++retained;
  *context = &contexts[device - THE_DEVICE];
  return 0;
}

EXPORT cuDevicePrimaryCtxRelease_v2(int device) {
  TAKE_TURN;
  int code = enter(__func__);
  REQUIRE(isDevice(device) && retained > 0, INVALID_CONTEXT);
  --retained;
  return code;
}

EXPORT cuCtxPushCurrent_v2(void *context) {
  ENTER;
  REQUIRE((char *)context >= contexts && retained > 0 && depth < MAX_DEPTH,
          INVALID_CONTEXT);
  stack[depth++] = context;
  ++pushed;
  return 0;
}

EXPORT cuCtxPopCurrent_v2(void **context) {
  TAKE_TURN;
  int code = enter(__func__);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  --pushed;
  *context = stack[--depth];
  return code;
}

/// A context of device 0 that is not its primary one.
EXPORT cuCtxCreate_v2(void **context, unsigned flags, int device) {
  ENTER;
  REQUIRE(flags == 0 && device == THE_DEVICE && depth < MAX_DEPTH,
          INVALID_VALUE);
  *context = stack[depth++] = &contexts[MAX_DEVICES];
  ++pushed;
  return 0;
}

EXPORT cuCtxGetCurrent(void **context) {
  ENTER;
  *context = currentContext();
  return 0;
}

EXPORT cuCtxGetDevice(int *device) {
  ENTER;
  REQUIRE(hasContext(), INVALID_CONTEXT);
  *device = THE_DEVICE + deviceOfContext(currentContext());
  return 0;
}

//===----------------------------------------------------------------------===//
// Images, streams and memory
//===----------------------------------------------------------------------===//

/// As a text that cannot be compiled: one that begins with "bad".
static int reject(unsigned count, const int *options, void **values) {
  char *log = NULL;
  size_t size = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == 5)
      log = values[i];
    if (options[i] == 6)
      size = (uintptr_t)values[i];
  }
  if (log)
    snprintf(log, size, "line 1: this is bad\nline 2: so is this\n");
  return INVALID_PTX;
}

EXPORT cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                          int *options, void **values) {
  ENTER_MAKING(module);
  REQUIRE(hasContext(), INVALID_CONTEXT);
  REQUIRE(mayLoad(), CAPTURE_UNSUPPORTED);
  if (strncmp(image, "bad", 3) == 0)
    return reject(count, options, values);
  *module = makeModule(image);
  return 0;
}

EXPORT cuStreamGetCtx(void *handle, void **context) {
  ENTER_MAKING(context);
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(stream, INVALID_HANDLE);
  *context = stream->context;
  return 0;
}

/// Host memory is unknown to the driver, which gives it no type.
EXPORT cuPointerGetAttributes(unsigned count, int *attributes, void **values,
                              uint64_t address) {
  enum { MEMORY_TYPE = 2, DEVICE_ORDINAL = 9, DEVICE = 2, NO_DEVICE = -2 };
  ENTER;
  struct object *memory = lookUpMemory(address, 1);
  for (unsigned i = 0; i < count; ++i) {
    int value = 0;
    if (attributes[i] == DEVICE_ORDINAL)
      value = memory ? deviceOfContext(memory->context) : NO_DEVICE;
    else if (attributes[i] == MEMORY_TYPE && memory)
      value = DEVICE;
    *(int *)values[i] = value;
  }
  return 0;
}
