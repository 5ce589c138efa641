//===- TileEmitter.cpp - One thread's code for a tile -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rlscan;

TileEmitter::TileEmitter(ThreadBuilder &b, TilesOp tiles, ScheduleAttr schedule,
                         const DeviceCall &call)
    : b(b), tiles(tiles), schedule(schedule), call(call),
      rowValues(schedule.getRowsPerThread()) {
  llvm::append_range(carries, tiles.getBody().getOps<CarryOp>());
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Neighbouring threads share a row where it has lanes, else they are
/// neighbouring rows: either way they reach neighbouring memory.
ThreadPlace TileEmitter::makeThreadPlace() {
  Value id = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  unsigned lanes = schedule.getLanes(), groups = schedule.getGroups(),
           rows = schedule.getRows() / schedule.getRowsPerThread();
  auto part = [&](unsigned below, unsigned count) -> Value {
    if (count == 1)
      return b.i32(0);
    Value shifted = arith::DivUIOp::create(b, id, b.i32(below));
    return arith::RemUIOp::create(b, shifted, b.i32(count));
  };
  ThreadPlace place;
  place.lane = part(1, lanes);
  place.group = b.toI64(lanes > 1 ? part(lanes, groups) : part(rows, groups));
  Value row = b.toI64(lanes > 1 ? part(lanes * groups, rows) : part(1, rows));
  place.row = b.mul(row, b.i64(schedule.getRowsPerThread()));
  return place;
}

TilePlace TileEmitter::makeTilePlace(Value row, Value tile, Value parity) {
  int64_t own = schedule.getStepsPerThread();
  TilePlace made;
  made.row = row;
  made.hasRow = b.less(row, call.rows);
  made.clampedRow =
      b.minimum(row, b.sub(call.rows, b.i64(schedule.getRowsPerThread())));
  made.tile = tile;
  made.parity = parity;
  Value groupStart =
      b.add(b.mul(tile, b.i64(schedule.getTileSteps())),
            b.mul(thread.group, b.i64(own * schedule.getLanes())));
  made.first = b.add(groupStart, b.mul(b.toI64(thread.lane), b.i64(own)));
  made.edge = b.sub(groupStart, b.i64(1));
  auto leftFrom = [&](Value position, int64_t most) {
    Value left = b.sub(call.steps, position);
    return b.toI32(b.clamp(left, b.i64(0), b.i64(most)));
  };
  made.left = leftFrom(made.first, own);
  made.groupLeft = leftFrom(groupStart, own * schedule.getLanes());
  return made;
}

//===----------------------------------------------------------------------===//
// The chain of tiles
//===----------------------------------------------------------------------===//

void TileEmitter::emitAll() {
  thread = makeThreadPlace();
  if (isLookBack())
    return emitLookBack();
  Value block = b.toI64(gpu::BlockIdOp::create(b, gpu::Dimension::x));
  Value row = b.add(b.mul(block, b.i64(schedule.getRows())), thread.row);
  place = makeTilePlace(row, b.i64(0), b.i64(0));
  emitInvariants(/*withRows=*/true);
  if (schedule.getChain() == Chain::Once)
    emitOnce();
  else
    emitLoop();
}

void TileEmitter::forEachRow(llvm::function_ref<void()> body) {
  for (row = 0; row < schedule.getRowsPerThread(); ++row)
    body();
  row = 0;
}

/// What is the same for all tiles: params, constants, with rows what belongs to
/// the row, and what follows from these.
void TileEmitter::emitInvariants(bool withRows) {
  auto isKnown = [&](Value operand) { return get(operand) != nullptr; };
  for (Operation &op : tiles.getBody().front()) {
    bool isConstant = op.hasTrait<OpTrait::ConstantLike>();
    bool isInvariant = isConstant;
    if (auto load = dyn_cast<LoadOp>(op)) {
      InputKind kind = load.getArray().getType().getKind();
      isInvariant =
          kind == InputKind::Param || (kind == InputKind::Row && withRows);
    } else if (!isConstant && op.getNumRegions() == 0 && isPure(&op) &&
               op.getName().getDialectNamespace() != "rlscan") {
      isInvariant = llvm::all_of(op.getOperands(), isKnown);
    }
    if (isInvariant)
      forEachRow([&] { emitOp(&op); });
  }
}

ChainState TileEmitter::initialState() {
  ChainState initial;
  for (Operation &op : tiles.getBody().front()) {
    forEachRow([&] {
      if (auto carry = dyn_cast<CarryOp>(op)) {
        initial[{carry, row}] = b.resize(get(carry.getInit()), b.getF64Type());
      } else if (auto neighbour = dyn_cast<NeighbourOp>(op)) {
        if (neighbour.getEdge())
          return;
        Value init = get(neighbour.getInit());
        bool isScalar = init && !isa<VectorType>(init.getType());
        Type element = cast<VectorType>(neighbour.getType()).getElementType();
        initial[{neighbour, row}] = isScalar ? init : b.zero(element);
      }
    });
  }
  return initial;
}

void TileEmitter::emitOnce() {
  state = initialState();
  emitTile(place, readAhead(place));
}

/// A workgroup walks along its rows. The next tile is on its way from memory
/// while the present one is computed; past the last one that reads the row's
/// end again.
void TileEmitter::emitLoop() {
  TilePlace start = place;
  Value count = b.ceilDiv(call.steps, schedule.getTileSteps());
  ChainState chain = initialState();
  ReadAhead ahead = readAhead(start);
  SmallVector<Value> initial;
  for (auto &entry : chain)
    initial.push_back(entry.second);
  for (auto &entry : ahead)
    initial.push_back(entry.second);
  auto loop =
      scf::ForOp::create(b, b.i64(0), count, b.i64(1), ValueRange(initial));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  auto argument = loop.getRegionIterArgs().begin();
  for (auto &entry : chain)
    entry.second = *argument++;
  for (auto &entry : ahead)
    entry.second = *argument++;

  Value tile = loop.getInductionVar();
  auto placeAt = [&](Value number) {
    Value parity = arith::AndIOp::create(b, number, b.i64(1));
    return makeTilePlace(start.row, number, parity);
  };
  ReadAhead next = readAhead(placeAt(b.add(tile, b.i64(1))));
  state = chain;
  emitTile(placeAt(tile), ahead);
  SmallVector<Value> results;
  for (auto &entry : chain)
    results.push_back(nextState.lookup(entry.first));
  for (auto &entry : next)
    results.push_back(entry.second);
  // A loop that hands on nothing has its terminator.
  if (!results.empty())
    scf::YieldOp::create(b, results);
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

void TileEmitter::emitTile(const TilePlace &at, const ReadAhead &ahead) {
  place = at;
  stagings = 0;
  takeAhead(ahead);
  for (Operation &op : tiles.getBody().front()) {
    bool isKnown = op.getNumResults() > 0 && values().count(op.getResult(0));
    if (!isKnown)
      emitForRows(&op);
  }
}

void TileEmitter::takeAhead(const ReadAhead &ahead) {
  for (LoadOp load : tiles.getBody().getOps<LoadOp>())
    if (ahead.count({load, 0}))
      forEachRow([&] {
        auto own = ahead.find({load, row});
        Value loaded =
            own == ahead.end() ? ahead.find({load, 0})->second : own->second;
        values()[load] = fromMemory(load, loaded);
      });
}

/// What threads share, and what goes to memory together, is emitted for all
/// rows of the thread at a time.
void TileEmitter::emitForRows(Operation *op) {
  Location outer = b.getLoc();
  b.setLoc(op->getLoc());
  if (auto scan = dyn_cast<ScanWorkgroupOp>(op))
    emitScanWorkgroup(scan);
  else if (auto store = dyn_cast<StoreOp>(op))
    emitStore(store);
  else
    forEachRow([&] { emitOp(op); });
  b.setLoc(outer);
}

/// Constants may stand outside the op.
Value TileEmitter::get(Value value) {
  if (Value known = values().lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (op && op->hasTrait<OpTrait::ConstantLike>())
    return b.clone(*op)->getResult(0);
  return {};
}

void TileEmitter::emitOp(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<LoadOp>([&](LoadOp load) {
        values()[load] = fromMemory(load, this->load(load, place));
      })
      .Case<OutsideOp>(
          [&](OutsideOp outside) { values()[outside] = emitOutside(outside); })
      .Case<ReduceOp>(
          [&](ReduceOp reduce) { values()[reduce] = emitReduce(reduce); })
      .Case<NeighbourOp>([&](NeighbourOp neighbour) {
        values()[neighbour] = emitNeighbour(neighbour);
      })
      .Case<ComposeOp>([&](ComposeOp compose) { emitCompose(compose); })
      .Case<ScanSubgroupOp>(
          [&](ScanSubgroupOp scan) { emitScanSubgroup(scan); })
      .Case<CarryOp>([&](CarryOp carry) { emitCarry(carry); })
      .Case<ApplyOp>([&](ApplyOp apply) {
        if (Value known = groupStates.lookup({apply.getA(), row}))
          values()[apply] = known;
        else
          values()[apply] = applyMap({get(apply.getA()), get(apply.getB())},
                                     get(apply.getState()));
      })
      .Case<AdvanceOp>([&](AdvanceOp advance) { emitAdvance(advance); })
      .Default([&](Operation *) {
        IRMapping mapping;
        for (Value operand : op->getOperands())
          mapping.map(operand, get(operand));
        values()[op->getResult(0)] = b.clone(*op, mapping)->getResult(0);
      });
}
