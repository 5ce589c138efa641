//===- Staging.cpp - Tiles of arrays whose steps are contiguous -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/Staging.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace rlscan;

StagedArray StagedArray::create(VectorBuilder &b, const ArrayInfo &array,
                                Type signal) {
  Type element = isa<FloatType>(signal) ? Type(b.real) : b.realSizedInt();
  Value buffer = b.allocate(element, tileSteps * b.lanes);
  return {array, signal, element, buffer};
}

static Value bufferRow(VectorBuilder &b, const StagedArray &staged, Value j) {
  return b.elementPointer(staged.buffer, staged.element,
                          b.mul(j, b.i64(b.lanes)));
}

static unsigned vectorBytes(VectorBuilder &b, Type element) {
  return b.lanes * element.getIntOrFloatBitWidth() / 8;
}

/// The alignment of the vectors of a buffer, which itself is aligned to 64.
static unsigned rowAlignment(VectorBuilder &b, const StagedArray &staged) {
  return std::min(64u, vectorBytes(b, staged.element));
}

Value rlscan::readStaged(VectorBuilder &b, const StagedArray &staged,
                         Value j) {
  Value stored = b.loadVector(staged.element, bufferRow(b, staged, j),
                              rowAlignment(b, staged));
  return fromStorage(b, stored, staged.signal);
}

void rlscan::writeStaged(VectorBuilder &b, const StagedArray &staged, Value j,
                         Value value) {
  b.storeVector(toStorage(b, value, staged.element), bufferRow(b, staged, j),
                rowAlignment(b, staged));
}

/// Transposes a square of `lanes` vectors in place: log2(lanes) rounds, each
/// exchanging blocks off the diagonal between pairs of vectors.
static void transpose(VectorBuilder &b, MutableArrayRef<Value> rows) {
  int64_t lanes = b.lanes;
  for (int64_t block = 1; block < lanes; block *= 2) {
    SmallVector<int64_t> low(lanes), high(lanes);
    for (int64_t i = 0; i < lanes; ++i) {
      bool isSecond = i & block;
      low[i] = isSecond ? lanes + i - block : i;
      high[i] = isSecond ? lanes + i : i + block;
    }
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & block)
        continue;
      Value first = rows[i], second = rows[i + block];
      rows[i] = vector::ShuffleOp::create(b, first, second, low);
      rows[i + block] = vector::ShuffleOp::create(b, first, second, high);
    }
  }
}

/// The address of step `step` of the row of lane `lane`; lanes without a row
/// get the last one's.
static Value rowPointer(VectorBuilder &b, const StagedArray &staged,
                        const TileBounds &tile, int64_t lane, Value step) {
  Value row = b.minimum(b.add(tile.firstRow, b.i64(lane)), tile.lastRow);
  Value offset = b.add(b.mul(row, staged.array.rowStride), step);
  return b.elementPointer(staged.array.base, staged.array.storage(), offset);
}

/// Runs body(j, remaining) for each square of the tile: its first step, counted
/// from the tile's, and how many steps from there on are in the tile.
static void forEachSquare(VectorBuilder &b, const TileBounds &tile,
                          llvm::function_ref<void(Value, Value)> body) {
  b.loop(b.i64(0), tile.stepCount, b.lanes, [&](Value j) {
    body(j, b.sub(tile.stepCount, j));
  });
}

/// Loads `lanes` steps of every row, or those that remain.
static SmallVector<Value> loadSquare(VectorBuilder &b,
                                     const StagedArray &staged,
                                     ArrayRef<Value> pointers,
                                     Value remaining) {
  Type storage = staged.array.storage();
  unsigned alignment = staged.array.alignment();
  VectorType type = b.vectorOf(storage);
  Value isWhole = b.less(b.i64(b.lanes - 1), remaining);
  SmallVector<Type> types(pointers.size(), type);
  auto choice = scf::IfOp::create(b, types, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> loaded;
  b.setInsertionPointToStart(choice.thenBlock());
  for (Value pointer : pointers)
    loaded.push_back(b.loadVector(storage, pointer, alignment));
  scf::YieldOp::create(b, loaded);
  b.setInsertionPointToStart(choice.elseBlock());
  loaded.clear();
  Value mask = b.firstLanes(remaining);
  Value zero = b.constant(cast<TypedAttr>(b.getZeroAttr(type)));
  for (Value pointer : pointers)
    loaded.push_back(LLVM::MaskedLoadOp::create(b, type, pointer, mask, zero,
                                                alignment));
  scf::YieldOp::create(b, loaded);
  return SmallVector<Value>(choice.getResults());
}

void rlscan::prefetchStaged(VectorBuilder &b, const StagedArray &staged,
                            const TileBounds &next, Value turn,
                            bool forWrite) {
  Value perRow = b.ceilDiv(next.stepCount, b.lanes);
  Value lane = arith::DivUIOp::create(b, turn, perRow);
  Value square = b.sub(turn, b.mul(lane, perRow));
  Value row = b.minimum(b.add(next.firstRow, lane), next.lastRow);
  Value step = b.add(next.firstStep, b.mul(square, b.i64(b.lanes)));
  Value offset = b.add(b.mul(row, staged.array.rowStride), step);
  // Lines past the row's end are the next row's where rows are adjacent; where
  // they are not, a request in vain does no harm.
  for (int64_t line = 0; line < linesAtOnce; ++line) {
    Value address =
        b.elementPointer(staged.array.base, staged.array.storage(),
                         b.add(offset, b.i64(line * b.lanes)));
    LLVM::Prefetch::create(b, address, /*rw=*/forWrite ? 1 : 0,
                           /*hint=*/2, /*cache=*/1);
  }
}

void rlscan::stageIn(VectorBuilder &b, const StagedArray &staged,
                     const TileBounds &tile) {
  forEachSquare(b, tile, [&](Value j, Value remaining) {
    Value step = b.add(tile.firstStep, j);
    SmallVector<Value> square;
    for (unsigned lane = 0; lane < b.lanes; ++lane)
      square.push_back(rowPointer(b, staged, tile, lane, step));
    square = loadSquare(b, staged, square, remaining);
    for (Value &row : square)
      row = toStorage(b, fromStorage(b, row, staged.signal), staged.element);
    transpose(b, square);
    for (auto [i, vector] : llvm::enumerate(square))
      b.storeVector(vector, bufferRow(b, staged, b.add(j, b.i64(i))),
                    rowAlignment(b, staged));
  });
}

void rlscan::stageOut(VectorBuilder &b, const StagedArray &staged,
                      const TileBounds &tile) {
  unsigned alignment = staged.array.alignment();
  forEachSquare(b, tile, [&](Value j, Value remaining) {
    SmallVector<Value> square;
    for (unsigned i = 0; i < b.lanes; ++i)
      square.push_back(b.loadVector(staged.element,
                                    bufferRow(b, staged, b.add(j, b.i64(i))),
                                    rowAlignment(b, staged)));
    transpose(b, square);
    Value step = b.add(tile.firstStep, j);
    SmallVector<Value> pointers;
    for (auto [lane, row] : llvm::enumerate(square)) {
      row = toStorage(b, fromStorage(b, row, staged.signal),
                      staged.array.storage());
      pointers.push_back(rowPointer(b, staged, tile, lane, step));
    }
    Value isWhole = arith::AndIOp::create(
        b, b.less(b.i64(b.lanes - 1), remaining),
        b.less(b.i64(b.lanes - 1), tile.validRows));
    auto storeWhole = [&] {
      for (auto [row, pointer] : llvm::zip_equal(square, pointers))
        b.storeVector(row, pointer, alignment);
    };
    auto storePart = [&] {
      for (auto [lane, row] : llvm::enumerate(square)) {
        Value exists = b.less(b.i64(lane), tile.validRows);
        Value count =
            arith::SelectOp::create(b, exists, remaining, b.i64(0));
        LLVM::MaskedStoreOp::create(b, row, pointers[lane],
                                    b.firstLanes(count), alignment);
      }
    };
    b.branch(isWhole, storeWhole, storePart);
  });
}
