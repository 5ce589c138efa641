//===- LookBack.cpp - The tiles of a row in many workgroups -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// How the state before a tile is found in what other workgroups leave in memory
// (TicketLoop.cpp says who works on which tile).
//
// The workspace (zeroed once, never again) holds
//
//   i32 at   0: the number of tickets drawn; it wraps to 0 with the last one
//   i32 at  64: the epoch, one more after each launch
//   from   128: for each scan, row and tile a state of 2 words (4 with f64)
//
// A word is an i64: 32 bits of payload below a tag, `epoch * 4 + kind`, that
// makes it valid by itself, without fences. A state is `partial` (the tile's
// map), then `inclusive` (the f64 state after the tile). Words of another epoch
// read as empty. States are folded from the left one tile at a time, from any
// inclusive one: whatever was ready, the result has the same bits.
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

using namespace mlir;
using namespace rlscan;

static constexpr int64_t statesOffset = 128;
enum Kind : unsigned { Empty = 0, Partial = 1, Inclusive = 2 };

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// The 32-bit parts of a float.
SmallVector<Value> TileEmitter::split(Value value) {
  if (value.getType().isF32())
    return {arith::BitcastOp::create(b, b.getI32Type(), value)};
  Value halves =
      LLVM::BitcastOp::create(b, VectorType::get({2}, b.getI32Type()), value);
  return b.unpack(halves);
}

static Value join(ThreadBuilder &b, Type real, ArrayRef<Value> parts) {
  if (real.isF32())
    return arith::BitcastOp::create(b, real, parts.front());
  return LLVM::BitcastOp::create(b, real, b.pack({parts[0], parts[1]}));
}

/// epoch * 4 + kind above the payload.
Value TileEmitter::toWord(Value payload, unsigned kind) {
  Value tag = b.add(b.mul(epoch, b.i32(4)), b.i32(kind));
  Value high = arith::ShLIOp::create(b, b.toI64(tag), b.i64(32));
  return arith::OrIOp::create(b, high, b.toI64(payload));
}

void TileEmitter::publish(Value pointer, unsigned kind, ArrayRef<Value> words) {
  for (auto [i, word] : llvm::enumerate(words))
    b.storeRelaxed(toWord(word, kind), b.atOffset(pointer, 8 * i));
}

void TileEmitter::publishMap(Value pointer, Map map) {
  SmallVector<Value> words = split(map.a);
  llvm::append_range(words, split(map.b));
  publish(pointer, Partial, words);
}

void TileEmitter::publishState(Value pointer, Value state) {
  publish(pointer, Inclusive, split(state));
}

/// The state of a tile as far as it is published; `kind` is empty unless every
/// word that it needs is there.
TileEmitter::TileState TileEmitter::readState(Value pointer, Value exists,
                                              Type real) {
  unsigned count = real.isF32() ? 2 : 4;
  SmallVector<Type> types(count, b.getI64Type());
  auto branch = scf::IfOp::create(b, types, exists, /*withElse=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> read;
    for (unsigned i = 0; i < count; ++i)
      read.push_back(b.loadRelaxed(b.getI64Type(), b.atOffset(pointer, 8 * i)));
    scf::YieldOp::create(b, read);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, SmallVector<Value>(count, b.i64(0)));
  }
  SmallVector<Value> payloads, tags;
  for (Value word : branch.getResults()) {
    payloads.push_back(b.toI32(word));
    tags.push_back(b.toI32(arith::ShRUIOp::create(b, word, b.i64(32))));
  }
  auto allHave = [&](unsigned words, Kind kind) {
    Value tag = b.add(b.mul(epoch, b.i32(4)), b.i32(kind));
    Value all = b.equal(tags[0], tag);
    for (unsigned i = 1; i < words; ++i)
      all = b.both(all, b.equal(tags[i], tag));
    return all;
  };
  TileState state;
  state.kind =
      b.select(allHave(2, Inclusive), b.i32(Inclusive),
               b.select(allHave(count, Partial), b.i32(Partial), b.i32(Empty)));
  ArrayRef<Value> parts = payloads;
  state.a = join(b, real, parts.take_front(count / 2));
  state.b = join(b, real, parts.drop_front(count / 2));
  state.state = join(b, b.getF64Type(), parts.take_front(2));
  return state;
}

/// Where the state of a tile of this thread's row is.
Value TileEmitter::statePointer(CarryOp carry, Value tile) {
  int64_t stateBytes = carry.getType().isF32() ? 16 : 32;
  int64_t number = llvm::find(carries, carry) - carries.begin();
  Value allRows = b.mul(rowBlocks, b.i64(schedule.getRows()));
  Value row = b.add(b.mul(b.i64(number), allRows), place.row);
  Value index = b.add(b.mul(row, numTiles), tile);
  Value bytes = b.add(b.mul(index, b.i64(stateBytes)), b.i64(statesOffset));
  return b.elementPointer(call.workspace, b.getI8Type(), bytes);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// What the first group of a row knows of the tile's map: where it has lanes
/// and is not alone, lane l that of the groups up to number l; else all of it.
TileEmitter::Map TileEmitter::tileMap(CarryOp carry) {
  auto scan = carry.getA().getDefiningOp<ScanWorkgroupOp>();
  if (!scan)
    return {get(carry.getA()), get(carry.getB())};
  Type real = carry.getType();
  auto branch = scf::IfOp::create(b, TypeRange{real, real},
                                  b.equal(thread.group, 0), /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Map map = schedule.getLanes() > 1 ? scanGroups(scan) : composeBundles(scan);
  scf::YieldOp::create(b, {map.a, map.b});
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, {b.real(real, 0.0), b.real(real, 0.0)});
  return {branch.getResult(0), branch.getResult(1)};
}

/// All of the tile's map. The lanes of the row's first group ask together.
TileEmitter::Map TileEmitter::totalOf(CarryOp carry, Map known) {
  bool isScanned =
      carry.getA().getDefiningOp<ScanWorkgroupOp>() && schedule.getLanes() > 1;
  return isScanned ? shuffleMap(known, b.i32(schedule.getGroups() - 1)) : known;
}

/// Whether the tile needs no other to know the state after it: it is its row's
/// first, or has a boundary in it.
Value TileEmitter::isKnownAlone(Map total) {
  return arith::OrIOp::create(b, b.equal(place.tile, 0), isZero(total.b));
}

/// Publishes the tile's map, or the state after it where nothing else is
/// needed for it.
void TileEmitter::publishTile(CarryOp carry, Map known) {
  b.when(b.equal(thread.group, 0), [&] {
    Map total = totalOf(carry, known);
    Value init = b.resize(get(carry.getInit()), b.getF64Type());
    Value pointer = statePointer(carry, place.tile);
    b.when(b.equal(thread.lane, 0), [&] {
      auto branch =
          scf::IfOp::create(b, isKnownAlone(total), /*withElse=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      publishState(pointer, advanceCarry(total, init));
      b.setInsertionPointToStart(branch.elseBlock());
      publishMap(pointer, total);
    });
  });
}

/// Finds the state before the tile and publishes the one after it, unless that
/// was done: what the first group of the row does, all its lanes together.
Value TileEmitter::resolveCarry(CarryOp carry, Map total) {
  Type f64 = b.getF64Type();
  Value isStart = b.equal(place.tile, 0);
  auto search =
      scf::IfOp::create(b, TypeRange{f64}, isStart, /*withElse=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(search.thenBlock());
    scf::YieldOp::create(b, b.resize(get(carry.getInit()), f64));
    b.setInsertionPointToStart(search.elseBlock());
    scf::YieldOp::create(b, lookBack(carry, carry.getType()));
  }
  Value before = search.getResult(0);
  Value isOpen = arith::XOrIOp::create(b, isKnownAlone(total), b.i1(true));
  b.when(b.both(b.equal(thread.lane, 0), isOpen), [&] {
    publishState(statePointer(carry, place.tile), advanceCarry(total, before));
  });
  return before;
}

/// The state before the tile, or before the thread's group.
void TileEmitter::emitLookBackCarry(CarryOp carry) {
  auto early = earlyMaps.find(carry);
  Map known = early == earlyMaps.end() ? tileMap(carry) : early->second;
  if (early == earlyMaps.end())
    publishTile(carry, known);
  auto scan = carry.getA().getDefiningOp<ScanWorkgroupOp>();
  if (!scan)
    values[carry] = b.resize(resolveCarry(carry, known), carry.getType());
  else if (schedule.getLanes() > 1)
    resolveWithLanes(carry, scan, known);
  else
    resolveWithRows(carry, scan, known);
}

/// Each lane of the first group leaves the state before one group.
void TileEmitter::resolveWithLanes(CarryOp carry, ScanWorkgroupOp scan,
                                   Map known) {
  Type real = carry.getType();
  int64_t groups = schedule.getGroups(), states = schedule.getRows() * groups;
  unsigned alignment = real.getIntOrFloatBitWidth() / 8;
  Value shared = sharedArray(real, 2 * states);
  Value base = b.add(b.mul(place.parity, b.i64(states)),
                     b.mul(thread.row, b.i64(groups)));
  auto slot = [&](Value group) {
    return b.elementPointer(shared, real, b.add(base, group));
  };
  b.when(b.equal(thread.group, 0), [&] {
    Value before = b.resize(resolveCarry(carry, totalOf(carry, known)), real);
    Map earlier = exclude(known, thread.lane);
    Value state = applyMap(earlier, before);
    b.when(b.less(thread.lane, b.i32(groups)), [&] {
      LLVM::StoreOp::create(b, state, slot(b.toI64(thread.lane)), alignment);
    });
  });
  gpu::BarrierOp::create(b);
  Value state = LLVM::LoadOp::create(b, real, slot(thread.group), alignment);
  groupStates[scan.getBeforeA()] = values[carry] = state;
}

/// One thread leaves the state before its row's tile; all take it from there.
void TileEmitter::resolveWithRows(CarryOp carry, ScanWorkgroupOp scan,
                                  Map known) {
  Type f64 = b.getF64Type();
  Value shared = sharedArray(f64, 2 * schedule.getRows());
  Value index =
      b.add(b.mul(place.parity, b.i64(schedule.getRows())), thread.row);
  Value slot = b.elementPointer(shared, f64, index);
  b.when(b.equal(thread.group, 0), [&] {
    LLVM::StoreOp::create(b, resolveCarry(carry, known), slot, 8);
  });
  gpu::BarrierOp::create(b);
  Value before = LLVM::LoadOp::create(b, f64, slot, 8);
  foldStates(scan, before);
  values[carry] = b.resize(before, carry.getType());
}

/// Folds the lanes from `start - 1` down to 0: lane l holds the tile l before
/// the window's last. Maps go through the subgroup's own shared memory, in f64,
/// eight at a time; those past `start` are the identity.
Value TileEmitter::foldWindow(const TileState &mine, Value start, Value state) {
  Type f64 = b.getF64Type();
  Map map = {b.resize(mine.a, f64), b.resize(mine.b, f64)};
  if (schedule.getLanes() == 1)
    return b.select(b.equal(start, 0), state, applyMap(map, state));
  constexpr int64_t together = 8;
  Value isUsed = b.less(thread.lane, start);
  map = {b.select(isUsed, map.a, b.real(f64, 0.0)),
         b.select(isUsed, map.b, b.real(f64, 1.0))};
  int64_t lanes = schedule.getLanes();
  Value shared = sharedArray(pairOf(f64), lanes * schedule.getRows());
  Value row = b.mul(thread.row, b.i64(lanes));
  auto slot = [&](Value lane) {
    return b.elementPointer(shared, pairOf(f64), b.add(row, lane));
  };
  b.syncSubgroup();
  storeMap(map, slot(b.toI64(thread.lane)));
  b.syncSubgroup();
  Value rounds = b.ceilDiv(b.toI64(start), together);
  auto loop =
      scf::ForOp::create(b, b.i64(0), rounds, b.i64(1), ValueRange{state});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value left = b.sub(rounds, loop.getInductionVar());
  Value first = b.mul(b.sub(left, b.i64(1)), b.i64(together));
  SmallVector<Map> maps;
  for (int64_t i = together - 1; i >= 0; --i)
    maps.push_back(loadMap(f64, slot(b.add(first, b.i64(i)))));
  Value folded = loop.getRegionIterArgs()[0];
  for (Map each : maps)
    folded = applyMap(each, folded);
  scf::YieldOp::create(b, folded);
  return loop.getResult(0);
}

/// Walks back window by window, a tile a lane, to the nearest inclusive state,
/// then forward again. The lanes of the row's first group run this together.
Value TileEmitter::lookBack(CarryOp carry, Type real) {
  unsigned lanes = schedule.getLanes();
  Value newest = b.sub(place.tile, b.i64(1));
  Type types[] = {b.getI64Type(), b.getF64Type(), b.getI1Type(), b.getI1Type()};
  SmallVector<Location> locations(4, b.getLoc());
  // The window's last tile; the state before the window, and whether it is
  // known; whether all is done.
  SmallVector<Value> initial = {newest, b.real(b.getF64Type(), 0.0),
                                b.i1(false), b.i1(false)};
  auto loop = scf::WhileOp::create(b, types, initial);
  OpBuilder::InsertionGuard guard(b);
  Block *head = b.createBlock(&loop.getBefore(), {}, types, locations);
  scf::ConditionOp::create(
      b, arith::XOrIOp::create(b, head->getArgument(3), b.i1(true)),
      head->getArguments());
  Block *body = b.createBlock(&loop.getAfter(), {}, types, locations);
  Value window = body->getArgument(0), known = body->getArgument(1),
        isKnown = body->getArgument(2);

  Value lane = thread.lane;
  Value tile = b.sub(window, b.toI64(lane));
  Value exists = b.less(b.i64(-1), tile);
  TileState mine = readState(statePointer(carry, tile), exists, real);
  Value none = b.i32(lanes);
  Value isInclusive = b.equal(mine.kind, Inclusive);
  Value isMissing = b.equal(mine.kind, Empty);
  Value start = b.select(isInclusive, b.i32(0), none);
  Value missing = b.select(isMissing, b.i32(0), none);
  Value state = mine.state;
  if (lanes > 1) {
    start = b.firstLane(isInclusive, none);
    missing = b.firstLane(isMissing, none);
    Value from = b.minimum(start, b.i32(lanes - 1));
    state = b.shuffle(state, from);
  }
  Value hasInclusive = b.less(start, none);
  state = b.select(hasInclusive, state, known);
  // All before `start` are there: nobody misses one of them.
  Value isReady = b.less(b.sub(start, b.i32(1)), missing);
  Value canFold =
      b.both(isReady, arith::OrIOp::create(b, hasInclusive, isKnown));
  Value folded = foldWindow(mine, b.select(canFold, start, b.i32(0)), state);
  Value isLast = b.equal(window, newest);
  Value forward = b.add(window, b.i64(lanes)),
        backward = b.sub(window, b.i64(lanes));
  Value goesBack =
      b.both(isReady, arith::XOrIOp::create(b, canFold, b.i1(true)));
  Value moved = b.select(canFold, b.select(isLast, window, forward),
                         b.select(goesBack, backward, window));
  scf::YieldOp::create(b, {moved, b.select(canFold, folded, known),
                           Value(arith::OrIOp::create(b, isKnown, canFold)),
                           b.both(canFold, isLast)});
  return loop.getResult(1);
}
