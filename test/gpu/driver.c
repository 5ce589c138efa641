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

static void *find(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found)
    return found;
  fprintf(stderr, "the driver has no %s\n", name);
  exit(2);
}

void openDriver(void) {
  const char *path = getenv("RLSCAN_CUDA_DRIVER");
  void *library = dlopen(path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(2);
  }
  /* ISO C has no conversion from an object pointer to a function's. */
#define DRIVER_FIND(name, ...)                                                 \
  do {                                                                         \
    void *found = find(library, #name);                                        \
    memcpy(&driver.name, &found, sizeof found);                                \
  } while (0);
  DRIVER_FUNCTIONS(DRIVER_FIND)
#undef DRIVER_FIND
  CU(cuInit(0));
}

int deviceCount(void) {
  int count = 0;
  CU(cuDeviceGetCount(&count));
  return count;
}

void enterDevice(int ordinal) {
  void *context = NULL;
  int device = 0;
  CU(cuDeviceGet(&device, ordinal));
  CU(cuDevicePrimaryCtxRetain(&context, device));
  CU(cuCtxPushCurrent_v2(context));
}

void leaveDevice(void) {
  void *context = NULL;
  CU(cuCtxPopCurrent_v2(&context));
}

void *allocate(size_t bytes) {
  uint64_t memory = 0;
  CU(cuMemAlloc_v2(&memory, bytes));
  return (void *)(uintptr_t)memory;
}

void release(void *memory) { CU(cuMemFree_v2(address(memory))); }

void upload(void *to, const void *from, size_t bytes, void *stream) {
  CU(cuMemcpyHtoDAsync_v2(address(to), from, bytes, stream));
  CU(cuStreamSynchronize(stream));
}

void download(void *to, const void *from, size_t bytes, void *stream) {
  CU(cuMemcpyDtoHAsync_v2(to, address(from), bytes, stream));
  CU(cuStreamSynchronize(stream));
}
