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
                         const DeviceCall &call, const TargetTraits &target,
                         SharedArrays &shared)
    : b(b), tiles(tiles), schedule(schedule), call(call), target(target),
      sharedArrays(shared) {
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
           rows = schedule.getRows(), own = schedule.getStepsPerThread();
  auto part = [&](unsigned below, unsigned count) -> Value {
    if (count == 1)
      return b.i32(0);
    Value shifted = arith::DivUIOp::create(b, id, b.i32(below));
    return arith::RemUIOp::create(b, shifted, b.i32(count));
  };
  ThreadPlace place;
  place.lane = part(1, lanes);
  Value group = lanes > 1 ? part(lanes, groups) : part(rows, groups);
  place.group = b.toI64(group);
  place.row = b.toI64(lanes > 1 ? part(lanes * groups, rows) : part(1, rows));
  place.groupFirst = b.mul(group, b.i32(own * lanes));
  place.first = b.add(place.groupFirst, b.mul(place.lane, b.i32(own)));
  return place;
}

TilePlace TileEmitter::makeTilePlace(Value row, Value tile, Value parity,
                                     bool isFull) {
  // Nothing reaches as far from a tile as this.
  constexpr int64_t far = 1 << 30;
  TilePlace made;
  made.row = row;
  made.clampedRow = b.minimum(row, b.sub(call.rows, b.i64(1)));
  made.tile = tile;
  made.parity = parity;
  Value tileSteps = b.i64(schedule.getTileSteps()), none = b.i64(0);
  Value start = b.mul(tile, tileSteps);
  Value inside = b.clamp(b.sub(call.steps, start), none, b.i64(far));
  made.isFull = isFull;
  made.start = isFull ? start : b.minimum(start, b.sub(call.steps, b.i64(1)));
  made.low = b.toI32(b.maximum(b.sub(none, made.start), b.i64(-far)));
  made.inside = b.toI32(inside);
  made.high = isFull ? made.inside : b.maximum(made.inside, b.i32(1));
  made.left = b.sub(made.inside, thread.first);
  return made;
}

//===----------------------------------------------------------------------===//
// All tiles
//===----------------------------------------------------------------------===//

void TileEmitter::emitAll() {
  thread = makeThreadPlace();
  findPackedArrays();
  if (isLookBack())
    return emitLookBack();
  place = makeTilePlace(row(), b.i64(0), b.i64(0));
  emitInvariants(/*withRows=*/true);
  if (schedule.getChain() == Chain::Once)
    emitOnce();
  else
    emitLoop();
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
      emitOp(&op);
  }
}

/// The thread's row, where each workgroup has rows of its own.
Value TileEmitter::row() {
  Value block = b.toI64(gpu::BlockIdOp::create(b, gpu::Dimension::x));
  return b.add(b.mul(block, b.i64(schedule.getRows())), thread.row);
}

//===----------------------------------------------------------------------===//
// One tile
//===----------------------------------------------------------------------===//

void TileEmitter::emitTile(const TilePlace &at, const ReadAhead &ahead) {
  place = at;
  stagings = 0;
  takeAhead(ahead);
  stagePacked();
  for (Operation &op : tiles.getBody().front())
    if (!isEmitted(&op))
      emitOp(&op);
}

bool TileEmitter::isEmitted(Operation *op) {
  return op->getNumResults() > 0 && values.lookup(op->getResult(0));
}

void TileEmitter::takeAhead(const ReadAhead &ahead) {
  for (auto &[op, loaded] : ahead)
    values[cast<LoadOp>(op)] = fromMemory(cast<LoadOp>(op), loaded);
}

/// Constants may stand outside the op.
Value TileEmitter::get(Value value) {
  if (Value known = values.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (op && op->hasTrait<OpTrait::ConstantLike>())
    return b.clone(*op)->getResult(0);
  return {};
}

void TileEmitter::emitOp(Operation *op) {
  Location outer = b.getLoc();
  b.setLoc(op->getLoc());
  llvm::TypeSwitch<Operation *>(op)
      .Case<LoadOp>([&](LoadOp load) {
        values[load] = fromMemory(load, this->load(load, place));
      })
      .Case<OutsideOp>(
          [&](OutsideOp outside) { values[outside] = emitOutside(outside); })
      .Case<SegmentOp>(
          [&](SegmentOp segment) { values[segment] = emitSegment(segment); })
      .Case<StepOp>([&](StepOp step) { values[step] = emitStep(step); })
      .Case<ReduceOp>(
          [&](ReduceOp reduce) { values[reduce] = emitReduce(reduce); })
      .Case<NeighbourOp>([&](NeighbourOp neighbour) {
        values[neighbour] = emitNeighbour(neighbour);
      })
      .Case<ComposeOp>([&](ComposeOp compose) { emitCompose(compose); })
      .Case<ScanSubgroupOp>(
          [&](ScanSubgroupOp scan) { emitScanSubgroup(scan); })
      .Case<ScanWorkgroupOp>(
          [&](ScanWorkgroupOp scan) { emitScanWorkgroup(scan); })
      .Case<CarryOp>([&](CarryOp carry) { emitCarry(carry); })
      .Case<ApplyOp>([&](ApplyOp apply) {
        if (Value known = groupStates.lookup(apply.getA()))
          values[apply] = known;
        else
          values[apply] = applyMap({get(apply.getA()), get(apply.getB())},
                                   get(apply.getState()));
      })
      .Case<AdvanceOp>([&](AdvanceOp advance) { emitAdvance(advance); })
      .Case<StoreOp>([&](StoreOp store) { emitStore(store); })
      .Default([&](Operation *) {
        IRMapping mapping;
        for (Value operand : op->getOperands())
          mapping.map(operand, get(operand));
        values[op->getResult(0)] = b.clone(*op, mapping)->getResult(0);
      });
  b.setLoc(outer);
}
