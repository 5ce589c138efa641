//===- ElementOps.cpp - Arithmetic on the elements of all lanes -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator/ElementOps.h"
#include "Simulator/LaneOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rlscan;
using namespace rlscan::sim;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static unsigned widthOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<IndexType>(element))
    return 64;
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

/// Of an operation on integers of the operand's type; i1 is a byte, 0 or 1.
template <template <typename> class F, unsigned operands = 2>
static Handler onIntegers(Type type) {
  switch (widthOf(type)) {
  case 1:
    return apply<operands, Flag<F<uint8_t>>, uint8_t, uint8_t>;
  case 8:
    return apply<operands, F<uint8_t>, uint8_t, uint8_t>;
  case 16:
    return apply<operands, F<uint16_t>, uint16_t, uint16_t>;
  case 32:
    return apply<operands, F<uint32_t>, uint32_t, uint32_t>;
  case 64:
    return apply<operands, F<uint64_t>, uint64_t, uint64_t>;
  }
  return nullptr;
}

template <template <typename> class F, unsigned operands = 2>
static Handler onSigned(Type type) {
  switch (widthOf(type)) {
  case 8:
    return apply<operands, F<int8_t>, int8_t, int8_t>;
  case 16:
    return apply<operands, F<int16_t>, int16_t, int16_t>;
  case 32:
    return apply<operands, F<int32_t>, int32_t, int32_t>;
  case 64:
    return apply<operands, F<int64_t>, int64_t, int64_t>;
  }
  return nullptr;
}

template <template <typename> class F, unsigned operands = 2>
static Handler onReals(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF32())
    return apply<operands, F<float>, float, float>;
  if (element.isF64())
    return apply<operands, F<double>, double, double>;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Flags and what has no sign compare as what they are stored in.
template <template <typename> class F>
static Handler comparesSigned(Type type) {
  switch (widthOf(type)) {
  case 8:
    return apply<2, F<int8_t>, uint8_t, int8_t>;
  case 16:
    return apply<2, F<int16_t>, uint8_t, int16_t>;
  case 32:
    return apply<2, F<int32_t>, uint8_t, int32_t>;
  case 64:
    return apply<2, F<int64_t>, uint8_t, int64_t>;
  }
  return nullptr;
}

template <template <typename> class F> static Handler comparesBits(Type type) {
  switch (widthOf(type)) {
  case 1:
  case 8:
    return apply<2, F<uint8_t>, uint8_t, uint8_t>;
  case 16:
    return apply<2, F<uint16_t>, uint8_t, uint16_t>;
  case 32:
    return apply<2, F<uint32_t>, uint8_t, uint32_t>;
  case 64:
    return apply<2, F<uint64_t>, uint8_t, uint64_t>;
  }
  return nullptr;
}

static Handler integerComparison(arith::CmpIOp op) {
  Type type = op.getLhs().getType();
  using P = arith::CmpIPredicate;
  switch (op.getPredicate()) {
  case P::eq:
    return comparesBits<Equal>(type);
  case P::ne:
    return comparesBits<NotEqual>(type);
  case P::slt:
    return comparesSigned<Less>(type);
  case P::sle:
    return comparesSigned<LessEqual>(type);
  case P::sgt:
    return comparesSigned<Greater>(type);
  case P::sge:
    return comparesSigned<GreaterEqual>(type);
  case P::ult:
    return comparesBits<Less>(type);
  case P::ule:
    return comparesBits<LessEqual>(type);
  case P::ugt:
    return comparesBits<Greater>(type);
  case P::uge:
    return comparesBits<GreaterEqual>(type);
  }
  llvm_unreachable("unknown predicate");
}

template <template <typename> class F> static Handler comparesReals(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF32())
    return apply<2, F<float>, uint8_t, float>;
  if (element.isF64())
    return apply<2, F<double>, uint8_t, double>;
  if (element.isBF16())
    return apply<2, OnHalves<F<double>, true>, uint8_t, uint16_t>;
  return element.isF16()
             ? apply<2, OnHalves<F<double>, false>, uint8_t, uint16_t>
             : nullptr;
}

static Handler realComparison(arith::CmpFOp op) {
  Type type = op.getLhs().getType();
  using P = arith::CmpFPredicate;
  switch (op.getPredicate()) {
  case P::OEQ:
    return comparesReals<Equal>(type);
  case P::OGT:
    return comparesReals<Greater>(type);
  case P::OGE:
    return comparesReals<GreaterEqual>(type);
  case P::OLT:
    return comparesReals<Less>(type);
  case P::OLE:
    return comparesReals<LessEqual>(type);
  case P::ONE:
    return comparesReals<OrderedNotEqual>(type);
  case P::ORD:
    return comparesReals<Ordered>(type);
  case P::UEQ:
    return comparesReals<UnorderedEqual>(type);
  case P::UGT:
    return comparesReals<NotLessEqual>(type);
  case P::UGE:
    return comparesReals<NotLess>(type);
  case P::ULT:
    return comparesReals<NotGreaterEqual>(type);
  case P::ULE:
    return comparesReals<NotGreater>(type);
  case P::UNE:
    return comparesReals<NotEqual>(type);
  case P::UNO:
    return comparesReals<Unordered>(type);
  default:
    return nullptr; // folded long ago
  }
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

template <typename To> static Handler extendTo(unsigned from, bool isSigned) {
  switch (from) {
  case 1:
    return isSigned ? apply<1, SpreadFlag<To>, To, uint8_t>
                    : apply<1, Convert<To>, To, uint8_t>;
  case 8:
    return isSigned ? apply<1, Convert<To>, To, int8_t>
                    : apply<1, Convert<To>, To, uint8_t>;
  case 16:
    return isSigned ? apply<1, Convert<To>, To, int16_t>
                    : apply<1, Convert<To>, To, uint16_t>;
  case 32:
    return isSigned ? apply<1, Convert<To>, To, int32_t>
                    : apply<1, Convert<To>, To, uint32_t>;
  case 64:
    return isSigned ? apply<1, Convert<To>, To, int64_t>
                    : apply<1, Convert<To>, To, uint64_t>;
  }
  return nullptr;
}

/// Between integers of different widths.
static Handler resize(Operation *op, bool isSigned) {
  unsigned from = widthOf(op->getOperand(0).getType());
  switch (widthOf(op->getResult(0).getType())) {
  case 1:
    switch (from) {
    case 8:
      return apply<1, LowBit, uint8_t, uint8_t>;
    case 16:
      return apply<1, LowBit, uint8_t, uint16_t>;
    case 32:
      return apply<1, LowBit, uint8_t, uint32_t>;
    case 64:
      return apply<1, LowBit, uint8_t, uint64_t>;
    }
    return nullptr;
  case 8:
    return extendTo<uint8_t>(from, isSigned);
  case 16:
    return extendTo<uint16_t>(from, isSigned);
  case 32:
    return extendTo<uint32_t>(from, isSigned);
  case 64:
    return extendTo<uint64_t>(from, isSigned);
  }
  return nullptr;
}

static Handler fromInteger(Operation *op, bool isSigned) {
  unsigned from = widthOf(op->getOperand(0).getType());
  Type to = getElementTypeOrSelf(op->getResult(0).getType());
  if (to.isF32())
    return extendTo<float>(from, isSigned);
  return to.isF64() ? extendTo<double>(from, isSigned) : nullptr;
}

template <typename To> static Handler toSigned(Type from) {
  if (from.isF32())
    return apply<1, ToInteger<To>, To, float>;
  return from.isF64() ? apply<1, ToInteger<To>, To, double> : nullptr;
}

static Handler toInteger(arith::FPToSIOp op) {
  Type from = getElementTypeOrSelf(op.getIn().getType());
  switch (widthOf(op.getType())) {
  case 32:
    return toSigned<int32_t>(from);
  case 64:
    return toSigned<int64_t>(from);
  }
  return nullptr;
}

/// Between reals of different widths.
static Handler resizeReal(Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0).getType()),
       to = getElementTypeOrSelf(op->getResult(0).getType());
  if (from.isF32() && to.isF64())
    return apply<1, Convert<double>, double, float>;
  if (from.isF64() && to.isF32())
    return apply<1, Convert<float>, float, double>;
  if (from.isBF16())
    return to.isF32() ? apply<1, FromHalf<float, true>, float, uint16_t>
                      : apply<1, FromHalf<double, true>, double, uint16_t>;
  if (from.isF16())
    return to.isF32() ? apply<1, FromHalf<float, false>, float, uint16_t>
                      : apply<1, FromHalf<double, false>, double, uint16_t>;
  if (to.isBF16())
    return from.isF32() ? apply<1, ToHalf<true>, uint16_t, float>
                        : apply<1, ToHalf<true>, uint16_t, double>;
  if (to.isF16())
    return from.isF32() ? apply<1, ToHalf<false>, uint16_t, float>
                        : apply<1, ToHalf<false>, uint16_t, double>;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static Handler selection(arith::SelectOp op) {
  bool isEach = isa<VectorType>(op.getCondition().getType());
  switch (widthOf(op.getType())) {
  case 1:
  case 8:
    return isEach ? choose<uint8_t> : chooseWhole<uint8_t>;
  case 16:
    return isEach ? choose<uint16_t> : chooseWhole<uint16_t>;
  case 32:
    return isEach ? choose<uint32_t> : chooseWhole<uint32_t>;
  case 0: // a pointer
  case 64:
    return isEach ? choose<uint64_t> : chooseWhole<uint64_t>;
  }
  return nullptr;
}

static Handler fusedMultiplyAdd(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isF32())
    return fmaHandler<float>();
  return element.isF64() ? fmaHandler<double>() : nullptr;
}

/// What has no operation but LLVM's name.
static Handler intrinsicHandler(LLVM::CallIntrinsicOp op, Type type) {
  return llvm::StringSwitch<Handler>(op.getIntrin())
      .Case("llvm.arithmetic.fence", onReals<Same, 1>(type))
      .Case("llvm.fabs", onReals<Absolute, 1>(type))
      .Case("llvm.sqrt", onReals<SquareRoot, 1>(type))
      .Case("llvm.floor", onReals<Floor, 1>(type))
      .Default(nullptr);
}

static Handler mathHandler(Operation *op, Type type) {
  return llvm::TypeSwitch<Operation *, Handler>(op)
      .Case<math::FmaOp>([&](auto) { return fusedMultiplyAdd(type); })
      .Case<math::AbsFOp>([&](auto) { return onReals<Absolute, 1>(type); })
      .Case<math::SqrtOp>([&](auto) { return onReals<SquareRoot, 1>(type); })
      .Case<math::FloorOp>([&](auto) { return onReals<Floor, 1>(type); })
      .Case<LLVM::CallIntrinsicOp>([&](LLVM::CallIntrinsicOp call) {
        return type ? intrinsicHandler(call, type) : nullptr;
      })
      .Case<LLVM::CountTrailingZerosOp>(
          [&](auto) { return onIntegers<TrailingZeros, 1>(type); })
      .Case<LLVM::CountLeadingZerosOp>(
          [&](auto) { return onIntegers<LeadingZeros, 1>(type); })
      .Default([](auto) -> Handler { return nullptr; });
}

static Handler realHandler(Operation *op, Type type) {
  return llvm::TypeSwitch<Operation *, Handler>(op)
      .Case<arith::AddFOp>([&](auto) { return onReals<Add>(type); })
      .Case<arith::SubFOp>([&](auto) { return onReals<Subtract>(type); })
      .Case<arith::MulFOp>([&](auto) { return onReals<Multiply>(type); })
      .Case<arith::DivFOp>([&](auto) { return onReals<Divide>(type); })
      .Case<arith::NegFOp>([&](auto) { return onReals<Negate, 1>(type); })
      .Case<arith::MinimumFOp>([&](auto) { return onReals<Minimum>(type); })
      .Case<arith::MaximumFOp>([&](auto) { return onReals<Maximum>(type); })
      .Case<arith::MinNumFOp>(
          [&](auto) { return onReals<MinimumNumber>(type); })
      .Case<arith::MaxNumFOp>(
          [&](auto) { return onReals<MaximumNumber>(type); })
      .Case<arith::CmpFOp>(realComparison)
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [](auto op) { return resizeReal(op); })
      .Case<arith::FPToSIOp>(toInteger)
      .Case<arith::SIToFPOp>([](auto op) { return fromInteger(op, true); })
      .Case<arith::UIToFPOp>([](auto op) { return fromInteger(op, false); })
      .Default([&](auto) { return mathHandler(op, type); });
}

Handler sim::elementHandler(Operation *op) {
  Type type = op->getNumOperands() ? op->getOperand(0).getType() : Type();
  return llvm::TypeSwitch<Operation *, Handler>(op)
      .Case<arith::AddIOp>([&](auto) { return onIntegers<Add>(type); })
      .Case<arith::SubIOp>([&](auto) { return onIntegers<Subtract>(type); })
      .Case<arith::MulIOp>([&](auto) { return onIntegers<Multiply>(type); })
      .Case<arith::AndIOp>([&](auto) { return onIntegers<And>(type); })
      .Case<arith::OrIOp>([&](auto) { return onIntegers<Or>(type); })
      .Case<arith::XOrIOp>([&](auto) { return onIntegers<ExclusiveOr>(type); })
      .Case<arith::ShLIOp>([&](auto) { return onIntegers<ShiftLeft>(type); })
      .Case<arith::ShRUIOp>([&](auto) { return onIntegers<ShiftRight>(type); })
      .Case<arith::ShRSIOp>([&](auto) { return onSigned<ShiftRight>(type); })
      .Case<arith::DivUIOp>([&](auto) { return onIntegers<Quotient>(type); })
      .Case<arith::RemUIOp>([&](auto) { return onIntegers<Remainder>(type); })
      .Case<arith::CeilDivUIOp>(
          [&](auto) { return onIntegers<CeilQuotient>(type); })
      .Case<arith::MinSIOp>([&](auto) { return onSigned<Lesser>(type); })
      .Case<arith::MaxSIOp>([&](auto) { return onSigned<Larger>(type); })
      .Case<arith::MinUIOp>([&](auto) { return onIntegers<Lesser>(type); })
      .Case<arith::MaxUIOp>([&](auto) { return onIntegers<Larger>(type); })
      .Case<arith::CmpIOp>(integerComparison)
      .Case<arith::ExtUIOp, arith::TruncIOp, LLVM::ZExtOp, LLVM::TruncOp>(
          [](auto op) { return resize(op, false); })
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [](auto op) { return resize(op, true); })
      .Case<arith::SelectOp>(selection)
      .Default([&](auto) { return realHandler(op, type); });
}
