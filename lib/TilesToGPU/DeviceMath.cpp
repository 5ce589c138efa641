//===- DeviceMath.cpp - exp, log and the like without a library -----------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rlscan/Passes.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <cmath>
#include <limits>

namespace rlscan {
#define GEN_PASS_DEF_DEVICEMATH
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;
using namespace rlscan;

namespace {

/// Arithmetic on values of one type, f64 or vectors of it.
class RealBuilder : public ImplicitLocOpBuilder {
public:
  RealBuilder(Location loc, OpBuilder &builder, Type real)
      : ImplicitLocOpBuilder(loc, builder), real(real) {}

  Value constant(double value) { return splat(real, getF64FloatAttr(value)); }
  Value integer(int64_t value) {
    return splat(integers(), getI64IntegerAttr(value));
  }
  Value add(Value a, Value c) { return arith::AddFOp::create(*this, a, c); }
  Value sub(Value a, Value c) { return arith::SubFOp::create(*this, a, c); }
  Value mul(Value a, Value c) { return arith::MulFOp::create(*this, a, c); }
  Value div(Value a, Value c) { return arith::DivFOp::create(*this, a, c); }
  Value fma(Value a, Value c, Value d) {
    return math::FmaOp::create(*this, a, c, d);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(*this, condition, yes, no);
  }
  Value is(arith::CmpFPredicate predicate, Value a, double value) {
    return arith::CmpFOp::create(*this, predicate, a, constant(value));
  }
  Value bits(Value a) { return arith::BitcastOp::create(*this, integers(), a); }
  Value fromBits(Value a) { return arith::BitcastOp::create(*this, real, a); }
  /// c0 + c1 x + c2 x^2 + ...
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = constant(coefficients.back());
    for (double c : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, constant(c));
    return sum;
  }
  Type integers() {
    if (auto vector = dyn_cast<VectorType>(real))
      return VectorType::get(vector.getShape(), getI64Type());
    return getI64Type();
  }

private:
  Value splat(Type type, TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(type))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(*this, value);
  }

  Type real;
};

constexpr double ln2High = 0x1.62e42fefa3800p-1, ln2Low = 0x1.ef35793c76730p-45;
constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

/// 2^n for integers n from -1022 to 1023, given as i64.
static Value powerOfTwo(RealBuilder &b, Value n) {
  Value biased = arith::AddIOp::create(b, n, b.integer(1023));
  return b.fromBits(arith::ShLIOp::create(b, biased, b.integer(52)));
}

/// exp(x) = 2^n exp(r) with |r| <= ln(2) / 2, where 14 terms of the series are
/// enough. 2^n is applied in halves, so that results may be subnormal.
static Value expandExp(RealBuilder &b, Value x) {
  Value low = b.is(arith::CmpFPredicate::OLT, x, -746.0);
  Value high = b.is(arith::CmpFPredicate::OGT, x, 710.0);
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  Value outside = arith::OrIOp::create(b, low, high);
  outside = arith::OrIOp::create(b, outside, isNaN);
  Value inside = b.select(outside, b.constant(0.0), x);
  Value magic = b.constant(0x1.8p52); // rounds to an integer when added
  Value shifted = b.fma(inside, b.constant(M_LOG2E), magic);
  Value n = b.sub(shifted, magic);
  Value r = b.fma(n, b.constant(-ln2High), inside);
  r = b.fma(n, b.constant(-ln2Low), r);
  SmallVector<double> series = {1.0};
  for (int k = 1; k <= 13; ++k)
    series.push_back(series.back() / k);
  Value number = arith::FPToSIOp::create(b, b.integers(), n);
  Value half = arith::ShRSIOp::create(b, number, b.integer(1));
  Value rest = arith::SubIOp::create(b, number, half);
  Value result = b.mul(b.mul(b.polynomial(r, series), powerOfTwo(b, half)),
                       powerOfTwo(b, rest));
  result = b.select(low, b.constant(0.0), result);
  result = b.select(high, b.constant(infinity), result);
  return b.select(isNaN, x, result);
}

/// log(2^n m) = n ln(2) + 2 artanh((m - 1) / (m + 1)) with m from 1/sqrt(2) to
/// sqrt(2).
static Value expandLog(RealBuilder &b, Value x) {
  Value isSmall = b.is(arith::CmpFPredicate::OLT, x, 0x1p-1022);
  Value scaled = b.select(isSmall, b.mul(x, b.constant(0x1p54)), x);
  // The bits of 1/sqrt(2) taken away, the exponent's count from that.
  Value offset = b.integer(0x3fe6a09e667f3bcd);
  Value moved = arith::SubIOp::create(b, b.bits(scaled), offset);
  Value exponent = arith::ShRSIOp::create(b, moved, b.integer(52));
  Value fraction =
      arith::AndIOp::create(b, moved, b.integer(0x000fffffffffffff));
  Value m = b.fromBits(arith::AddIOp::create(b, fraction, offset));
  Value n = arith::SIToFPOp::create(b, x.getType(), exponent);
  n = b.select(isSmall, b.sub(n, b.constant(54.0)), n);
  Value s = b.div(b.sub(m, b.constant(1.0)), b.add(m, b.constant(1.0)));
  SmallVector<double> series;
  for (int k = 0; k <= 11; ++k)
    series.push_back(2.0 / (2 * k + 1));
  Value logM = b.mul(s, b.polynomial(b.mul(s, s), series));
  Value result =
      b.fma(n, b.constant(ln2High), b.fma(n, b.constant(ln2Low), logM));
  Value isZero = b.is(arith::CmpFPredicate::OEQ, x, 0.0);
  Value isNegative = b.is(arith::CmpFPredicate::OLT, x, 0.0);
  Value keeps = b.is(arith::CmpFPredicate::UGE, x, infinity); // inf and NaN
  result = b.select(isZero, b.constant(-infinity), result);
  result = b.select(
      isNegative, b.constant(std::numeric_limits<double>::quiet_NaN()), result);
  return b.select(keeps, x, result);
}

namespace {

template <typename Op, Value (*expand)(RealBuilder &, Value)>
struct ExpandF64 : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF64())
      return failure();
    RealBuilder b(op.getLoc(), rewriter, op.getType());
    rewriter.replaceOp(op, expand(b, op.getOperand()));
    return success();
  }
};

/// To one of LLVM's intrinsics, by name.
template <typename Op> struct ToIntrinsic : OpRewritePattern<Op> {
  ToIntrinsic(MLIRContext *context, StringRef name)
      : OpRewritePattern<Op>(context), name(name) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto call = LLVM::CallIntrinsicOp::create(
        rewriter, op.getLoc(), op.getType(), rewriter.getStringAttr(name),
        ValueRange{op.getOperand()});
    rewriter.replaceOp(op, call);
    return success();
  }

  StringRef name;
};

struct DeviceMath : rlscan::impl::DeviceMathBase<DeviceMath> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<ExpandF64<math::ExpOp, expandExp>,
                 ExpandF64<math::LogOp, expandLog>>(context);
    patterns.add<ToIntrinsic<math::FloorOp>>(context, "llvm.floor");
    patterns.add<ToIntrinsic<math::SqrtOp>>(context, "llvm.sqrt");
    patterns.add<ToIntrinsic<math::AbsFOp>>(context, "llvm.fabs");
    // As in ApproximateMath.cpp.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
