//===- RingArithmetic.cpp - Kernels over integers modulo 2^32 -------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RingArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace rlscan::test;

//===----------------------------------------------------------------------===//
// The ring
//===----------------------------------------------------------------------===//

int32_t ring::number(double value) {
  if (std::isinf(value))
    return value > 0 ? std::numeric_limits<int32_t>::max()
                     : std::numeric_limits<int32_t>::min();
  if (value == std::trunc(value) && std::abs(value) < 0x1p31)
    return static_cast<int32_t>(value);
  if (value < 0)
    return subtract(0, number(-value));
  uint32_t bits = llvm::bit_cast<uint32_t>(static_cast<float>(value));
  return static_cast<int32_t>(bits * expFactor | 1);
}

int32_t ring::add(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) +
                              static_cast<uint32_t>(b));
}

int32_t ring::subtract(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) -
                              static_cast<uint32_t>(b));
}

int32_t ring::multiply(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) *
                              static_cast<uint32_t>(b));
}

/// Each step of Newton's doubles the bits that are right; three are at first.
static constexpr int newtonSteps = 4;

int32_t ring::divide(int32_t a, int32_t b) {
  int32_t odd = b | 1, inverse = odd;
  for (int i = 0; i < newtonSteps; ++i)
    inverse = multiply(inverse, subtract(2, multiply(odd, inverse)));
  return multiply(a, inverse);
}

int32_t ring::abs(int32_t a) { return a < 0 ? subtract(0, a) : a; }

int32_t ring::function(int32_t a, uint32_t factor) {
  uint32_t bits = static_cast<uint32_t>(a);
  return static_cast<int32_t>((bits ^ bits >> 15) * factor + factor);
}

//===----------------------------------------------------------------------===//
// Code for it
//===----------------------------------------------------------------------===//

namespace {

bool isReal(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF32() || element.isF64();
}

/// Replaces one op. An f64 holds an element in its low half.
class Replacement {
public:
  explicit Replacement(Operation *op) : op(op), b(op->getLoc(), op) {}

  LogicalResult run();

private:
  Type withElement(Type type, Type element) {
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.clone(element);
    return element;
  }
  Type bits(Type type) { return withElement(type, b.getI32Type()); }

  Value toRing(Value real) {
    Type type = real.getType();
    if (getElementTypeOrSelf(type).isF32())
      return arith::BitcastOp::create(b, bits(type), real);
    Type wide = withElement(type, b.getI64Type());
    return arith::TruncIOp::create(b, bits(type),
                                   arith::BitcastOp::create(b, wide, real));
  }
  Value toReal(Value element, Type type) {
    if (getElementTypeOrSelf(type).isF32())
      return arith::BitcastOp::create(b, type, element);
    Type wide = withElement(type, b.getI64Type());
    return arith::BitcastOp::create(b, type,
                                    arith::ExtUIOp::create(b, wide, element));
  }
  Value constant(Type like, int32_t value) {
    TypedAttr number = b.getI32IntegerAttr(value);
    if (auto vector = dyn_cast<VectorType>(like))
      number = DenseElementsAttr::get(cast<ShapedType>(bits(vector)),
                                      Attribute(number));
    return arith::ConstantOp::create(b, number);
  }

  Value operand(unsigned i) { return toRing(op->getOperand(i)); }
  Value divide(Value a, Value divisor);
  Value function(Value a, uint32_t factor);
  Value compute();
  Value constantBits();
  Value compare(arith::CmpFOp compare);
  Operation *op;
  ImplicitLocOpBuilder b;
};

} // namespace

Value Replacement::divide(Value a, Value divisor) {
  Type type = divisor.getType();
  Value odd = arith::OrIOp::create(b, divisor, constant(type, 1));
  Value inverse = odd, two = constant(type, 2);
  for (int i = 0; i < newtonSteps; ++i) {
    Value product = arith::MulIOp::create(b, odd, inverse);
    Value rest = arith::SubIOp::create(b, two, product);
    inverse = arith::MulIOp::create(b, inverse, rest);
  }
  return arith::MulIOp::create(b, a, inverse);
}

Value Replacement::function(Value a, uint32_t factor) {
  Value shifted = arith::ShRUIOp::create(b, a, constant(a.getType(), 15));
  Value mixed = arith::XOrIOp::create(b, a, shifted);
  Value number = constant(a.getType(), static_cast<int32_t>(factor));
  return arith::AddIOp::create(b, arith::MulIOp::create(b, mixed, number),
                               number);
}

/// There is no NaN.
Value Replacement::compare(arith::CmpFOp op) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  I predicate = I::eq;
  switch (op.getPredicate()) {
  case F::OEQ:
  case F::UEQ:
    break;
  case F::ONE:
  case F::UNE:
    predicate = I::ne;
    break;
  case F::OLT:
  case F::ULT:
    predicate = I::slt;
    break;
  case F::OLE:
  case F::ULE:
    predicate = I::sle;
    break;
  case F::OGT:
  case F::UGT:
    predicate = I::sgt;
    break;
  case F::OGE:
  case F::UGE:
    predicate = I::sge;
    break;
  case F::UNO:
    return arith::CmpIOp::create(b, I::ne, operand(0), operand(0));
  case F::ORD:
    return arith::CmpIOp::create(b, I::eq, operand(0), operand(0));
  default:
    return {};
  }
  return arith::CmpIOp::create(b, predicate, operand(0), operand(1));
}

/// The element that a constant stands for, in the shape of the constant.
Value Replacement::constantBits() {
  auto value = cast<arith::ConstantOp>(op).getValue();
  if (auto number = dyn_cast<FloatAttr>(value))
    return constant(number.getType(), ring::number(number.getValueAsDouble()));
  auto elements = cast<DenseElementsAttr>(value);
  SmallVector<int32_t> numbers;
  for (APFloat element : elements.getValues<APFloat>())
    numbers.push_back(ring::number(element.convertToDouble()));
  auto type = cast<ShapedType>(bits(elements.getType()));
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
}

Value Replacement::compute() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::ConstantOp>([&](auto) { return constantBits(); })
      .Case<arith::AddFOp>([&](auto) {
        return arith::AddIOp::create(b, operand(0), operand(1));
      })
      .Case<arith::SubFOp>([&](auto) {
        return arith::SubIOp::create(b, operand(0), operand(1));
      })
      .Case<arith::MulFOp>([&](auto) {
        return arith::MulIOp::create(b, operand(0), operand(1));
      })
      .Case<arith::DivFOp>([&](auto) { return divide(operand(0), operand(1)); })
      .Case<arith::NegFOp>([&](auto) {
        Value a = operand(0);
        return arith::SubIOp::create(b, constant(a.getType(), 0), a);
      })
      .Case<math::FmaOp, vector::FMAOp, LLVM::FMAOp>([&](auto) {
        Value product = arith::MulIOp::create(b, operand(0), operand(1));
        return arith::AddIOp::create(b, product, operand(2));
      })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>([&](auto) {
        return arith::MaxSIOp::create(b, operand(0), operand(1));
      })
      .Case<arith::MinimumFOp, arith::MinNumFOp>([&](auto) {
        return arith::MinSIOp::create(b, operand(0), operand(1));
      })
      .Case<math::AbsFOp>([&](auto) {
        Value a = operand(0), zero = constant(a.getType(), 0);
        Value less =
            arith::CmpIOp::create(b, arith::CmpIPredicate::slt, a, zero);
        Value negative = arith::SubIOp::create(b, zero, a);
        return arith::SelectOp::create(b, less, negative, a);
      })
      .Case<math::ExpOp>(
          [&](auto) { return function(operand(0), ring::expFactor); })
      .Case<math::LogOp>(
          [&](auto) { return function(operand(0), ring::logFactor); })
      .Case<math::SqrtOp>(
          [&](auto) { return function(operand(0), ring::sqrtFactor); })
      .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return operand(0); })
      .Case<arith::CmpFOp>([&](auto op) { return compare(op); })
      .Default([](Operation *) { return Value(); });
}

/// What moves reals moves their bits.
static bool isArithmetic(Operation *op) {
  if (isa<arith::BitcastOp, arith::SelectOp>(op))
    return false;
  StringRef name = op->getName().getStringRef();
  bool isFunction = name.starts_with("llvm.intr.") && !name.contains("masked");
  return isFunction || isa<vector::FMAOp>(op) ||
         isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
}

LogicalResult Replacement::run() {
  if (!isArithmetic(op))
    return success();
  if (llvm::none_of(op->getOperandTypes(), isReal) &&
      llvm::none_of(op->getResultTypes(), isReal))
    return success();
  Value value = compute();
  if (!value)
    return op->emitError("has no meaning in a ring");
  Type type = op->getResult(0).getType();
  op->getResult(0).replaceAllUsesWith(isReal(type) ? toReal(value, type)
                                                   : value);
  op->erase();
  return success();
}

/// Where a product of factors underflows, a kernel keeps it from being 0: its
/// magnitude is the least normal number's at least. In the ring it is what it
/// is, and its bits, with its sign's, are its own.
static void dropUnderflow(ModuleOp module) {
  SmallVector<arith::MaximumFOp> limits;
  module.walk([&](arith::MaximumFOp op) {
    FloatAttr least;
    if (op.getLhs().getDefiningOp<math::AbsFOp>() &&
        matchPattern(op.getRhs(), m_Constant(&least)) &&
        least.getValue().isSmallestNormalized())
      limits.push_back(op);
  });
  for (arith::MaximumFOp op : limits) {
    auto magnitude = op.getLhs().getDefiningOp<math::AbsFOp>();
    op.replaceAllUsesWith(magnitude.getOperand());
    op->erase();
  }
}

namespace {
struct RealsToRing : PassWrapper<RealsToRing, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RealsToRing)

  StringRef getArgument() const override { return "reals-to-ring"; }

  void runOnOperation() override {
    dropUnderflow(getOperation());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      if (failed(Replacement(op).run()))
        return signalPassFailure();
  }
};
} // namespace

void ring::addPasses(OpPassManager &manager) {
  manager.addPass(std::make_unique<RealsToRing>());
}
