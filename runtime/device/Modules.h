//===- Modules.h - The code of a compiled estimator on GPUs -----*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RUNTIME_DEVICE_MODULES_H
#define RLSCAN_RUNTIME_DEVICE_MODULES_H

#include "runtime/device/Devices.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace rlscan::device {

/// A variant on one device.
struct LoadedVariant {
  /// No other one in the process ever has the same.
  uint64_t number = 0;
  Module module;
  std::vector<Function> functions;
  /// How many workgroups of each fit the device at a time.
  std::vector<int64_t> resident;
};

/// Whether a GPU runs the code of a variant.
bool runsOn(const rlscan_variant &variant, const Device &device);
/// What is said where it runs none of an estimator's; `name` is the variant's
/// or the estimator's.
rlscan_status failUnfit(const rlscan_estimator &estimator, const char *name,
                        const Device &device);

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

  const rlscan_estimator &estimator;
  std::mutex mutex;
  std::atomic<Slot *> devices[numSlots] = {};
};

} // namespace rlscan::device

#endif // RLSCAN_RUNTIME_DEVICE_MODULES_H
