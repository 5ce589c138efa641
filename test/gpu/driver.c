/*===- driver.c - The caller's side of a GPU ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct driver driver;

void checkDriver(const char *call, int code) {
  if (code == 0)
    return;
  fprintf(stderr, "%s: error %d of the driver\n", call, code);
  exit(2);
}

void *findFunction(const char *name) {
  void *found = dlsym(driver.library, name);
  if (found)
    return found;
  fprintf(stderr, "the driver has no %s\n", name);
  exit(2);
}

/* Of a function that only one of the drivers has. */
#define OWN(name, types, ...)                                                  \
  checkDriver(#name, ((int(*) types)findFunction(#name))(__VA_ARGS__))

/*===----------------------------------------------------------------------===*\
|* The library
\*===----------------------------------------------------------------------===*/

static void *openFirst(const char *variable, const char *const *files) {
  const char *told = getenv(variable);
  void *library = NULL;
  if (told && *told)
    return dlopen(told, RTLD_NOW | RTLD_LOCAL);
  for (; *files && !library; ++files)
    library = dlopen(*files, RTLD_NOW | RTLD_LOCAL);
  return library;
}

static void openLibrary(const char *vendor) {
  static const char *const cuda[] = {"libcuda.so.1", NULL};
  static const char *const hip[] = {"libamdhip64.so", "libamdhip64.so.7",
                                    "libamdhip64.so.6",
                                    "/opt/rocm/lib/libamdhip64.so", NULL};
  driver.library = NULL;
  driver.isHip = 0;
  if (!vendor || strcmp(vendor, "cuda") == 0)
    driver.library = openFirst("RLSCAN_CUDA_DRIVER", cuda);
  if (driver.library || (vendor && strcmp(vendor, "hip") != 0))
    return;
  driver.library = openFirst("RLSCAN_HIP_DRIVER", hip);
  driver.isHip = 1;
}

void openDriver(const char *vendor) {
  openLibrary(vendor);
  if (!driver.library) {
    fprintf(stderr, "no driver of a GPU can be opened\n");
    exit(2);
  }
  /* ISO C has no conversion from an object pointer to a function's. */
#define DRIVER_FIND(name, cuda, hip, ...)                                      \
  do {                                                                         \
    void *found = findFunction(driver.isHip ? #hip : #cuda);                   \
    memcpy(&driver.name, &found, sizeof found);                                \
  } while (0);
  DRIVER_FUNCTIONS(DRIVER_FIND)
#undef DRIVER_FIND
  CHECK(initialize(0));
}

/*===----------------------------------------------------------------------===*\
|* Devices
\*===----------------------------------------------------------------------===*/

int deviceCount(void) {
  int count = 0;
  CHECK(getCount(&count));
  return count;
}

/* A device's number in the driver. */
static int numberOf(int ordinal) {
  int device = ordinal;
  if (!driver.isHip)
    OWN(cuDeviceGet, (int *, int), &device, ordinal);
  return device;
}

const char *deviceName(int ordinal) {
  static char name[256];
  CHECK(getDeviceName(name, sizeof name - 1, numberOf(ordinal)));
  return name;
}

/* HIP's devices that were current, the last of them first. */
enum { MAX_DEPTH = 16 };
static int before[MAX_DEPTH], depth;

void enterDevice(int ordinal) {
  void *context = NULL;
  if (driver.isHip) {
    OWN(hipGetDevice, (int *), &before[depth++ % MAX_DEPTH]);
    OWN(hipSetDevice, (int), ordinal);
    return;
  }
  OWN(cuDevicePrimaryCtxRetain, (void **, int), &context, numberOf(ordinal));
  OWN(cuCtxPushCurrent_v2, (void *), context);
}

void leaveDevice(void) {
  void *context = NULL;
  if (driver.isHip)
    OWN(hipSetDevice, (int), before[--depth % MAX_DEPTH]);
  else
    OWN(cuCtxPopCurrent_v2, (void **), &context);
}

/*===----------------------------------------------------------------------===*\
|* Memory
\*===----------------------------------------------------------------------===*/

int askFake(const char *name) { return ((int (*)(void))findFunction(name))(); }

int countCalls(const char *cuda, const char *hip) {
  int (*count)(const char *) = (int (*)(const char *))findFunction("fakeCalls");
  return count(driver.isHip ? hip : cuda);
}

int countModules(void) {
  return countCalls("cuModuleLoadDataEx", "hipModuleLoadData");
}

void *makeStreamOn(int ordinal) {
  void *stream = NULL;
  enterDevice(ordinal);
  CHECK(createStream(&stream, 1));
  leaveDevice();
  return stream;
}

void *allocate(size_t bytes) {
  void *memory = NULL;
  CHECK(allocate(&memory, bytes));
  return memory;
}

void release(void *memory) { CHECK(free(memory)); }

void upload(void *to, const void *from, size_t bytes, void *stream) {
  CHECK(copyToDevice(to, from, bytes, stream));
  CHECK(synchronizeStream(stream));
}

void download(void *to, const void *from, size_t bytes, void *stream) {
  CHECK(copyToHost(to, from, bytes, stream));
  CHECK(synchronizeStream(stream));
}
