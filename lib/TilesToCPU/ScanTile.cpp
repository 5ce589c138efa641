//===- ScanTile.cpp - A recurrence over a tile, a lane for a row ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/ScanTile.h"
#include "TilesToCPU/ArrayAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace rlscan;

TileBuffer TileBuffer::allocate(VectorBuilder &b, Type element) {
  return {element, b.allocate(element, b.lanes * (tileChunks + 1) * b.lanes)};
}

Value TileBuffer::address(VectorBuilder &b, Value row, Value chunk) const {
  Value offset = b.add(b.mul(row, b.i64((tileChunks + 1) * b.lanes)),
                       b.mul(chunk, b.i64(b.lanes)));
  return b.elementPointer(memory, element, offset);
}

Value ScanTile::flagsAddress(VectorBuilder &b, Value chunk, Value row) const {
  Value offset = b.add(b.mul(chunk, b.i64(b.lanes)), row);
  return b.elementPointer(flags, b.getI32Type(), offset);
}

static unsigned vectorAlignment(VectorBuilder &b, Type element) {
  return std::min(64u, b.lanes * element.getIntOrFloatBitWidth() / 8);
}

/// When to exchange halves of vectors. A vector of f64 takes two registers, so
/// that halves are whole registers there and cost nothing to exchange: last
/// where f64 comes next, first where it came before.
enum class Halves { First, Last };

/// Transposes a square of `lanes` vectors in place: log2(lanes) rounds, each
/// exchanging blocks off the diagonal between pairs of vectors.
static void transpose(VectorBuilder &b, MutableArrayRef<Value> rows,
                      Halves halves) {
  int64_t lanes = b.lanes;
  for (int64_t size = 1; size < lanes; size *= 2) {
    int64_t block = halves == Halves::Last ? size : lanes / 2 / size;
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

/// Chunk `chunk` of a buffer, a vector for each row.
static SmallVector<Value> loadRows(VectorBuilder &b, const TileBuffer &buffer,
                                   Value chunk) {
  SmallVector<Value> rows;
  for (unsigned row = 0; row < b.lanes; ++row)
    rows.push_back(b.loadVector(buffer.element,
                                buffer.address(b, b.i64(row), chunk),
                                vectorAlignment(b, buffer.element)));
  return rows;
}

static void storeRows(VectorBuilder &b, const TileBuffer &buffer, Value chunk,
                      ArrayRef<Value> rows) {
  for (auto [row, vector] : llvm::enumerate(rows))
    b.storeVector(vector, buffer.address(b, b.i64(row), chunk),
                  vectorAlignment(b, buffer.element));
}

/// Alpha or beta of a chunk, a vector for each step, from the array or buffer
/// that holds it.
static SmallVector<Value> loadSteps(VectorBuilder &b, Value array,
                                    const TileBuffer &buffer, Value chunk,
                                    const ScanHooks &hooks) {
  SmallVector<Value> square =
      array ? hooks.load(array, chunk) : loadRows(b, buffer, chunk);
  transpose(b, square, Halves::Last);
  return square;
}

/// The init of every row: that of the first position, in chunk 0.
static Value firstInit(VectorBuilder &b, const ScanTile &scan) {
  bool isForward = scan.direction == Direction::Forward;
  SmallVector<Value> steps = loadRows(b, scan.init, b.i64(0));
  transpose(b, steps, Halves::Last);
  return fromStorage(b, isForward ? steps.front() : steps.back(),
                     b.getF64Type());
}

namespace {
/// The betas of one chunk, and where they are 0.
class Betas {
public:
  struct Beta {
    Value value, isZero;
  };

  Betas(VectorBuilder &b, const ScanTile &scan, Value chunk, Value ifSet,
        Value ifClear, Value scale, const ScanHooks &hooks)
      : b(b), scan(scan), ifSet(ifSet), ifClear(ifClear), scale(scale) {
    if (scan.form == BetaForm::Signal)
      steps = loadSteps(b, scan.betaArray, scan.beta, chunk, hooks);
    if (scan.form == BetaForm::Choice)
      flags =
          b.loadVector(b.getI32Type(), scan.flagsAddress(b, chunk, b.i64(0)),
                       std::min(64u, 4 * b.lanes));
  }

  /// Beta of step `step` of the chunk, for each row, as f64.
  Beta at(unsigned step) {
    if (scan.form == BetaForm::Choice)
      return choice(step);
    Value beta = scan.form == BetaForm::Uniform
                     ? ifSet
                     : fromStorage(b, steps[step], b.getF64Type());
    if (scale)
      beta = arith::MulFOp::create(b, scale, beta);
    return {beta, b.isZero(beta)};
  }

private:
  /// Most choices are between 0, at the end of an episode, and another value;
  /// that value can then stand in for the 0, which cuts the carry anyway.
  Beta choice(unsigned step) {
    Value bit = b.splat(b.constant(b.getI32IntegerAttr(int32_t(1u << step))));
    Value isSet =
        fromStorage(b, arith::AndIOp::create(b, flags, bit), b.getI1Type());
    bool setIsZero = matchPattern(ifSet, m_AnyZeroFloat());
    bool clearIsZero = matchPattern(ifClear, m_AnyZeroFloat());
    Value beta = setIsZero ? ifClear
                 : clearIsZero
                     ? ifSet
                     : arith::SelectOp::create(b, isSet, ifSet, ifClear);
    Value isZero =
        arith::SelectOp::create(b, isSet, b.isZero(ifSet), b.isZero(ifClear));
    return {beta, isZero};
  }

  VectorBuilder &b;
  const ScanTile &scan;
  Value ifSet, ifClear, scale;
  SmallVector<Value> steps;
  Value flags;
};
} // namespace

void rlscan::runScan(VectorBuilder &b, const ScanTile &scan, Value chunkCount,
                     Value isStart, Value ifSet, Value ifClear, Value scale,
                     const ScanHooks &hooks) {
  Type f64 = b.getF64Type();
  unsigned alignment = vectorAlignment(b, f64);
  bool isForward = scan.direction == Direction::Forward;
  if (scan.init.memory)
    b.branch(isStart,
             [&] { b.storeVector(firstInit(b, scan), scan.carry, alignment); });
  b.loop(b.i64(0), chunkCount, 1, [&](Value chunk) {
    hooks.meanwhile(chunk);
    Value carry = b.loadVector(f64, scan.carry, alignment);
    SmallVector<Value> alphas =
        loadSteps(b, scan.alphaArray, scan.alpha, chunk, hooks);
    Betas betas(b, scan, chunk, ifSet, ifClear, scale, hooks);
    SmallVector<Value> results(b.lanes);
    for (unsigned i = 0; i < b.lanes; ++i) {
      unsigned step = isForward ? i : b.lanes - 1 - i;
      Betas::Beta beta = betas.at(step);
      carry = b.carryOn(fromStorage(b, alphas[step], f64), beta.value, carry,
                        beta.isZero);
      results[step] = fromStorage(b, carry, b.real);
    }
    b.storeVector(carry, scan.carry, alignment);
    transpose(b, results, Halves::First);
    if (scan.result.memory)
      storeRows(b, scan.result, chunk, results);
    for (Value array : scan.resultArrays)
      hooks.store(array, chunk, results);
  });
}
