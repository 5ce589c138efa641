//===- ImportIndices.cpp - Indices and counts of a recipe -----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace rlscan;
using ast::Expr;

static arith::CmpIPredicate indexPredicate(Expr::Kind kind) {
  switch (kind) {
  case Expr::Less:
    return arith::CmpIPredicate::slt;
  case Expr::LessEqual:
    return arith::CmpIPredicate::sle;
  case Expr::Greater:
    return arith::CmpIPredicate::sgt;
  case Expr::GreaterEqual:
    return arith::CmpIPredicate::sge;
  case Expr::Equal:
    return arith::CmpIPredicate::eq;
  default:
    return arith::CmpIPredicate::ne;
  }
}

/// Compares an index with one into the same axis, or with a whole number.
Signal EstimatorImporter::compareIndices(const Expr &expr, Signal left,
                                         Signal right) {
  Location loc = location(expr.loc);
  StringRef axis = left.kind == Signal::Index ? left.axis : right.axis;
  auto asIndex = [&](const Expr &operand, Signal &signal) {
    if (signal.kind == Signal::Index && signal.axis == axis)
      return true;
    if (isWholeNumber(operand)) {
      signal.value = arith::ConstantIndexOp::create(
          builder, loc, static_cast<int64_t>(operand.number));
      return true;
    }
    InFlightDiagnostic error = diagnostics.error(operand.loc);
    if (axis.empty())
      error << "expected a count or a whole number to compare a count with";
    else
      error << "expected an index into axis '" << axis
            << "' or a whole number to compare an index with";
    error << ", found " << describe(operand, signal);
    return false;
  };
  if (!asIndex(expr.operand(0), left) || !asIndex(expr.operand(1), right))
    return {};
  return flag(arith::CmpIOp::create(builder, loc, indexPredicate(expr.kind),
                                    left.value, right.value));
}

/// The count, but `least` where it is less. Steps count from 0 anyway.
Value EstimatorImporter::countFrom(const Signal &signal, int64_t least,
                                   Location loc) {
  if (least == 0 && signal.value.getDefiningOp<StepOp>())
    return signal.value;
  Value bound = arith::ConstantIndexOp::create(builder, loc, least);
  return arith::MaxSIOp::create(builder, loc, signal.value, bound);
}

/// Of counts, which are 0 or more; a divisor is 1 or more.
Signal EstimatorImporter::importRemainder(const Expr &expr) {
  const Expr &divisor = expr.operand(1);
  Signal left = import(expr.operand(0)), right = import(divisor);
  if (left.isPoison() || right.isPoison())
    return {};
  auto isCount = [](const Signal &signal) {
    return signal.kind == Signal::Index && signal.axis.empty();
  };
  Location loc = location(expr.loc);
  bool isNumber = isWholeNumber(divisor) && divisor.number >= 1.0;
  if (!isCount(left) || !(isNumber || isCount(right))) {
    bool isLeft = !isCount(left);
    const Expr &wrong = expr.operand(isLeft ? 0 : 1);
    InFlightDiagnostic error = diagnostics.error(wrong.loc);
    error << "expected a count"
          << (isLeft ? "" : " or a whole number from 1 on") << ", found "
          << describe(wrong, isLeft ? left : right);
    error.attachNote() << "the remainder is of counts, such as 't % 4'";
    return {};
  }
  Value by = isNumber ? arith::ConstantIndexOp::create(
                            builder, loc, static_cast<int64_t>(divisor.number))
                            .getResult()
                      : countFrom(right, 1, loc);
  Signal result = left;
  result.value =
      arith::RemUIOp::create(builder, loc, countFrom(left, 0, loc), by);
  return result;
}
