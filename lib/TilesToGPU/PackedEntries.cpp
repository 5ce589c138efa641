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

/// Where an element stands in shared memory: after every line's worth comes a
/// bank's worth of nothing, so that lanes meet in no bank, whatever the number
/// of entries.
Value TileEmitter::packedSlot(const DeviceArray &array, Value number) {
  int64_t width = byteWidth(array),
          gap = std::max<int64_t>(bankBytes / width, 1);
  Value lines = arith::DivUIOp::create(b, number, b.i32(lineBytes / width));
  return b.add(number, b.mul(lines, b.i32(gap)));
}

/// Brings the tile's part of each packed array to shared memory.
void TileEmitter::stagePacked() {
  if (packedEntries.empty())
    return;
  syncSubgroup();
  for (auto &[value, packed] : packedEntries) {
    const DeviceArray &array = call.arrays.find(value)->second;
    int64_t width = byteWidth(array), count = numPacked();
    int64_t gaps = llvm::divideCeil(count * width, lineBytes) *
                   std::max<int64_t>(bankBytes / width, 1);
    int64_t subgroups = schedule.getThreads() / b.subgroupSize;
    if (!packed.shared)
      packed.shared = sharedArray(array.storage(), (count + gaps) * subgroups);
    packed.area =
        b.elementPointer(packed.shared, array.storage(),
                         b.mul(subgroupNumber(), b.i64(count + gaps)));
    stageArray(array, packed.area);
  }
  syncSubgroup();
}

/// Accesses past the row's ends are of its first or last elements.
void TileEmitter::stageArray(const DeviceArray &array, Value shared) {
  int64_t width = byteWidth(array), access = accessBytes / width;
  int64_t entries = schedule.getEntries(), count = numPacked();
  auto type = VectorType::get({access}, array.storage());
  Value first = b.add(place.start, b.toI64(thread.groupFirst));
  if (tiles.getDirection() == Direction::Backward)
    first = b.sub(call.steps, b.add(first, b.i64(count / entries)));
  Value base = b.mul(first, b.i64(entries));
  Value last = b.sub(b.mul(call.steps, b.i64(entries)), b.i64(access));
  Value row = rowPointer(array, place);
  int64_t accesses = llvm::divideCeil(count / access, b.subgroupSize);
  SmallVector<Value> numbers, pieces;
  for (int64_t i = 0; i < accesses; ++i) {
    Value number =
        b.mul(b.add(thread.lane, b.i32(i * b.subgroupSize)), b.i32(access));
    Value element = b.clamp(b.add(base, b.toI64(number)), b.i64(0), last);
    numbers.push_back(number);
    pieces.push_back(
        loadAccess(type, b.elementPointer(row, array.storage(), element)));
  }
  for (auto [number, piece] : llvm::zip(numbers, pieces)) {
    auto store = [&, number = number, piece = piece] {
      for (auto [i, element] : llvm::enumerate(b.unpack(piece))) {
        Value slot = packedSlot(array, b.add(number, b.i32(i)));
        LLVM::StoreOp::create(
            b, element,
            b.elementPointer(shared, array.storage(), b.toI64(slot)), width);
      }
    };
    bool isWhole = count % (access * b.subgroupSize) == 0;
    if (isWhole)
      store();
    else
      b.when(b.less(number, b.i32(count)), store);
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
