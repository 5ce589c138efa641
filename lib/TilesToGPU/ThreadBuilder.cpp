//===- ThreadBuilder.cpp - Code of one thread ---------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TilesToGPU/ThreadBuilder.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rlscan;

std::unique_ptr<ThreadBuilder> ThreadBuilder::make(Vendor vendor, Location loc,
                                                   OpBuilder builder,
                                                   unsigned subgroupSize) {
  switch (vendor) {
  case Vendor::NVIDIA:
    return makeNVIDIABuilder(loc, builder, subgroupSize);
  case Vendor::AMD:
    return makeAMDBuilder(loc, builder, subgroupSize);
  }
  llvm_unreachable("all vendors are there");
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value ThreadBuilder::i1(bool value) {
  return arith::ConstantOp::create(*this, getBoolAttr(value));
}
Value ThreadBuilder::i32(int32_t value) {
  return arith::ConstantOp::create(*this, getI32IntegerAttr(value));
}
Value ThreadBuilder::i64(int64_t value) {
  return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
}
Value ThreadBuilder::constantLike(Value like, int64_t number) {
  return arith::ConstantOp::create(*this,
                                   getIntegerAttr(like.getType(), number));
}
Value ThreadBuilder::real(Type type, double value) {
  return arith::ConstantOp::create(*this, getFloatAttr(type, value));
}
Value ThreadBuilder::zero(Type type) {
  return arith::ConstantOp::create(*this, cast<TypedAttr>(getZeroAttr(type)));
}

Value ThreadBuilder::add(Value a, Value b) {
  return createOrFold<arith::AddIOp>(a, b);
}
Value ThreadBuilder::sub(Value a, Value b) {
  return createOrFold<arith::SubIOp>(a, b);
}
Value ThreadBuilder::mul(Value a, Value b) {
  return createOrFold<arith::MulIOp>(a, b);
}
Value ThreadBuilder::minimum(Value a, Value b) {
  return createOrFold<arith::MinSIOp>(a, b);
}
Value ThreadBuilder::maximum(Value a, Value b) {
  return createOrFold<arith::MaxSIOp>(a, b);
}
Value ThreadBuilder::clamp(Value a, Value low, Value high) {
  return maximum(minimum(a, high), low);
}
/// b is a power of two, a is not negative.
Value ThreadBuilder::ceilDiv(Value a, int64_t b) {
  Value sum = add(a, constantLike(a, b - 1));
  return createOrFold<arith::DivUIOp>(sum, constantLike(a, b));
}
Value ThreadBuilder::less(Value a, Value b) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, a, b);
}
Value ThreadBuilder::equal(Value a, Value b) {
  return createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
}
Value ThreadBuilder::both(Value a, Value b) {
  return createOrFold<arith::AndIOp>(a, b);
}
Value ThreadBuilder::select(Value condition, Value yes, Value no) {
  return createOrFold<arith::SelectOp>(condition, yes, no);
}
Value ThreadBuilder::toI64(Value a) {
  if (isa<IndexType>(a.getType()))
    return arith::IndexCastOp::create(*this, getI64Type(), a);
  return arith::ExtUIOp::create(*this, getI64Type(), a);
}
Value ThreadBuilder::signedToI64(Value a) {
  return arith::ExtSIOp::create(*this, getI64Type(), a);
}
Value ThreadBuilder::toI32(Value a) {
  if (isa<IndexType>(a.getType()))
    return arith::IndexCastOp::create(*this, getI32Type(), a);
  return arith::TruncIOp::create(*this, getI32Type(), a);
}

Value ThreadBuilder::resize(Value value, Type type) {
  unsigned from = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  unsigned to = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(*this, type, value);
  return from > to ? Value(arith::TruncFOp::create(*this, type, value)) : value;
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

Type ThreadBuilder::carriedType(Type type) {
  if (!isa<IndexType>(getElementTypeOrSelf(type)))
    return type;
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(getI64Type());
  return getI64Type();
}

Value ThreadBuilder::castIndex(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::IndexCastOp::create(*this, type, value);
}

Value ThreadBuilder::extract(Value fragment, unsigned position) {
  return vector::ExtractOp::create(*this, fragment, position);
}

SmallVector<Value> ThreadBuilder::unpack(Value fragment) {
  SmallVector<Value> positions;
  int64_t count = cast<VectorType>(fragment.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    positions.push_back(extract(fragment, i));
  return positions;
}

Value ThreadBuilder::pack(ArrayRef<Value> positions) {
  auto type = VectorType::get({static_cast<int64_t>(positions.size())},
                              positions.front().getType());
  return vector::FromElementsOp::create(*this, type, positions);
}

//===----------------------------------------------------------------------===//
// Memory and other lanes
//===----------------------------------------------------------------------===//

Value ThreadBuilder::elementPointer(Value base, Type element, Value offset) {
  return LLVM::GEPOp::create(*this, base.getType(), element, base,
                             ArrayRef<LLVM::GEPArg>{offset});
}

/// Shuffles move 32 bits.
Value ThreadBuilder::atOffset(Value base, int64_t bytes) {
  return elementPointer(base, getI8Type(), i64(bytes));
}

Value ThreadBuilder::loadRelaxed(Type type, Value pointer) {
  return LLVM::LoadOp::create(
      *this, type, pointer, /*alignment=*/type.getIntOrFloatBitWidth() / 8,
      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic,
      deviceScope());
}

void ThreadBuilder::storeRelaxed(Value value, Value pointer) {
  LLVM::StoreOp::create(*this, value, pointer,
                        value.getType().getIntOrFloatBitWidth() / 8,
                        /*isVolatile=*/false, /*isNonTemporal=*/false,
                        /*isInvariantGroup=*/false,
                        LLVM::AtomicOrdering::monotonic, deviceScope());
}

Value ThreadBuilder::moveWords(Value value,
                               llvm::function_ref<Value(Value)> move) {
  Type type = value.getType();
  if (isa<IndexType>(type))
    return arith::IndexCastOp::create(*this, type,
                                      moveWords(toI64(value), move));
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 32)
    return move(value);
  if (width < 32) {
    Value word = arith::ExtUIOp::create(*this, getI32Type(), value);
    return arith::TruncIOp::create(*this, type, move(word));
  }
  auto words = VectorType::get({2}, getI32Type());
  Value halves = LLVM::BitcastOp::create(*this, words, value);
  Value low = move(extract(halves, 0)), high = move(extract(halves, 1));
  return LLVM::BitcastOp::create(*this, type, pack({low, high}));
}

Value ThreadBuilder::shuffle(Value value, Value lane) {
  return moveWords(value, [&](Value word) -> Value {
    return gpu::ShuffleOp::create(*this, word, lane, i32(subgroupSize),
                                  gpu::ShuffleMode::IDX)
        .getShuffleResult();
  });
}

Value ThreadBuilder::shuffleUp(Value value, unsigned distance) {
  return moveWords(value,
                   [&](Value word) { return shuffleWordUp(word, distance); });
}

Value ThreadBuilder::firstLane(Value flag, Value none) {
  Value set = ballot(flag);
  Value first = LLVM::CountTrailingZerosOp::create(*this, set.getType(), set,
                                                   /*is_zero_poison=*/false);
  return minimum(subgroupSize == 64 ? toI32(first) : first, none);
}

void ThreadBuilder::keepRolled(scf::ForOp loop) {
  auto unroll = LLVM::LoopUnrollAttr::get(getContext(), getBoolAttr(true), {},
                                          {}, {}, {}, {}, {});
  auto annotation =
      LLVM::LoopAnnotationAttr::get(getContext(), {}, {}, {}, unroll, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}, {}, {});
  loop->setAttr("loop_annotation", annotation);
}

void ThreadBuilder::when(Value condition, llvm::function_ref<void()> then) {
  if (matchPattern(condition, m_One()))
    return then();
  auto branch = scf::IfOp::create(*this, condition);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  then();
}

Value ThreadBuilder::choose(Value condition, Type type,
                            llvm::function_ref<Value()> then) {
  if (matchPattern(condition, m_One()))
    return then();
  auto branch = scf::IfOp::create(*this, TypeRange{type}, condition,
                                  /*withElse=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(*this, then());
  setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(*this, zero(type));
  return branch.getResult(0);
}
