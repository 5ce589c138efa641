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

static bool isVector(Value value) { return isa<VectorType>(value.getType()); }

Value rlscan::elementPointer(VectorBuilder &b, const ArrayInfo &array,
                             Value row, Value step, Value index) {
  // What is the same for all lanes is added up before it is spread.
  Value same, own;
  auto accumulate = [&](Value position, Value stride) {
    Value &sum = isVector(position) ? own : same;
    Value term = isVector(position) ? b.mul(position, b.splat(stride))
                                    : b.mul(position, stride);
    sum = sum ? b.add(sum, term) : term;
  };
  accumulate(row, array.rowStride);
  accumulate(step, array.stepStride);
  if (index)
    accumulate(index, array.axisStride);
  Value offset = same;
  if (own)
    offset = same ? b.add(own, b.splat(same)) : own;
  return b.elementPointer(array.base, array.storage(), offset);
}

Value rlscan::gather(VectorBuilder &b, const ArrayInfo &array, Value pointers,
                     Value mask) {
  VectorType type = b.vectorOf(array.storage());
  SmallVector<Value> otherwise;
  if (mask)
    otherwise.push_back(b.constant(cast<TypedAttr>(b.getZeroAttr(type))));
  return LLVM::masked_gather::create(b, type, pointers,
                                     mask ? mask : b.allLanes(), otherwise,
                                     array.alignment());
}

void rlscan::scatter(VectorBuilder &b, const ArrayInfo &array, Value elements,
                     Value pointers, Value mask) {
  LLVM::masked_scatter::create(b, elements, pointers,
                               mask ? mask : b.allLanes(), array.alignment());
}

Value rlscan::loadAdjacent(VectorBuilder &b, const ArrayInfo &array,
                           Value pointer, Value mask) {
  if (!mask)
    return b.loadVector(array.storage(), pointer, array.alignment());
  VectorType type = b.vectorOf(array.storage());
  Value zero = b.constant(cast<TypedAttr>(b.getZeroAttr(type)));
  return LLVM::MaskedLoadOp::create(b, type, pointer, mask, zero,
                                    array.alignment());
}

void rlscan::storeAdjacent(VectorBuilder &b, const ArrayInfo &array,
                           Value elements, Value pointer, Value mask) {
  if (!mask)
    return b.storeVector(elements, pointer, array.alignment());
  LLVM::MaskedStoreOp::create(b, elements, pointer, mask, array.alignment());
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
  // Between 16 and 64 bits there are no instructions, only functions of a
  // compiler's library that need not be there.
  if (std::min(from, to) == 16 && std::max(from, to) == 64)
    value = resizeFloat(b, value, b.getF32Type());
  Type type = withShape(value, element);
  if (from < to)
    return b.createOrFold<arith::ExtFOp>(type, value);
  return b.createOrFold<arith::TruncFOp>(type, value);
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
