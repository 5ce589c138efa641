//===- CudaModules.h - The code of a compiled estimator on GPUs -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_CUDA_CUDAMODULES_H
#define RLSCAN_RUNTIME_CUDA_CUDAMODULES_H

#include "rlscan/abi.h"
#include "runtime/cuda/CudaDriver.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace rlscan::cuda {

/// A variant on one device.
struct LoadedVariant {
  Module module;
  std::vector<Function> functions;
  /// How many workgroups of each fit the device at a time.
  std::vector<int64_t> resident;
};

/// What is loaded of one estimator. Modules stay until release(): unloading one
/// would wait for the device, or break a capture.
class Modules {
public:
  static Modules &of(const rlscan_estimator &estimator);
  /// Unloads everything; nothing may be using it.
  static void release(const rlscan_estimator &estimator);

  explicit Modules(const rlscan_estimator &estimator) : estimator(estimator) {}

  /// The variant as it is on the device, or null.
  const LoadedVariant *find(int variant, const Device &device) const;
  /// Loads it there, once, whichever thread comes first.
  rlscan_status load(int variant, const Device &device,
                     const LoadedVariant *&loaded);

private:
  using Slot = std::atomic<const LoadedVariant *>;
  static constexpr int maxDevices = 64;

  const rlscan_estimator &estimator;
  std::mutex mutex;
  std::atomic<Slot *> devices[maxDevices] = {};
};

} // namespace rlscan::cuda

#endif // RLSCAN_RUNTIME_CUDA_CUDAMODULES_H
