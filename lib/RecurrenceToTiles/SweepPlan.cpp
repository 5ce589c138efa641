//===- SweepPlan.cpp - Which sweep computes which value -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecurrenceToTiles/SweepPlan.h"

using namespace mlir;
using namespace rlscan;

static Direction opposite(Direction direction) {
  return direction == Direction::Forward ? Direction::Backward
                                         : Direction::Forward;
}

Direction SweepPlan::direction(unsigned sweep) const {
  return sweep % 2 == 0 ? first : opposite(first);
}

int64_t SweepPlan::lookAhead(ShiftOp shift, unsigned sweep) const {
  bool isForward = direction(sweep) == Direction::Forward;
  return isForward ? shift.getOffset() : -shift.getOffset();
}

unsigned SweepPlan::assignScan(ScanOp scan, unsigned earliest) {
  return direction(earliest) == scan.getDirection() ? earliest : earliest + 1;
}

/// A neighbour ahead of the sweep is out of reach where the same sweep computes
/// it by a scan; the next sweep comes from the other side.
unsigned SweepPlan::assignShift(ShiftOp shift, unsigned earliest) {
  Value input = shift.getInput();
  bool isOutOfReach = lookAhead(shift, earliest) > 0 && !isPure(input) &&
                      sweepOf(input) == earliest;
  return isOutOfReach ? earliest + 1 : earliest;
}

void SweepPlan::assign(Operation *op) {
  unsigned sweep = 0;
  bool isImpure = isa<ScanOp>(op);
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      sweep = std::max(sweep, sweepOf(operand));
      isImpure |= !isPure(operand);
    }
  });
  if (auto scan = dyn_cast<ScanOp>(op))
    sweep = assignScan(scan, sweep);
  else if (auto shift = dyn_cast<ShiftOp>(op))
    sweep = assignShift(shift, sweep);
  for (Value result : op->getResults()) {
    sweepOfValue[result] = sweep;
    if (isImpure)
      impure.insert(result);
  }
  sweeps = std::max(sweeps, sweep + 1);
}

SweepPlan::SweepPlan(EstimatorOp estimator, Direction first) : first(first) {
  for (Operation &op : estimator.getBody().front().without_terminator())
    assign(&op);
}

/// Whether inputs alone determine `value`, which may be defined in a reduction.
static bool isPureInside(Value value, const SweepPlan &plan) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<ReduceOp>(op->getParentOp()))
    return plan.isPure(value);
  bool isPure = true;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      isPure &= isPureInside(operand, plan);
  });
  return isPure;
}

/// Inside a reduction there is no position before: a neighbour there is always
/// computed anew, which a scan's result does not allow.
static LogicalResult checkReductions(EstimatorOp estimator,
                                     const SweepPlan &plan) {
  WalkResult result = estimator.walk([&](ShiftOp shift) {
    bool isInside = isa<ReduceOp>(shift->getParentOp());
    bool isKnown = isPureInside(shift.getInput(), plan);
    if (!isInside || isKnown)
      return WalkResult::advance();
    InFlightDiagnostic error =
        shift.emitError("a neighbour of a recurrence's result inside a "
                        "reduction over an axis");
    error.attachNote() << "give the neighbour a name of its own before the "
                          "reduction";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

FailureOr<SweepPlan> SweepPlan::make(EstimatorOp estimator) {
  SweepPlan backward(estimator, Direction::Backward);
  SweepPlan forward(estimator, Direction::Forward);
  SweepPlan &best = forward.sweeps < backward.sweeps ? forward : backward;
  if (failed(checkReductions(estimator, best)))
    return failure();
  return best;
}
