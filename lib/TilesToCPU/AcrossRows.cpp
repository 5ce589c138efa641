//===- AcrossRows.cpp - A lane for each row -------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/AcrossRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace rlscan;

int64_t AcrossRows::chooseBlockRows(KernelOp kernel, VectorBuilder &b) {
  constexpr int64_t cacheBytes = 16 * 1024, maxRows = 1024;
  int64_t carried = 8;
  kernel.walk([&](Operation *op) {
    if (isa<AccumulateOp>(op))
      carried += 8;
    else if (isa<PreviousOp>(op))
      carried += b.real.getWidth() / 8;
  });
  int64_t rows = b.lanes;
  while (rows < maxRows && 2 * rows * carried <= cacheBytes)
    rows *= 2;
  return rows;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

static Type slotSignal(Operation *op, VectorBuilder &b) {
  return isa<AccumulateOp>(op) ? Type(b.getF64Type())
                               : op->getResult(0).getType();
}

void AcrossRows::allocate() {
  sweep.walk([&](Operation *op) {
    bool isRowLoad =
        isa<LoadOp>(op) && isLoadOf(op->getResult(0), InputKind::Row);
    if (isRowLoad || isa<PreviousOp, AccumulateOp>(op))
      slots[op] = b.allocate(slotElement(slotSignal(op, b)), blockRows);
  });
}

Value AcrossRows::slot(Operation *op, Type signal) {
  return b.elementPointer(slots.lookup(op), slotElement(signal), group.inBlock);
}

/// Before the first position: what is the same along the row, and what the
/// first position finds carried.
void AcrossRows::emitStart() {
  restart();
  for (auto &[op, memory] : slots) {
    auto load = dyn_cast<LoadOp>(op);
    if (!load)
      continue;
    const ArrayInfo &array = call.arrays.find(load.getArray())->second;
    bool isAdjacent = array.layout == Layout::Rows && !group.mask;
    Value row = isAdjacent ? group.first : group.numbers;
    Value pointer = elementPointer(b, array, row, b.i64(0));
    Value stored = isAdjacent ? loadAdjacent(b, array, pointer)
                              : gather(b, array, pointer);
    writeSlot(slot(op, load.getType()), fromStorage(b, stored, load.getType()));
  }
  for (auto &[op, memory] : slots) {
    if (auto previous = dyn_cast<PreviousOp>(op)) {
      if (isInvariant(previous.getInit()))
        writeSlot(slot(op, previous.getType()), emit(previous.getInit()));
    } else if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
      if (isInvariant(accumulate.getInit()))
        writeSlot(slot(op, b.getF64Type()), widenInit(accumulate.getInit()));
    }
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

AcrossRows::Group AcrossRows::makeGroup(Value firstRow, Value inBlock,
                                        bool isFull) {
  Group made;
  made.inBlock = inBlock;
  made.first = b.add(firstRow, inBlock);
  made.numbers = b.add(b.splat(made.first), b.laneNumbers());
  if (isFull)
    return made;
  made.mask = b.less(made.numbers, b.splat(call.rowEnd));
  Value last = b.sub(call.rowEnd, b.i64(1));
  made.numbers = b.minimum(made.numbers, b.splat(last));
  return made;
}

/// Runs the body for each vector of rows of the block, and once more, with a
/// mask, where the last is not full.
void AcrossRows::forEachGroup(Value firstRow, Value validRows,
                              llvm::function_ref<void()> body) {
  Value tail = arith::RemSIOp::create(b, validRows, b.i64(b.lanes));
  Value full = b.sub(validRows, tail);
  b.loop(b.i64(0), full, b.lanes, [&](Value inBlock) {
    group = makeGroup(firstRow, inBlock, /*isFull=*/true);
    body();
  });
  b.branch(b.less(b.i64(0), tail), [&] {
    group = makeGroup(firstRow, full, /*isFull=*/false);
    body();
  });
}

void AcrossRows::lower(Value firstRow, Value validRows) {
  forEachGroup(firstRow, validRows, [&] { emitStart(); });
  b.loop(b.i64(0), call.steps, 1, [&](Value i) {
    position = step = i;
    if (sweep.getDirection() == Direction::Backward)
      step = b.sub(b.sub(call.steps, b.i64(1)), position);
    forEachGroup(firstRow, validRows, [&] { emitPosition(); });
  });
}

/// Carries are emitted even where no store needs them at this position: later
/// positions do.
void AcrossRows::emitPosition() {
  restart();
  for (Operation &op : sweep.getBody().front()) {
    if (auto store = dyn_cast<StoreOp>(op))
      emitStore(store);
    else if (isa<PreviousOp, AccumulateOp>(op))
      emit(op.getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Value AcrossRows::emitRowLoad(LoadOp load) {
  return readSlot(slot(load, load.getType()), load.getType());
}

Value AcrossRows::emitStepLoad(LoadOp load, Value index) {
  const ArrayInfo &array = call.arrays.find(load.getArray())->second;
  Value at = clampedStep(step, load.getOffset());
  bool isAdjacent =
      array.layout == Layout::Rows && !index && (array.isPadded || !group.mask);
  Value row = isAdjacent ? group.first : group.numbers;
  Value pointer = elementPointer(b, array, row, at, index);
  Value stored =
      isAdjacent ? loadAdjacent(b, array, pointer) : gather(b, array, pointer);
  return fromStorage(b, stored, load.getType());
}

void AcrossRows::emitStore(StoreOp store) {
  const ArrayInfo &array = call.arrays.find(store.getArray())->second;
  Value stored = toStorage(b, emit(store.getValue()), array.storage());
  bool isAdjacent =
      array.layout == Layout::Rows && (array.isPadded || !group.mask);
  if (isAdjacent)
    return storeAdjacent(b, array, stored,
                         elementPointer(b, array, group.first, step));
  scatter(b, array, stored, elementPointer(b, array, group.numbers, step),
          group.mask);
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

Value AcrossRows::emitOutside(OutsideOp outside) {
  Value at = b.add(position, b.i64(outside.getOffset()));
  bool isAhead = outside.getOffset() > 0;
  return b.splat(isAhead ? b.less(b.sub(call.steps, b.i64(1)), at)
                         : b.less(at, b.i64(0)));
}

Value AcrossRows::isFirst() { return b.splat(b.equal(position, b.i64(0))); }

Value AcrossRows::emitPrevious(PreviousOp previous) {
  Value memory = slot(previous, previous.getType());
  Value result = readSlot(memory, previous.getType());
  if (!isInvariant(previous.getInit()))
    result =
        arith::SelectOp::create(b, isFirst(), emit(previous.getInit()), result);
  writeSlot(memory, emit(previous.getInput()));
  return result;
}

/// As f64; uniform values, and choices between them, without rounding them
/// first.
Value AcrossRows::widenBeta(Value value) {
  if (isUniform(value))
    return widenUniform(value);
  auto choice = value.getDefiningOp<arith::SelectOp>();
  bool isUniformChoice = choice && isUniform(choice.getTrueValue()) &&
                         isUniform(choice.getFalseValue());
  if (!isUniformChoice) {
    Value rest = toF64(withoutUniformFactor(value));
    Value factor = uniformFactor(value);
    return factor ? arith::MulFOp::create(b, factor, rest) : rest;
  }
  return arith::SelectOp::create(b, emit(choice.getCondition()),
                                 widenUniform(choice.getTrueValue()),
                                 widenUniform(choice.getFalseValue()));
}

Value AcrossRows::emitAccumulate(AccumulateOp accumulate) {
  Value memory = slot(accumulate, b.getF64Type());
  Value carry = readSlot(memory, b.getF64Type());
  if (!isInvariant(accumulate.getInit()))
    carry = arith::SelectOp::create(b, isFirst(),
                                    toF64(emit(accumulate.getInit())), carry);
  Value beta = widenBeta(accumulate.getBeta());
  // One after the other: the order of arguments is the compiler's to choose.
  Value isCut = b.isZero(beta);
  Value alpha = toF64(emit(accumulate.getAlpha()));
  carry = b.carryOn(alpha, beta, carry, isCut);
  writeSlot(memory, carry);
  return fromStorage(b, carry, b.real);
}
