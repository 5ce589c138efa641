//===- DeviceKernels.h - Kernels of a recipe for a device ----- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_DEVICEKERNELS_H
#define RLSCAN_TEST_EXECUTION_DEVICEKERNELS_H

#include "Execution/DeviceCall.h"
#include "SchedulePlan.h"
#include "TargetOptions.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

namespace rlscan::test {

/// Whose turn it is among the schedules.
struct ScheduleTurn {
  const TargetOptions &options;
  const SchedulePlan &plan;
  size_t number = 0;
};

/// The kernels that have been compiled of one recipe.
class DeviceKernels {
public:
  /// The kernel for the way `call` stores its arrays, with the schedule whose
  /// turn it is. It is there until the next call of this function.
  llvm::Expected<const DeviceKernel *> get(EstimatorOp estimator, bool isF64,
                                           const Call &call,
                                           const ScheduleTurn &turn,
                                           const device::Device &device);
  size_t compilations() const { return compiled; }

private:
  /// What is compiled, before it has a schedule.
  struct Sweeps {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    bool canSplit = true, canLookBack = true;
  };

  llvm::Expected<Sweeps *> sweepsOf(EstimatorOp estimator,
                                    const std::string &key,
                                    llvm::ArrayRef<std::string> bindings);

  llvm::StringMap<Sweeps> sweeps;
  llvm::StringMap<std::unique_ptr<DeviceKernel>> kernels;
  size_t compiled = 0;
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_DEVICEKERNELS_H
