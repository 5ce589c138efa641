//===- Temporaries.cpp - What sweeps leave for later ones -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecurrenceToTiles/Temporaries.h"

#include "RecurrenceToTiles/SweepAnalysis.h"

using namespace mlir;
using namespace rlscan;

/// Whether the operand is read at the sweep's first position alone.
static bool isInit(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto accumulate = dyn_cast<AccumulateOp>(op))
    return use == accumulate.getInitMutable();
  if (auto previous = dyn_cast<PreviousOp>(op))
    return use == previous.getInitMutable();
  return false;
}

/// Whether nothing of `signal` shows but its value at the first position.
static bool isReadAtStartOnly(Value signal) {
  return llvm::all_of(signal.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    return isInit(use) ||
           (isElementwise(op) && isReadAtStartOnly(op->getResult(0)));
  });
}

static Direction directionOf(Operation *inSweep) {
  return inSweep->getParentOfType<SweepOp>().getDirection();
}

bool rlscan::isReadAtEndOnly(TemporaryOp temporary) {
  SmallVector<StoreOp> stores;
  SmallVector<LoadOp> loads;
  for (Operation *user : temporary->getUsers()) {
    if (auto store = dyn_cast<StoreOp>(user))
      stores.push_back(store);
    else
      loads.push_back(cast<LoadOp>(user));
  }
  return stores.size() == 1 && llvm::all_of(loads, [&](LoadOp load) {
           return load.getOffset() == 0 &&
                  directionOf(load) != directionOf(stores[0]) &&
                  isReadAtStartOnly(load);
         });
}

/// 0 where the array has no value of its own at each step.
static int64_t bytesOfStep(ArrayType array) {
  if (array.getKind() != InputKind::Step)
    return 0;
  return array.getStorage().getIntOrFloatBitWidth() / 8;
}

int64_t rlscan::temporaryBytes(KernelOp kernel) {
  int64_t bytes = 0;
  for (TemporaryOp temporary : kernel.getOps<TemporaryOp>())
    if (!isReadAtEndOnly(temporary))
      bytes += bytesOfStep(temporary.getArray().getType());
  return bytes;
}

/// Two fragments of each lane may be on their way to others.
static int64_t stagingBytes(KernelOp kernel, ScheduleAttr schedule) {
  if (schedule.getLanes() == 1 || schedule.getStepsPerThread() == 1)
    return 0;
  int64_t widest = 0;
  for (Type type : kernel.getArgumentTypes())
    widest = std::max(widest, bytesOfStep(cast<ArrayType>(type)));
  return 2 * widest;
}

/// Two sets of the groups' maps, of two f64 each, for every scan.
static int64_t mapBytes(KernelOp kernel, ScheduleAttr schedule) {
  if (schedule.getGroups() == 1)
    return 0;
  int64_t scans = 0;
  kernel.walk([&](AccumulateOp) { ++scans; });
  return scans * schedule.getGroups() * schedule.getRows() * 32;
}

bool rlscan::keepsTemporaries(KernelOp kernel, ScheduleAttr schedule) {
  constexpr int64_t sharedBytes = 48 * 1024; // of the smallest chip
  if (schedule.getChain() != Chain::Once || schedule.getEntries() > 0)
    return false;
  int64_t positions =
      static_cast<int64_t>(schedule.getRows()) * schedule.getTileSteps();
  int64_t ofPosition = temporaryBytes(kernel) + stagingBytes(kernel, schedule);
  return positions * ofPosition + mapBytes(kernel, schedule) <= sharedBytes;
}
