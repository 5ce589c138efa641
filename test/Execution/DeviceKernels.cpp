//===- DeviceKernels.cpp - Kernels of a recipe for a device ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceKernels.h"

#include "KernelToBinary/ChipCode.h"
#include "KernelToBinary/KernelModule.h"
#include "RecurrenceToTiles/SweepAnalysis.h"
#include "rlscan/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::test;
using llvm::Expected;

static KernelOp kernelOf(ModuleOp module) {
  return *module.getOps<KernelOp>().begin();
}

Expected<KernelChooser::Sweeps *>
KernelChooser::sweepsOf(EstimatorOp estimator, const std::string &key,
                        llvm::ArrayRef<std::string> bindings) {
  auto found = sweeps.find(key);
  if (found != sweeps.end())
    return &found->second;
  Expected<OwningOpRef<ModuleOp>> module = makeSweeps(
      estimator->getParentOfType<ModuleOp>(), estimator.getSymName(), bindings);
  if (!module)
    return module.takeError();
  constexpr size_t most = 100;
  if (sweeps.size() == most)
    sweeps.clear();
  Sweeps &made = sweeps[key];
  made.module = std::move(*module);
  KernelOp kernel = kernelOf(*made.module);
  made.canSplit = !needsPositionBefore(kernel);
  made.canLookBack =
      made.canSplit && llvm::hasSingleElement(kernel.getOps<SweepOp>());
  return &made;
}

/// What the compiler will choose: calls of many shapes share a kernel.
static Expected<std::string> predict(ModuleOp sweeps,
                                     const DeviceKernelOptions &options,
                                     const ScheduleTarget &target) {
  OwningOpRef<ModuleOp> module(sweeps.clone());
  SelectScheduleOptions select;
  select.rows = options.rows;
  select.steps = options.steps;
  select.access = options.access;
  select.axis = options.axis;
  select.entries = options.entries;
  select.multiprocessors = target.multiprocessors;
  select.subgroupSize = target.subgroup;
  PassManager manager(sweeps.getContext());
  manager.addPass(createSelectSchedule(select));
  if (failed(manager.run(*module)))
    return llvm::createStringError("no schedule is chosen");
  auto schedules = kernelOf(*module).getSchedulesAttr();
  return cast<ScheduleAttr>(schedules[0]).getSuffix();
}

Expected<KernelChoice> KernelChooser::choose(EstimatorOp estimator, bool isF64,
                                             const Call &call,
                                             const ScheduleTurn &turn,
                                             const ScheduleTarget &target) {
  KernelChoice choice;
  choice.bindings = bindings(call, estimator);
  choice.key = (isF64 ? "f64 " : "f32 ") + llvm::join(choice.bindings, " ");
  Expected<Sweeps *> known = sweepsOf(estimator, choice.key, choice.bindings);
  if (!known)
    return known.takeError();
  DeviceKernelOptions &options = choice.options = optionsFor(call);
  options.schedule = turn.options.schedule();
  if (turn.options.takesTurns())
    options.schedule =
        turn.plan.words(turn.number, {call.steps, options.access,
                                      options.entries, (*known)->canSplit,
                                      (*known)->canLookBack, target.subgroup});
  choice.words = options.schedule;
  if (choice.words.empty()) {
    Expected<std::string> chosen = predict(*(*known)->module, options, target);
    if (!chosen)
      return chosen.takeError();
    choice.words = *chosen;
  }
  choice.key += " " + choice.words;
  return choice;
}
