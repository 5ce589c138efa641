//===- Gates.cpp - Choices between a value and 0 --------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecurrenceToTiles/Gates.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {
/// A choice between a value and 0: `value` where `condition` equals `keepsSet`.
struct Gate {
  Value condition, value;
  bool keepsSet;
};
} // namespace

static bool isZero(Value value) {
  return !value || matchPattern(value, m_PosZeroFloat());
}

static std::optional<Gate> asGate(Value condition, Value ifSet, Value ifClear) {
  if (isZero(ifClear))
    return Gate{condition, ifSet, true};
  if (isZero(ifSet))
    return Gate{condition, ifClear, false};
  return std::nullopt;
}

/// What a gate keeps, where that is a gate in turn.
static std::optional<Gate> innerGate(const Gate &outer) {
  auto choice = outer.value.getDefiningOp<arith::SelectOp>();
  if (!choice)
    return std::nullopt;
  return asGate(choice.getCondition(), choice.getTrueValue(),
                choice.getFalseValue());
}

Value rlscan::chooseGated(OpBuilder &builder, Location loc, Value condition,
                          Value ifSet, Value ifClear) {
  if (ifSet == ifClear)
    return ifSet;
  Type type = (ifSet ? ifSet : ifClear).getType();
  auto orZero = [&](Value value) -> Value {
    return value ? value
                 : arith::ConstantOp::create(builder, loc,
                                             builder.getFloatAttr(type, 0.0));
  };
  std::optional<Gate> outer = asGate(condition, ifSet, ifClear);
  std::optional<Gate> inner;
  if (outer && outer->value)
    inner = innerGate(*outer);
  if (!inner)
    return arith::SelectOp::create(builder, loc, condition, orZero(ifSet),
                                   orZero(ifClear));
  if (outer->keepsSet != inner->keepsSet) {
    Value set =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    inner->condition =
        arith::XOrIOp::create(builder, loc, inner->condition, set);
    inner->keepsSet = outer->keepsSet;
  }
  if (outer->keepsSet) {
    Value both =
        arith::AndIOp::create(builder, loc, outer->condition, inner->condition);
    return arith::SelectOp::create(builder, loc, both, inner->value,
                                   orZero({}));
  }
  Value either =
      arith::OrIOp::create(builder, loc, outer->condition, inner->condition);
  return arith::SelectOp::create(builder, loc, either, orZero({}),
                                 inner->value);
}
