//===- DeviceGrid.h - How a device kernel is launched -----------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CORE_DEVICEGRID_H
#define RLSCAN_RUNTIME_CORE_DEVICEGRID_H

#include "rlscan/abi.h"

namespace rlscan::runtime {

/// The bytes of workspace that a call needs: zeroed once, then used by one
/// stream at a time.
int64_t workspaceBytes(const rlscan_kernel &kernel, int64_t rows,
                       int64_t steps);

/// How many workgroups are launched where `resident` fit the device.
int64_t gridOf(const rlscan_kernel &kernel, int64_t rows, int64_t steps,
               int64_t resident);

/// Whether a row of so many steps can be held.
bool holdsRow(const rlscan_kernel &kernel, int64_t steps);

/// How many strides a device function takes for an array.
int numStrides(int32_t kind, bool hasAxis);

/// The arguments of a device function, in its order; docs/gpu.md.
class DeviceArguments {
public:
  DeviceArguments() = default;
  DeviceArguments(const DeviceArguments &other) { *this = other; }
  /// Copies what there is, which is less than there may be.
  DeviceArguments &operator=(const DeviceArguments &other);
  void add(uint64_t value) { values[count++] = value; }
  void addArray(uint64_t address, const int64_t *strides, int number);
  /// What a driver's launch takes.
  void **pointers();

private:
  // An array has an address and 3 strides; then sizes, axes, the workspace.
  static constexpr int most = 32 * 4 + 2 + 32 + 1;
  int count = 0;
  uint64_t values[most];
  void *addresses[most];
};

} // namespace rlscan::runtime

#endif // RLSCAN_RUNTIME_CORE_DEVICEGRID_H
