//===- KernelModule.cpp - The kernel of one kind of call ------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelToBinary/KernelModule.h"
#include "rlscan/Pipelines.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace rlscan;

/// Drops every estimator but the one of that name.
static EstimatorOp keepOnly(ModuleOp module, StringRef name) {
  EstimatorOp found;
  for (EstimatorOp estimator :
       llvm::make_early_inc_range(module.getOps<EstimatorOp>())) {
    if (estimator.getSymName() == name)
      found = estimator;
    else
      estimator.erase();
  }
  return found;
}

void rlscan::readSignature(KernelOp kernel, std::vector<std::string> &arguments,
                           std::vector<std::string> &axes) {
  for (unsigned i = 0, e = kernel.getNumArguments(); i < e; ++i) {
    auto input =
        kernel.getArgAttrOfType<InputAttr>(i, EstimatorOp::getInputAttrName());
    auto output = kernel.getArgAttrOfType<OutputAttr>(
        i, EstimatorOp::getOutputAttrName());
    arguments.push_back(
        (input ? input.getName() : output.getName()).getValue().str());
    auto type = cast<ArrayType>(kernel.getArgumentTypes()[i]);
    if (type.getAxis() && !llvm::is_contained(axes, type.getAxis().getValue()))
      axes.push_back(type.getAxis().getValue().str());
  }
}

rlscan_kernel rlscan::describeLaunch(KernelOp kernel) {
  auto schedule = cast<ScheduleAttr>(kernel.getSchedulesAttr()[0]);
  rlscan_kernel launch = {};
  launch.threads = schedule.getThreads();
  launch.rows = schedule.getRows();
  launch.tile_steps = schedule.getTileSteps();
  launch.chain = static_cast<int32_t>(schedule.getChain());
  launch.access = schedule.getAccess();
  launch.entries = schedule.getEntries();
  launch.state_bytes = 16;
  kernel.walk([&](Operation *op) {
    if (auto carry = dyn_cast<CarryOp>(op)) {
      ++launch.scans;
      launch.state_bytes = carry.getType().isF64() ? 32 : 16;
    }
    auto temporary = dyn_cast<TemporaryOp>(op);
    launch.temporaries += temporary && !temporary.getWorkgroup();
  });
  return launch;
}

bool rlscan::computesInF64(KernelOp kernel) {
  bool found = false;
  auto isF64 = [](Type type) { return type.isF64(); };
  kernel.walk([&](Operation *op) {
    found |= llvm::any_of(op->getOperandTypes(), isF64) ||
             llvm::any_of(op->getResultTypes(), isF64);
  });
  return found;
}

llvm::Expected<OwningOpRef<ModuleOp>>
rlscan::makeSweeps(ModuleOp module, StringRef name,
                   llvm::ArrayRef<std::string> bindings) {
  OwningOpRef<ModuleOp> clone = module.clone();
  if (!keepOnly(*clone, name))
    return llvm::createStringError("no estimator named '" + name + "'");
  SweepOptions sweeps;
  for (const std::string &binding : bindings)
    sweeps.bindings.addValue(binding);
  PassManager toSweeps(module.getContext());
  buildToScansPipeline(toSweeps);
  buildToSweepsPipeline(toSweeps, sweeps);
  if (failed(toSweeps.run(*clone)))
    return llvm::createStringError("cannot compile '" + name + "'");
  return clone;
}
