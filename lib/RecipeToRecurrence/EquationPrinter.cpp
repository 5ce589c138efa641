//===- EquationPrinter.cpp - Level-1 values as recipe text ----------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/EquationPrinter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rlscan;

/// How tightly an operator binds, loosest first, as in the grammar.
enum Precedence : unsigned {
  Choice,
  Or,
  And,
  Comparison,
  Sum,
  Product,
  Unary,
  Primary
};

StringRef EquationPrinter::nameOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto estimator = dyn_cast<EstimatorOp>(argument.getOwner()->getParentOp());
    if (estimator)
      return estimator.getInput(argument.getArgNumber()).getName().getValue();
  }
  if (auto name = dyn_cast<NameLoc>(value.getLoc()))
    return name.getName().getValue();
  return {};
}

std::string EquationPrinter::blockArgument(BlockArgument argument) {
  StringRef name = nameOf(argument);
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto recurrence = dyn_cast<RecurrenceOp>(parent)) {
    bool isBackward = recurrence.getDirection() == Direction::Backward;
    return ((name.empty() ? "carry" : name) + (isBackward ? "[t+1]" : "[t-1]"))
        .str();
  }
  return name.empty() ? "i" : name.str();
}

std::string EquationPrinter::reference(Value value) {
  return operand(value, Choice);
}

std::string EquationPrinter::equation(Value value) {
  Operation *op = value.getDefiningOp();
  unsigned precedence;
  return op ? expression(op, precedence)
            : blockArgument(cast<BlockArgument>(value));
}

std::string EquationPrinter::operand(Value value, unsigned precedence) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return blockArgument(cast<BlockArgument>(value));
  StringRef name = nameOf(value);
  if (!name.empty() && !op->hasTrait<OpTrait::ConstantLike>()) {
    mentions.insert(value);
    return name.str();
  }
  unsigned inner = Primary;
  std::string text = expression(op, inner);
  return inner < precedence ? "(" + text + ")" : text;
}

static std::string constantText(arith::ConstantOp op) {
  if (auto boolean = dyn_cast<BoolAttr>(op.getValue()))
    return boolean.getValue() ? "true" : "false";
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue()))
    return std::to_string(integer.getInt());
  if (auto number = dyn_cast<FloatAttr>(op.getValue())) {
    SmallString<16> text;
    number.getValue().toString(text);
    return std::string(text);
  }
  return "?";
}

static StringRef comparison(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OLT:
  case arith::CmpFPredicate::ULT:
    return " < ";
  case arith::CmpFPredicate::OLE:
  case arith::CmpFPredicate::ULE:
    return " <= ";
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::UGT:
    return " > ";
  case arith::CmpFPredicate::OGE:
  case arith::CmpFPredicate::UGE:
    return " >= ";
  case arith::CmpFPredicate::OEQ:
  case arith::CmpFPredicate::UEQ:
    return " == ";
  default:
    return " != ";
  }
}

static StringRef comparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return " < ";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return " <= ";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return " > ";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return " >= ";
  case arith::CmpIPredicate::eq:
    return " == ";
  case arith::CmpIPredicate::ne:
    return " != ";
  }
  llvm_unreachable("unknown predicate");
}

/// A choice, written as a gate where one side is 0 and as a flag's logic where
/// it chooses between flags.
std::string EquationPrinter::select(Operation *op, unsigned &precedence) {
  auto choice = cast<arith::SelectOp>(op);
  Value condition = choice.getCondition();
  Value ifSet = choice.getTrueValue(), ifClear = choice.getFalseValue();
  if (matchPattern(ifClear, m_PosZeroFloat())) {
    precedence = Product;
    return operand(condition, Unary) + " * " + operand(ifSet, Unary);
  }
  if (matchPattern(ifSet, m_PosZeroFloat())) {
    precedence = Product;
    return "!" + operand(condition, Unary) + " * " + operand(ifClear, Unary);
  }
  precedence = Choice;
  // From the right, as in expression().
  std::string clear = operand(ifClear, Choice);
  std::string set = operand(ifSet, Choice);
  return operand(condition, Or) + " ? " + set + " : " + clear;
}

std::string EquationPrinter::expression(Operation *op, unsigned &precedence) {
  // Operands are printed from the right: C++ would leave their order, and with
  // it that of the names below the equations, to the compiler.
  auto binary = [&](StringRef symbol, unsigned level) {
    precedence = level;
    std::string right = operand(op->getOperand(1), level + 1);
    return operand(op->getOperand(0), level) + symbol.str() + right;
  };
  auto call = [&](StringRef name) {
    precedence = Primary;
    std::string text = name.str() + "(";
    for (auto [i, argument] : llvm::enumerate(op->getOperands()))
      text += (i ? ", " : "") + operand(argument, Choice);
    return text + ")";
  };
  auto unary = [&](StringRef symbol) {
    precedence = Unary;
    return symbol.str() + operand(op->getOperand(0), Unary);
  };
  auto neighbour = [&](ShiftOp shift) {
    precedence = Primary;
    if (shift.getOtherwise().getDefiningOp<AfterOp>())
      return operand(shift.getInput(), Primary) + "[t+1]";
    std::string otherwise = operand(shift.getOtherwise(), Choice);
    return operand(shift.getInput(), Primary) +
           (shift.getOffset() > 0 ? "[t+1 | " : "[t-1 | ") + otherwise + "]";
  };
  auto pick = [&](PickOp entry) {
    precedence = Primary;
    std::string input = operand(entry.getInput(), Primary);
    auto index = dyn_cast<BlockArgument>(entry.getIndex());
    if (index && isa<ReduceOp>(index.getOwner()->getParentOp()))
      return input;
    return input + "[" + operand(entry.getIndex(), Choice) + "]";
  };
  auto reduce = [&](ReduceOp reduction) {
    // It takes in every factor that follows, so that as a factor it needs
    // parentheses.
    precedence = Sum;
    auto yield = cast<YieldOp>(reduction.getBody().front().getTerminator());
    return (stringifyReduceKind(reduction.getKind()) + "(" +
            reduction.getAxis() + ") " + operand(yield.getValue(), Product))
        .str();
  };
  auto negatedOrXor = [&](arith::XOrIOp logic) {
    if (matchPattern(logic.getRhs(), m_One()))
      return unary("!");
    return binary(" != ", Comparison);
  };
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case<arith::ConstantOp>([&](auto constant) {
        precedence = Primary;
        return constantText(constant);
      })
      .Case<arith::AddFOp>([&](auto) { return binary(" + ", Sum); })
      .Case<arith::SubFOp>([&](auto) { return binary(" - ", Sum); })
      .Case<arith::MulFOp>([&](auto) { return binary(" * ", Product); })
      .Case<arith::DivFOp>([&](auto) { return binary(" / ", Product); })
      .Case<arith::RemUIOp>([&](auto) { return binary(" % ", Product); })
      .Case<StepOp>([&](auto) {
        precedence = Primary;
        return std::string("t");
      })
      .Case<arith::NegFOp>([&](auto) { return unary("-"); })
      .Case<arith::AndIOp>([&](auto) { return binary(" & ", And); })
      .Case<arith::OrIOp>([&](auto) { return binary(" | ", Or); })
      .Case<arith::XOrIOp>(negatedOrXor)
      .Case<arith::CmpFOp>([&](auto compare) {
        return binary(comparison(compare.getPredicate()), Comparison);
      })
      .Case<arith::CmpIOp>([&](auto compare) {
        return binary(comparison(compare.getPredicate()), Comparison);
      })
      .Case<arith::SelectOp>([&](auto) { return select(op, precedence); })
      .Case<arith::MinimumFOp>([&](auto) { return call("min"); })
      .Case<arith::MaxSIOp>([&](auto) { return call("max"); })
      .Case<arith::MaximumFOp>([&](auto) { return call("max"); })
      .Case<math::AbsFOp>([&](auto) { return call("abs"); })
      .Case<ShiftOp>(neighbour)
      .Case<PickOp>(pick)
      .Case<ReduceOp>(reduce)
      .Default([&](Operation *) { return call(op->getName().stripDialect()); });
}
