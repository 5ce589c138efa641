//===- TicketLoop.cpp - Which workgroup works on which tile ---------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Workgroups draw tickets; ticket k is tile k div B of the row block k mod B,
// so that the tile before it was drawn earlier, and its holder, which finishes
// its tickets in order, never waits for a later one.
//
// A tile goes through a workgroup in three turns of the loop: it is on its way
// from memory; what needs no state from outside is computed and its map is
// published, its *front*; the state before it is looked up and the rest is
// computed, its *back*. By then the tiles before it have had a turn to publish
// theirs. Of every turn, each of the three belongs to another tile.
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rlscan;

static constexpr int64_t epochOffset = 64;

//===----------------------------------------------------------------------===//
// Tickets
//===----------------------------------------------------------------------===//

/// One ticket. Every workgroup draws until it has one that is no tile, so that
/// a launch draws `numTickets` in all; who draws the last begins the next
/// epoch, which nobody reads before the next launch.
Value TileEmitter::drawTicket() {
  Value last = b.sub(numTickets, b.i32(1));
  Value ticket = b.countUp(call.workspace, last);
  b.when(b.equal(ticket, last), [&] {
    b.storeRelaxed(b.add(epoch, b.i32(1)),
                   b.atOffset(call.workspace, epochOffset));
  });
  return ticket;
}

/// The next ticket of the leader, which alone draws, and no more once it has
/// one that is no tile.
Value TileEmitter::drawAfter(Value ticket) {
  Type i32 = b.getI32Type();
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
}

TileEmitter::Item TileEmitter::itemOf(Value ticket) {
  Value blocks = b.toI32(rowBlocks);
  return {arith::RemUIOp::create(b, ticket, blocks),
          arith::DivUIOp::create(b, ticket, blocks)};
}

/// Tickets past the last tile are of tiles past all rows' ends.
Value TileEmitter::isTile(Item item) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, item.tile,
                               b.toI32(numTiles));
}

TilePlace TileEmitter::placeOf(Item item, Value parity) {
  Value block = arith::ExtUIOp::create(b, b.getI64Type(), item.block);
  Value tile = arith::ExtUIOp::create(b, b.getI64Type(), item.tile);
  Value row = b.add(b.mul(block, b.i64(schedule.getRows())), thread.row);
  return makeTilePlace(row, tile, parity);
}

//===----------------------------------------------------------------------===//
// Front and back
//===----------------------------------------------------------------------===//

/// Whether the op, or one inside of it, takes such a value.
static bool takes(Operation *op, llvm::function_ref<bool(Value)> has) {
  auto result = op->walk([&](Operation *inner) {
    return llvm::any_of(inner->getOperands(), has) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Whether a front's fragment takes less to compute again than to keep: flags
/// and numbers of what only depends on steps and rows.
bool TileEmitter::isCheap(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || get(value) || isa<StepOp, OutsideOp>(op))
    return true;
  if (auto load = dyn_cast<LoadOp>(op))
    return load.getArray().getType().getKind() == InputKind::Row;
  bool isWhole = !isa<FloatType>(getElementTypeOrSelf(value.getType())) ||
                 isa<vector::BroadcastOp>(op);
  return isWhole && op->getNumRegions() == 0 && isPure(op) &&
         !isa<RLScanDialect>(op->getDialect()) &&
         llvm::all_of(op->getOperands(), [&](Value v) { return isCheap(v); });
}

/// Divides the body at the carries: behind them is what needs one, the stores,
/// and what only these need and no signal goes into.
void TileEmitter::divideBody() {
  auto isBehind = [&](Value value) {
    return behind.contains(value.getDefiningOp());
  };
  Block &body = tiles.getBody().front();
  for (Operation &op : body)
    if (isa<CarryOp, StoreOp>(op) || takes(&op, isBehind))
      behind.insert(&op);
  for (Operation &op : body)
    if (isa<OutsideOp, StepOp>(op) &&
        llvm::all_of(op.getUsers(), [&](Operation *user) {
          return behind.contains(body.findAncestorOpInBlock(*user));
        }))
      behind.insert(&op);
  for (Operation &op : body) {
    auto carry = dyn_cast<CarryOp>(op);
    if (carry && !takes(carry, isBehind))
      earlyCarries.push_back(carry);
    auto scan = dyn_cast<ScanWorkgroupOp>(op);
    if (scan && bundle() > 1 && !behind.contains(scan))
      earlyScans.push_back(scan);
  }
  for (Operation &op : body)
    if (behind.contains(&op))
      addCrossing(&op);
}

/// Notes what an op behind the carries takes from before them. Of groups it
/// takes the states from shared memory, of an early carry the map as it is
/// pending, and what is cheap it computes again.
void TileEmitter::addCrossing(Operation *op) {
  auto carry = dyn_cast<CarryOp>(op);
  bool isEarly = carry && llvm::is_contained(earlyCarries, carry);
  takes(op, [&](Value value) {
    Operation *source = value.getDefiningOp();
    bool isFront = source && source->getBlock() == &tiles.getBody().front() &&
                   !behind.contains(source) && !get(value);
    bool isPending = isa_and_nonnull<ScanWorkgroupOp>(source) ||
                     (isEarly && value != carry.getInit());
    if (!isFront || isPending)
      return false;
    if (!isa<VectorType>(value.getType()) || !isCheap(value))
      crossing.insert(value);
    else if (again.insert(source).second)
      addCrossing(source);
    return false;
  });
}

/// What the back of a tile needs of its front, in order.
void TileEmitter::forEachPending(
    llvm::function_ref<void(Value, Value &)> each) {
  for (Value value : crossing)
    each(value, values[value]);
  for (CarryOp carry : earlyCarries) {
    each(carry.getA(), earlyMaps[carry].a);
    each(carry.getB(), earlyMaps[carry].b);
  }
  for (ScanWorkgroupOp scan : earlyScans) {
    each(scan.getA(), inBundle[scan].a);
    each(scan.getB(), inBundle[scan].b);
  }
}

SmallVector<Type> TileEmitter::pendingTypes() {
  SmallVector<Type> types;
  forEachPending([&](Value value, Value &) {
    types.push_back(b.carriedType(value.getType()));
  });
  return types;
}

SmallVector<Value> TileEmitter::pendingValues() {
  SmallVector<Value> pending;
  forEachPending([&](Value value, Value &now) {
    pending.push_back(b.castIndex(now, b.carriedType(value.getType())));
  });
  return pending;
}

void TileEmitter::setPendingValues(ValueRange pending) {
  auto next = pending.begin();
  forEachPending([&](Value value, Value &now) {
    now = b.castIndex(*next++, value.getType());
  });
}

void TileEmitter::emitFront(const TilePlace &at, const ReadAhead &ahead) {
  place = at;
  stagings = 0;
  takeAhead(ahead);
  stagePacked();
  for (Operation &op : tiles.getBody().front())
    if (!behind.contains(&op) && !isEmitted(&op))
      emitOp(&op);
  for (CarryOp carry : earlyCarries)
    publishTile(carry, earlyMaps[carry] = tileMap(carry));
}

void TileEmitter::emitBack(const TilePlace &at) {
  place = at;
  stagings = 0;
  for (Operation &op : tiles.getBody().front())
    if (behind.contains(&op) || again.contains(&op))
      emitOp(&op);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// `then` where the item is a tile; it gives values of these types, 0 where
/// it is none.
SmallVector<Value>
TileEmitter::whenTile(Item item, TypeRange types,
                      llvm::function_ref<SmallVector<Value>()> then) {
  auto branch =
      scf::IfOp::create(b, types, isTile(item), /*withElse=*/!types.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> results = then();
  if (types.empty())
    return {};
  scf::YieldOp::create(b, results);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, zeros(types));
  return llvm::to_vector_of<Value>(branch.getResults());
}

SmallVector<Value> TileEmitter::zeros(TypeRange types) {
  return llvm::map_to_vector(types, [&](Type type) { return b.zero(type); });
}

/// What tickets are counted by, and the epoch. A workgroup that has a tile
/// draws again, and nobody draws the launch's last ticket before that; so every
/// thread has to have read the epoch before its workgroup's second draw. The
/// fence holds the load back from going past the barrier between the draws. A
/// workgroup without a tile uses the epoch only where it draws the last ticket
/// itself.
void TileEmitter::openTickets() {
  rowBlocks =
      arith::CeilDivUIOp::create(b, call.rows, b.i64(schedule.getRows()));
  numTiles = b.ceilDiv(call.steps, schedule.getTileSteps());
  numItems = b.toI32(b.mul(rowBlocks, numTiles));
  numTickets = b.add(numItems, b.numWorkgroups());
  Value id = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  isLeader = b.equal(id, 0);
  sharedTickets = sharedArray(b.getI32Type(), 4);
  epoch =
      b.loadRelaxed(b.getI32Type(), b.atOffset(call.workspace, epochOffset));
  LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, b.deviceScope());
}

/// What the leader draws, to all threads, through one of a few slots.
Value TileEmitter::shareTicket(Value number, llvm::function_ref<Value()> draw) {
  Type i32 = b.getI32Type();
  auto slot = [&] { return b.elementPointer(sharedTickets, i32, number); };
  b.when(isLeader, [&] { LLVM::StoreOp::create(b, draw(), slot(), 4); });
  gpu::BarrierOp::create(b);
  return LLVM::LoadOp::create(b, i32, slot(), 4);
}

/// There is nothing in the back yet.
TileEmitter::Turn TileEmitter::firstTurn() {
  Value ticket = shareTicket(b.i64(2), [&] { return drawTicket(); });
  Turn first;
  first.back = {b.i32(-1), b.i32(-1)};
  first.front = itemOf(ticket);
  first.parity = b.i64(0);
  first.ahead = readAhead(placeOf(first.front, first.parity));
  first.drawn = drawAfter(ticket);
  first.pending = zeros(pendingTypes());
  return first;
}

/// One turn, and what the next one starts with.
TileEmitter::Turn TileEmitter::emitTurn(const Turn &turn) {
  Turn next;
  next.back = turn.front;
  next.parity = arith::XOrIOp::create(b, turn.parity, b.i64(1));
  Value ticket = shareTicket(turn.parity, [&] { return turn.drawn; });
  next.drawn = drawAfter(ticket);
  next.front = itemOf(ticket);
  auto loaded = [](const ReadAhead &ahead) {
    return llvm::map_to_vector(ahead,
                               [](const auto &entry) { return entry.second; });
  };
  SmallVector<Value> present = loaded(turn.ahead);
  SmallVector<Value> read =
      whenTile(next.front, ValueRange(present).getTypes(), [&] {
        return loaded(readAhead(placeOf(next.front, next.parity)));
      });
  next.ahead = turn.ahead;
  for (auto [entry, value] : llvm::zip_equal(next.ahead, read))
    entry.second = value;
  next.pending = whenTile(turn.front, pendingTypes(), [&] {
    emitFront(placeOf(turn.front, turn.parity), turn.ahead);
    return pendingValues();
  });
  setPendingValues(turn.pending);
  whenTile(turn.back, {}, [&] {
    emitBack(placeOf(turn.back, next.parity));
    return SmallVector<Value>();
  });
  return next;
}

SmallVector<Value> TileEmitter::packTurn(const Turn &turn) {
  SmallVector<Value> values = {turn.back.block,  turn.back.tile,
                               turn.front.block, turn.front.tile,
                               turn.drawn,       turn.parity};
  llvm::append_range(values, turn.pending);
  for (auto &entry : turn.ahead)
    values.push_back(entry.second);
  return values;
}

/// A turn like another, of these values.
TileEmitter::Turn TileEmitter::unpackTurn(Turn turn, ValueRange values) {
  auto next = values.begin();
  for (Value *value : {&turn.back.block, &turn.back.tile, &turn.front.block,
                       &turn.front.tile, &turn.drawn, &turn.parity})
    *value = *next++;
  for (Value &value : turn.pending)
    value = *next++;
  for (auto &entry : turn.ahead)
    entry.second = *next++;
  return turn;
}

/// Turns follow each other as long as there is a tile in the front or back.
void TileEmitter::emitLookBack() {
  emitInvariants(/*withRows=*/false);
  divideBody();
  openTickets();
  Turn first = firstTurn();
  SmallVector<Value> initial = packTurn(first);
  SmallVector<Type> types = llvm::to_vector(ValueRange(initial).getTypes());
  SmallVector<Location> locations(types.size(), b.getLoc());
  auto loop = scf::WhileOp::create(b, types, initial);
  OpBuilder::InsertionGuard guard(b);
  Block *head = b.createBlock(&loop.getBefore(), {}, types, locations);
  Turn turn = unpackTurn(first, head->getArguments());
  Value isOpen = arith::OrIOp::create(b, isTile(turn.back), isTile(turn.front));
  scf::ConditionOp::create(b, isOpen, head->getArguments());
  Block *body = b.createBlock(&loop.getAfter(), {}, types, locations);
  Turn next = emitTurn(unpackTurn(first, body->getArguments()));
  scf::YieldOp::create(b, packTurn(next));
}
