//===- ArrayAccess.cpp - Vectors in and out of arrays ---------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/ArrayAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rlscan;

/// Callers promise no more than the alignment of an element.
unsigned ArrayInfo::alignment() const {
  return type.getStorage().getIntOrFloatBitWidth() / 8;
}

/// Whether the group's elements are neighbours in memory, all of them there.
static bool hasAdjacentRows(const ArrayInfo &array, const RowGroup &rows) {
  return array.type.getLayout() == Layout::Rows && !array.type.getAxis() &&
         (array.isPadded || !rows.mask);
}

static Value adjacentPointer(VectorBuilder &b, const ArrayInfo &array,
                             const RowGroup &rows, Value step) {
  Value offset = b.add(rows.first, b.mul(step, array.stepStride));
  return b.elementPointer(array.base, array.storage(), offset);
}

static Value lanePointers(VectorBuilder &b, const ArrayInfo &array,
                          const RowGroup &rows, Value step, Value index) {
  Value uniform = b.mul(step, array.stepStride);
  Value offsets = b.mul(rows.number, b.splat(array.rowStride));
  if (index) {
    if (isa<VectorType>(index.getType()))
      offsets = b.add(offsets, b.mul(index, b.splat(array.axisStride)));
    else
      uniform = b.add(uniform, b.mul(index, array.axisStride));
  }
  offsets = b.add(offsets, b.splat(uniform));
  return b.elementPointer(array.base, array.storage(), offsets);
}

Value rlscan::loadLanes(VectorBuilder &b, const ArrayInfo &array,
                        const RowGroup &rows, Value step, Value index) {
  if (hasAdjacentRows(array, rows))
    return b.loadVector(array.storage(), adjacentPointer(b, array, rows, step),
                        array.alignment());
  Value pointers = lanePointers(b, array, rows, step, index);
  return LLVM::masked_gather::create(b, b.vectorOf(array.storage()), pointers,
                                     b.allLanes(), ValueRange{},
                                     array.alignment());
}

void rlscan::storeLanes(VectorBuilder &b, const ArrayInfo &array,
                        const RowGroup &rows, Value step, Value elements) {
  if (hasAdjacentRows(array, rows))
    return b.storeVector(elements, adjacentPointer(b, array, rows, step),
                         array.alignment());
  Value pointers = lanePointers(b, array, rows, step, Value());
  Value mask = rows.mask ? rows.mask : b.allLanes();
  LLVM::masked_scatter::create(b, elements, pointers, mask, array.alignment());
}

/// `element`, or a vector of it where `like` is a vector.
static Type withShape(Value like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return VectorType::get(vector.getShape(), element);
  return element;
}

static Value zeroLike(VectorBuilder &b, Value value) {
  return b.constant(cast<TypedAttr>(b.getZeroAttr(value.getType())));
}

static Value resizeFloat(VectorBuilder &b, Value value, Type element) {
  unsigned from = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  unsigned to = element.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  Type type = withShape(value, element);
  if (from < to)
    return arith::ExtFOp::create(b, type, value);
  return arith::TruncFOp::create(b, type, value);
}

Value rlscan::fromStorage(VectorBuilder &b, Value stored, Type signal) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(stored));
  if (isa<FloatType>(signal))
    return resizeFloat(b, stored, signal);
  if (isa<IndexType>(signal))
    return arith::IndexCastOp::create(b, withShape(stored, signal), stored);
  // A flag is set where anything but 0 is stored, NaN included, -0 not.
  if (isFloat)
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, stored,
                                 zeroLike(b, stored));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, stored,
                               zeroLike(b, stored));
}

Value rlscan::toStorage(VectorBuilder &b, Value value, Type storage) {
  Type signal = getElementTypeOrSelf(value);
  Type type = withShape(value, storage);
  if (isa<FloatType>(signal))
    return resizeFloat(b, value, storage);
  if (isa<IndexType>(signal))
    return arith::IndexCastOp::create(b, type, value);
  if (isa<FloatType>(storage))
    return arith::UIToFPOp::create(b, type, value);
  return arith::ExtUIOp::create(b, type, value);
}
