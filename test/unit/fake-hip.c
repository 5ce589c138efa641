//===- fake-hip.c - AMD's devices -----------------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fake-driver.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local int currentDevice;

/// Whoever makes a device current puts the thread's own back.
int liveContexts(void) { return currentDevice != 0; }

void *currentContext(void) { return &contexts[currentDevice]; }

static int isDevice(int device) {
  return 0 <= device && device < deviceCount();
}

EXPORT hipGetDevice(int *device) {
  ENTER;
  *device = currentDevice;
  return 0;
}

EXPORT hipSetDevice(int device) {
  ENTER;
  REQUIRE(isDevice(device), INVALID_DEVICE);
  currentDevice = device;
  return 0;
}

EXPORT hipDeviceGetName(char *name, int length, int device) {
  ENTER;
  REQUIRE(isDevice(device), INVALID_DEVICE);
  snprintf(name, length, "Fake GPU");
  return 0;
}

#ifndef FAKE_OLD
/// hipDeviceProp_tR0600 has 1472 bytes, and other fields than these.
EXPORT hipGetDevicePropertiesR0600(char *properties, int device) {
  enum { BYTES = 1472, COMPUTE_UNITS = 388, CHIP = 1160, CHIP_BYTES = 256 };
  const char *told = getenv("FAKE_CHIP");
  int units = 304;
  ENTER;
  REQUIRE(isDevice(device), INVALID_DEVICE);
  memset(properties, 0x55, BYTES);
  memcpy(properties + COMPUTE_UNITS, &units, sizeof units);
  snprintf(properties + CHIP, CHIP_BYTES, "%s",
           told ? told : "gfx942:sramecc+:xnack-");
  return 0;
}
#endif

EXPORT hipGetLastError(void) {
  TAKE_TURN;
  (void)enter(__func__);
  return takeError();
}

EXPORT hipModuleLoadData(void **module, const char *image) {
  ENTER_MAKING(module);
  REQUIRE(mayLoad(), CAPTURE_UNSUPPORTED);
  REQUIRE(strncmp(image, "bad", 3) != 0, NO_BINARY);
  *module = makeModule(image);
  return 0;
}

/// Of the default stream it is the one that is current.
EXPORT hipStreamGetDevice(void *handle, int *device) {
  ENTER;
  struct object *stream = findObject(handle, STREAM);
  REQUIRE(stream, INVALID_HANDLE);
  *device = deviceOfContext(stream->context);
  return 0;
}

/// hipPointerAttribute_t
struct pointerAttributes {
  int type, device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned flags;
};

/// Host memory is unknown to the driver, which gives it no type.
EXPORT hipPointerGetAttributes(struct pointerAttributes *attributes,
                               const void *address) {
  enum { UNREGISTERED = 0, DEVICE = 2, NO_DEVICE = -2 };
  ENTER;
  struct object *memory = lookUpMemory((uintptr_t)address, 1);
  memset(attributes, 0, sizeof *attributes);
  attributes->type = memory ? DEVICE : UNREGISTERED;
  attributes->device = memory ? deviceOfContext(memory->context) : NO_DEVICE;
  return 0;
}
