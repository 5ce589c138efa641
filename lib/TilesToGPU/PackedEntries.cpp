//===- PackedEntries.cpp - Arrays along an axis, read together ------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Where a step has several entries in memory, one after the other, lanes that
// read their own steps' entries are far apart: each access touches as many
// lines as there are lanes. So a subgroup reads all that belongs to its part of
// the tile, which is one piece of memory, with accesses side by side, and
// leaves it in shared memory, from where each lane takes its own.
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

using namespace mlir;
using namespace rlscan;

static constexpr int64_t accessBytes = 16, lineBytes = 128, bankBytes = 4;

static int64_t byteWidth(const DeviceArray &array) {
  return array.storage().getIntOrFloatBitWidth() / 8;
}

/// Arrays that an op over all entries of an axis reads, in order.
void TileEmitter::findPackedArrays() {
  if (schedule.getEntries() == 0)
    return;
  tiles.walk([&](LoadOp load) {
    if (load->getParentOfType<ReduceOp>() && isa<VectorType>(load.getType()) &&
        load.getArray().getType().getAxis() && load.getOffset() == 0)
      packedEntries.insert({load.getArray(), {}});
  });
}

/// Elements of a subgroup's part of a tile.
int64_t TileEmitter::numPacked() const {
  return static_cast<int64_t>(schedule.getStepsPerThread()) *
         schedule.getLanes() * schedule.getEntries();
}

/// What stands empty before an element: after every line's worth a bank's worth
/// of nothing, so that lanes meet in no bank, whatever the number of entries.
int64_t TileEmitter::packedGap(const DeviceArray &array, int64_t number) const {
  int64_t width = byteWidth(array);
  return number * width / lineBytes * std::max<int64_t>(bankBytes / width, 1);
}

/// Where an element stands in shared memory.
Value TileEmitter::packedSlot(const DeviceArray &array, Value number) {
  int64_t width = byteWidth(array);
  Value lines = arith::DivUIOp::create(b, number, b.i32(lineBytes / width));
  return b.add(number,
               b.mul(lines, b.i32(packedGap(array, lineBytes / width))));
}

/// Brings the tile's part of each packed array to shared memory, where each
/// subgroup has an area of its own.
void TileEmitter::stagePacked() {
  if (packedEntries.empty())
    return;
  b.syncSubgroup();
  for (auto &[value, packed] : packedEntries) {
    const DeviceArray &array = call.arrays.find(value)->second;
    int64_t elements = numPacked() + packedGap(array, numPacked());
    int64_t subgroups = schedule.getThreads() / b.subgroupSize;
    if (!packed.shared)
      packed.shared = sharedArray(array.storage(), elements * subgroups);
    packed.area = b.elementPointer(packed.shared, array.storage(),
                                   b.mul(subgroupNumber(), b.i64(elements)));
    if (canCopy(array))
      copyPacked(array, packed.area);
    else
      movePacked(array, packed.area);
  }
  if (target.asyncCopies)
    b.waitForCopies();
  b.syncSubgroup();
}

/// The subgroup's part of a row in memory: one element of it, which past the
/// row's ends is one of its first or last `span`.
Value TileEmitter::packedPointer(const DeviceArray &array, Value number,
                                 int64_t span) {
  int64_t entries = schedule.getEntries();
  Value first = b.add(place.start, b.toI64(thread.groupFirst));
  if (tiles.getDirection() == Direction::Backward)
    first = b.sub(call.steps, b.add(first, b.i64(numPacked() / entries)));
  Value element = b.add(b.mul(first, b.i64(entries)), b.toI64(number));
  Value last = b.sub(b.mul(call.steps, b.i64(entries)), b.i64(span));
  if (!place.isFull)
    element = b.clamp(element, b.i64(0), last);
  return b.elementPointer(rowPointer(array, place), array.storage(), element);
}

bool TileEmitter::canCopy(const DeviceArray &array) const {
  return target.asyncCopies && byteWidth(array) >= bankBytes;
}

/// An element a lane and copy. A subgroup's worth of elements takes up whole
/// lines, so that from one to the next it is a known distance.
void TileEmitter::copyPacked(const DeviceArray &array, Value area) {
  int64_t lanes = schedule.getLanes();
  Value lane = packedSlot(array, thread.lane);
  Value base = b.elementPointer(area, array.storage(), b.toI64(lane));
  int64_t distance = lanes + packedGap(array, lanes);
  for (int64_t i = 0; i * lanes < numPacked(); ++i) {
    Value number = b.add(thread.lane, b.i32(i * lanes));
    b.copyAsync(packedPointer(array, number, /*span=*/1),
                b.elementPointer(base, array.storage(), b.i64(i * distance)),
                byteWidth(array));
  }
}

/// The same through registers, in wide accesses.
void TileEmitter::movePacked(const DeviceArray &array, Value area) {
  int64_t width = byteWidth(array), span = accessBytes / width;
  int64_t count = numPacked(), lanes = schedule.getLanes();
  auto type = VectorType::get({span}, array.storage());
  for (int64_t i = 0; i * span * lanes < count; ++i) {
    Value access = b.add(thread.lane, b.i32(i * lanes));
    Value number = b.mul(access, b.i32(span));
    auto move = [&] {
      Value piece = loadAccess(array, type, packedPointer(array, number, span));
      for (auto [k, element] : llvm::enumerate(b.unpack(piece))) {
        Value slot = b.toI64(packedSlot(array, b.add(number, b.i32(k))));
        LLVM::StoreOp::create(
            b, element, b.elementPointer(area, array.storage(), slot), width);
      }
    };
    // Behind the subgroup's part may be the array's end.
    if ((i + 1) * span * lanes <= count)
      move();
    else
      b.when(b.less(number, b.i32(count)), move);
  }
}

/// A fragment of one entry a step.
Value TileEmitter::loadPacked(LoadOp load, const DeviceArray &array) {
  int64_t entries = schedule.getEntries(), own = schedule.getStepsPerThread();
  Value shared = packedEntries.lookup(load.getArray()).area;
  Value index = get(load.getIndex());
  bool isPick = isa<VectorType>(index.getType());
  // Memory has the subgroup's steps in their order, which may not be the
  // sweep's.
  bool isForward = tiles.getDirection() == Direction::Forward;
  Value step = b.mul(thread.lane, b.i32(own));
  if (!isForward)
    step = b.sub(b.i32(own * schedule.getLanes() - 1), step);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < own; ++i) {
    Value entry = arith::IndexCastOp::create(
        b, b.getI32Type(), isPick ? b.extract(index, i) : index);
    if (isPick)
      entry = b.clamp(entry, b.i32(0), b.i32(entries - 1));
    Value number =
        b.mul(b.add(step, b.i32(isForward ? i : -i)), b.i32(entries));
    Value slot = packedSlot(array, b.add(number, entry));
    elements.push_back(loadElement(
        array, b.elementPointer(shared, array.storage(), b.toI64(slot))));
  }
  return b.pack(elements);
}
