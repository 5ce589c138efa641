//===- Segments.cpp - Which packed row a step is in -----------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lanes of a subgroup search the row of its first step together. Rows are
// mostly longer than what a subgroup holds: its last step is then in the same
// row, and all others are. Else each thread searches the row of its first
// position and goes on from there.
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

using namespace mlir;
using namespace rlscan;

namespace rlscan {

/// Where packed rows begin, in the code of a thread.
class Bounds {
public:
  Bounds(ThreadBuilder &b, const DeviceArray &array, Value count)
      : b(b), array(array), rows(b.sub(count, b.i64(1))) {}

  Value search(Value step, Value from);
  Value searchTogether(Value step, Value lane);
  Value endsAfter(Value row, Value step) {
    return b.less(step, at(b.add(row, b.i64(1))));
  }
  Value next(Value row, Value step);
  Value previous(Value row, Value step);

private:
  Value
  narrow(Value from,
         llvm::function_ref<std::pair<Value, Value>(Value, Value)> shrink);
  Value at(Value number);
  /// The row that `move` leads to from `row` on, as long as `goesOn`.
  Value walk(Value row, llvm::function_ref<Value(Value)> goesOn, int64_t move);

  ThreadBuilder &b;
  const DeviceArray &array;
  Value rows;
};

} // namespace rlscan

Value Bounds::at(Value number) {
  Value pointer = b.elementPointer(array.base, array.storage(),
                                   b.mul(number, array.axisStride));
  unsigned bytes = array.storage().getIntOrFloatBitWidth() / 8;
  Value bound = LLVM::LoadOp::create(b, array.storage(), pointer, bytes);
  return array.storage().isInteger(64) ? bound : b.signedToI64(bound);
}

/// The first of a range of rows, once `shrink` has left one of it.
Value Bounds::narrow(
    Value from,
    llvm::function_ref<std::pair<Value, Value>(Value low, Value high)> shrink) {
  Type i64 = b.getI64Type();
  SmallVector<Type> types = {i64, i64};
  SmallVector<Value> initial = {from, rows};
  SmallVector<Location> locations(2, b.getLoc());
  auto loop = scf::WhileOp::create(b, types, initial);
  OpBuilder::InsertionGuard guard(b);
  Block *head = b.createBlock(&loop.getBefore(), {}, types, locations);
  Value low = head->getArgument(0), high = head->getArgument(1);
  Value isOpen = b.less(b.add(low, b.i64(1)), high);
  scf::ConditionOp::create(b, isOpen, head->getArguments());
  Block *body = b.createBlock(&loop.getAfter(), {}, types, locations);
  auto [left, right] = shrink(body->getArgument(0), body->getArgument(1));
  scf::YieldOp::create(b, ValueRange{left, right});
  return loop.getResult(0);
}

/// The last row that begins at the step or before it, from `from` on, by
/// halves.
Value Bounds::search(Value step, Value from) {
  return narrow(from, [&](Value low, Value high) {
    Value middle = arith::ShRUIOp::create(b, b.add(low, high), b.i64(1));
    Value isBelow = b.less(step, at(middle));
    return std::pair(b.select(isBelow, low, middle),
                     b.select(isBelow, middle, high));
  });
}

/// The same of a step that all lanes of the subgroup ask for: each looks at a
/// row of its own, and the first one behind the step tells all.
Value Bounds::searchTogether(Value step, Value lane) {
  unsigned lanes = b.subgroupSize;
  Value mine = b.add(b.toI64(lane), b.i64(1));
  return narrow(b.i64(0), [&](Value low, Value high) {
    Value stride = b.ceilDiv(b.sub(high, low), lanes + 1);
    Value probe = b.minimum(b.add(low, b.mul(mine, stride)), high);
    Value isBelow =
        b.both(b.less(probe, high), b.less(at(probe), b.add(step, b.i64(1))));
    Value isBehind = arith::XOrIOp::create(b, isBelow, b.i1(true));
    Value below = b.toI64(b.firstLane(isBehind, b.i32(lanes)));
    Value begin = b.add(low, b.mul(below, stride));
    return std::pair(begin, b.minimum(b.add(begin, stride), high));
  });
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

/// Of each of the thread's positions.
static SmallVector<Value> searchEach(Bounds &bounds, Value from,
                                     ArrayRef<Value> steps, bool isForward) {
  SmallVector<Value> rows = {bounds.search(steps.front(), from)};
  for (Value step : steps.drop_front())
    rows.push_back(isForward ? bounds.next(rows.back(), step)
                             : bounds.previous(rows.back(), step));
  return rows;
}

/// The same, where the subgroup's positions are neighbours from `first` on.
SmallVector<Value> TileEmitter::searchSubgroup(Bounds &bounds, Value first,
                                               ArrayRef<Value> steps) {
  bool isForward = tiles.getDirection() == Direction::Forward;
  int32_t count = schedule.getLanes() * schedule.getStepsPerThread();
  Value low = stepAt(first), high = stepAt(b.add(first, b.i32(count - 1)));
  if (!isForward)
    std::swap(low, high);
  Value row = bounds.searchTogether(low, thread.lane);
  SmallVector<Type> types(steps.size(), b.getI64Type());
  auto branch = scf::IfOp::create(b, types, bounds.endsAfter(row, high),
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, SmallVector<Value>(steps.size(), row));
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, searchEach(bounds, row, steps, isForward));
  return branch.getResults();
}

Value TileEmitter::emitSegment(SegmentOp segment) {
  const DeviceArray &array = call.arrays.find(segment.getBounds())->second;
  StringRef axis = array.type.getAxis().getValue();
  Bounds bounds(b, array, call.axisSizes.lookup(axis));
  int32_t offset = segment.getOffset();
  bool areTogether = schedule.getLanes() == b.subgroupSize;
  Value first = b.add(thread.groupFirst, b.i32(offset));
  if (!isa<VectorType>(segment.getType())) {
    Value step = stepAt(b.sub(first, b.i32(1)));
    Value row = areTogether ? bounds.searchTogether(step, thread.lane)
                            : bounds.search(step, b.i64(0));
    return b.castIndex(row, segment.getType());
  }
  SmallVector<Value> steps;
  for (unsigned i = 0; i < schedule.getStepsPerThread(); ++i)
    steps.push_back(stepAt(b.add(thread.first, b.i32(offset + i))));
  bool isForward = tiles.getDirection() == Direction::Forward;
  SmallVector<Value> rows =
      areTogether ? searchSubgroup(bounds, first, steps)
                  : searchEach(bounds, b.i64(0), steps, isForward);
  return b.castIndex(b.pack(rows), segment.getType());
}
