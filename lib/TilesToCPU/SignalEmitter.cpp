//===- SignalEmitter.cpp - Signals of a sweep as vectors ------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/SignalEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>
#include <optional>

using namespace mlir;
using namespace rlscan;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value SignalEmitter::emit(Value value) {
  if (Value known = values.lookup(value))
    return known;
  Value result = findElsewhere(value);
  if (!result)
    result = emitOp(value.getDefiningOp());
  values[value] = result;
  return result;
}

Value SignalEmitter::emitOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<LoadOp>([&](auto load) { return emitLoad(load); })
      .Case<PreviousOp>([&](auto previous) { return emitPrevious(previous); })
      .Case<AccumulateOp>(
          [&](auto accumulate) { return emitAccumulate(accumulate); })
      .Case<OutsideOp>([&](auto outside) { return emitOutside(outside); })
      .Case<StepOp>([&](auto step) { return emitStep(step); })
      .Case<SegmentOp>([&](auto segment) { return emitSegment(segment); })
      .Case<ReduceOp>([&](auto reduce) { return emitReduce(reduce); })
      .Case<arith::ConstantOp>([&](auto constant) {
        auto scalar = cast<TypedAttr>(constant.getValue());
        return b.constant(DenseElementsAttr::get(b.vectorOf(scalar.getType()),
                                                 Attribute(scalar)));
      })
      .Default([&](Operation *) { return emitElementwise(op); });
}

/// arith and math ops apply to vectors as to scalars.
Value SignalEmitter::emitElementwise(Operation *op) {
  OperationState state(b.getLoc(), op->getName());
  for (Value operand : op->getOperands()) {
    Value vector = emit(operand);
    // The index of a reduction is the same for all lanes.
    state.operands.push_back(
        isa<VectorType>(vector.getType()) ? vector : b.splat(vector));
  }
  state.addTypes(b.vectorOf(op->getResult(0).getType()));
  state.addAttributes(op->getAttrs());
  return b.create(state)->getResult(0);
}

Value SignalEmitter::emitParam(LoadOp load, Type type) {
  Value stored = call.arrays.find(load.getArray())->second.scalar;
  return b.splat(fromStorage(b, stored, type));
}

/// A position of the axis, as an i64 for all lanes or a vector of them, kept
/// inside the axis; null where the array has none.
Value SignalEmitter::pickIndex(LoadOp load) {
  if (!load.getIndex())
    return {};
  Value index = emit(load.getIndex());
  Type i64 = b.getI64Type();
  if (!isa<VectorType>(index.getType()))
    return arith::IndexCastOp::create(b, i64, index);
  index = arith::IndexCastOp::create(b, b.vectorOf(i64), index);
  StringRef axis = load.getArray().getType().getAxis().getValue();
  Value last = b.sub(call.axisSizes.lookup(axis), b.i64(1));
  return b.maximum(b.minimum(index, b.splat(last)), b.splat(b.i64(0)));
}

Value SignalEmitter::emitLoad(LoadOp load) {
  if (isLoadOf(load, InputKind::Param))
    return emitParam(load, load.getType());
  if (isLoadOf(load, InputKind::Row))
    return emitRowLoad(load);
  return emitStepLoad(load, pickIndex(load));
}

/// So many positions of the sweep further on.
Value SignalEmitter::stepNumbers(int64_t offset) {
  bool isForward = sweep.getDirection() == Direction::Forward;
  int64_t distance = isForward ? offset : -offset;
  return b.add(stepNumbers(), b.splat(b.i64(distance)));
}

Value SignalEmitter::emitStep(StepOp step) {
  return arith::IndexCastOp::create(b, b.vectorOf(b.getIndexType()),
                                    stepNumbers(step.getOffset()));
}

/// The last row that begins at the step or before it: by halves, in all lanes
/// as often as the number of rows needs.
Value SignalEmitter::emitSegment(SegmentOp segment) {
  const ArrayInfo &bounds = call.arrays.find(segment.getBounds())->second;
  StringRef axis = bounds.type.getAxis().getValue();
  Type i64 = b.getI64Type(), vector = b.vectorOf(i64);
  Value numbers = stepNumbers(segment.getOffset()), one = b.i64(1);
  Value rows = b.sub(call.axisSizes.lookup(axis), one);
  SmallVector<Type> types = {i64, vector, vector};
  SmallVector<Location> locations(3, b.getLoc());
  auto loop = scf::WhileOp::create(
      b, types, ValueRange{rows, b.splat(b.i64(0)), b.splat(rows)});
  Block *head = b.createBlock(&loop.getBefore(), {}, types, locations);
  scf::ConditionOp::create(b, b.less(one, head->getArgument(0)),
                           head->getArguments());
  Block *body = b.createBlock(&loop.getAfter(), {}, types, locations);
  Value span = body->getArgument(0), low = body->getArgument(1),
        high = body->getArgument(2);
  Value half = arith::ShRUIOp::create(b, b.add(span, one), one);
  Value middle = arith::ShRUIOp::create(b, b.add(low, high), b.splat(one));
  Value pointer = elementPointer(b, bounds, b.i64(0), b.i64(0), middle);
  Value bound = arith::IndexCastOp::create(
      b, vector, fromStorage(b, gather(b, bounds, pointer), b.getIndexType()));
  Value isBelow = b.less(numbers, bound);
  scf::YieldOp::create(
      b, ValueRange{half, arith::SelectOp::create(b, isBelow, low, middle),
                    arith::SelectOp::create(b, isBelow, middle, high)});
  b.setInsertionPointAfter(loop);
  return arith::IndexCastOp::create(b, b.vectorOf(b.getIndexType()),
                                    loop.getResult(1));
}

Value SignalEmitter::emitReduce(ReduceOp reduce) {
  double initial = 0.0;
  if (reduce.getKind() != ReduceKind::Sum)
    initial = std::numeric_limits<double>::infinity() *
              (reduce.getKind() == ReduceKind::Max ? -1.0 : 1.0);
  Value first = b.constant(DenseElementsAttr::get(
      b.vectorOf(b.real), Attribute(b.getFloatAttr(b.real, initial))));
  Block &body = reduce.getBody().front();
  // What comes from around the region is not emitted again for each entry.
  reduce.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (!reduce.getBody().isAncestor(operand.getParentRegion()) &&
          !isa<ArrayType>(operand.getType()))
        emit(operand);
  });
  Value size = call.axisSizes.lookup(reduce.getAxis());
  auto loop =
      scf::ForOp::create(b, b.i64(0), size, b.i64(1), ValueRange{first});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  llvm::DenseMap<Value, Value> outside = values;
  values[body.getArgument(0)] =
      arith::IndexCastOp::create(b, b.getIndexType(), loop.getInductionVar());
  Value entry = emit(cast<YieldOp>(body.getTerminator()).getValue());
  values = std::move(outside);
  Value sofar = loop.getRegionIterArgs()[0];
  Value next;
  if (reduce.getKind() == ReduceKind::Sum)
    next = arith::AddFOp::create(b, sofar, entry);
  else if (reduce.getKind() == ReduceKind::Max)
    next = arith::MaximumFOp::create(b, sofar, entry);
  else
    next = arith::MinimumFOp::create(b, sofar, entry);
  scf::YieldOp::create(b, next);
  return loop.getResult(0);
}

//===----------------------------------------------------------------------===//
// Coefficients in f64
//===----------------------------------------------------------------------===//

Value SignalEmitter::toF64(Value vector) {
  return fromStorage(b, vector, b.getF64Type());
}

Value SignalEmitter::widenInit(Value value) {
  return isUniform(value) ? widenUniform(value) : toF64(emit(value));
}

Value SignalEmitter::widenUniform(Value value) {
  if (Value known = widened.lookup(value))
    return known;
  Value result = widenUniformNew(value);
  widened[value] = result;
  return result;
}

Value SignalEmitter::widenUniformNew(Value value) {
  Operation *op = value.getDefiningOp();
  Type f64 = b.getF64Type();
  if (auto load = dyn_cast<LoadOp>(op))
    return emitParam(load, f64);
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
           arith::NegFOp>(op))
    return toF64(emit(value));
  OperationState state(b.getLoc(), op->getName());
  for (Value operand : op->getOperands())
    state.operands.push_back(widenUniform(operand));
  state.addTypes(b.vectorOf(f64));
  return b.create(state)->getResult(0);
}

static bool isZeroConstant(Value value) {
  return matchPattern(value, m_PosZeroFloat());
}

/// A choice between a value and 0: which of the two sides the value is.
static std::optional<bool> gateKeepsSet(arith::SelectOp gate) {
  if (isZeroConstant(gate.getFalseValue()))
    return true;
  if (isZeroConstant(gate.getTrueValue()))
    return false;
  return std::nullopt;
}

static Value gatedValue(arith::SelectOp gate, bool keepsSet) {
  return keepsSet ? gate.getTrueValue() : gate.getFalseValue();
}

Value SignalEmitter::uniformFactor(Value beta) {
  if (auto product = beta.getDefiningOp<arith::MulFOp>()) {
    Value left = product.getLhs(), right = product.getRhs();
    if (isUniform(right))
      std::swap(left, right);
    if (!isUniform(left))
      return {};
    Value factor = widenUniform(left), inner = uniformFactor(right);
    return inner ? arith::MulFOp::create(b, factor, inner) : factor;
  }
  if (auto gate = beta.getDefiningOp<arith::SelectOp>())
    if (std::optional<bool> keepsSet = gateKeepsSet(gate))
      return uniformFactor(gatedValue(gate, *keepsSet));
  return {};
}

Value SignalEmitter::withoutUniformFactor(Value beta) {
  if (auto product = beta.getDefiningOp<arith::MulFOp>()) {
    Value left = product.getLhs(), right = product.getRhs();
    if (isUniform(right))
      std::swap(left, right);
    return isUniform(left) ? withoutUniformFactor(right) : emit(beta);
  }
  auto gate = beta.getDefiningOp<arith::SelectOp>();
  std::optional<bool> keepsSet;
  if (gate)
    keepsSet = gateKeepsSet(gate);
  if (!keepsSet)
    return emit(beta);
  Value rest = withoutUniformFactor(gatedValue(gate, *keepsSet));
  Value zero = b.constant(cast<TypedAttr>(b.getZeroAttr(rest.getType())));
  Value condition = emit(gate.getCondition());
  return *keepsSet ? arith::SelectOp::create(b, condition, rest, zero)
                   : arith::SelectOp::create(b, condition, zero, rest);
}

//===----------------------------------------------------------------------===//
// Steps and slots
//===----------------------------------------------------------------------===//

Value SignalEmitter::clampedStep(Value step, int64_t offset) {
  if (offset == 0)
    return step;
  bool isForward = sweep.getDirection() == Direction::Forward;
  Value distance = b.i64(isForward ? offset : -offset);
  Value last = b.sub(call.steps, b.i64(1)), zero = b.i64(0);
  if (isa<VectorType>(step.getType())) {
    distance = b.splat(distance);
    last = b.splat(last);
    zero = b.splat(zero);
  }
  return b.maximum(b.minimum(b.add(step, distance), last), zero);
}

Type SignalEmitter::slotElement(Type signal) {
  return isa<FloatType>(signal) ? signal : Type(b.realSizedInt());
}

unsigned SignalEmitter::slotAlignment(Type element) {
  return std::min(64u, b.lanes * element.getIntOrFloatBitWidth() / 8);
}

Value SignalEmitter::readSlot(Value address, Type signal) {
  Type element = slotElement(signal);
  Value stored = b.loadVector(element, address, slotAlignment(element));
  return fromStorage(b, stored, signal);
}

void SignalEmitter::writeSlot(Value address, Value value) {
  Type element = slotElement(getElementTypeOrSelf(value));
  b.storeVector(toStorage(b, value, element), address, slotAlignment(element));
}
