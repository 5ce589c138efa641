/*===- driver.h - The caller's side of a GPU -----------------------*- C
-*-===*\
|*                                                                            *|
|* Part of the rlscan project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What a trainer has of its own: memory, streams, graphs. Opened with dlopen,*|
|* so that the test needs nothing of CUDA to be built. What fails here ends   *|
|* the program.                                                               *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef RLSCAN_TEST_GPU_DRIVER_H
#define RLSCAN_TEST_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/* DRIVER(name, parameters...) for every function that is used. */
#define DRIVER_FUNCTIONS(DRIVER)                                               \
  DRIVER(cuInit, unsigned)                                                     \
  DRIVER(cuDeviceGet, int *, int)                                              \
  DRIVER(cuDeviceGetCount, int *)                                              \
  DRIVER(cuDeviceGetName, char *, int, int)                                    \
  DRIVER(cuDevicePrimaryCtxRetain, void **, int)                               \
  DRIVER(cuCtxPushCurrent_v2, void *)                                          \
  DRIVER(cuCtxPopCurrent_v2, void **)                                          \
  DRIVER(cuCtxSynchronize, void)                                               \
  DRIVER(cuMemAlloc_v2, uint64_t *, size_t)                                    \
  DRIVER(cuMemFree_v2, uint64_t)                                               \
  DRIVER(cuMemcpyHtoDAsync_v2, uint64_t, const void *, size_t, void *)         \
  DRIVER(cuMemcpyDtoHAsync_v2, void *, uint64_t, size_t, void *)               \
  DRIVER(cuMemcpyDtoDAsync_v2, uint64_t, uint64_t, size_t, void *)             \
  DRIVER(cuMemsetD8Async, uint64_t, unsigned char, size_t, void *)             \
  DRIVER(cuStreamCreate, void **, unsigned)                                    \
  DRIVER(cuStreamDestroy_v2, void *)                                           \
  DRIVER(cuStreamSynchronize, void *)                                          \
  DRIVER(cuStreamBeginCapture_v2, void *, int)                                 \
  DRIVER(cuStreamEndCapture, void *, void **)                                  \
  DRIVER(cuGraphInstantiateWithFlags, void **, void *, unsigned long long)     \
  DRIVER(cuGraphLaunch, void *, void *)                                        \
  DRIVER(cuGraphExecDestroy, void *)                                           \
  DRIVER(cuGraphDestroy, void *)                                               \
  DRIVER(cuLaunchHostFunc, void *, void (*)(void *), void *)                   \
  DRIVER(cuModuleLoadDataEx, void **, const void *, unsigned, int *, void **)  \
  DRIVER(cuModuleGetFunction, void **, void *, const char *)                   \
  DRIVER(cuLaunchKernel, void *, unsigned, unsigned, unsigned, unsigned,       \
         unsigned, unsigned, unsigned, void *, void **, void **)

struct driver {
#define DRIVER_MEMBER(name, ...) int (*name)(__VA_ARGS__);
  DRIVER_FUNCTIONS(DRIVER_MEMBER)
#undef DRIVER_MEMBER
};

extern struct driver driver;

/* Ends the program where a call of the driver failed. */
#define CU(call) checkDriver(#call, driver.call)
void checkDriver(const char *call, int code);

/* Opens libcuda.so.1, or what RLSCAN_CUDA_DRIVER names. */
void openDriver(void);
int deviceCount(void);
/* Makes a GPU's primary context current. */
void enterDevice(int ordinal);
void leaveDevice(void);

void *allocate(size_t bytes);
void release(void *memory);
/* In the order of the stream; finished on return. */
void upload(void *to, const void *from, size_t bytes, void *stream);
void download(void *to, const void *from, size_t bytes, void *stream);

static inline uint64_t address(const void *memory) {
  return (uint64_t)(uintptr_t)memory;
}

#endif /* RLSCAN_TEST_GPU_DRIVER_H */
