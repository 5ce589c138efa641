//===- FragmentAccess.cpp - Fragments in and out of memory --------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/TileEmitter.h"

#include <limits>

using namespace mlir;
using namespace rlscan;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Value TileEmitter::rowPointer(const DeviceArray &array, const TilePlace &at) {
  Value row = array.isOfWorkgroup ? thread.row : at.clampedRow;
  return b.elementPointer(array.base, array.storage(),
                          b.mul(row, array.rowStride));
}

/// How far the next position is, in elements.
Value TileEmitter::positionStride(const DeviceArray &array) {
  bool isForward = tiles.getDirection() == Direction::Forward;
  return isForward ? array.stepStride : b.sub(b.i64(0), array.stepStride);
}

/// The element at a position of the tile, an i64. What is the same for all
/// threads stands in a factor of its own.
Value TileEmitter::stepPointer(const DeviceArray &array, Value rowPointer,
                               Value position, const TilePlace &at) {
  Value step = at.start;
  if (tiles.getDirection() == Direction::Backward)
    step = b.sub(b.sub(call.steps, b.i64(1)), step);
  Value tile = b.elementPointer(rowPointer, array.storage(),
                                b.mul(step, array.stepStride));
  return b.elementPointer(tile, array.storage(),
                          b.mul(position, positionStride(array)));
}

/// Positions of a fragment stand in memory as the sweep goes.
Value TileEmitter::reverse(Value fragment) {
  if (tiles.getDirection() == Direction::Forward)
    return fragment;
  int64_t count = cast<VectorType>(fragment.getType()).getNumElements();
  if (count == 1)
    return fragment;
  SmallVector<int64_t> order;
  for (int64_t i = count - 1; i >= 0; --i)
    order.push_back(i);
  return vector::ShuffleOp::create(b, fragment, fragment, order);
}

/// Whether an access moves several steps. The schedule then promises that their
/// number divides the length of a row and that addresses are aligned to it.
bool TileEmitter::hasPieces(const DeviceArray &array) const {
  return schedule.getAccess() > 1 && !array.type.getAxis() &&
         array.type.getLayout() == Layout::Steps;
}

static unsigned byteWidth(Type storage) {
  return storage.getIntOrFloatBitWidth() / 8;
}

/// Steps that one access to the array moves: 16 bytes at most. Where rows have
/// an extra step no promise holds of their addresses.
unsigned TileEmitter::accessSteps(const DeviceArray &array) const {
  constexpr unsigned widest = 16;
  if (array.hasExtraStep)
    return 1;
  return std::min(schedule.getAccess(), widest / byteWidth(array.storage()));
}

/// Whether a thread's positions take several accesses. Lanes that made them one
/// after the other would be far apart in memory; so each access has all lanes
/// side by side, and what belongs to whom is sorted out in shared memory.
bool TileEmitter::isStaged(const DeviceArray &array) const {
  return hasPieces(array) && !array.isOfWorkgroup &&
         schedule.getLanes() == b.subgroupSize &&
         accessSteps(array) < schedule.getStepsPerThread();
}

/// An index outside the axis is clamped to it.
Value TileEmitter::axisOffset(LoadOp load, const DeviceArray &array,
                              Value index) {
  StringRef axis = load.getArray().getType().getAxis().getValue();
  Value last = b.sub(call.axisSizes.lookup(axis), b.i64(1));
  Value number = arith::IndexCastOp::create(b, b.getI64Type(), index);
  return b.mul(b.clamp(number, b.i64(0), last), array.axisStride);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

bool TileEmitter::canReadAhead(LoadOp load) const {
  InputKind kind = load.getArray().getType().getKind();
  if (kind == InputKind::Row)
    return isLookBack();
  return kind == InputKind::Step && !load.getIndex();
}

ReadAhead TileEmitter::readAhead(const TilePlace &at) {
  ReadAhead ahead;
  for (LoadOp op : tiles.getBody().getOps<LoadOp>())
    if (canReadAhead(op))
      ahead[op] = load(op, at);
  return ahead;
}

Value TileEmitter::loadElement(const DeviceArray &array, Value pointer) {
  return LLVM::LoadOp::create(b, array.storage(), pointer,
                              byteWidth(array.storage()));
}

/// The elements as they are stored. Past the window that is the nearest inside.
Value TileEmitter::load(LoadOp load, const TilePlace &at) {
  const DeviceArray &array = call.arrays.find(load.getArray())->second;
  if (array.number)
    return array.number;
  bool isFragment = isa<VectorType>(load.getType());
  if (isFragment && load.getOffset() == 0 &&
      packedEntries.count(load.getArray()))
    return loadPacked(load, array);
  Value pointer = rowPointer(array, at);
  if (array.type.getKind() == InputKind::Row)
    return loadElement(array, pointer);
  if (isFragment) {
    if (hasPieces(array) && load.getOffset() == 0)
      return loadFragment(array, pointer, at);
    return loadEach(load, array, pointer, at);
  }
  Value position = b.add(thread.groupFirst, b.i32(load.getOffset() - 1));
  Value clamped = b.clamp(position, at.low, b.sub(at.high, b.i32(1)));
  pointer = stepPointer(array, pointer, b.signedToI64(clamped), at);
  if (load.getIndex())
    pointer = b.elementPointer(pointer, array.storage(),
                               axisOffset(load, array, get(load.getIndex())));
  return loadElement(array, pointer);
}

/// What was loaded, as the op's value.
Value TileEmitter::fromMemory(LoadOp load, Value loaded) {
  const DeviceArray &array = call.arrays.find(load.getArray())->second;
  bool isFragment = isa<VectorType>(load.getType());
  if (isFragment && load.getOffset() == 0 && isStaged(array))
    loaded = exchange(loaded, accessSteps(array), /*toPositions=*/true);
  return fromStorage(b, loaded, load.getType());
}

/// The first position of one access of a thread, an i32; where fragments are
/// staged, the accesses of a subgroup's lanes stand beside each other.
Value TileEmitter::accessPosition(const DeviceArray &array, unsigned number) {
  unsigned steps = accessSteps(array);
  if (!isStaged(array))
    return b.add(thread.first, b.i32(number * steps));
  Value unit = b.add(b.i32(number * schedule.getLanes()), thread.lane);
  return b.add(thread.groupFirst, b.mul(unit, b.i32(steps)));
}

/// The element of an access with the lowest address.
Value TileEmitter::accessPointer(const DeviceArray &array, Value rowPointer,
                                 Value position, const TilePlace &at) {
  if (tiles.getDirection() == Direction::Backward)
    position = b.add(position, b.i32(accessSteps(array) - 1));
  return stepPointer(array, rowPointer, b.signedToI64(position), at);
}

/// One access. Streamed, an input's lines are the first that caches give up.
Value TileEmitter::loadAccess(const DeviceArray &array, VectorType type,
                              Value pointer) {
  unsigned bytes = type.getNumElements() * byteWidth(type.getElementType());
  if (schedule.getStream() && bytes == 16 && !array.isTemporary)
    return b.loadStreamed(type, pointer);
  return LLVM::LoadOp::create(b, type, pointer, bytes);
}

/// All of an access is in the window or nothing.
Value TileEmitter::loadFragment(const DeviceArray &array, Value rowPointer,
                                const TilePlace &at) {
  unsigned access = accessSteps(array);
  auto type = VectorType::get({access}, array.storage());
  Value last = b.sub(at.high, b.i32(access));
  SmallVector<Value> positions;
  for (unsigned i = 0; i < schedule.getStepsPerThread() / access; ++i) {
    Value position = accessPosition(array, i);
    if (!at.isFull)
      position = b.minimum(position, last);
    Value pointer = accessPointer(array, rowPointer, position, at);
    llvm::append_range(positions,
                       b.unpack(reverse(loadAccess(array, type, pointer))));
  }
  return b.pack(positions);
}

/// Whether the thread's position number i is.
Value TileEmitter::isInWindow(unsigned position, const TilePlace &at) {
  return at.isFull ? b.i1(true) : b.less(b.i32(position), at.left);
}

/// Element by element, 0 past the window.
Value TileEmitter::loadEach(LoadOp load, const DeviceArray &array,
                            Value rowPointer, const TilePlace &at) {
  int32_t offset = load.getOffset();
  Value first = b.add(thread.first, b.i32(offset));
  Value stride = positionStride(array);
  Value start = offset < 0 ? b.signedToI64(first) : b.toI64(first);
  Value pointer = stepPointer(array, rowPointer, start, at);
  SmallVector<Value> elements;
  for (unsigned i = 0; i < schedule.getStepsPerThread(); ++i) {
    Value isInside = b.less(b.add(thread.first, b.i32(offset + i)), at.high);
    if (offset == 0)
      isInside = isInWindow(i, at);
    if (offset < 0)
      isInside = b.both(isInside, b.less(at.low, b.add(first, b.i32(i + 1))));
    elements.push_back(b.choose(isInside, array.storage(), [&] {
      return loadElement(array, entryPointer(load, array, pointer, i));
    }));
    pointer = b.elementPointer(pointer, array.storage(), stride);
  }
  return b.pack(elements);
}

/// Of the entries of a step, where the load has an index, the one that it
/// picks.
Value TileEmitter::entryPointer(LoadOp load, const DeviceArray &array,
                                Value step, unsigned position) {
  if (!load.getIndex())
    return step;
  Value index = get(load.getIndex());
  if (isa<VectorType>(index.getType()))
    index = b.extract(index, position);
  return b.elementPointer(step, array.storage(),
                          axisOffset(load, array, index));
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void TileEmitter::emitStore(StoreOp store) {
  const DeviceArray &array = call.arrays.find(store.getArray())->second;
  Value pointer = rowPointer(array, place);
  Value stored = toStorage(b, get(store.getValue()), array.storage());
  if (array.type.getKind() == InputKind::Row)
    storeLast(array, pointer, stored);
  else if (hasPieces(array))
    storeFragment(array, pointer, stored);
  else
    storeEach(array, pointer, stored);
}

/// What the thread with the window's last position has there.
void TileEmitter::storeLast(const DeviceArray &array, Value rowPointer,
                            Value stored) {
  for (auto [i, element] : llvm::enumerate(b.unpack(stored)))
    b.when(b.equal(place.left, i + 1), [&] {
      LLVM::StoreOp::create(b, element, rowPointer, byteWidth(array.storage()));
    });
}

void TileEmitter::storeFragment(const DeviceArray &array, Value rowPointer,
                                Value stored) {
  unsigned access = accessSteps(array);
  if (isStaged(array))
    stored = exchange(stored, access, /*toPositions=*/false);
  SmallVector<Value> positions = b.unpack(stored);
  for (unsigned i = 0; i < schedule.getStepsPerThread() / access; ++i) {
    Value position = accessPosition(array, i);
    Value piece = b.pack(ArrayRef<Value>(positions).slice(i * access, access));
    Value isInside = place.isFull ? b.i1(true) : b.less(position, place.inside);
    b.when(isInside, [&] {
      LLVM::StoreOp::create(b, reverse(piece),
                            accessPointer(array, rowPointer, position, place),
                            access * byteWidth(array.storage()));
    });
  }
}

void TileEmitter::storeEach(const DeviceArray &array, Value rowPointer,
                            Value stored) {
  Value stride = positionStride(array);
  Value first = arith::ExtUIOp::create(b, b.getI64Type(), thread.first);
  Value pointer = stepPointer(array, rowPointer, first, place);
  for (auto [i, element] : llvm::enumerate(b.unpack(stored))) {
    if (i > 0)
      pointer = b.elementPointer(pointer, array.storage(), stride);
    b.when(isInWindow(i, place), [&] {
      LLVM::StoreOp::create(b, element, pointer, byteWidth(array.storage()));
    });
  }
}

//===----------------------------------------------------------------------===//
// Positions and axes
//===----------------------------------------------------------------------===//

Value TileEmitter::emitOutside(OutsideOp outside) {
  auto isOutside = [&](Value position) -> Value {
    Value isBefore = b.less(position, place.low);
    Value isInside = b.less(position, place.high);
    Value isPast = arith::XOrIOp::create(b, isInside, b.i1(true));
    return arith::OrIOp::create(b, isBefore, isPast);
  };
  int64_t offset = outside.getOffset();
  if (!isa<VectorType>(outside.getType()))
    return isOutside(b.add(thread.groupFirst, b.i32(offset - 1)));
  SmallVector<Value> positions;
  for (unsigned i = 0; i < schedule.getStepsPerThread(); ++i)
    positions.push_back(isOutside(b.add(thread.first, b.i32(offset + i))));
  return b.pack(positions);
}

/// The number of the step at a position of the tile, as i64: rows may be that
/// long.
Value TileEmitter::stepAt(Value position) {
  Value passed = b.add(place.start, b.signedToI64(position));
  if (tiles.getDirection() == Direction::Forward)
    return passed;
  return b.sub(b.sub(call.steps, b.i64(1)), passed);
}

Value TileEmitter::emitStep(StepOp step) {
  int64_t offset = step.getOffset();
  if (!isa<VectorType>(step.getType()))
    return b.castIndex(stepAt(b.add(thread.groupFirst, b.i32(offset - 1))),
                       step.getType());
  SmallVector<Value> numbers;
  for (unsigned i = 0; i < schedule.getStepsPerThread(); ++i)
    numbers.push_back(stepAt(b.add(thread.first, b.i32(offset + i))));
  return b.castIndex(b.pack(numbers), step.getType());
}

static double identityOf(ReduceKind kind) {
  double infinity = std::numeric_limits<double>::infinity();
  if (kind == ReduceKind::Sum)
    return 0.0;
  return kind == ReduceKind::Max ? -infinity : infinity;
}

Value TileEmitter::emitReduce(ReduceOp reduce) {
  Type type = reduce.getType();
  double identity = identityOf(reduce.getKind());
  Value first;
  if (auto fragment = dyn_cast<VectorType>(type))
    first = vector::BroadcastOp::create(
        b, type, b.real(fragment.getElementType(), identity));
  else
    first = b.real(type, identity);
  Block &body = reduce.getBody().front();
  auto loop =
      scf::ForOp::create(b, b.i64(0), call.axisSizes.lookup(reduce.getAxis()),
                         b.i64(1), ValueRange{first});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  values[body.getArgument(0)] =
      arith::IndexCastOp::create(b, b.getIndexType(), loop.getInductionVar());
  for (Operation &op : body.without_terminator())
    emitOp(&op);
  Value entry = get(cast<YieldOp>(body.getTerminator()).getValue());
  Value sofar = loop.getRegionIterArgs()[0];
  Value next;
  if (reduce.getKind() == ReduceKind::Sum)
    next = arith::AddFOp::create(b, sofar, entry);
  else if (reduce.getKind() == ReduceKind::Max)
    next = arith::MaximumFOp::create(b, sofar, entry);
  else
    next = arith::MinimumFOp::create(b, sofar, entry);
  scf::YieldOp::create(b, next);
  return loop.getResult(0);
}
