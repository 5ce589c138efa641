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

Type ArrayInfo::storage() const {
  Type storage = type.getStorage();
  return storage.isBF16() ? IntegerType::get(storage.getContext(), 16)
                          : storage;
}

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

/// A constant for each lane of `like`, or one.
static Value constantLike(VectorBuilder &b, Value like, int64_t number) {
  Type element = getElementTypeOrSelf(like);
  Value scalar = b.constant(b.getIntegerAttr(element, number));
  return isVector(like) ? b.splat(scalar) : scalar;
}

static Value resizeFloat(VectorBuilder &b, Value value, Type element) {
  unsigned from = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  unsigned to = element.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from < to)
    return b.createOrFold<arith::ExtFOp>(withShape(value, element), value);
  // f64 to 16 bits in one step is a library function, too. Rounded twice it is
  // off by half a unit and 2^-13.
  if (from == 64 && to == 16)
    value = resizeFloat(b, value, b.getF32Type());
  return b.createOrFold<arith::TruncFOp>(withShape(value, element), value);
}

/// The upper half of an f32.
static Value fromBF16(VectorBuilder &b, Value bits) {
  Value wide = arith::ExtUIOp::create(b, withShape(bits, b.getI32Type()), bits);
  wide = arith::ShLIOp::create(b, wide, constantLike(b, wide, 16));
  return arith::BitcastOp::create(b, withShape(bits, b.getF32Type()), wide);
}

/// To nearest even; NaN becomes a quiet one.
static Value toBF16(VectorBuilder &b, Value value) {
  value = resizeFloat(b, value, b.getF32Type());
  Value bits =
      arith::BitcastOp::create(b, withShape(value, b.getI32Type()), value);
  Value sixteen = constantLike(b, bits, 16);
  Value high = arith::ShRUIOp::create(b, bits, sixteen);
  Value odd = arith::AndIOp::create(b, high, constantLike(b, bits, 1));
  Value half = b.add(constantLike(b, bits, 0x7fff), odd);
  Value rounded = arith::ShRUIOp::create(b, b.add(bits, half), sixteen);
  Value quiet = arith::OrIOp::create(b, high, constantLike(b, bits, 0x40));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
  Value result = arith::SelectOp::create(b, isNaN, quiet, rounded);
  return arith::TruncIOp::create(b, withShape(value, b.getI16Type()), result);
}

/// Of integer storage only bf16 has 16 bits.
static bool holdsBF16(Value stored) {
  return getElementTypeOrSelf(stored).isInteger(16);
}

/// A flag is set where anything but 0 is stored, NaN included, -0 not. Bits are
/// compared, which the caller's flush-to-zero mode does not change.
static Value isSet(VectorBuilder &b, Value stored) {
  Type element = getElementTypeOrSelf(stored);
  bool hasSign = isa<FloatType>(element) || holdsBF16(stored);
  if (isa<FloatType>(element)) {
    Type bits = b.getIntegerType(element.getIntOrFloatBitWidth());
    stored = arith::BitcastOp::create(b, withShape(stored, bits), stored);
  }
  if (hasSign)
    stored = arith::ShLIOp::create(b, stored, constantLike(b, stored, 1));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, stored,
                               zeroLike(b, stored));
}

Value rlscan::fromStorage(VectorBuilder &b, Value stored, Type signal) {
  if (isa<FloatType>(signal))
    return resizeFloat(b, holdsBF16(stored) ? fromBF16(b, stored) : stored,
                       signal);
  if (isa<IndexType>(signal))
    return arith::IndexCastOp::create(b, withShape(stored, signal), stored);
  return isSet(b, stored);
}

Value rlscan::toStorage(VectorBuilder &b, Value value, Type storage) {
  Type signal = getElementTypeOrSelf(value);
  Type type = withShape(value, storage);
  if (isa<FloatType>(signal))
    return storage.isInteger(16) ? toBF16(b, value)
                                 : resizeFloat(b, value, storage);
  if (isa<IndexType>(signal))
    return arith::IndexCastOp::create(b, type, value);
  if (storage.isInteger(16)) { // bf16, whose 1 has these bits
    Value one = arith::ExtUIOp::create(b, type, value);
    return arith::MulIOp::create(b, one, constantLike(b, one, 0x3f80));
  }
  if (isa<FloatType>(storage))
    return arith::UIToFPOp::create(b, type, value);
  return arith::ExtUIOp::create(b, type, value);
}
