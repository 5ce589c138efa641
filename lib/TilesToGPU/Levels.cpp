//===- Levels.cpp - The levels of the scan ------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// At each level a thread holds an affine map x -> a + b * x, whose b is 0
// exactly where an episode's boundary lies inside. Maps that cannot be told
// from a boundary by rounding alone must not exist: a product that underflows
// stays the least normal number, so that inf and NaN pass through it as they
// would step by step.
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace rlscan;

Value TileEmitter::isZero(Value real) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, real,
                               b.zero(real.getType()));
}

/// a + b * state, and a where b is 0.
Value TileEmitter::applyMap(Map map, Value state) {
  Value moved = math::FmaOp::create(b, map.b, state, map.a);
  return b.select(isZero(map.b), map.a, moved);
}

/// `product`, but not 0: for factors that are not. In its bits, a magnitude
/// below the least normal number becomes that; the sign stays.
static Value keepNonZero(ThreadBuilder &b, Value product) {
  auto type = cast<FloatType>(product.getType());
  Type integer = b.getIntegerType(type.getWidth());
  APInt sign = APInt::getSignMask(type.getWidth());
  APInt least =
      APFloat::getSmallestNormalized(type.getFloatSemantics()).bitcastToAPInt();
  auto constant = [&](const APInt &bits) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(integer, bits));
  };
  Value bits = arith::BitcastOp::create(b, integer, product);
  Value magnitude = arith::AndIOp::create(b, bits, constant(~sign));
  Value isSmall = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, magnitude,
                                        constant(least));
  Value signBit = arith::AndIOp::create(b, bits, constant(sign));
  Value kept = arith::OrIOp::create(b, signBit, constant(least));
  return arith::BitcastOp::create(b, type, b.select(isSmall, kept, bits));
}

TileEmitter::Map TileEmitter::combine(Map earlier, Map later) {
  Value product = arith::MulFOp::create(b, later.b, earlier.b);
  Value isCut = arith::OrIOp::create(b, isZero(later.b), isZero(earlier.b));
  Value both =
      b.select(isCut, b.zero(product.getType()), keepNonZero(b, product));
  return {applyMap(later, earlier.a), both};
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void TileEmitter::emitCompose(ComposeOp compose) {
  SmallVector<Value> alpha = b.unpack(get(compose.getAlpha()));
  SmallVector<Value> beta = b.unpack(get(compose.getBeta()));
  Value a = alpha.front(), product = beta.front();
  Value isCut = isZero(product);
  for (unsigned i = 1; i < alpha.size(); ++i) {
    a = applyMap({alpha[i], beta[i]}, a);
    product = arith::MulFOp::create(b, product, beta[i]);
    isCut = arith::OrIOp::create(b, isCut, isZero(beta[i]));
  }
  values()[compose.getA()] = a;
  values()[compose.getB()] =
      b.select(isCut, b.zero(product.getType()), keepNonZero(b, product));
}

void TileEmitter::emitAdvance(AdvanceOp advance) {
  SmallVector<Value> alpha = b.unpack(get(advance.getAlpha()));
  SmallVector<Value> beta = b.unpack(get(advance.getBeta()));
  Value state = get(advance.getState());
  SmallVector<Value> states, before;
  for (unsigned i = 0; i < alpha.size(); ++i) {
    before.push_back(state);
    state = applyMap({alpha[i], beta[i]}, state);
    states.push_back(state);
  }
  values()[advance.getStates()] = b.pack(states);
  values()[advance.getBefore()] = b.pack(before);
}

//===----------------------------------------------------------------------===//
// Subgroup
//===----------------------------------------------------------------------===//

/// The subgroup's number of the row's last lane.
Value TileEmitter::lastLane() {
  unsigned lanes = schedule.getLanes();
  if (lanes == b.subgroupSize)
    return b.i32(lanes - 1);
  Value id = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  return arith::OrIOp::create(
      b, arith::AndIOp::create(b, id, b.i32(b.subgroupSize - 1)),
      b.i32(lanes - 1));
}

/// Composes each lane's map with those of the lanes before it, of which `lane`
/// is the number among `count`.
TileEmitter::Map TileEmitter::scanLanes(Map map, Value lane, unsigned count) {
  for (unsigned distance = 1; distance < count; distance *= 2) {
    Map earlier = {b.shuffleUp(map.a, distance), b.shuffleUp(map.b, distance)};
    Value hasEarlier = b.less(b.i32(distance - 1), lane);
    Map longer = combine(earlier, map);
    map = {b.select(hasEarlier, longer.a, map.a),
           b.select(hasEarlier, longer.b, map.b)};
  }
  return map;
}

void TileEmitter::emitScanSubgroup(ScanSubgroupOp scan) {
  Map map = scanLanes({get(scan.getA()), get(scan.getB())}, thread.lane,
                      schedule.getLanes());
  Type real = map.a.getType();
  Value isFirst = b.equal(thread.lane, 0);
  values()[scan.getBeforeA()] =
      b.select(isFirst, b.real(real, 0.0), b.shuffleUp(map.a, 1));
  values()[scan.getBeforeB()] =
      b.select(isFirst, b.real(real, 1.0), b.shuffleUp(map.b, 1));
  Map total = shuffleMap(map, lastLane());
  values()[scan.getTotalA()] = total.a;
  values()[scan.getTotalB()] = total.b;
}

//===----------------------------------------------------------------------===//
// Workgroup
//===----------------------------------------------------------------------===//

/// The maps of all groups go to shared memory. Two sets of them take turns, so
/// that one barrier a tile is enough: nobody writes to a set before all have
/// passed the barrier after reading it.
void TileEmitter::emitScanWorkgroup(ScanWorkgroupOp scan) {
  shareGroups(scan);
  // Where the carry comes late, or lanes are rows, it is taken through the
  // groups when it is there.
  if (schedule.getLanes() > 1 && !isLookBack())
    scanWithLanes(scan);
}

void TileEmitter::shareGroups(ScanWorkgroupOp scan) {
  Type real = scan.getA().getType();
  int64_t maps = schedule.getGroups() * schedule.getRows();
  Value shared = sharedArray(pairOf(real), 2 * maps);
  groupMaps[scan] =
      b.elementPointer(shared, pairOf(real), b.mul(place.parity, b.i64(maps)));
  b.when(b.equal(thread.lane, 0), [&] {
    forEachRow([&] {
      storeMap({get(scan.getA()), get(scan.getB())},
               sharedGroup(scan, thread.group));
    });
  });
  gpu::BarrierOp::create(b);
}

/// Where the map of a group of the present row is: those of lanes beside each
/// other, be they of a row or of neighbouring rows.
Value TileEmitter::sharedGroup(ScanWorkgroupOp scan, Value group) {
  int64_t rowsPerThread = schedule.getRowsPerThread(),
          rows = schedule.getRows();
  Value index;
  if (schedule.getLanes() > 1) {
    index = b.add(b.mul(thread.row, b.i64(schedule.getGroups())), group);
  } else {
    Value ofRows = b.mul(group, b.i64(rows));
    Value ofThread =
        arith::DivUIOp::create(b, thread.row, b.i64(rowsPerThread));
    index = b.add(b.add(ofRows, b.i64(row * (rows / rowsPerThread))), ofThread);
  }
  return b.elementPointer(groupMaps.lookup(scan), pairOf(scan.getA().getType()),
                          index);
}

/// Each lane takes one group's map; a few shuffles scan them.
TileEmitter::Map TileEmitter::scanGroups(ScanWorkgroupOp scan) {
  unsigned groups = schedule.getGroups();
  Value lane = b.minimum(b.toI64(thread.lane), b.i64(groups - 1));
  Map own = loadMap(scan.getA().getType(), sharedGroup(scan, lane));
  return scanLanes(own, thread.lane, groups);
}

void TileEmitter::scanWithLanes(ScanWorkgroupOp scan) {
  Type real = scan.getA().getType();
  Map scanned = scanGroups(scan);
  Map before = shuffleMap(scanned, b.sub(b.toI32(thread.group), b.i32(1)));
  Map total = shuffleMap(scanned, b.i32(schedule.getGroups() - 1));
  Value isFirst = b.equal(thread.group, 0);
  values()[scan.getBeforeA()] = b.select(isFirst, b.real(real, 0.0), before.a);
  values()[scan.getBeforeB()] = b.select(isFirst, b.real(real, 1.0), before.b);
  values()[scan.getTotalA()] = total.a;
  values()[scan.getTotalB()] = total.b;
}

/// Composes the groups of the present row one after the other.
TileEmitter::Map TileEmitter::composeGroups(ScanWorkgroupOp scan) {
  Type real = scan.getA().getType();
  Map total = loadMap(real, sharedGroup(scan, b.i64(0)));
  for (unsigned group = 1; group < schedule.getGroups(); ++group)
    total = combine(total, loadMap(real, sharedGroup(scan, b.i64(group))));
  return total;
}

/// Takes the state before the tile through the maps of its groups, in f64, and
/// notes the one before the thread's group. Gives the state after the tile.
Value TileEmitter::foldStates(ScanWorkgroupOp scan, CarryOp carry,
                              Value before) {
  Type real = carry.getType();
  Value state = before, own = before;
  for (unsigned group = 0; group < schedule.getGroups(); ++group) {
    own = b.select(b.equal(thread.group, group), state, own);
    Map map = loadMap(real, sharedGroup(scan, b.i64(group)));
    state = advanceCarry(map, state);
  }
  groupStates[{scan.getBeforeA(), row}] = b.resize(own, real);
  return state;
}

static unsigned pairAlignment(Type real) {
  return real.getIntOrFloatBitWidth() / 4;
}

VectorType TileEmitter::pairOf(Type real) { return VectorType::get({2}, real); }

void TileEmitter::storeMap(Map map, Value pointer) {
  LLVM::StoreOp::create(b, b.pack({map.a, map.b}), pointer,
                        pairAlignment(map.a.getType()));
}

TileEmitter::Map TileEmitter::loadMap(Type real, Value pointer) {
  Value pair =
      LLVM::LoadOp::create(b, pairOf(real), pointer, pairAlignment(real));
  return {b.extract(pair, 0), b.extract(pair, 1)};
}

TileEmitter::Map TileEmitter::shuffleMap(Map map, Value lane) {
  return {b.shuffle(map.a, gpu::ShuffleMode::IDX, lane),
          b.shuffle(map.b, gpu::ShuffleMode::IDX, lane)};
}

//===----------------------------------------------------------------------===//
// Chain
//===----------------------------------------------------------------------===//

/// The state after a tile, in f64: the length of a row costs no accuracy.
Value TileEmitter::advanceCarry(Map tile, Value carry) {
  Type f64 = b.getF64Type();
  Value moved = math::FmaOp::create(b, b.resize(tile.b, f64), carry,
                                    b.resize(tile.a, f64));
  return b.select(isZero(tile.b), b.resize(tile.a, f64), moved);
}

void TileEmitter::emitCarry(CarryOp carry) {
  Map tile = {get(carry.getA()), get(carry.getB())};
  if (isLookBack()) {
    values()[carry] = emitLookBackCarry(carry, tile);
    return;
  }
  Value before = state.lookup({carry, row});
  values()[carry] = b.resize(before, carry.getType());
  auto scan = carry.getA().getDefiningOp<ScanWorkgroupOp>();
  bool areGroupsOpen = scan && schedule.getLanes() == 1;
  nextState[{carry, row}] = areGroupsOpen ? foldStates(scan, carry, before)
                                          : advanceCarry(tile, before);
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

Value TileEmitter::emitNeighbour(NeighbourOp neighbour) {
  SmallVector<Value> own = b.unpack(get(neighbour.getInput()));
  Value init = get(neighbour.getInit());
  bool hasLanes = schedule.getLanes() > 1;
  Value last = own.back();
  Value first;
  if (neighbour.getEdge()) {
    first = get(neighbour.getEdge());
  } else {
    first = state.lookup({neighbour, row});
    nextState[{neighbour, row}] =
        hasLanes ? b.shuffle(last, gpu::ShuffleMode::IDX, lastLane()) : last;
  }
  if (hasLanes)
    first = b.select(b.equal(thread.lane, 0), first, b.shuffleUp(last, 1));
  bool isInitKept = !neighbour.getEdge() && !isa<VectorType>(init.getType());
  if (!isInitKept) {
    Value atStart = isa<VectorType>(init.getType()) ? b.extract(init, 0) : init;
    first = b.select(b.equal(place.first, 0), atStart, first);
  }
  own.pop_back();
  own.insert(own.begin(), first);
  return b.pack(own);
}
