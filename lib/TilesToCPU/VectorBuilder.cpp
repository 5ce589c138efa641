//===- VectorBuilder.cpp - Short names for vector and index code ----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToCPU/VectorBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace rlscan;

Value VectorBuilder::constant(TypedAttr value) {
  return arith::ConstantOp::create(*this, value);
}

Value VectorBuilder::i64(int64_t value) {
  return constant(getI64IntegerAttr(value));
}

Value VectorBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}

Value VectorBuilder::sub(Value a, Value b) {
  return createOrFold<arith::SubIOp>(a, b);
}

Value VectorBuilder::mul(Value a, Value b) {
  return createOrFold<arith::MulIOp>(a, b);
}

Value VectorBuilder::minimum(Value a, Value b) {
  return createOrFold<arith::MinSIOp>(a, b);
}

Value VectorBuilder::maximum(Value a, Value b) {
  return createOrFold<arith::MaxSIOp>(a, b);
}

Value VectorBuilder::ceilDiv(Value a, int64_t b) {
  return arith::DivSIOp::create(*this, add(a, i64(b - 1)), i64(b));
}

Value VectorBuilder::less(Value a, Value b) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, a, b);
}

Value VectorBuilder::equal(Value a, Value b) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
}

Value VectorBuilder::splat(Value scalar) {
  return vector::BroadcastOp::create(*this, vectorOf(scalar.getType()), scalar);
}

Value VectorBuilder::laneNumbers() {
  SmallVector<int64_t> numbers = llvm::to_vector(llvm::seq<int64_t>(0, lanes));
  return constant(DenseElementsAttr::get(vectorOf(getI64Type()),
                                         ArrayRef<int64_t>(numbers)));
}

Value VectorBuilder::allLanes() {
  return constant(DenseElementsAttr::get(vectorOf(getI1Type()), true));
}

Value VectorBuilder::elementPointer(Value base, Type element, Value offset) {
  Type type =
      isa<VectorType>(offset.getType()) ? Type(vectorOf(pointer())) : pointer();
  return LLVM::GEPOp::create(*this, type, element, base, ValueRange{offset});
}

Value VectorBuilder::allocate(Type element, int64_t count) {
  return LLVM::AllocaOp::create(*this, pointer(), element, i64(count),
                                /*alignment=*/64);
}

Value VectorBuilder::loadVector(Type element, Value address,
                                unsigned alignment) {
  return LLVM::LoadOp::create(*this, vectorOf(element), address, alignment);
}

void VectorBuilder::storeVector(Value vector, Value address,
                                unsigned alignment) {
  LLVM::StoreOp::create(*this, vector, address, alignment);
}

Value VectorBuilder::isZero(Value vector) {
  Value zero = constant(cast<TypedAttr>(getZeroAttr(vector.getType())));
  return createOrFold<arith::CmpFOp>(arith::CmpFPredicate::OEQ, vector, zero);
}

Value VectorBuilder::carryOn(Value alpha, Value beta, Value carry,
                             Value isCut) {
  Value sum = LLVM::FMAOp::create(*this, beta.getType(), beta, carry, alpha);
  return arith::SelectOp::create(*this, isCut, alpha, sum);
}

void VectorBuilder::loop(Value begin, Value end, int64_t step,
                         llvm::function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(*this, begin, end, i64(step));
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void VectorBuilder::branch(Value condition, llvm::function_ref<void()> then,
                           llvm::function_ref<void()> otherwise) {
  auto branch =
      scf::IfOp::create(*this, condition,
                        /*withElseRegion=*/static_cast<bool>(otherwise));
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  setInsertionPointToStart(branch.elseBlock());
  otherwise();
}
