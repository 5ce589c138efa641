//===- Segments.cpp - Which packed row a step is in -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread searches the row of its first position and goes on from there: its
// positions are neighbours, and rows are mostly longer than what it holds.
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

using namespace mlir;
using namespace rlscan;

namespace {

/// Where packed rows begin, in the code of a thread.
class Bounds {
public:
  Bounds(ThreadBuilder &b, const DeviceArray &array, Value count)
      : b(b), array(array), rows(b.sub(count, b.i64(1))) {}

  Value search(Value step);
  Value next(Value row, Value step);
  Value previous(Value row, Value step);

private:
  Value at(Value number);
  /// The row that `move` leads to from `row` on, as long as `goesOn`.
  Value walk(Value row, llvm::function_ref<Value(Value)> goesOn, int64_t move);

  ThreadBuilder &b;
  const DeviceArray &array;
  Value rows;
};

} // namespace

Value Bounds::at(Value number) {
  Value pointer = b.elementPointer(array.base, array.storage(),
                                   b.mul(number, array.axisStride));
  unsigned bytes = array.storage().getIntOrFloatBitWidth() / 8;
  Value bound = LLVM::LoadOp::create(b, array.storage(), pointer, bytes);
  return array.storage().isInteger(64) ? bound : b.signedToI64(bound);
}

/// The last row that begins at the step or before it, by halves.
Value Bounds::search(Value step) {
  Type i64 = b.getI64Type();
  SmallVector<Type> types = {i64, i64};
  SmallVector<Value> initial = {b.i64(0), rows};
  SmallVector<Location> locations(2, b.getLoc());
  auto loop = scf::WhileOp::create(b, types, initial);
  OpBuilder::InsertionGuard guard(b);
  Block *head = b.createBlock(&loop.getBefore(), {}, types, locations);
  Value low = head->getArgument(0), high = head->getArgument(1);
  Value isOpen = b.less(b.add(low, b.i64(1)), high);
  scf::ConditionOp::create(b, isOpen, head->getArguments());
  Block *body = b.createBlock(&loop.getAfter(), {}, types, locations);
  low = body->getArgument(0);
  high = body->getArgument(1);
  Value middle = arith::ShRUIOp::create(b, b.add(low, high), b.i64(1));
  Value isBelow = b.less(step, at(middle));
  scf::YieldOp::create(b, ValueRange{b.select(isBelow, low, middle),
                                     b.select(isBelow, middle, high)});
  return loop.getResult(0);
}

Value Bounds::walk(Value row, llvm::function_ref<Value(Value)> goesOn,
                   int64_t move) {
  SmallVector<Type> types = {b.getI64Type()};
  SmallVector<Location> locations = {b.getLoc()};
  auto loop = scf::WhileOp::create(b, types, ValueRange{row});
  OpBuilder::InsertionGuard guard(b);
  Block *head = b.createBlock(&loop.getBefore(), {}, types, locations);
  scf::ConditionOp::create(b, goesOn(head->getArgument(0)),
                           head->getArguments());
  Block *body = b.createBlock(&loop.getAfter(), {}, types, locations);
  scf::YieldOp::create(b, b.add(body->getArgument(0), b.i64(move)));
  return loop.getResult(0);
}

/// That of a step behind one in `row`. There is a bound behind the last row.
Value Bounds::next(Value row, Value step) {
  auto goesOn = [&](Value from) {
    Value after = b.add(from, b.i64(1));
    return b.both(b.less(after, rows),
                  b.less(at(after), b.add(step, b.i64(1))));
  };
  return walk(row, goesOn, 1);
}

/// That of a step before one in `row`.
Value Bounds::previous(Value row, Value step) {
  auto goesOn = [&](Value from) {
    return b.both(b.less(b.i64(0), from), b.less(step, at(from)));
  };
  return walk(row, goesOn, -1);
}

Value TileEmitter::emitSegment(SegmentOp segment) {
  const DeviceArray &array = call.arrays.find(segment.getBounds())->second;
  StringRef axis = array.type.getAxis().getValue();
  Bounds bounds(b, array, call.axisSizes.lookup(axis));
  int64_t offset = segment.getOffset();
  if (!isa<VectorType>(segment.getType())) {
    Value position = b.add(thread.groupFirst, b.i32(offset - 1));
    return b.castIndex(bounds.search(stepAt(position)), segment.getType());
  }
  bool isForward = tiles.getDirection() == Direction::Forward;
  SmallVector<Value> rows;
  for (unsigned i = 0; i < schedule.getStepsPerThread(); ++i) {
    Value step = stepAt(b.add(thread.first, b.i32(offset + i)));
    if (i == 0)
      rows.push_back(bounds.search(step));
    else
      rows.push_back(isForward ? bounds.next(rows.back(), step)
                               : bounds.previous(rows.back(), step));
  }
  return b.castIndex(b.pack(rows), segment.getType());
}
