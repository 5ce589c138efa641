//===- ApproximateMath.cpp - exp and log of vectors as polynomials --------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rlscan/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace rlscan {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;

static bool isF32(Type type) { return getElementTypeOrSelf(type).isF32(); }

/// `element` in the shape of `type`.
static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

static Value splat(PatternRewriter &rewriter, Location loc, Type type,
                   TypedAttr number) {
  if (auto vector = dyn_cast<VectorType>(type))
    number = DenseElementsAttr::get(vector, Attribute(number));
  return arith::ConstantOp::create(rewriter, loc, number);
}

static Value splat(PatternRewriter &rewriter, Location loc, Type type,
                   float value) {
  return splat(rewriter, loc, type,
               rewriter.getFloatAttr(getElementTypeOrSelf(type), value));
}

namespace {
/// exp(x) = 2^n exp(r) 2^n with |r| <= log(2), for which a polynomial does. 2^n
/// twice reaches the ends of the range, which 2^(2n) does not: results become
/// subnormal, 0 and infinite where they should, and rounded once. The
/// polynomial is minimax for the relative error, its first two coefficients
/// given.
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isF32(type))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto constant = [&](float value) {
      return splat(rewriter, op.getLoc(), type, value);
    };
    auto fma = [&](Value x, Value y, Value z) -> Value {
      return math::FmaOp::create(b, x, y, z);
    };
    // NaN stays: no comparison with it holds.
    auto limit = [&](Value x, arith::CmpFPredicate isPast, float end) -> Value {
      Value cut = arith::CmpFOp::create(b, isPast, x, constant(end));
      return arith::SelectOp::create(b, cut, constant(end), x);
    };
    // Results are 0 and infinite there already.
    Value x = limit(op.getOperand(), arith::CmpFPredicate::OLT, -104.0f);
    x = limit(x, arith::CmpFPredicate::OGT, 89.0f);

    // n is x / (2 log(2)), rounded by adding a number whose last bit is
    // worth 1. The sum's low bits are then n and the bias of exponents, 127.
    Value magic = constant(0x1.8p23f + 127.0f);
    Value sum = fma(x, constant(0x1.715476p-1f), magic);
    Value n = arith::SubFOp::create(b, sum, magic);
    // 2 log(2) in two parts, the first short enough to be exact times n.
    Value r = fma(n, constant(-0x1.62e4p+0f), x);
    r = fma(n, constant(-0x1.7f7d1cp-19f), r);

    Value result = constant(0x1.9b48f8p-13f);
    for (float coefficient : {0x1.71bd7ep-10f, 0x1.11284ep-7f, 0x1.554a04p-5f,
                              0x1.55550ep-3f, 0x1.00000cp-1f, 1.0f, 1.0f})
      result = fma(result, r, constant(coefficient));

    Type bits = withElement(type, b.getI32Type());
    Value places = splat(rewriter, op.getLoc(), bits, b.getI32IntegerAttr(23));
    Value power = arith::ShLIOp::create(
        b, arith::BitcastOp::create(b, bits, sum), places);
    power = arith::BitcastOp::create(b, type, power);
    result = arith::MulFOp::create(b, result, power);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, result, power);
    return success();
  }
};

/// The lesser of the two by a comparison each way; to compare and choose is one
/// instruction. What they choose differs only for zeros of both signs and for
/// NaN, and there the bits of both together are those of -0 and of a NaN, as
/// they should. Exact, and shorter than what LLVM makes of it.
struct ExpandMinimum : OpRewritePattern<arith::MinimumFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MinimumFOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type bits = type.clone(b.getIntegerType(type.getElementTypeBitWidth()));
    auto lesser = [&](Value x, Value y) -> Value {
      Value isLess = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, y);
      Value value = arith::SelectOp::create(b, isLess, x, y);
      return arith::BitcastOp::create(b, bits, value);
    };
    Value left = lesser(op.getLhs(), op.getRhs());
    Value right = lesser(op.getRhs(), op.getLhs());
    Value both = arith::OrIOp::create(b, left, right);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, type, both);
    return success();
  }
};

/// Marks what ScaleLog made, so that it does not take it up again.
constexpr StringLiteral doneName = "rlscan.reduced";

/// log(x) = log(x * 2^25) - 25 log(2) for subnormal x, which the polynomial
/// takes for the least normal number.
struct ScaleLog : OpRewritePattern<math::LogOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::LogOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isF32(type) || op->hasAttr(doneName))
      return failure();
    Location loc = op.getLoc();
    auto constant = [&](float value) {
      return splat(rewriter, loc, type, value);
    };
    Value x = op.getOperand();
    Value isSmall = arith::CmpFOp::create(
        rewriter, loc, arith::CmpFPredicate::OLT, x, constant(1.17549435e-38f));
    Value scale = arith::SelectOp::create(
        rewriter, loc, isSmall, constant(33554432.0f), constant(1.0f));
    Value shift = arith::SelectOp::create(
        rewriter, loc, isSmall, constant(17.3286795f), constant(0.0f));
    Value scaled = arith::MulFOp::create(rewriter, loc, x, scale);
    auto root = math::LogOp::create(rewriter, loc, scaled);
    root->setAttr(doneName, rewriter.getUnitAttr());
    rewriter.replaceOpWithNewOp<arith::SubFOp>(op, root, shift);
    return success();
  }
};

struct ApproximateMath : rlscan::impl::ApproximateMathBase<ApproximateMath> {
  using ApproximateMathBase::ApproximateMathBase;

  void runOnOperation() override {
    RewritePatternSet reduce(&getContext());
    reduce.add<ExpandExp, ScaleLog>(&getContext());
    if (minima)
      reduce.add<ExpandMinimum>(&getContext());
    RewritePatternSet expand(&getContext());
    populateMathPolynomialApproximationPatterns(expand, [](StringRef name) {
      return name == math::LogOp::getOperationName();
    });
    // Long expressions take more than the ten rounds of folding that are given
    // unless they are asked for.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(reduce), config)) ||
        failed(
            applyPatternsGreedily(getOperation(), std::move(expand), config)))
      signalPassFailure();
  }
};
} // namespace
