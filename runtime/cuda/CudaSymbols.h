//===- CudaSymbols.h - What is used of NVIDIA's driver ----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The binary interface of libcuda.so.1, for Linux on 64-bit machines, in our
// own words: the driver is opened at run time and its headers are not needed.
// Names are those that the library exports, so with their version suffixes.
// All of them are there since CUDA 11.4 (drivers 470).
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CUDA_CUDASYMBOLS_H
#define RLSCAN_RUNTIME_CUDA_CUDASYMBOLS_H

#include <cstddef>
#include <cstdint>

namespace rlscan::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = struct CUcontextObject *;
using CUmodule = struct CUmoduleObject *;
using CUfunction = struct CUfunctionObject *;
using CUstream = struct CUstreamObject *;
using CUevent = struct CUeventObject *;
using CUgraph = struct CUgraphObject *;
using CUgraphExec = struct CUgraphExecObject *;

/// CUresult
constexpr CUresult success = 0;

/// CUdevice_attribute
enum class DeviceAttribute : int {
  MultiprocessorCount = 16,
  L2CacheSize = 38,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerMultiprocessor = 81,
  MaxSharedMemoryPerBlockOptin = 97,
};

/// CUfunction_attribute
enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  LocalSizeBytes = 3,
  NumRegs = 4,
  MaxDynamicSharedSizeBytes = 8,
};

/// CUjit_option
enum class JitOption : int {
  ErrorLogBuffer = 5,          // char *
  ErrorLogBufferSizeBytes = 6, // unsigned, as a pointer's value
  GenerateLineInfo = 13,       // int, as a pointer's value
};

/// CUstreamCaptureMode
enum class CaptureMode : int { Global = 0, ThreadLocal = 1, Relaxed = 2 };

/// CUstreamCaptureStatus
enum class CaptureStatus : int { None = 0, Active = 1, Invalidated = 2 };

/// CUpointer_attribute; the values are ints.
enum class PointerAttribute : int {
  MemoryType = 2, // a MemoryType
  IsManaged = 8,
  DeviceOrdinal = 9,
};

/// CUmemorytype
enum class MemoryType : int { Host = 1, Device = 2, Array = 3, Unified = 4 };

/// CUstream_flags, CUevent_flags
constexpr unsigned streamNonBlocking = 1;
constexpr unsigned eventDefault = 0;

} // namespace rlscan::cuda

// SYMBOL(name, parameters...) for every function; each returns a CUresult.
// clang-format off
#define RLSCAN_CUDA_SYMBOLS(SYMBOL)                                            \
  SYMBOL(cuInit, unsigned flags)                                               \
  SYMBOL(cuDriverGetVersion, int *version)                                     \
  SYMBOL(cuGetErrorName, CUresult error, const char **name)                    \
  SYMBOL(cuGetErrorString, CUresult error, const char **text)                  \
  SYMBOL(cuDeviceGetCount, int *count)                                         \
  SYMBOL(cuDeviceGet, CUdevice *device, int ordinal)                           \
  SYMBOL(cuDeviceGetName, char *name, int length, CUdevice device)             \
  SYMBOL(cuDeviceGetAttribute, int *value, DeviceAttribute attribute,          \
         CUdevice device)                                                      \
  SYMBOL(cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device)        \
  SYMBOL(cuDevicePrimaryCtxRelease_v2, CUdevice device)                        \
  SYMBOL(cuCtxPushCurrent_v2, CUcontext context)                               \
  SYMBOL(cuCtxPopCurrent_v2, CUcontext *context)                               \
  SYMBOL(cuCtxSynchronize, void)                                               \
  SYMBOL(cuCtxGetCurrent, CUcontext *context)                                  \
  SYMBOL(cuCtxGetDevice, CUdevice *device)                                     \
  SYMBOL(cuModuleLoadDataEx, CUmodule *module, const void *image,              \
         unsigned optionCount, JitOption *options, void **optionValues)        \
  SYMBOL(cuModuleUnload, CUmodule module)                                      \
  SYMBOL(cuModuleGetFunction, CUfunction *function, CUmodule module,           \
         const char *name)                                                     \
  SYMBOL(cuFuncSetAttribute, CUfunction function, FunctionAttribute attribute, \
         int value)                                                            \
  SYMBOL(cuFuncGetAttribute, int *value, FunctionAttribute attribute,          \
         CUfunction function)                                                  \
  SYMBOL(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks,             \
         CUfunction function, int blockSize, size_t dynamicSharedBytes)        \
  SYMBOL(cuLaunchKernel, CUfunction function, unsigned gridX, unsigned gridY,  \
         unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,    \
         unsigned sharedBytes, CUstream stream, void **params, void **extra)   \
  SYMBOL(cuMemAlloc_v2, CUdeviceptr *address, size_t bytes)                    \
  SYMBOL(cuMemFree_v2, CUdeviceptr address)                                    \
  SYMBOL(cuPointerGetAttributes, unsigned count, PointerAttribute *attributes, \
         void **values, CUdeviceptr address)                                   \
  SYMBOL(cuMemcpyHtoDAsync_v2, CUdeviceptr target, const void *source,         \
         size_t bytes, CUstream stream)                                        \
  SYMBOL(cuMemcpyDtoHAsync_v2, void *target, CUdeviceptr source, size_t bytes, \
         CUstream stream)                                                      \
  SYMBOL(cuMemsetD8Async, CUdeviceptr target, unsigned char value,             \
         size_t bytes, CUstream stream)                                        \
  SYMBOL(cuStreamCreate, CUstream *stream, unsigned flags)                     \
  SYMBOL(cuStreamDestroy_v2, CUstream stream)                                  \
  SYMBOL(cuStreamSynchronize, CUstream stream)                                 \
  SYMBOL(cuStreamGetCtx, CUstream stream, CUcontext *context)                  \
  SYMBOL(cuStreamIsCapturing, CUstream stream, CaptureStatus *status)          \
  SYMBOL(cuStreamBeginCapture_v2, CUstream stream, CaptureMode mode)           \
  SYMBOL(cuStreamEndCapture, CUstream stream, CUgraph *graph)                  \
  SYMBOL(cuGraphInstantiateWithFlags, CUgraphExec *exec, CUgraph graph,        \
         unsigned long long flags)                                             \
  SYMBOL(cuGraphLaunch, CUgraphExec exec, CUstream stream)                     \
  SYMBOL(cuGraphExecDestroy, CUgraphExec exec)                                 \
  SYMBOL(cuGraphDestroy, CUgraph graph)                                        \
  SYMBOL(cuEventCreate, CUevent *event, unsigned flags)                        \
  SYMBOL(cuEventRecord, CUevent event, CUstream stream)                        \
  SYMBOL(cuEventElapsedTime, float *milliseconds, CUevent begin, CUevent end)  \
  SYMBOL(cuEventSynchronize, CUevent event)                                    \
  SYMBOL(cuEventDestroy_v2, CUevent event)
// clang-format on

namespace rlscan::cuda {

/// The functions, by their names.
struct Symbols {
#define RLSCAN_CUDA_POINTER(name, ...) CUresult (*name)(__VA_ARGS__) = nullptr;
  RLSCAN_CUDA_SYMBOLS(RLSCAN_CUDA_POINTER)
#undef RLSCAN_CUDA_POINTER
};

} // namespace rlscan::cuda

#endif // RLSCAN_RUNTIME_CUDA_CUDASYMBOLS_H
