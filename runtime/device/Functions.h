//===- Functions.h - What is used of every vendor's driver ------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The binary interfaces of libcuda.so.1 and libamdhip64.so, as far as they are
// one, for Linux on 64-bit machines, in our own words: the drivers are opened
// at run time and their headers are not needed. Handles and addresses of a
// device are pointers here; numbers are those below at both vendors. What each
// has its own way for is in runtime/cuda/ and runtime/hip/.
//
// All of it is there since CUDA 11.4 (drivers 470), and in ROCm 6.0 to 7.1.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_DEVICE_FUNCTIONS_H
#define RLSCAN_RUNTIME_DEVICE_FUNCTIONS_H

#include <cstddef>
#include <cstdint>

namespace rlscan::device {

/// CUresult, hipError_t
constexpr int success = 0;

/// CUfunction_attribute, hipFunction_attribute
enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  LocalSizeBytes = 3,
  NumRegs = 4,
};

/// CUstreamCaptureMode, hipStreamCaptureMode
enum class CaptureMode : int { Global = 0, ThreadLocal = 1, Relaxed = 2 };

/// CUstreamCaptureStatus, hipStreamCaptureStatus
enum class CaptureStatus : int { None = 0, Active = 1, Invalidated = 2 };

/// CUstream_flags, CUevent_flags, hipStreamNonBlocking, hipEventDefault
constexpr unsigned streamNonBlocking = 1;
constexpr unsigned eventDefault = 0;

/// A function of a driver, by the name that the library exports.
template <typename Signature> struct Entry {
  const char *name = nullptr;
  Signature *call = nullptr;
};

} // namespace rlscan::device

// FUNCTION(name, CUDA's name, HIP's name, parameters...) for every function;
// each returns success or the number of an error.
// clang-format off
#define RLSCAN_DEVICE_FUNCTIONS(FUNCTION)                                      \
  FUNCTION(initialize, cuInit, hipInit, unsigned flags)                        \
  FUNCTION(getVersion, cuDriverGetVersion, hipDriverGetVersion, int *version)  \
  FUNCTION(getErrorName, cuGetErrorName, hipDrvGetErrorName, int error,        \
           const char **name)                                                  \
  FUNCTION(getErrorText, cuGetErrorString, hipDrvGetErrorString, int error,    \
           const char **text)                                                  \
  FUNCTION(getDeviceCount, cuDeviceGetCount, hipGetDeviceCount, int *count)    \
  FUNCTION(getDeviceName, cuDeviceGetName, hipDeviceGetName, char *name,       \
           int length, int device)                                             \
  FUNCTION(synchronizeDevice, cuCtxSynchronize, hipDeviceSynchronize, void)    \
  FUNCTION(unloadModule, cuModuleUnload, hipModuleUnload, void *module)        \
  FUNCTION(getFunction, cuModuleGetFunction, hipModuleGetFunction,             \
           void **function, void *module, const char *name)                    \
  FUNCTION(getFunctionAttribute, cuFuncGetAttribute, hipFuncGetAttribute,      \
           int *value, FunctionAttribute attribute, void *function)            \
  FUNCTION(getOccupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,          \
           hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks,    \
           void *function, int blockSize, size_t dynamicSharedBytes)           \
  FUNCTION(launchKernel, cuLaunchKernel, hipModuleLaunchKernel,                \
           void *function, unsigned gridX, unsigned gridY, unsigned gridZ,     \
           unsigned blockX, unsigned blockY, unsigned blockZ,                  \
           unsigned sharedBytes, void *stream, void **params, void **extra)    \
  FUNCTION(allocate, cuMemAlloc_v2, hipMalloc, void **address, size_t bytes)   \
  FUNCTION(free, cuMemFree_v2, hipFree, void *address)                         \
  FUNCTION(copyToDevice, cuMemcpyHtoDAsync_v2, hipMemcpyHtoDAsync,             \
           void *target, const void *source, size_t bytes, void *stream)       \
  FUNCTION(copyToHost, cuMemcpyDtoHAsync_v2, hipMemcpyDtoHAsync, void *target, \
           void *source, size_t bytes, void *stream)                           \
  FUNCTION(fill, cuMemsetD8Async, hipMemsetD8Async, void *target,              \
           unsigned char value, size_t bytes, void *stream)                    \
  FUNCTION(createStream, cuStreamCreate, hipStreamCreateWithFlags,             \
           void **stream, unsigned flags)                                      \
  FUNCTION(destroyStream, cuStreamDestroy_v2, hipStreamDestroy, void *stream)  \
  FUNCTION(synchronizeStream, cuStreamSynchronize, hipStreamSynchronize,       \
           void *stream)                                                       \
  FUNCTION(isCapturing, cuStreamIsCapturing, hipStreamIsCapturing,             \
           void *stream, CaptureStatus *status)                                \
  FUNCTION(beginCapture, cuStreamBeginCapture_v2, hipStreamBeginCapture,       \
           void *stream, CaptureMode mode)                                     \
  FUNCTION(endCapture, cuStreamEndCapture, hipStreamEndCapture, void *stream,  \
           void **graph)                                                       \
  FUNCTION(exchangeCaptureMode, cuThreadExchangeStreamCaptureMode,             \
           hipThreadExchangeStreamCaptureMode, CaptureMode *mode)              \
  FUNCTION(instantiateGraph, cuGraphInstantiateWithFlags,                      \
           hipGraphInstantiateWithFlags, void **exec, void *graph,             \
           unsigned long long flags)                                           \
  FUNCTION(launchGraph, cuGraphLaunch, hipGraphLaunch, void *exec,             \
           void *stream)                                                       \
  FUNCTION(destroyExec, cuGraphExecDestroy, hipGraphExecDestroy, void *exec)   \
  FUNCTION(destroyGraph, cuGraphDestroy, hipGraphDestroy, void *graph)         \
  FUNCTION(createEvent, cuEventCreate, hipEventCreateWithFlags, void **event,  \
           unsigned flags)                                                     \
  FUNCTION(recordEvent, cuEventRecord, hipEventRecord, void *event,            \
           void *stream)                                                       \
  FUNCTION(getElapsedTime, cuEventElapsedTime, hipEventElapsedTime,            \
           float *milliseconds, void *begin, void *end)                        \
  FUNCTION(synchronizeEvent, cuEventSynchronize, hipEventSynchronize,          \
           void *event)                                                        \
  FUNCTION(destroyEvent, cuEventDestroy_v2, hipEventDestroy, void *event)
// clang-format on

namespace rlscan::device {

/// The functions of one driver.
struct Functions {
#define RLSCAN_DEVICE_ENTRY(name, cuda, hip, ...) Entry<int(__VA_ARGS__)> name;
  RLSCAN_DEVICE_FUNCTIONS(RLSCAN_DEVICE_ENTRY)
#undef RLSCAN_DEVICE_ENTRY
};

} // namespace rlscan::device

#endif // RLSCAN_RUNTIME_DEVICE_FUNCTIONS_H
