//===- SweepEmitter.cpp - The signals of a sweep as vectors ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/SweepEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace rlscan;

//===----------------------------------------------------------------------===//
// What does not change along a row
//===----------------------------------------------------------------------===//

static bool isLoadOf(Value value, InputKind kind) {
  auto load = value.getDefiningOp<LoadOp>();
  return load && load.getArray().getType().getKind() == kind;
}

/// Whether params and constants alone determine `value`.
static bool isUniform(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0)
    return false;
  if (isa<LoadOp>(op))
    return isLoadOf(value, InputKind::Param);
  return isPure(op) && !isa<PreviousOp, AccumulateOp, OutsideOp>(op) &&
         llvm::all_of(op->getOperands(), isUniform);
}

/// Whether `value` is the same at every position of a row.
static bool isInvariant(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0)
    return false;
  if (isa<LoadOp>(op))
    return isLoadOf(value, InputKind::Param) ||
           isLoadOf(value, InputKind::Row);
  return isPure(op) && !isa<PreviousOp, AccumulateOp, OutsideOp>(op) &&
         llvm::all_of(op->getOperands(), isInvariant);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

SweepEmitter::SweepEmitter(VectorBuilder &b, SweepOp sweep,
                           const CallInfo &call, int64_t blockRows)
    : b(b), sweep(sweep), call(call), blockRows(blockRows) {}

Slot SweepEmitter::makeSlot(Type signal) {
  Type element = isa<FloatType>(signal) ? signal : b.realSizedInt();
  return {element, b.allocate(element, blockRows)};
}

static unsigned slotAlignment(VectorBuilder &b, Type element) {
  return std::min(64u, b.lanes * element.getIntOrFloatBitWidth() / 8);
}

Value SweepEmitter::readSlot(const Slot &slot, Value inBlock, Type signal) {
  Value address = b.elementPointer(slot.memory, slot.element, inBlock);
  Value stored = b.loadVector(slot.element, address,
                              slotAlignment(b, slot.element));
  return fromStorage(b, stored, signal);
}

void SweepEmitter::writeSlot(const Slot &slot, Value inBlock, Value value) {
  Value address = b.elementPointer(slot.memory, slot.element, inBlock);
  b.storeVector(toStorage(b, value, slot.element), address,
                slotAlignment(b, slot.element));
}

/// The array of a load or store that goes through a tile.
static bool isStaged(Value array, Value index, int64_t offset) {
  auto type = cast<ArrayType>(array.getType());
  return type.getKind() == InputKind::Step &&
         type.getLayout() == Layout::Steps && !index && offset == 0;
}

void SweepEmitter::allocate() {
  sweep.walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      Value array = load.getArray();
      if (isLoadOf(load, InputKind::Row))
        slots[op] = makeSlot(load.getType());
      else if (isStaged(array, load.getIndex(), load.getOffset()) &&
               !stagedInputs.contains(array))
        stagedInputs[array] = StagedArray::create(
            b, call.arrays.lookup(array), load.getType());
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      Value array = store.getArray();
      if (isStaged(array, Value(), 0))
        stagedOutputs[array] = StagedArray::create(
            b, call.arrays.lookup(array), store.getValue().getType());
    } else if (auto previous = dyn_cast<PreviousOp>(op)) {
      slots[op] = makeSlot(previous.getType());
    } else if (isa<AccumulateOp>(op)) {
      slots[op] = makeSlot(b.getF64Type());
    }
  });
}

void SweepEmitter::emitStageIn(const TileBounds &tile) {
  for (auto &[array, staged] : stagedInputs)
    stageIn(b, staged, tile);
}

void SweepEmitter::emitStageOut(const TileBounds &tile) {
  for (auto &[array, staged] : stagedOutputs)
    stageOut(b, staged, tile);
}

void SweepEmitter::emitPrefetch(const TileBounds &next, Value turn) {
  for (auto &[array, staged] : stagedInputs)
    prefetchStaged(b, staged, next, turn, /*forWrite=*/false);
  for (auto &[array, staged] : stagedOutputs)
    prefetchStaged(b, staged, next, turn, /*forWrite=*/true);
}

void SweepEmitter::emitStart(Value inBlock, const RowGroup &rows) {
  values.clear();
  at = BodyPosition();
  at.inBlock = inBlock;
  at.rows = rows;
  Value zero = b.i64(0);
  for (auto &[op, slot] : slots) {
    if (auto load = dyn_cast<LoadOp>(op)) {
      Value stored =
          loadLanes(b, call.arrays.lookup(load.getArray()), rows, zero);
      writeSlot(slot, inBlock, fromStorage(b, stored, load.getType()));
    }
  }
  for (auto &[op, slot] : slots) {
    if (auto previous = dyn_cast<PreviousOp>(op)) {
      if (isInvariant(previous.getInit()))
        writeSlot(slot, inBlock, emitInvariant(previous.getInit()));
    } else if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
      if (isInvariant(accumulate.getInit())) {
        emitInvariant(accumulate.getInit());
        writeSlot(slot, inBlock, widen(accumulate.getInit()));
      }
    }
  }
}

Value SweepEmitter::emitInvariant(Value value) {
  if (Value known = values.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    if (!isa<ArrayType>(operand.getType()))
      emitInvariant(operand);
  emitOp(op);
  return values.lookup(value);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

void SweepEmitter::emitBody(const BodyPosition &position) {
  values.clear();
  at = position;
  for (Operation &op : sweep.getBody().front())
    emitOp(&op);
}

void SweepEmitter::emitOp(Operation *op) {
  if (auto store = dyn_cast<StoreOp>(op))
    return emitStore(store);
  Value result =
      llvm::TypeSwitch<Operation *, Value>(op)
          .Case<LoadOp>([&](auto load) { return emitLoad(load); })
          .Case<PreviousOp>([&](auto previous) {
            return emitPrevious(previous);
          })
          .Case<AccumulateOp>([&](auto accumulate) {
            return emitAccumulate(accumulate);
          })
          .Case<ReduceOp>([&](auto reduce) { return emitReduce(reduce); })
          .Case<OutsideOp>([&](auto outside) -> Value {
            Value position = b.add(at.position, b.i64(outside.getOffset()));
            bool isAhead = outside.getOffset() > 0;
            return b.splat(isAhead ? b.less(b.sub(call.steps, b.i64(1)), position)
                                   : b.less(position, b.i64(0)));
          })
          .Case<arith::ConstantOp>([&](auto constant) {
            return emitConstant(constant);
          })
          .Default([&](Operation *) { return emitElementwise(op); });
  values[op->getResult(0)] = result;
}

Value SweepEmitter::emitConstant(Operation *op) {
  auto value = cast<TypedAttr>(cast<arith::ConstantOp>(op).getValue());
  return b.constant(
      DenseElementsAttr::get(b.vectorOf(value.getType()), Attribute(value)));
}

/// arith and math ops apply to vectors as to scalars.
Value SweepEmitter::emitElementwise(Operation *op) {
  OperationState state(b.getLoc(), op->getName());
  for (Value operand : op->getOperands())
    state.operands.push_back(values.lookup(operand));
  state.addTypes(b.vectorOf(op->getResult(0).getType()));
  state.addAttributes(op->getAttrs());
  return b.create(state)->getResult(0);
}

/// The step `offset` positions ahead, or the nearest inside the window.
Value SweepEmitter::stepAhead(int64_t offset) {
  if (offset == 0)
    return at.step;
  bool isForward = sweep.getDirection() == Direction::Forward;
  Value step = b.add(at.step, b.i64(isForward ? offset : -offset));
  Value last = b.sub(call.steps, b.i64(1));
  return b.maximum(b.minimum(step, last), b.i64(0));
}

/// A position of the axis, as an i64 for all lanes or a vector of them, kept
/// inside the axis.
Value SweepEmitter::pickIndex(LoadOp load) {
  if (!load.getIndex())
    return {};
  Value index = values.lookup(load.getIndex());
  bool isVector = isa<VectorType>(index.getType());
  if (!isVector)
    return index;
  index = arith::IndexCastOp::create(b, b.vectorOf(b.getI64Type()), index);
  StringRef axis = load.getArray().getType().getAxis().getValue();
  Value last = b.sub(call.axisSizes.lookup(axis), b.i64(1));
  Value zero = b.splat(b.i64(0));
  return b.maximum(b.minimum(index, b.splat(last)), zero);
}

Value SweepEmitter::emitParam(LoadOp load, Type type) {
  Value stored = call.arrays.find(load.getArray())->second.scalar;
  return b.splat(fromStorage(b, stored, type));
}

Value SweepEmitter::emitLoad(LoadOp load) {
  Value array = load.getArray();
  Type signal = load.getType();
  if (isLoadOf(load, InputKind::Param))
    return emitParam(load, signal);
  if (isLoadOf(load, InputKind::Row))
    return readSlot(slots[load], at.inBlock, signal);
  if (isStaged(array, load.getIndex(), load.getOffset()))
    return readStaged(b, stagedInputs[array], at.inTile);
  Value stored = loadLanes(b, call.arrays.find(array)->second, at.rows,
                           stepAhead(load.getOffset()), pickIndex(load));
  return fromStorage(b, stored, signal);
}

void SweepEmitter::emitStore(StoreOp store) {
  Value value = values.lookup(store.getValue());
  Value array = store.getArray();
  if (isStaged(array, Value(), 0))
    return writeStaged(b, stagedOutputs[array], at.inTile, value);
  const ArrayInfo &info = call.arrays.find(array)->second;
  storeLanes(b, info, at.rows, at.step, toStorage(b, value, info.storage()));
}

Value SweepEmitter::isFirst() {
  return b.splat(b.equal(at.position, b.i64(0)));
}

Value SweepEmitter::emitPrevious(PreviousOp previous) {
  const Slot &slot = slots[previous];
  Value result = readSlot(slot, at.inBlock, previous.getType());
  if (!isInvariant(previous.getInit()))
    result = arith::SelectOp::create(
        b, isFirst(), values.lookup(previous.getInit()), result);
  writeSlot(slot, at.inBlock, values.lookup(previous.getInput()));
  return result;
}

/// carry := beta == 0 ? alpha : alpha + beta * carry, in f64.
Value SweepEmitter::emitAccumulate(AccumulateOp accumulate) {
  const Slot &slot = slots[accumulate];
  Value carry = readSlot(slot, at.inBlock, b.getF64Type());
  if (!isInvariant(accumulate.getInit()))
    carry = arith::SelectOp::create(b, isFirst(), widen(accumulate.getInit()),
                                    carry);
  Value alpha = widen(accumulate.getAlpha());
  Value beta = widen(accumulate.getBeta());
  Value zero = b.constant(cast<TypedAttr>(b.getZeroAttr(beta.getType())));
  Value isCut = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, beta, zero);
  Value sum = LLVM::FMAOp::create(b, beta.getType(), beta, carry, alpha);
  carry = arith::SelectOp::create(b, isCut, alpha, sum);
  writeSlot(slot, at.inBlock, carry);
  return fromStorage(b, carry, b.real);
}

Value SweepEmitter::emitReduce(ReduceOp reduce) {
  double initial = 0.0;
  if (reduce.getKind() != ReduceKind::Sum)
    initial = std::numeric_limits<double>::infinity() *
              (reduce.getKind() == ReduceKind::Max ? -1.0 : 1.0);
  Value first = b.constant(DenseElementsAttr::get(
      b.vectorOf(b.real), Attribute(b.getFloatAttr(b.real, initial))));
  Value size = call.axisSizes.lookup(reduce.getAxis());
  auto loop = scf::ForOp::create(b, b.i64(0), size, b.i64(1),
                                 ValueRange{first});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Block &body = reduce.getBody().front();
  // Values of the region are not known outside of it.
  Values outside = values;
  values[body.getArgument(0)] = loop.getInductionVar();
  for (Operation &op : body.without_terminator())
    emitOp(&op);
  Value entry = values.lookup(cast<YieldOp>(body.getTerminator()).getValue());
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

/// A beta computed from params alone, such as gamma * lambda, would lose
/// accuracy over long rows if it were rounded to f32 first.
Value SweepEmitter::widenUniform(Value value) {
  Operation *op = value.getDefiningOp();
  Type f64 = b.getF64Type();
  if (auto load = dyn_cast<LoadOp>(op))
    return emitParam(load, f64);
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::NegFOp>(op)) {
    OperationState state(b.getLoc(), op->getName());
    for (Value operand : op->getOperands())
      state.operands.push_back(widenUniform(operand));
    state.addTypes(b.vectorOf(f64));
    return b.create(state)->getResult(0);
  }
  return fromStorage(b, values.lookup(value), f64);
}

Value SweepEmitter::widen(Value value) {
  if (b.real.isF64())
    return values.lookup(value);
  if (isUniform(value))
    return widenUniform(value);
  auto choice = value.getDefiningOp<arith::SelectOp>();
  bool isUniformChoice = choice && isUniform(choice.getTrueValue()) &&
                         isUniform(choice.getFalseValue());
  if (isUniformChoice)
    return arith::SelectOp::create(b, values.lookup(choice.getCondition()),
                                   widenUniform(choice.getTrueValue()),
                                   widenUniform(choice.getFalseValue()));
  return fromStorage(b, values.lookup(value), b.getF64Type());
}
