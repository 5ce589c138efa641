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

#include <numeric>

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

/// `product`, but not 0: for factors that are not. A magnitude below the least
/// normal number becomes that; the sign stays.
static Value keepNonZero(ThreadBuilder &b, Value product) {
  auto type = cast<FloatType>(product.getType());
  Type integer = b.getIntegerType(type.getWidth());
  APInt sign = APInt::getSignMask(type.getWidth());
  auto masked = [&](Value real, const APInt &mask) -> Value {
    Value bits = arith::BitcastOp::create(b, integer, real);
    Value constant =
        arith::ConstantOp::create(b, b.getIntegerAttr(integer, mask));
    return arith::AndIOp::create(b, bits, constant);
  };
  auto least = APFloat::getSmallestNormalized(type.getFloatSemantics());
  Value magnitude = arith::MaximumFOp::create(
      b, math::AbsFOp::create(b, product),
      arith::ConstantOp::create(b, b.getFloatAttr(type, least)));
  Value kept =
      arith::OrIOp::create(b, masked(magnitude, ~sign), masked(product, sign));
  return arith::BitcastOp::create(b, type, kept);
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
  values[compose.getA()] = a;
  values[compose.getB()] =
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
  values[advance.getStates()] = b.pack(states);
  values[advance.getBefore()] = b.pack(before);
}

//===----------------------------------------------------------------------===//
// Subgroup
//===----------------------------------------------------------------------===//

/// The thread's number in its subgroup.
Value TileEmitter::subgroupLane() {
  Value id = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  return b.both(id, b.i32(b.subgroupSize - 1));
}

/// The subgroup's number of the row's last lane.
Value TileEmitter::lastLane() {
  unsigned lanes = schedule.getLanes();
  if (lanes == b.subgroupSize)
    return b.i32(lanes - 1);
  return arith::OrIOp::create(b, subgroupLane(), b.i32(lanes - 1));
}

/// How far back a lane's map reaches in its row, in lanes of the subgroup: to
/// the last one with a boundary inside, which nothing passes, or to the first.
TileEmitter::Reach TileEmitter::findReach(Value isCut, Value lane,
                                          unsigned stride) {
  unsigned size = b.subgroupSize;
  Value cuts = b.ballot(isCut);
  Type mask = cuts.getType();
  Value toTop = b.sub(b.i32(size - 1), subgroupLane());
  if (size == 64)
    toTop = b.toI64(toTop);
  // The lane's own bit becomes the first, and its row's lanes every stride-th.
  cuts = arith::ShLIOp::create(b, cuts, toTop);
  if (stride > 1) {
    APInt inRow(size, 0);
    for (unsigned bit = 0; bit < size; bit += stride)
      inRow.setBit(size - 1 - bit);
    cuts = b.both(cuts,
                  arith::ConstantOp::create(b, b.getIntegerAttr(mask, inRow)));
  }
  Value toCut = LLVM::CountLeadingZerosOp::create(b, mask, cuts,
                                                  /*is_zero_poison=*/false);
  if (size == 64)
    toCut = b.toI32(toCut);
  Value toFirst = b.mul(lane, b.i32(stride));
  return {b.minimum(toCut, toFirst),
          arith::CmpIOp::create(b, arith::CmpIPredicate::sle, toCut, toFirst)};
}

/// Composes each lane's map with those of the lanes before it, of which `lane`
/// is the number among `count`; from each to the next it is `stride` lanes. One
/// vote tells where the boundaries are, so that the levels need not ask.
TileEmitter::Map TileEmitter::scanLanes(Map map, Value lane, unsigned count,
                                        unsigned stride) {
  // Without that, ptxas waits for the flags before it loads the rewards.
  Value isCut = b.notBefore(isZero(map.b), map.a);
  Reach reach = findReach(isCut, lane, stride);
  for (unsigned distance = stride; distance < count * stride; distance *= 2) {
    Map earlier = shuffleMapUp(map, distance);
    Value reaches = b.less(b.i32(distance - 1), reach.lanes);
    Value product = arith::MulFOp::create(b, map.b, earlier.b);
    Value both = b.select(reaches, keepNonZero(b, product), map.b);
    Value a = math::FmaOp::create(b, map.b, earlier.a, map.a);
    map = {b.select(reaches, a, map.a), both};
  }
  return {map.a, b.select(reach.isCut, b.zero(map.b.getType()), map.b)};
}

/// The maps of the lanes before, of which the first has none, from what
/// `scanLanes` gives.
TileEmitter::Map TileEmitter::exclude(Map scanned, Value lane,
                                      unsigned stride) {
  Type real = scanned.a.getType();
  Value isFirst = b.equal(lane, 0);
  Map before = shuffleMapUp(scanned, stride);
  return {b.select(isFirst, b.real(real, 0.0), before.a),
          b.select(isFirst, b.real(real, 1.0), before.b)};
}

void TileEmitter::emitScanSubgroup(ScanSubgroupOp scan) {
  Map map = scanLanes({get(scan.getA()), get(scan.getB())}, thread.lane,
                      schedule.getLanes());
  Map before = exclude(map, thread.lane);
  Map total = shuffleMap(map, lastLane());
  values[scan.getBeforeA()] = before.a;
  values[scan.getBeforeB()] = before.b;
  values[scan.getTotalA()] = total.a;
  values[scan.getTotalB()] = total.b;
}

//===----------------------------------------------------------------------===//
// Workgroup
//===----------------------------------------------------------------------===//

/// The maps of all groups go to shared memory. Two sets of them take turns, so
/// that one barrier a tile is enough: nobody writes to a set before all have
/// passed the barrier after reading it.
void TileEmitter::emitScanWorkgroup(ScanWorkgroupOp scan) {
  if (schedule.getLanes() == 1)
    return shareBundles(scan);
  shareMaps(scan, {get(scan.getA()), get(scan.getB())}, thread.group,
            b.equal(thread.lane, 0));
  // Where the carry comes late it is taken through the groups when it is there.
  if (!isLookBack())
    scanWithLanes(scan);
}

/// Shares the map of one of a row's units, a group or a bundle.
void TileEmitter::shareMaps(ScanWorkgroupOp scan, Map map, Value unit,
                            Value isSharer) {
  Type real = map.a.getType();
  int64_t maps = numBundles() * schedule.getRows();
  if (!groupMaps.count(scan))
    groupMaps[scan] = sharedArray(pairOf(real), 2 * maps);
  b.when(isSharer, [&] { storeMap(map, sharedGroup(scan, real, unit)); });
  gpu::BarrierOp::create(b);
}

/// Where the map of one of the units of the thread's row is: those of lanes
/// beside each other, be they of a row or of neighbouring rows.
Value TileEmitter::sharedGroup(ScanWorkgroupOp scan, Type real, Value unit) {
  int64_t units = numBundles(), rows = schedule.getRows();
  Value index = schedule.getLanes() > 1
                    ? b.add(b.mul(thread.row, b.i64(units)), unit)
                    : b.add(b.mul(unit, b.i64(rows)), thread.row);
  index = b.add(b.mul(place.parity, b.i64(units * rows)), index);
  return b.elementPointer(groupMaps.lookup(scan), pairOf(real), index);
}

/// Each lane takes one group's map; a few shuffles scan them.
TileEmitter::Map TileEmitter::scanGroups(ScanWorkgroupOp scan) {
  unsigned groups = schedule.getGroups();
  Type real = scan.getA().getType();
  Value lane = b.minimum(b.toI64(thread.lane), b.i64(groups - 1));
  return scanLanes(loadMap(real, sharedGroup(scan, real, lane)), thread.lane,
                   groups);
}

void TileEmitter::scanWithLanes(ScanWorkgroupOp scan) {
  Type real = scan.getA().getType();
  Map scanned = scanGroups(scan);
  Map before = shuffleMap(scanned, b.sub(b.toI32(thread.group), b.i32(1)));
  Map total = shuffleMap(scanned, b.i32(schedule.getGroups() - 1));
  Value isFirst = b.equal(thread.group, 0);
  values[scan.getBeforeA()] = b.select(isFirst, b.real(real, 0.0), before.a);
  values[scan.getBeforeB()] = b.select(isFirst, b.real(real, 1.0), before.b);
  values[scan.getTotalA()] = total.a;
  values[scan.getTotalB()] = total.b;
}

//===----------------------------------------------------------------------===//
// Workgroup, a lane a row
//===----------------------------------------------------------------------===//

/// Groups that a subgroup has of one row, where a lane is a row: a *bundle*.
unsigned TileEmitter::bundle() const {
  unsigned rows = schedule.getRows(), groups = schedule.getGroups();
  bool isSingle = schedule.getLanes() > 1 || b.subgroupSize % rows != 0 ||
                  groups % (b.subgroupSize / rows) != 0;
  return isSingle ? 1 : b.subgroupSize / rows;
}

unsigned TileEmitter::numBundles() const {
  return schedule.getGroups() / bundle();
}

/// Composes the groups of each bundle by shuffles, and shares the bundles' maps
/// in f64: all threads go through all of them.
void TileEmitter::shareBundles(ScanWorkgroupOp scan) {
  Type f64 = b.getF64Type();
  Map map = {get(scan.getA()), get(scan.getB())};
  Value number = b.i32(0);
  if (bundle() > 1) {
    number = arith::RemUIOp::create(b, b.toI32(thread.group), b.i32(bundle()));
    map = scanLanes(map, number, bundle(), schedule.getRows());
    inBundle[scan] = exclude(map, number, schedule.getRows());
  }
  shareMaps(scan, {b.resize(map.a, f64), b.resize(map.b, f64)},
            arith::DivUIOp::create(b, thread.group, b.i64(bundle())),
            b.equal(number, bundle() - 1));
}

TileEmitter::Map TileEmitter::loadBundle(ScanWorkgroupOp scan, Value number) {
  Type f64 = b.getF64Type();
  return loadMap(f64, sharedGroup(scan, f64, number));
}

/// Composes the bundles of the thread's row one after the other.
TileEmitter::Map TileEmitter::composeBundles(ScanWorkgroupOp scan) {
  Type real = scan.getA().getType();
  Map total;
  for (unsigned i = 0; i < numBundles(); ++i) {
    Map each = loadBundle(scan, b.i64(i));
    each = {b.resize(each.a, real), b.resize(each.b, real)};
    total = i == 0 ? each : combine(total, each);
  }
  return total;
}

/// Takes the state before the tile through its bundles, in f64, and notes the
/// one before the thread's group. Gives the state after the tile. A few bundles
/// at a time: all at once would need registers for all.
Value TileEmitter::foldStates(ScanWorkgroupOp scan, Value before) {
  constexpr unsigned few = 8;
  int64_t together =
      numBundles() <= few ? numBundles() : std::gcd(numBundles(), 4u);
  Value number = arith::DivUIOp::create(b, thread.group, b.i64(bundle()));
  auto loop = scf::ForOp::create(b, b.i64(0), b.i64(numBundles()),
                                 b.i64(together), ValueRange{before, before});
  b.keepRolled(loop);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value state = loop.getRegionIterArgs()[0],
          own = loop.getRegionIterArgs()[1];
    Value left = b.sub(number, loop.getInductionVar());
    for (int64_t i = 0; i < together; ++i) {
      own = b.select(b.equal(left, i), state, own);
      state = applyMap(
          loadBundle(scan, b.add(loop.getInductionVar(), b.i64(i))), state);
    }
    scf::YieldOp::create(b, {state, own});
  }
  Value own = b.resize(loop.getResult(1), scan.getA().getType());
  if (bundle() > 1)
    own = applyMap(inBundle.lookup(scan), own);
  groupStates[scan.getBeforeA()] = own;
  return loop.getResult(0);
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

TileEmitter::Map TileEmitter::shuffleMapUp(Map map, unsigned distance) {
  return {b.shuffleUp(map.a, distance), b.shuffleUp(map.b, distance)};
}

TileEmitter::Map TileEmitter::shuffleMap(Map map, Value lane) {
  return {b.shuffle(map.a, lane), b.shuffle(map.b, lane)};
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
    emitLookBackCarry(carry);
    return;
  }
  Value before = state.lookup(carry);
  values[carry] = b.resize(before, carry.getType());
  auto scan = carry.getA().getDefiningOp<ScanWorkgroupOp>();
  bool areGroupsOpen = scan && schedule.getLanes() == 1;
  nextState[carry] =
      areGroupsOpen ? foldStates(scan, before) : advanceCarry(tile, before);
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
    first = b.castIndex(state.lookup(neighbour), last.getType());
    Value next = hasLanes ? b.shuffle(last, lastLane()) : last;
    nextState[neighbour] = b.castIndex(next, b.carriedType(next.getType()));
  }
  if (hasLanes)
    first = b.select(b.equal(thread.lane, 0), first, b.shuffleUp(last, 1));
  bool isInitKept = !neighbour.getEdge() && !isa<VectorType>(init.getType());
  if (!isInitKept) {
    Value atStart = isa<VectorType>(init.getType()) ? b.extract(init, 0) : init;
    Value isStart = b.both(b.equal(place.tile, 0), b.equal(thread.first, 0));
    first = b.select(isStart, atStart, first);
  }
  own.pop_back();
  own.insert(own.begin(), first);
  return b.pack(own);
}
