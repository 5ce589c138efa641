//===- SweepAnalysis.cpp - What the signals of a sweep depend on ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecurrenceToTiles/SweepAnalysis.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace rlscan;

bool rlscan::isLoadOf(Value value, InputKind kind) {
  auto load = value.getDefiningOp<LoadOp>();
  return load && load.getArray().getType().getKind() == kind;
}

bool rlscan::isElementwise(Operation *op) {
  return op && op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         isPure(op) &&
         !isa<PreviousOp, AccumulateOp, OutsideOp, StepOp, SegmentOp>(op);
}

/// Whether `value` is computed, value by value, from leaves that `isLeaf`
/// takes.
static bool dependsOnlyOn(Value value, llvm::function_ref<bool(Value)> isLeaf) {
  SmallVector<Value> open{value};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second || isLeaf(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (!isElementwise(op) || isa<LoadOp>(op))
      return false;
    llvm::append_range(open, op->getOperands());
  }
  return true;
}

bool rlscan::isUniform(Value value) {
  return dependsOnlyOn(
      value, [](Value leaf) { return isLoadOf(leaf, InputKind::Param); });
}

bool rlscan::isInvariant(Value value) {
  return dependsOnlyOn(value, [](Value leaf) {
    return isLoadOf(leaf, InputKind::Param) || isLoadOf(leaf, InputKind::Row);
  });
}

/// Everything that `op` reads, in its regions too.
static void appendOperands(Operation *op, SmallVectorImpl<Value> &values) {
  op->walk([&](Operation *inner) {
    llvm::append_range(values, inner->getOperands());
  });
}

bool rlscan::isPureSignal(Value value) {
  SmallVector<Value> open{value};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!seen.insert(next).second || !op)
      continue;
    if (isa<AccumulateOp, TemporaryOp>(op))
      return false;
    appendOperands(op, open);
  }
  return true;
}

/// Whether the value one position earlier follows from pure signals and the
/// states of scans there.
static bool isKnownBefore(Value value) {
  SmallVector<Value> open{value};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second || next.getDefiningOp<AccumulateOp>() ||
        isPureSignal(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (!isElementwise(op) || isa<LoadOp>(op))
      return false;
    llvm::append_range(open, op->getOperands());
  }
  return true;
}

bool rlscan::needsPositionBefore(KernelOp kernel) {
  WalkResult walk = kernel.walk([](PreviousOp previous) {
    return isKnownBefore(previous.getInput()) ? WalkResult::advance()
                                              : WalkResult::interrupt();
  });
  return walk.wasInterrupted();
}
