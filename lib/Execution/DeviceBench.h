//===- DeviceBench.h - Timing a kernel against its floor --------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_EXECUTION_DEVICEBENCH_H
#define RLSCAN_EXECUTION_DEVICEBENCH_H

#include "runtime/device/Objects.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>

namespace rlscan {

/// Times of one launch: the median, the least and the most.
struct DeviceBenchResult {
  double kernelSeconds = 0.0, kernelMin = 0.0, kernelMax = 0.0;
  /// The median for a kernel that only moves as many bytes, which there is for
  /// NVIDIA's devices.
  std::optional<double> floorSeconds;
  int launchesPerGraph = 0; // of the kernel
  int sets = 0;
};

/// Times the kernel that `launch` queues, and in turns with it the fastest
/// kernel that reads `bytesRead` bytes and writes `bytesWritten`
/// (FloorKernel.h).
///
/// The caller has `sets` sets of arrays, too large together for the device's
/// cache, and `launch` takes one after the other: no launch finds its arrays in
/// the cache. `launch` is called before and during the capture of a graph, and
/// must only queue work; the floor gets as many sets of buffers.
llvm::Expected<DeviceBenchResult> benchmarkOnDevice(
    const device::Device &device, int64_t bytesRead, int64_t bytesWritten,
    unsigned sets,
    llvm::function_ref<llvm::Error(unsigned set, const device::Stream &stream)>
        launch);

} // namespace rlscan

#endif // RLSCAN_EXECUTION_DEVICEBENCH_H
