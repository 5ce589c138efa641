//===- HipSymbols.h - What only AMD's driver has ----------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As runtime/device/Functions.h, of ROCm 6.0 to 7.1. Numbers of attributes of
// devices are another's in each release, and are not used.
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_HIP_HIPSYMBOLS_H
#define RLSCAN_RUNTIME_HIP_HIPSYMBOLS_H

#include "runtime/device/Functions.h"

namespace rlscan::hip {

/// hipDeviceProp_tR0600: the struct of the function whose name ends so. Its
/// layout is fixed with that name since ROCm 6.0.
struct DeviceProperties {
  char unused0[388];
  int multiProcessorCount;
  char unused1[768];
  char gcnArchName[256]; // "gfx90a:sramecc+:xnack-"
  char unused2[56];
};
static_assert(offsetof(DeviceProperties, multiProcessorCount) == 388);
static_assert(offsetof(DeviceProperties, gcnArchName) == 1160);
static_assert(sizeof(DeviceProperties) == 1472);

/// hipMemoryType; the numbers were others before ROCm 6.0.
enum class MemoryType : int { Unregistered = 0, Host = 1, Device = 2 };

/// hipPointerAttribute_t
struct PointerAttributes {
  MemoryType type;
  int device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};

} // namespace rlscan::hip

// SYMBOL(name, parameters...) for every function; each returns a hipError_t.
// clang-format off
#define RLSCAN_HIP_SYMBOLS(SYMBOL)                                             \
  SYMBOL(hipGetDevicePropertiesR0600, DeviceProperties *properties,            \
         int device)                                                           \
  SYMBOL(hipGetDevice, int *device)                                            \
  SYMBOL(hipSetDevice, int device)                                             \
  SYMBOL(hipModuleLoadData, void **module, const void *image)                  \
  SYMBOL(hipPointerGetAttributes, PointerAttributes *attributes,               \
         const void *address)                                                  \
  SYMBOL(hipStreamGetDevice, void *stream, int *device)                        \
  SYMBOL(hipGetLastError, void)
// clang-format on

namespace rlscan::hip {

struct Symbols {
#define RLSCAN_HIP_ENTRY(name, ...) device::Entry<int(__VA_ARGS__)> name;
  RLSCAN_HIP_SYMBOLS(RLSCAN_HIP_ENTRY)
#undef RLSCAN_HIP_ENTRY
};

} // namespace rlscan::hip

#endif // RLSCAN_RUNTIME_HIP_HIPSYMBOLS_H
