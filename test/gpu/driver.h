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
|* so that the test needs nothing of CUDA or ROCm to be built. What fails     *|
|* here ends the program.                                                     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef RLSCAN_TEST_GPU_DRIVER_H
#define RLSCAN_TEST_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/* DRIVER(name, CUDA's name, HIP's name, parameters...) for every function that
   is used of both. */
/* clang-format off */
#define DRIVER_FUNCTIONS(DRIVER)                                               \
  DRIVER(initialize, cuInit, hipInit, unsigned)                                \
  DRIVER(getCount, cuDeviceGetCount, hipGetDeviceCount, int *)                 \
  DRIVER(synchronizeDevice, cuCtxSynchronize, hipDeviceSynchronize, void)      \
  DRIVER(allocate, cuMemAlloc_v2, hipMalloc, void **, size_t)                  \
  DRIVER(free, cuMemFree_v2, hipFree, void *)                                  \
  DRIVER(copyToDevice, cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync, void *,       \
         const void *, size_t, void *)                                         \
  DRIVER(copyToHost, cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync, void *,         \
         const void *, size_t, void *)                                         \
  DRIVER(copyOnDevice, cuMemcpyDtoDAsync_v2, hipMemcpyDtoDAsync, void *,       \
         const void *, size_t, void *)                                         \
  DRIVER(fill, cuMemsetD8Async, hipMemsetD8Async, void *, unsigned char,       \
         size_t, void *)                                                       \
  DRIVER(createStream, cuStreamCreate, hipStreamCreateWithFlags, void **,      \
         unsigned)                                                             \
  DRIVER(destroyStream, cuStreamDestroy_v2, hipStreamDestroy, void *)          \
  DRIVER(synchronizeStream, cuStreamSynchronize, hipStreamSynchronize, void *) \
  DRIVER(beginCapture, cuStreamBeginCapture_v2, hipStreamBeginCapture, void *, \
         int)                                                                  \
  DRIVER(endCapture, cuStreamEndCapture, hipStreamEndCapture, void *, void **) \
  DRIVER(instantiateGraph, cuGraphInstantiateWithFlags,                        \
         hipGraphInstantiateWithFlags, void **, void *, unsigned long long)    \
  DRIVER(launchGraph, cuGraphLaunch, hipGraphLaunch, void *, void *)           \
  DRIVER(destroyExec, cuGraphExecDestroy, hipGraphExecDestroy, void *)         \
  DRIVER(destroyGraph, cuGraphDestroy, hipGraphDestroy, void *)                \
  DRIVER(launchHostFunction, cuLaunchHostFunc, hipLaunchHostFunc, void *,      \
         void (*)(void *), void *)                                             \
  DRIVER(getDeviceName, cuDeviceGetName, hipDeviceGetName, char *, int, int)   \
  DRIVER(getFunction, cuModuleGetFunction, hipModuleGetFunction, void **,      \
         void *, const char *)                                                 \
  DRIVER(launchKernel, cuLaunchKernel, hipModuleLaunchKernel, void *,          \
         unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
         void *, void **, void **)
/* clang-format on */

struct driver {
#define DRIVER_MEMBER(name, cuda, hip, ...) int (*name)(__VA_ARGS__);
  DRIVER_FUNCTIONS(DRIVER_MEMBER)
#undef DRIVER_MEMBER
  void *library;
  int isHip;
};

extern struct driver driver;

/* Ends the program where a call of the driver failed. */
#define CHECK(call) checkDriver(#call, driver.call)
void checkDriver(const char *call, int code);

/* Opens libcuda.so.1 or libamdhip64.so, or what RLSCAN_CUDA_DRIVER or
   RLSCAN_HIP_DRIVER names. `vendor` is "cuda", "hip", or null: what is there.
 */
void openDriver(const char *vendor);
/* A function that only one of the drivers has. */
void *findFunction(const char *name);
/* What a fake driver counts: one of its functions without arguments. */
int askFake(const char *name);
/* Of the tests' drivers, too: how often a function was called, and code loaded.
 */
int countCalls(const char *cuda, const char *hip);
int countModules(void);

int deviceCount(void);
/* At most 255 characters. */
const char *deviceName(int ordinal);
/* Makes a GPU's primary context current, and puts back what was. */
void enterDevice(int ordinal);
void leaveDevice(void);

/* On a GPU; the stream waits for no default one. */
void *makeStreamOn(int ordinal);

void *allocate(size_t bytes);
void release(void *memory);
/* In the order of the stream; finished on return. */
void upload(void *to, const void *from, size_t bytes, void *stream);
void download(void *to, const void *from, size_t bytes, void *stream);

#endif /* RLSCAN_TEST_GPU_DRIVER_H */
