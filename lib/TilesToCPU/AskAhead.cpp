//===- AskAhead.cpp - Lines of the tiles to come --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which memory AlongSteps asks for ahead of its use, and when. Hardware follows
// a few runs of memory by itself, but not as many as a tile has rows.
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/AlongSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace rlscan;

/// Where the line of turn `turn` lies, in an array whose lines are to be asked
/// for ahead. Tiles are taken in groups of `tilesAhead`; while one group is
/// computed the next one's lines are asked for, row after row and each from its
/// first step to its last, since that is the one order in which hardware helps.
/// The next group is of the same rows, or after the last group of a row of the
/// next rows. A turn is a chunk of the present group.
AlongSteps::Place AlongSteps::placeOfTurn(Value turn, Value firstChunk) {
  Value lanes = b.i64(b.lanes), groupChunks = b.i64(tilesAhead * tileChunks);
  Value chunks = b.ceilDiv(call.steps, b.lanes);
  Value intoGroup = arith::RemUIOp::create(b, firstChunk, groupChunks);
  turn = b.add(turn, b.mul(intoGroup, lanes));
  Value begin = b.add(b.sub(firstChunk, intoGroup), groupChunks);
  Value isLast = b.less(b.sub(chunks, b.i64(1)), begin);
  begin = arith::SelectOp::create(b, isLast, b.i64(0), begin);
  Value count = b.minimum(b.sub(chunks, begin), groupChunks);
  Value rowAhead = arith::DivUIOp::create(b, turn, count);
  Value chunkAhead = b.sub(turn, b.mul(rowAhead, count));
  // Chunks are counted along the sweep, lines along memory.
  bool isForward = sweep.getDirection() == Direction::Forward;
  Value lowest = isForward ? begin : b.sub(b.add(begin, count), b.i64(1));
  Value nextRow =
      arith::SelectOp::create(b, isLast, b.add(firstRow, lanes), firstRow);
  nextRow = b.minimum(b.add(nextRow, rowAhead), b.sub(call.rowEnd, b.i64(1)));
  return {nextRow, b.add(stepOf(lowest), b.mul(chunkAhead, lanes))};
}

bool AlongSteps::isAskedFor(const ArrayInfo &array) {
  return array.layout == Layout::Steps && !array.isPadded &&
         array.type.getKind() == InputKind::Step;
}

/// Asks for `lines` lines from `place` on. A vector that is less than a line
/// asks for the same one more than once, and past the end of a row for what
/// follows it in memory: neither does harm.
void AlongSteps::emitPrefetch(const ArrayInfo &array, Place place, Value from,
                              int64_t lines, bool forWrite) {
  Value start = elementPointer(b, array, place.row, place.step);
  for (int64_t line = 0; line < lines; ++line) {
    Value offset = b.mul(b.add(from, b.i64(line)), b.i64(b.lanes));
    LLVM::Prefetch::create(b, b.elementPointer(start, array.storage(), offset),
                           /*rw=*/forWrite ? 1 : 0, /*hint=*/2, /*cache=*/1);
  }
}

/// The input arrays of which lines are asked for ahead.
SmallVector<Value> AlongSteps::inputRuns() {
  llvm::SmallSetVector<Value, 8> arrays;
  for (LoadOp load : sweep.getBody().front().getOps<LoadOp>())
    if (isAskedFor(call.arrays.find(load.getArray())->second))
      arrays.insert(load.getArray());
  return arrays.takeVector();
}

/// How many of the inputs are asked for in phase 0, a line for each chunk; the
/// others while the first scan runs and memory would be idle, a line for each
/// row. More at once would wait for each other.
size_t AlongSteps::inputsInPhase0(size_t inputs) {
  if (!worksInPhase0)
    return 0;
  return phases.count() > 1 ? (inputs + 1) / 2 : inputs;
}

/// Of the results of the phase after the first scan half are asked for during
/// the scan: that phase computes little, and would wait for all of them.
SmallVector<Value> AlongSteps::resultsDuringScan() {
  SmallVector<Value> results;
  for (StoreOp store : phases.storesOf(1))
    if (!isStoredByScan(store) &&
        isAskedFor(call.arrays.find(store.getArray())->second))
      results.push_back(store.getArray());
  results.truncate(worksInPhase0 ? results.size() / 2 : 0);
  return results;
}

bool AlongSteps::isAskedForByScan(StoreOp store) {
  return llvm::is_contained(resultsDuringScan(), store.getArray());
}

void AlongSteps::prefetchInputs() {
  SmallVector<Value> inputs = inputRuns();
  for (Value array : ArrayRef(inputs).take_front(inputsInPhase0(inputs.size())))
    emitPrefetch(call.arrays.find(array)->second, ahead, chunkInTile, 1,
                 /*forWrite=*/false);
}

void AlongSteps::prefetchDuringScan(Value chunk, Value firstChunk) {
  Place place = placeOfTurn(b.mul(chunk, b.i64(b.lanes)), firstChunk);
  SmallVector<Value> inputs = inputRuns();
  for (Value array : ArrayRef(inputs).drop_front(inputsInPhase0(inputs.size())))
    emitPrefetch(call.arrays.find(array)->second, place, b.i64(0), b.lanes,
                 /*forWrite=*/false);
  for (Value array : resultsDuringScan())
    emitPrefetch(call.arrays.find(array)->second, place, b.i64(0), b.lanes,
                 /*forWrite=*/true);
}
