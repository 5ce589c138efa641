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

/// The first of the `span` steps whose first position is `position`.
Value TileEmitter::stepOf(Value position, int64_t span) {
  if (tiles.getDirection() == Direction::Forward)
    return position;
  return b.sub(b.sub(call.steps, b.i64(span)), position);
}

Value TileEmitter::rowPointer(const DeviceArray &array, const TilePlace &at) {
  Value number = b.add(at.clampedRow, b.i64(row));
  return b.elementPointer(array.base, array.storage(),
                          b.mul(number, array.rowStride));
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

/// Steps that one access to the array moves: 16 bytes at most.
unsigned TileEmitter::accessSteps(const DeviceArray &array) const {
  constexpr unsigned widest = 16;
  return std::min(schedule.getAccess(), widest / byteWidth(array.storage()));
}

/// Whether a thread's positions take several accesses. Lanes that made them one
/// after the other would be far apart in memory; so each access has all lanes
/// side by side, and what belongs to whom is sorted out in shared memory.
bool TileEmitter::isStaged(const DeviceArray &array) const {
  return hasPieces(array) && schedule.getLanes() == b.subgroupSize &&
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
  for (LoadOp op : tiles.getBody().getOps<LoadOp>()) {
    const DeviceArray &array = call.arrays.find(op.getArray())->second;
    if (canReadAhead(op))
      forEachRow([&] {
        if (row == 0 || !hasRowsTogether(array))
          ahead[{op, row}] = load(op, at);
      });
  }
  return ahead;
}

/// Whether one access takes the elements of all rows of the thread.
bool TileEmitter::hasRowsTogether(const DeviceArray &array) const {
  return schedule.getRowsPerThread() > 1 && !array.type.getAxis() &&
         array.type.getKind() == InputKind::Step &&
         array.type.getLayout() == Layout::Rows;
}

/// What one access moves: an element, or one of each of the thread's rows.
Type TileEmitter::loadedElement(const DeviceArray &array) const {
  if (!hasRowsTogether(array))
    return array.storage();
  return VectorType::get({schedule.getRowsPerThread()}, array.storage());
}

Value TileEmitter::loadElement(const DeviceArray &array, Value pointer) {
  unsigned together = hasRowsTogether(array) ? schedule.getRowsPerThread() : 1;
  return LLVM::LoadOp::create(b, loadedElement(array), pointer,
                              together * byteWidth(array.storage()));
}

/// The present row's part of what was loaded for all of them, a fragment or the
/// element at the edge.
Value TileEmitter::selectRow(const DeviceArray &array, Value loaded,
                             bool isFragment) {
  if (!hasRowsTogether(array))
    return loaded;
  unsigned together = schedule.getRowsPerThread();
  SmallVector<Value> elements = b.unpack(loaded), own;
  for (unsigned i = row; i < elements.size(); i += together)
    own.push_back(elements[i]);
  return isFragment ? b.pack(own) : own.front();
}

/// The elements as they are stored. Past the window that is the nearest inside.
Value TileEmitter::load(LoadOp load, const TilePlace &at) {
  const DeviceArray &array = call.arrays.find(load.getArray())->second;
  if (array.number)
    return array.number;
  Value pointer = rowPointer(array, at);
  unsigned alignment = byteWidth(array.storage());
  if (array.type.getKind() == InputKind::Row)
    return LLVM::LoadOp::create(b, array.storage(), pointer, alignment);
  if (isa<VectorType>(load.getType())) {
    if (hasPieces(array) && load.getOffset() == 0)
      return loadFragment(array, pointer, at);
    return loadEach(load, array, pointer, at);
  }
  Value position = b.clamp(b.add(at.edge, b.i64(load.getOffset())), b.i64(0),
                           b.sub(call.steps, b.i64(1)));
  Value offset = b.mul(stepOf(position), array.stepStride);
  if (load.getIndex())
    offset = b.add(offset, axisOffset(load, array, get(load.getIndex())));
  return loadElement(array, b.elementPointer(pointer, array.storage(), offset));
}

/// What was loaded, as the op's value.
Value TileEmitter::fromMemory(LoadOp load, Value loaded) {
  const DeviceArray &array = call.arrays.find(load.getArray())->second;
  bool isFragment = isa<VectorType>(load.getType());
  loaded = selectRow(array, loaded, isFragment);
  if (isFragment && load.getOffset() == 0 && isStaged(array))
    loaded = exchange(loaded, accessSteps(array), /*toPositions=*/true);
  return fromStorage(b, loaded, load.getType());
}

/// The positions of one access of a thread; where fragments are staged, the
/// accesses of a subgroup's lanes stand beside each other.
Value TileEmitter::accessPosition(const DeviceArray &array, unsigned number,
                                  const TilePlace &at) {
  if (!isStaged(array))
    return b.add(at.first, b.i64(number * accessSteps(array)));
  Value unit = b.add(b.i64(number * schedule.getLanes()), b.toI64(thread.lane));
  Value start = b.add(at.edge, b.i64(1));
  return b.add(start, b.mul(unit, b.i64(accessSteps(array))));
}

/// All of an access is in the window or nothing.
Value TileEmitter::isAccessInside(const DeviceArray &array, unsigned number,
                                  const TilePlace &at) {
  unsigned steps = accessSteps(array);
  if (!isStaged(array))
    return isInside(number * steps, at);
  Value unit = b.add(b.i32(number * schedule.getLanes()), thread.lane);
  return b.less(b.mul(unit, b.i32(steps)), at.groupLeft);
}

/// One access to an input. Streamed, its lines are the first that caches give
/// up; NVPTX has no hint for that but its own instruction.
Value TileEmitter::loadAccess(VectorType type, Value pointer) {
  unsigned bytes = type.getNumElements() * byteWidth(type.getElementType());
  if (!schedule.getStream() || bytes != 16)
    return LLVM::LoadOp::create(b, type, pointer, bytes);
  Type word = b.getI32Type();
  auto words = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                {word, word, word, word});
  Value loaded =
      LLVM::InlineAsmOp::create(
          b, words, ValueRange{pointer},
          "ld.global.cs.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l",
          /*has_side_effects=*/false, /*is_align_stack=*/false,
          LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
          ArrayAttr())
          .getRes();
  SmallVector<Value> parts;
  for (int64_t i = 0; i < 4; ++i)
    parts.push_back(LLVM::ExtractValueOp::create(b, loaded, i));
  return LLVM::BitcastOp::create(b, type, b.pack(parts));
}

Value TileEmitter::loadFragment(const DeviceArray &array, Value rowPointer,
                                const TilePlace &at) {
  unsigned access = accessSteps(array);
  auto type = VectorType::get({access}, array.storage());
  Value last = b.sub(call.steps, b.i64(access));
  SmallVector<Value> positions;
  for (unsigned i = 0; i < schedule.getStepsPerThread() / access; ++i) {
    Value position = accessPosition(array, i, at);
    Value step = b.clamp(stepOf(position, access), b.i64(0), last);
    Value pointer = b.elementPointer(rowPointer, array.storage(), step);
    llvm::append_range(positions, b.unpack(reverse(loadAccess(type, pointer))));
  }
  return b.pack(positions);
}

Value TileEmitter::isInside(unsigned position, const TilePlace &at) {
  return b.less(b.i32(position), at.left);
}

/// Whether position first + i is in the window and the one before it is, too.
Value TileEmitter::isInsideByPosition(Value first, unsigned position) {
  Value at = b.add(first, b.i64(position));
  return b.both(b.less(b.i64(0), at), b.less(at, call.steps));
}

/// Pointers to the thread's steps, `first` being the position of the first, one
/// by one from there. They stay where `isInside` is not set.
SmallVector<Value>
TileEmitter::stepPointers(const DeviceArray &array, Value rowPointer,
                          Value first,
                          llvm::function_ref<Value(unsigned)> isInside) {
  bool isForward = tiles.getDirection() == Direction::Forward;
  Value none = b.i64(0), last = b.sub(call.steps, b.i64(1));
  Value bytes = b.mul(array.stepStride, b.i64(byteWidth(array.storage())));
  Value stride = isForward ? bytes : b.sub(none, bytes);
  Value start = stepOf(b.clamp(first, none, last));
  SmallVector<Value> pointers = {
      b.elementPointer(rowPointer, b.getI8Type(), b.mul(start, bytes))};
  for (unsigned i = 1; i < schedule.getStepsPerThread(); ++i)
    pointers.push_back(b.elementPointer(pointers.back(), b.getI8Type(),
                                        b.select(isInside(i), stride, none)));
  return pointers;
}

Value TileEmitter::loadEach(LoadOp load, const DeviceArray &array,
                            Value rowPointer, const TilePlace &at) {
  Value index = load.getIndex() ? get(load.getIndex()) : Value();
  bool isPick = index && isa<VectorType>(index.getType());
  Value first = b.add(at.first, b.i64(load.getOffset()));
  SmallVector<Value> pointers =
      stepPointers(array, rowPointer, first, [&](unsigned i) {
        return load.getOffset() == 0 ? isInside(i, at)
                                     : isInsideByPosition(first, i);
      });
  SmallVector<Value> positions;
  for (auto [i, pointer] : llvm::enumerate(pointers)) {
    if (index)
      pointer = b.elementPointer(
          pointer, array.storage(),
          axisOffset(load, array, isPick ? b.extract(index, i) : index));
    Value loaded = loadElement(array, pointer);
    if (isa<VectorType>(loaded.getType()))
      llvm::append_range(positions, b.unpack(loaded));
    else
      positions.push_back(loaded);
  }
  return b.pack(positions);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Stores the fragments of all rows of the thread.
void TileEmitter::emitStore(StoreOp store) {
  const DeviceArray &array = call.arrays.find(store.getArray())->second;
  SmallVector<Value> rows;
  forEachRow([&] {
    rows.push_back(toStorage(b, get(store.getValue()), array.storage()));
  });
  if (hasRowsTogether(array))
    return storeEach(array, rowPointer(array, place), rows);
  forEachRow([&] {
    Value pointer = rowPointer(array, place);
    if (hasPieces(array))
      storeFragment(array, pointer, rows[row]);
    else
      storeEach(array, pointer, rows[row]);
  });
}

void TileEmitter::storeFragment(const DeviceArray &array, Value rowPointer,
                                Value stored) {
  unsigned access = accessSteps(array);
  if (isStaged(array))
    stored = exchange(stored, access, /*toPositions=*/false);
  SmallVector<Value> positions = b.unpack(stored);
  for (unsigned i = 0; i < schedule.getStepsPerThread() / access; ++i) {
    Value position = accessPosition(array, i, place);
    Value piece = b.pack(ArrayRef<Value>(positions).slice(i * access, access));
    b.when(b.both(place.hasRow, isAccessInside(array, i, place)), [&] {
      Value pointer = b.elementPointer(rowPointer, array.storage(),
                                       stepOf(position, access));
      LLVM::StoreOp::create(b, reverse(piece), pointer,
                            access * byteWidth(array.storage()));
    });
  }
}

/// The fragments of one row, or of all rows of the thread that an access takes.
void TileEmitter::storeEach(const DeviceArray &array, Value rowPointer,
                            ArrayRef<Value> rows) {
  SmallVector<Value> pointers = stepPointers(
      array, rowPointer, place.first, [&](unsigned) { return b.i1(true); });
  for (auto [i, pointer] : llvm::enumerate(pointers)) {
    SmallVector<Value> elements;
    for (Value row : rows)
      elements.push_back(b.extract(row, i));
    Value stored = rows.size() > 1 ? b.pack(elements) : elements.front();
    b.when(b.both(place.hasRow, isInside(i, place)), [&] {
      LLVM::StoreOp::create(b, stored, pointer,
                            rows.size() * byteWidth(array.storage()));
    });
  }
}

//===----------------------------------------------------------------------===//
// Positions and axes
//===----------------------------------------------------------------------===//

Value TileEmitter::emitOutside(OutsideOp outside) {
  auto isOutside = [&](Value position) -> Value {
    Value isBefore = b.less(position, b.i64(0));
    Value isInside = b.less(position, call.steps);
    Value isPast = arith::XOrIOp::create(b, isInside, b.i1(true));
    return arith::OrIOp::create(b, isBefore, isPast);
  };
  if (!isa<VectorType>(outside.getType()))
    return isOutside(b.add(place.edge, b.i64(outside.getOffset())));
  SmallVector<Value> positions;
  for (unsigned i = 0; i < schedule.getStepsPerThread(); ++i)
    positions.push_back(
        isOutside(b.add(place.first, b.i64(i + outside.getOffset()))));
  return b.pack(positions);
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
  values()[body.getArgument(0)] =
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
