//===- AlongSteps.cpp - A lane for each step ------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/AlongSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rlscan;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static BetaForm betaForm(Value beta) {
  if (isUniform(beta))
    return BetaForm::Uniform;
  auto choice = beta.getDefiningOp<arith::SelectOp>();
  bool isUniformChoice = choice && isUniform(choice.getTrueValue()) &&
                         isUniform(choice.getFalseValue());
  return isUniformChoice ? BetaForm::Choice : BetaForm::Signal;
}

/// Whether chunks of an array lie in memory as they are computed with.
bool AlongSteps::isInPlace(Value array) {
  const ArrayInfo &info = call.arrays.find(array)->second;
  return info.layout == Layout::Steps && !info.type.getAxis() &&
         info.type.getKind() == InputKind::Step && info.storage() == b.real;
}

/// The array of which a coefficient is the element, or null.
Value AlongSteps::arrayOf(Value coefficient) {
  auto load = coefficient.getDefiningOp<LoadOp>();
  bool isElement = load && !load.getIndex() && load.getOffset() == 0 &&
                   isInPlace(load.getArray());
  return isElement ? load.getArray() : Value();
}

ScanTile AlongSteps::makeScan(AccumulateOp op) {
  ScanTile scan;
  scan.op = op;
  scan.direction = sweep.getDirection();
  scan.form = betaForm(op.getBeta());
  scan.alphaArray = arrayOf(op.getAlpha());
  if (!scan.alphaArray)
    scan.alpha = TileBuffer::allocate(b, b.real);
  if (scan.form == BetaForm::Signal) {
    scan.betaArray = arrayOf(op.getBeta());
    if (!scan.betaArray)
      scan.beta = TileBuffer::allocate(b, b.real);
  }
  if (scan.form == BetaForm::Choice)
    scan.flags = b.allocate(b.getI32Type(), tileChunks * b.lanes);
  if (!isInvariant(op.getInit()))
    scan.init = TileBuffer::allocate(b, b.real);
  bool isKept = false;
  for (Operation *user : op->getUsers()) {
    auto store = dyn_cast<StoreOp>(user);
    if (store && isInPlace(store.getArray()))
      scan.resultArrays.push_back(store.getArray());
    else
      isKept = true;
  }
  if (isKept)
    scan.result =
        scan.alphaArray ? TileBuffer::allocate(b, b.real) : scan.alpha;
  scan.carry = b.allocate(b.getF64Type(), b.lanes);
  return scan;
}

/// Whether the recurrence itself writes what `store` stores.
bool AlongSteps::isStoredByScan(StoreOp store) {
  return store.getValue().getDefiningOp<AccumulateOp>() &&
         isInPlace(store.getArray());
}

/// Whether anything is left to do in phase `phase` beside its recurrences.
bool AlongSteps::hasWork() {
  for (AccumulateOp op : phases.scansBefore(phase + 1)) {
    const ScanTile &scan = scans[op];
    bool isReady = scan.alphaArray && !scan.init.memory &&
                   (scan.betaArray || scan.form == BetaForm::Uniform);
    if (!isReady)
      return true;
  }
  for (auto &[value, buffer] : kept)
    if (phases.phaseOf(value) == phase)
      return true;
  return llvm::any_of(phases.storesOf(phase),
                      [&](StoreOp store) { return !isStoredByScan(store); });
}

void AlongSteps::allocate() {
  for (AccumulateOp op : sweep.getBody().front().getOps<AccumulateOp>())
    scans[op] = makeScan(op);
  for (Value value : phases.kept())
    kept[value] = TileBuffer::allocate(b, b.real);
  for (PreviousOp op : sweep.getBody().front().getOps<PreviousOp>())
    for (unsigned i = phases.phaseOf(op); i < phases.count(); ++i)
      slots[{op, i}] = b.allocate(slotElement(op.getType()), b.lanes * b.lanes);
}

Value AlongSteps::previousSlot(PreviousOp previous, unsigned inPhase) {
  return b.elementPointer(slots.lookup({previous, inPhase}),
                          slotElement(previous.getType()),
                          b.mul(rowInBlock, b.i64(b.lanes)));
}

Value AlongSteps::toBuffer(const TileBuffer &buffer) {
  return buffer.address(b, rowInBlock, chunkInTile);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void AlongSteps::setRow(Value inBlock) {
  rowInBlock = inBlock;
  row = b.add(firstRow, inBlock);
}

/// Before the first chunk: what the first position finds before it.
void AlongSteps::emitStart(Value validRows) {
  b.loop(b.i64(0), validRows, 1, [&](Value inBlock) {
    restart();
    setRow(inBlock);
    for (PreviousOp op : sweep.getBody().front().getOps<PreviousOp>())
      for (unsigned i = phases.phaseOf(op); i < phases.count(); ++i)
        if (isInvariant(op.getInit()))
          writeSlot(previousSlot(op, i), emit(op.getInit()));
    for (auto &[op, scan] : scans) {
      if (scan.init.memory)
        continue;
      Value lane =
          vector::ExtractOp::create(b, widenInit(scan.op.getInit()), 0);
      LLVM::StoreOp::create(
          b, lane, b.elementPointer(scan.carry, b.getF64Type(), rowInBlock));
    }
  });
}

void AlongSteps::lower(Value first, Value validRows) {
  firstRow = first;
  emitStart(validRows);
  Value chunks = b.ceilDiv(call.steps, b.lanes);
  b.loop(b.i64(0), chunks, tileChunks, [&](Value firstChunk) {
    Value count = b.minimum(b.sub(chunks, firstChunk), b.i64(tileChunks));
    lowerTile(firstChunk, count, validRows);
  });
}

void AlongSteps::lowerTile(Value firstChunk, Value chunkCount,
                           Value validRows) {
  phase = 0;
  worksInPhase0 = hasWork();
  for (; phase < phases.count(); ++phase) {
    if (phase > 0)
      runScans(phase, firstChunk, chunkCount, validRows);
    if (hasWork())
      lowerPhase(firstChunk, chunkCount, validRows);
  }
}

void AlongSteps::lowerPhase(Value firstChunk, Value chunkCount,
                            Value validRows) {
  Value end = b.add(firstChunk, chunkCount);
  Value whole =
      b.minimum(end, arith::DivSIOp::create(b, call.steps, b.i64(b.lanes)));
  b.loop(b.i64(0), validRows, 1, [&](Value inBlock) {
    setRow(inBlock);
    Value turn = b.mul(inBlock, b.i64(tileChunks));
    ahead = placeOfTurn(turn, firstChunk);
    b.loop(firstChunk, whole, 1, [&](Value chunk) {
      emitChunk(chunk, firstChunk, /*isWhole=*/true);
    });
    b.branch(b.less(whole, end),
             [&] { emitChunk(whole, firstChunk, /*isWhole=*/false); });
  });
}

/// The step of lane 0 of a chunk.
Value AlongSteps::stepOf(Value chunk) {
  Value lanes = b.i64(b.lanes);
  if (sweep.getDirection() == Direction::Forward)
    return b.mul(chunk, lanes);
  return b.sub(call.steps, b.mul(b.add(chunk, b.i64(1)), lanes));
}

/// Lanes of a chunk whose steps exist.
Value AlongSteps::insideWindow(Value lanes) {
  if (sweep.getDirection() == Direction::Forward)
    return b.less(lanes, b.splat(call.steps));
  return b.less(b.splat(b.i64(-1)), lanes);
}

void AlongSteps::emitChunk(Value chunk, Value firstChunk, bool isWhole) {
  restart();
  chunkInTile = b.sub(chunk, firstChunk);
  firstStep = stepOf(chunk);
  steps = b.add(b.splat(firstStep), b.laneNumbers());
  mask = isWhole ? Value() : insideWindow(steps);
  if (isWhole && phase == 0)
    prefetchInputs();
  for (AccumulateOp op : phases.scansBefore(phase + 1))
    emitCoefficients(scans[op]);
  for (auto &[value, buffer] : kept)
    if (phases.phaseOf(value) == phase)
      writeSlot(toBuffer(buffer), emit(value));
  for (StoreOp store : phases.storesOf(phase)) {
    if (isStoredByScan(store))
      continue;
    const ArrayInfo &array = call.arrays.find(store.getArray())->second;
    if (isWhole && isAskedFor(array) && !isAskedForByScan(store))
      emitPrefetch(array, ahead, chunkInTile, 1, /*forWrite=*/true);
    emitStore(store);
  }
}

/// Where chunk `chunk` of the tile lies in arrays.
ChunkRows AlongSteps::rowsOf(Value chunk, Value firstChunk, Value validRows) {
  Value number = b.add(firstChunk, chunk);
  Value end = b.mul(b.add(number, b.i64(1)), b.i64(b.lanes));
  ChunkRows rows;
  rows.firstRow = firstRow;
  rows.lastRow = b.sub(call.rowEnd, b.i64(1));
  rows.validRows = validRows;
  rows.firstStep = stepOf(number);
  rows.isWhole = b.less(b.sub(end, b.i64(1)), call.steps);
  rows.mask = insideWindow(b.add(b.splat(rows.firstStep), b.laneNumbers()));
  return rows;
}

void AlongSteps::runScans(unsigned before, Value firstChunk, Value chunkCount,
                          Value validRows) {
  restart();
  Value isStart = b.equal(firstChunk, b.i64(0));
  SmallVector<AccumulateOp> ops = phases.scansBefore(before);
  for (AccumulateOp op : ops) {
    const ScanTile &scan = scans[op];
    Value ifSet, ifClear, scale;
    if (scan.form == BetaForm::Uniform) {
      ifSet = widenUniform(op.getBeta());
    } else if (scan.form == BetaForm::Choice) {
      auto choice = op.getBeta().getDefiningOp<arith::SelectOp>();
      ifSet = widenUniform(choice.getTrueValue());
      ifClear = widenUniform(choice.getFalseValue());
    } else {
      scale = uniformFactor(op.getBeta());
    }
    auto load = [&](Value array, Value chunk) {
      return rowsOf(chunk, firstChunk, validRows)
          .load(b, call.arrays.find(array)->second);
    };
    auto store = [&](Value array, Value chunk, ArrayRef<Value> rows) {
      rowsOf(chunk, firstChunk, validRows)
          .store(b, call.arrays.find(array)->second, rows);
    };
    bool isFirst = before == 1 && op == ops.front();
    auto meanwhile = [&](Value chunk) {
      if (isFirst)
        prefetchDuringScan(chunk, firstChunk);
      Place place = placeOfTurn(b.mul(chunk, b.i64(b.lanes)), firstChunk);
      for (Value array : scan.resultArrays)
        if (isAskedFor(call.arrays.find(array)->second))
          emitPrefetch(call.arrays.find(array)->second, place, b.i64(0),
                       b.lanes, /*forWrite=*/true);
    };
    runScan(b, scan, chunkCount, isStart, ifSet, ifClear, scale,
            {load, store, meanwhile});
  }
}

/// A bit for each lane.
static Value packFlags(VectorBuilder &b, Value flags) {
  Type bits = b.getIntegerType(b.lanes);
  Value packed =
      vector::BitCastOp::create(b, VectorType::get({1}, bits), flags);
  packed = vector::ExtractOp::create(b, packed, 0);
  return b.lanes < 32 ? Value(arith::ExtUIOp::create(b, b.getI32Type(), packed))
                      : packed;
}

void AlongSteps::emitCoefficients(const ScanTile &scan) {
  AccumulateOp op = scan.op;
  if (!scan.alphaArray)
    writeSlot(toBuffer(scan.alpha), emit(op.getAlpha()));
  if (scan.form == BetaForm::Signal && !scan.betaArray)
    writeSlot(toBuffer(scan.beta), withoutUniformFactor(op.getBeta()));
  if (scan.form == BetaForm::Choice) {
    auto choice = op.getBeta().getDefiningOp<arith::SelectOp>();
    LLVM::StoreOp::create(b, packFlags(b, emit(choice.getCondition())),
                          scan.flagsAddress(b, chunkInTile, rowInBlock));
  }
  if (scan.init.memory)
    writeSlot(toBuffer(scan.init), emit(op.getInit()));
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

Value AlongSteps::emitRowLoad(LoadOp load) {
  const ArrayInfo &array = call.arrays.find(load.getArray())->second;
  Value stored = LLVM::LoadOp::create(b, array.storage(),
                                      elementPointer(b, array, row, b.i64(0)),
                                      array.alignment());
  return b.splat(fromStorage(b, stored, load.getType()));
}

Value AlongSteps::emitStepLoad(LoadOp load, Value index) {
  const ArrayInfo &array = call.arrays.find(load.getArray())->second;
  bool isAdjacent =
      array.layout == Layout::Steps && !index && load.getOffset() == 0;
  Value stored;
  if (isAdjacent)
    stored =
        loadAdjacent(b, array, elementPointer(b, array, row, firstStep), mask);
  else
    stored = gather(b, array,
                    elementPointer(b, array, row,
                                   clampedStep(steps, load.getOffset()), index),
                    mask);
  return fromStorage(b, stored, load.getType());
}

void AlongSteps::emitStore(StoreOp store) {
  const ArrayInfo &array = call.arrays.find(store.getArray())->second;
  Value stored = toStorage(b, emit(store.getValue()), array.storage());
  if (array.layout == Layout::Steps)
    return storeAdjacent(b, array, stored,
                         elementPointer(b, array, row, firstStep), mask);
  scatter(b, array, stored, elementPointer(b, array, row, steps), mask);
}

Value AlongSteps::findElsewhere(Value value) {
  if (auto scan = value.getDefiningOp<AccumulateOp>())
    return readSlot(toBuffer(scans[scan].result), b.real);
  if (kept.contains(value) && phases.phaseOf(value) < phase)
    return readSlot(toBuffer(kept[value]), value.getType());
  return {};
}

Value AlongSteps::emitAccumulate(AccumulateOp) {
  llvm_unreachable("results of recurrences are read from their buffers");
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

Value AlongSteps::emitOutside(OutsideOp outside) {
  bool isForward = sweep.getDirection() == Direction::Forward;
  int64_t distance = isForward ? outside.getOffset() : -outside.getOffset();
  Value at = b.add(steps, b.splat(b.i64(distance)));
  return distance > 0 ? b.less(b.splat(b.sub(call.steps, b.i64(1))), at)
                      : b.less(at, b.splat(b.i64(0)));
}

/// The chunk shifted by a lane, filled up from the chunk before it in the
/// sweep, which is the next one in memory where the sweep goes backward.
Value AlongSteps::emitPrevious(PreviousOp previous) {
  bool isForward = sweep.getDirection() == Direction::Forward;
  Type element = slotElement(previous.getType());
  Value slot = previousSlot(previous, phase);
  Value present = toStorage(b, emit(previous.getInput()), element);
  Value before = b.loadVector(element, slot, slotAlignment(element));
  b.storeVector(present, slot, slotAlignment(element));
  SmallVector<int64_t> lanes;
  for (int64_t i = 0; i < b.lanes; ++i)
    lanes.push_back(isForward ? b.lanes - 1 + i : 1 + i);
  Value shifted = isForward
                      ? vector::ShuffleOp::create(b, before, present, lanes)
                      : vector::ShuffleOp::create(b, present, before, lanes);
  Value result = fromStorage(b, shifted, previous.getType());
  if (isInvariant(previous.getInit()))
    return result;
  Value first = isForward ? b.i64(0) : b.sub(call.steps, b.i64(1));
  Value isFirst = b.equal(steps, b.splat(first));
  return arith::SelectOp::create(b, isFirst, emit(previous.getInit()), result);
}
