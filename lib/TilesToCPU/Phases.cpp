//===- Phases.cpp - What comes before and after each scan -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/Phases.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace rlscan;

void Phases::assign(Operation *op) {
  unsigned phase = 0;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      phase = std::max(phase, phaseOf(operand));
  });
  if (isa<AccumulateOp>(op))
    ++phase;
  for (Value result : op->getResults())
    phaseOfValue[result] = phase;
  phases = std::max(phases, phase + 1);
}

Phases::Phases(SweepOp sweep) : sweep(sweep) {
  for (Operation &op : sweep.getBody().front())
    assign(&op);
  for (Operation &op : sweep.getBody().front()) {
    if (auto store = dyn_cast<StoreOp>(op))
      keep(store.getValue(), phaseOf(store.getValue()));
    else if (auto scan = dyn_cast<AccumulateOp>(op))
      keepOperands(scan, phaseOf(scan) - 1);
  }
}

/// Rough numbers of instructions: what counts is to tell a flag or a sum from
/// an exponential.
unsigned Phases::cost(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || isa<LoadOp, AccumulateOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  auto [entry, isNew] = costOfValue.try_emplace(value, 0);
  if (!isNew)
    return entry->second;
  unsigned own = 1;
  if (isa<ReduceOp, PreviousOp, SegmentOp>(op) ||
      isa<math::MathDialect>(op->getDialect()) || isa<arith::DivFOp>(op))
    own = 20;
  for (Value operand : op->getOperands())
    own += cost(operand);
  return costOfValue[value] = own;
}

void Phases::keepOperands(Operation *reader, unsigned phase) {
  reader->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      keep(operand, phase);
  });
}

/// Walks what phase `phase` needs for `value`, down to what it finds in
/// buffers.
void Phases::keep(Value value, unsigned phase) {
  constexpr unsigned cheap = 4;
  if (!visited.insert({value, phase}).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!op || isa<AccumulateOp>(op))
    return;
  bool isReal = isa<FloatType>(value.getType());
  bool isInBody = op->getParentOp() == sweep;
  if (isReal && isInBody && phaseOf(value) < phase && cost(value) > cheap) {
    if (keptValues.insert(value))
      keep(value, phaseOf(value));
    return;
  }
  keepOperands(op, phase);
}

SmallVector<AccumulateOp> Phases::scansBefore(unsigned phase) {
  SmallVector<AccumulateOp> scans;
  for (AccumulateOp scan : sweep.getBody().front().getOps<AccumulateOp>())
    if (phaseOf(scan) == phase)
      scans.push_back(scan);
  return scans;
}

SmallVector<StoreOp> Phases::storesOf(unsigned phase) {
  SmallVector<StoreOp> stores;
  for (StoreOp store : sweep.getBody().front().getOps<StoreOp>())
    if (phaseOf(store.getValue()) == phase)
      stores.push_back(store);
  return stores;
}
