//===- CudaSymbols.h - What only NVIDIA's driver has ------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As runtime/device/Functions.h. Names are those that the library exports, so
// with their version suffixes.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CUDA_CUDASYMBOLS_H
#define RLSCAN_RUNTIME_CUDA_CUDASYMBOLS_H

#include "runtime/device/Functions.h"

namespace rlscan::cuda {

/// CUdevice_attribute
enum class DeviceAttribute : int {
  MultiprocessorCount = 16,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
};

/// CUjit_option
enum class JitOption : int {
  ErrorLogBuffer = 5,          // char *
  ErrorLogBufferSizeBytes = 6, // unsigned, as a pointer's value
  GenerateLineInfo = 13,       // int, as a pointer's value
};

/// CUpointer_attribute; the values are ints.
enum class PointerAttribute : int {
  MemoryType = 2, // a MemoryType
  IsManaged = 8,
  DeviceOrdinal = 9,
};

/// CUmemorytype
enum class MemoryType : int { Host = 1, Device = 2, Array = 3, Unified = 4 };

} // namespace rlscan::cuda

// SYMBOL(name, parameters...) for every function; each returns a CUresult.
// clang-format off
#define RLSCAN_CUDA_SYMBOLS(SYMBOL)                                            \
  SYMBOL(cuDeviceGet, int *device, int ordinal)                                \
  SYMBOL(cuDeviceGetAttribute, int *value, DeviceAttribute attribute,          \
         int device)                                                           \
  SYMBOL(cuDevicePrimaryCtxRetain, void **context, int device)                 \
  SYMBOL(cuDevicePrimaryCtxRelease_v2, int device)                             \
  SYMBOL(cuCtxPushCurrent_v2, void *context)                                   \
  SYMBOL(cuCtxPopCurrent_v2, void **context)                                   \
  SYMBOL(cuCtxGetCurrent, void **context)                                      \
  SYMBOL(cuCtxGetDevice, int *device)                                          \
  SYMBOL(cuModuleLoadDataEx, void **module, const void *image,                 \
         unsigned optionCount, JitOption *options, void **optionValues)        \
  SYMBOL(cuPointerGetAttributes, unsigned count, PointerAttribute *attributes, \
         void **values, uint64_t address)                                      \
  SYMBOL(cuStreamGetCtx, void *stream, void **context)
// clang-format on

namespace rlscan::cuda {

struct Symbols {
#define RLSCAN_CUDA_ENTRY(name, ...) device::Entry<int(__VA_ARGS__)> name;
  RLSCAN_CUDA_SYMBOLS(RLSCAN_CUDA_ENTRY)
#undef RLSCAN_CUDA_ENTRY
};

} // namespace rlscan::cuda

#endif // RLSCAN_RUNTIME_CUDA_CUDASYMBOLS_H
