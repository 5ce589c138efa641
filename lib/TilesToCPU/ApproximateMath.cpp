//===- ApproximateMath.cpp - exp and log of vectors as polynomials --------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "rlscan/Passes.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace rlscan {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "rlscan/Passes.h.inc"
} // namespace rlscan

using namespace mlir;

static bool isF32(Type type) { return getElementTypeOrSelf(type).isF32(); }

static Value splat(PatternRewriter &rewriter, Location loc, Type type,
                   float value) {
  TypedAttr number = rewriter.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    number = DenseElementsAttr::get(vector, Attribute(number));
  return arith::ConstantOp::create(rewriter, loc, number);
}

namespace {
/// Marks what these patterns made, so that they do not take it up again.
constexpr StringLiteral doneName = "rlscan.reduced";

/// exp(x) = exp(x / 2) squared. The polynomial holds up to 88.37 and does not
/// overflow; this way it is never asked for more than half of the range, and
/// the product overflows and underflows where it should.
struct HalveExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isF32(type) || op->hasAttr(doneName))
      return failure();
    Location loc = op.getLoc();
    Value half = arith::MulFOp::create(rewriter, loc, op.getOperand(),
                                       splat(rewriter, loc, type, 0.5f));
    auto root = math::ExpOp::create(rewriter, loc, half);
    root->setAttr(doneName, rewriter.getUnitAttr());
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, root, root);
    return success();
  }
};

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
  void runOnOperation() override {
    RewritePatternSet reduce(&getContext());
    reduce.add<HalveExp, ScaleLog>(&getContext());
    RewritePatternSet expand(&getContext());
    populateMathPolynomialApproximationPatterns(expand, [](StringRef name) {
      return name == math::ExpOp::getOperationName() ||
             name == math::LogOp::getOperationName();
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(reduce))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(expand))))
      signalPassFailure();
  }
};
} // namespace
