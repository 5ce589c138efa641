//===- DeviceGrid.cpp - How a device kernel is launched -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/DeviceGrid.h"
#include "runtime/core/Sizes.h"

#include <algorithm>

using namespace rlscan::runtime;

int64_t rlscan::runtime::workspaceBytes(const rlscan_kernel &kernel,
                                        int64_t rows, int64_t steps) {
  if (rows == 0 || steps == 0)
    return 0;
  if (kernel.chain == RLSCAN_LOOK_BACK)
    return sumOf(128, productOf(productOf(divideCeil(rows, kernel.rows),
                                          int64_t(kernel.rows) * kernel.scans),
                                productOf(divideCeil(steps, kernel.tile_steps),
                                          kernel.state_bytes)));
  return productOf(productOf(rows, steps), int64_t(kernel.temporaries) * 8);
}

int64_t rlscan::runtime::gridOf(const rlscan_kernel &kernel, int64_t rows,
                                int64_t steps, int64_t resident) {
  int64_t grid = divideCeil(rows, kernel.rows);
  if (kernel.chain == RLSCAN_LOOK_BACK)
    grid = std::min(grid * divideCeil(steps, kernel.tile_steps), resident);
  return grid;
}

bool rlscan::runtime::holdsRow(const rlscan_kernel &kernel, int64_t steps) {
  return kernel.chain != RLSCAN_ONCE || steps <= kernel.tile_steps;
}

int rlscan::runtime::numStrides(int32_t kind, bool hasAxis) {
  if (kind == RLSCAN_PARAM)
    return 0;
  return kind == RLSCAN_ROW ? 1 : hasAxis ? 3 : 2;
}

DeviceArguments &DeviceArguments::operator=(const DeviceArguments &other) {
  count = other.count;
  std::copy_n(other.values, count, values);
  return *this;
}

void DeviceArguments::addArray(uint64_t address, const int64_t *strides,
                               int number) {
  add(address);
  for (int i = 0; i < number; ++i)
    add(static_cast<uint64_t>(strides[i]));
}

void **DeviceArguments::pointers() {
  for (int i = 0; i < count; ++i)
    addresses[i] = &values[i];
  return addresses;
}
