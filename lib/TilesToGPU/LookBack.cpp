//===- LookBack.cpp - The tiles of a row in many workgroups -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Workgroups draw tickets; ticket k is tile k div B of the row block k mod B,
// so that the tile before it was drawn earlier, and its holder, which finishes
// its tickets in order, never waits for a later one. The ticket for the next
// tile is drawn while the one before is computed, and the next tile is on its
// way from memory by then.
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

static constexpr int64_t epochOffset = 64, statesOffset = 128;
enum Kind : unsigned { Empty = 0, Partial = 1, Inclusive = 2 };

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static Value atOffset(ThreadBuilder &b, Value pointer, int64_t bytes) {
  return b.elementPointer(pointer, b.getI8Type(), b.i64(bytes));
}

static Value loadRelaxed(ThreadBuilder &b, Type type, Value pointer) {
  return LLVM::LoadOp::create(
      b, type, pointer, /*alignment=*/type.getIntOrFloatBitWidth() / 8,
      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, "device");
}

static void storeRelaxed(ThreadBuilder &b, Value value, Value pointer) {
  LLVM::StoreOp::create(
      b, value, pointer,
      /*alignment=*/value.getType().getIntOrFloatBitWidth() / 8,
      /*isVolatile=*/false, /*isNonTemporal=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, "device");
}

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
    storeRelaxed(b, toWord(word, kind), atOffset(b, pointer, 8 * i));
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
      read.push_back(
          loadRelaxed(b, b.getI64Type(), atOffset(b, pointer, 8 * i)));
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
  Value ofThread = b.add(place.row, b.i64(this->row));
  Value row = b.add(b.mul(b.i64(number), allRows), ofThread);
  Value index = b.add(b.mul(row, numTiles), tile);
  Value bytes = b.add(b.mul(index, b.i64(stateBytes)), b.i64(statesOffset));
  return b.elementPointer(call.workspace, b.getI8Type(), bytes);
}

//===----------------------------------------------------------------------===//
// Tickets
//===----------------------------------------------------------------------===//

/// One ticket. Every workgroup draws until it has one that is no tile, so that
/// a launch draws `numTickets` in all; who draws the last begins the next
/// epoch, which nobody reads before the next launch.
Value TileEmitter::drawTicket() {
  Value last = b.sub(numTickets, b.i32(1));
  Value ticket = LLVM::AtomicRMWOp::create(
      b, LLVM::AtomicBinOp::uinc_wrap, call.workspace, last,
      LLVM::AtomicOrdering::monotonic, "device");
  b.when(b.equal(ticket, last), [&] {
    storeRelaxed(b, b.add(epoch, b.i32(1)),
                 atOffset(b, call.workspace, epochOffset));
  });
  return ticket;
}

TilePlace TileEmitter::placeOfTicket(Value ticket, Value parity) {
  // A ticket that is no tile reads the last one's memory ahead, in vain.
  Value item = arith::MinUIOp::create(b, ticket, b.sub(numItems, b.i32(1)));
  Value blocks = b.toI32(rowBlocks);
  Value block = b.toI64(arith::RemUIOp::create(b, item, blocks));
  Value tile = b.toI64(arith::DivUIOp::create(b, item, blocks));
  Value row = b.add(b.mul(block, b.i64(schedule.getRows())), thread.row);
  return makeTilePlace(row, tile, parity);
}

void TileEmitter::emitLookBack() {
  emitInvariants(/*withRows=*/false);
  rowBlocks =
      arith::CeilDivUIOp::create(b, call.rows, b.i64(schedule.getRows()));
  numTiles = b.ceilDiv(call.steps, schedule.getTileSteps());
  numItems = b.toI32(b.mul(rowBlocks, numTiles));
  Value workgroups = b.toI32(gpu::GridDimOp::create(b, gpu::Dimension::x));
  numTickets = b.add(numItems, workgroups);

  Type i32 = b.getI32Type();
  Value id = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  Value isLeader = b.equal(id, 0);
  Value shared = sharedArray(i32, 4);
  auto slot = [&](Value index) { return b.elementPointer(shared, i32, index); };
  // The epoch is read before the first ticket is drawn.
  epoch = loadRelaxed(b, i32, atOffset(b, call.workspace, epochOffset));
  LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, "device");
  gpu::BarrierOp::create(b);
  b.when(isLeader,
         [&] { LLVM::StoreOp::create(b, drawTicket(), slot(b.i64(2)), 4); });
  gpu::BarrierOp::create(b);
  Value first = LLVM::LoadOp::create(b, i32, slot(b.i64(2)), 4);
  auto drawAfter = [&](Value ticket) -> Value {
    // The leader alone draws, and no more once it has one that is no tile.
    Value isTile =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, ticket, numItems);
    auto branch = scf::IfOp::create(b, TypeRange{i32}, b.both(isLeader, isTile),
                                    /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, drawTicket());
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, ticket);
    return branch.getResult(0);
  };
  Value drawn = drawAfter(first);
  ReadAhead ahead = readAhead(placeOfTicket(first, b.i64(0)));
  SmallVector<Value> initial = {first, drawn, b.i64(0)};
  for (auto &entry : ahead)
    initial.push_back(entry.second);
  SmallVector<Type> types = llvm::to_vector(ValueRange(initial).getTypes());
  SmallVector<Location> locations(types.size(), b.getLoc());

  auto loop = scf::WhileOp::create(b, types, initial);
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locations);
  Value isTile = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                       before->getArgument(0), numItems);
  scf::ConditionOp::create(b, isTile, before->getArguments());
  Block *body = b.createBlock(&loop.getAfter(), {}, types, locations);
  Value ticket = body->getArgument(0), parity = body->getArgument(2);
  for (auto [i, entry] : llvm::enumerate(ahead))
    entry.second = body->getArgument(3 + i);
  b.when(isLeader, [&] {
    LLVM::StoreOp::create(b, body->getArgument(1), slot(parity), 4);
  });
  gpu::BarrierOp::create(b);
  Value nextTicket = LLVM::LoadOp::create(b, i32, slot(parity), 4);
  Value nextDrawn = drawAfter(nextTicket);
  Value nextParity = arith::XOrIOp::create(b, parity, b.i64(1));
  ReadAhead next = readAhead(placeOfTicket(nextTicket, nextParity));
  emitTile(placeOfTicket(ticket, parity), ahead);
  SmallVector<Value> results = {nextTicket, nextDrawn, nextParity};
  for (auto &entry : next)
    results.push_back(entry.second);
  scf::YieldOp::create(b, results);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// Publishes the tile's map, finds the state before it and publishes the one
/// after it: what the first group of the row does, all its lanes together. A
/// tile with a boundary in it needs nobody else to publish its state.
Value TileEmitter::resolveCarry(CarryOp carry, Map map) {
  Type f64 = b.getF64Type();
  Value init = b.resize(get(carry.getInit()), f64);
  Value isStart = b.equal(place.tile, 0);
  Value isLeader = b.equal(thread.lane, 0);
  Value mine = statePointer(carry, place.tile);
  Value isKnown = arith::OrIOp::create(b, isStart, isZero(map.b));
  b.when(isLeader, [&] {
    auto branch = scf::IfOp::create(b, isKnown, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    publishState(mine, advanceCarry(map, init));
    b.setInsertionPointToStart(branch.elseBlock());
    publishMap(mine, map);
  });
  auto search =
      scf::IfOp::create(b, TypeRange{f64}, isStart, /*withElse=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(search.thenBlock());
    scf::YieldOp::create(b, init);
    b.setInsertionPointToStart(search.elseBlock());
    scf::YieldOp::create(b, lookBack(carry, map.a.getType()));
  }
  Value before = search.getResult(0);
  Value isOpen = arith::XOrIOp::create(b, isKnown, b.i1(true));
  b.when(b.both(isLeader, isOpen),
         [&] { publishState(mine, advanceCarry(map, before)); });
  return before;
}

/// The state before the tile, or before the thread's group.
Value TileEmitter::emitLookBackCarry(CarryOp carry, Map map) {
  auto scan = carry.getA().getDefiningOp<ScanWorkgroupOp>();
  if (!scan)
    return b.resize(resolveCarry(carry, map), carry.getType());
  Type real = carry.getType();
  int64_t states = schedule.getRows() * schedule.getGroups();
  Value shared = sharedArray(real, 2 * states);
  Value base =
      b.add(b.mul(place.parity, b.i64(states)),
            b.mul(b.add(thread.row, b.i64(row)), b.i64(schedule.getGroups())));
  auto slot = [&](Value group) {
    return b.elementPointer(shared, real, b.add(base, group));
  };
  unsigned alignment = real.getIntOrFloatBitWidth() / 8;
  b.when(b.equal(thread.group, 0), [&] {
    if (schedule.getLanes() > 1)
      resolveWithLanes(carry, scan, slot);
    else
      resolveRow(carry, scan, slot);
  });
  gpu::BarrierOp::create(b);
  Value state = LLVM::LoadOp::create(b, real, slot(thread.group), alignment);
  groupStates[{scan.getBeforeA(), row}] = state;
  return state;
}

/// Each lane of the first group leaves the state before one group.
void TileEmitter::resolveWithLanes(CarryOp carry, ScanWorkgroupOp scan,
                                   llvm::function_ref<Value(Value)> slot) {
  Type real = carry.getType();
  Map scanned = scanGroups(scan);
  Map total = shuffleMap(scanned, b.i32(schedule.getGroups() - 1));
  Map earlier = {b.shuffleUp(scanned.a, 1), b.shuffleUp(scanned.b, 1)};
  Value before = b.resize(resolveCarry(carry, total), real);
  Value isFirst = b.equal(thread.lane, 0);
  Value state = b.select(isFirst, before, applyMap(earlier, before));
  b.when(b.less(thread.lane, b.i32(schedule.getGroups())), [&] {
    LLVM::StoreOp::create(b, state, slot(b.toI64(thread.lane)),
                          real.getIntOrFloatBitWidth() / 8);
  });
}

/// One thread leaves the states before all groups of its row.
void TileEmitter::resolveRow(CarryOp carry, ScanWorkgroupOp scan,
                             llvm::function_ref<Value(Value)> slot) {
  Type real = carry.getType();
  Value state = resolveCarry(carry, composeGroups(scan));
  for (unsigned group = 0; group < schedule.getGroups(); ++group) {
    LLVM::StoreOp::create(b, b.resize(state, real), slot(b.i64(group)),
                          real.getIntOrFloatBitWidth() / 8);
    state = advanceCarry(loadMap(real, sharedGroup(scan, b.i64(group))), state);
  }
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
  syncSubgroup();
  storeMap(map, slot(b.toI64(thread.lane)));
  syncSubgroup();
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
    state = b.shuffle(state, gpu::ShuffleMode::IDX, from);
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
