//===- DeviceKernels.h - Kernels of a recipe for a device ----- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_DEVICEKERNELS_H
#define RLSCAN_TEST_EXECUTION_DEVICEKERNELS_H

#include "Execution/CallArrays.h"
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

/// What the choice of a schedule takes of a device.
struct ScheduleTarget {
  unsigned multiprocessors, subgroup = 32;
};

/// What a kernel is compiled for.
struct KernelChoice {
  std::vector<std::string> bindings;
  DeviceKernelOptions options;
  std::string words; // of the schedule
  std::string key;
};

/// Chooses what kernels of one recipe are compiled for.
class KernelChooser {
public:
  /// For the way `call` stores its arrays, with the schedule whose turn it is.
  llvm::Expected<KernelChoice> choose(EstimatorOp estimator, bool isF64,
                                      const Call &call,
                                      const ScheduleTurn &turn,
                                      const ScheduleTarget &target);

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
};

/// The kernels that have been compiled of one recipe, for one kind of device.
template <typename Kernel> class KernelCache {
public:
  using Compiler = llvm::function_ref<llvm::Expected<std::unique_ptr<Kernel>>(
      mlir::ModuleOp, llvm::StringRef, llvm::ArrayRef<std::string>,
      const DeviceKernelOptions &)>;

  /// The kernel of a choice. It is there until the next call of this function.
  llvm::Expected<const Kernel *>
  get(EstimatorOp estimator, const KernelChoice &choice, Compiler compile);
  size_t compilations() const { return compiled; }

private:
  llvm::StringMap<std::unique_ptr<Kernel>> kernels;
  size_t compiled = 0;
};

template <typename Kernel>
llvm::Expected<const Kernel *>
KernelCache<Kernel>::get(EstimatorOp estimator, const KernelChoice &choice,
                         Compiler compile) {
  if (auto found = kernels.find(choice.key); found != kernels.end())
    return found->second.get();
  constexpr size_t most = 200;
  if (kernels.size() == most)
    kernels.clear();
  ++compiled;
  llvm::Expected<std::unique_ptr<Kernel>> kernel =
      compile(estimator->getParentOfType<mlir::ModuleOp>(),
              estimator.getSymName(), choice.bindings, choice.options);
  if (!kernel)
    return kernel.takeError();
  std::string words = (*kernel)->schedule().getSuffix();
  if (words != choice.words)
    return llvm::createStringError("expected schedule " + choice.words +
                                   ", got " + words);
  return (kernels[choice.key] = std::move(*kernel)).get();
}

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_DEVICEKERNELS_H
