//===- ImportExpr.cpp - Expressions of a recipe to ops --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace rlscan;
using ast::Expr;

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

Signal EstimatorImporter::real(Value value, Value gate) {
  Signal signal;
  signal.kind = value ? Signal::Real : Signal::Poison;
  signal.value = value;
  signal.gate = gate;
  return signal;
}

Signal EstimatorImporter::flag(Value value) {
  Signal signal;
  signal.kind = value ? Signal::Flag : Signal::Poison;
  signal.value = value;
  return signal;
}

Value EstimatorImporter::constant(double value, Location loc) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(realType, value));
}

Value EstimatorImporter::plain(const Signal &signal, Location loc) {
  if (!signal.gate)
    return signal.value;
  return arith::SelectOp::create(builder, loc, signal.gate, signal.value,
                                 constant(0.0, loc));
}

Value EstimatorImporter::andGates(Value a, Value b, Location loc) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, loc, a, b);
}

std::string rlscan::describe(const Expr &expr, const Signal &signal) {
  StringRef kind = signal.kind == Signal::Real   ? "a real"
                   : signal.kind == Signal::Flag ? "a flag"
                   : signal.kind == Signal::Index && signal.axis.empty()
                       ? "a count"
                       : "an index";
  if (expr.kind != Expr::Name)
    return kind.str();
  return (kind.split(' ').second + " '" + expr.name + "'").str();
}

bool EstimatorImporter::requireReal(const Expr &expr, const Signal &signal) {
  if (signal.kind == Signal::Real)
    return true;
  if (signal.isPoison())
    return false;
  InFlightDiagnostic error = diagnostics.error(expr.loc);
  error << "expected a real, found " << describe(expr, signal);
  if (signal.kind == Signal::Flag)
    error.attachNote() << "write 'flag ? 1 : 0', or multiply by the flag to "
                          "gate a real";
  else if (signal.kind == Signal::Index && signal.axis.empty())
    error.attachNote() << "a count is compared, 't == 0', 't % 4 == 0'";
  else
    error.attachNote()
        << "an index picks an entry, 'x[index]', or is compared, "
           "'index == 0'";
  return false;
}

bool EstimatorImporter::requireFlag(const Expr &expr, const Signal &signal) {
  if (signal.kind == Signal::Flag)
    return true;
  if (signal.isPoison())
    return false;
  InFlightDiagnostic error = diagnostics.error(expr.loc);
  error << "expected a flag, found " << describe(expr, signal);
  error.attachNote() << (signal.kind == Signal::Real
                             ? "compare it, as in 'x != 0', or declare an "
                               "input with ': flag'"
                             : "compare it, as in 'index == 0'");
  return false;
}

Value EstimatorImporter::importReal(const Expr &expr) {
  Signal signal = import(expr);
  return requireReal(expr, signal) ? plain(signal, location(expr.loc))
                                   : Value();
}

Value EstimatorImporter::importFlag(const Expr &expr) {
  Signal signal = import(expr);
  return requireFlag(expr, signal) ? signal.value : Value();
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Signal EstimatorImporter::import(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Number:
    return real(constant(expr.number, location(expr.loc)));
  case Expr::Boolean:
    return flag(arith::ConstantOp::create(
        builder, location(expr.loc), builder.getBoolAttr(expr.number != 0.0)));
  case Expr::Name:
    return importName(expr);
  case Expr::Negate:
    return importNegate(expr);
  case Expr::Not:
    return importNot(expr);
  case Expr::Add:
  case Expr::Subtract:
  case Expr::Multiply:
  case Expr::Divide:
    return importArithmetic(expr);
  case Expr::Remainder:
    return importRemainder(expr);
  case Expr::And:
  case Expr::Or:
    return importLogic(expr);
  case Expr::Less:
  case Expr::LessEqual:
  case Expr::Greater:
  case Expr::GreaterEqual:
  case Expr::Equal:
  case Expr::NotEqual:
    return importComparison(expr);
  case Expr::Select:
    return importSelect(expr);
  case Expr::Call:
    return importCall(expr);
  case Expr::Shift:
    return importShift(expr);
  case Expr::Pick:
    return importPick(expr);
  case Expr::Reduce:
    return importReduce(expr);
  }
  llvm_unreachable("unknown expression");
}

Signal EstimatorImporter::importName(const Expr &expr) {
  if (expr.name == carryName) {
    InFlightDiagnostic error = diagnostics.error(expr.loc);
    error << "cycle: '" << expr.name
          << "' at step t refers to itself at step t";
    error.attachNote() << "refer to a neighbour: '" << expr.name
                       << "[t+1 | init]' or '" << expr.name << "[t-1 | init]'";
    return {};
  }
  if (expr.name == "t") {
    Signal step;
    step.kind = Signal::Index;
    step.value =
        StepOp::create(builder, location(expr.loc), builder.getIndexType());
    return step;
  }
  auto found = symbols.find(expr.name);
  if (found == symbols.end())
    return unknownName(expr);
  Symbol &symbol = found->second;
  symbol.isUsed = true;
  if (symbol.what == Symbol::Axis) {
    InFlightDiagnostic error = diagnostics.error(expr.loc);
    error << "expected a value, found axis '" << expr.name << "'";
    error.attachNote() << "an axis is used as in 'sum(" << expr.name << ") x'";
    return {};
  }
  if (symbol.signal.kind != Signal::Along)
    return symbol.signal;
  Value index = reducedAxes.lookup(symbol.signal.axis);
  if (index)
    return alongAt(expr, symbol.signal, index);
  InFlightDiagnostic error = diagnostics.error(expr.loc);
  error << "'" << expr.name << "' runs along axis '" << symbol.signal.axis
        << "' and is not one value a step";
  error.attachNote() << "pick an entry, '" << expr.name
                     << "[index]', or reduce, 'sum(" << symbol.signal.axis
                     << ") " << expr.name << "'";
  return {};
}

/// Reports a name that is not declared above, with the likeliest cause.
Signal EstimatorImporter::unknownName(const Expr &expr) {
  InFlightDiagnostic error = diagnostics.error(expr.loc);
  for (const ast::Equation &equation : estimator.equations) {
    if (equation.id.name != expr.name)
      continue;
    error << "'" << expr.name << "' is used before its equation";
    error.attachNote(location(equation.id.loc))
        << "its equation is here: move it up; equations that refer to each "
           "other in a cycle cannot be ordered and are not supported";
    return {};
  }
  error << "unknown name '" << expr.name.take_front(40) << "'";
  StringRef nearest;
  unsigned best = std::min<size_t>(3, expr.name.size() / 2);
  for (const auto &entry : symbols) {
    unsigned distance = entry.getKey().edit_distance(expr.name, true, best);
    // Of equally near names the first, so that the message does not depend on
    // the order of the table.
    bool isFirst =
        distance == best && !nearest.empty() && entry.getKey() < nearest;
    if (distance < best || isFirst) {
      best = distance;
      nearest = entry.getKey();
    }
  }
  if (nearest.empty())
    error.attachNote()
        << "declare it with 'param', 'row' or 'step', or give it "
           "an equation above";
  else
    error.attachNote() << "did you mean '" << nearest << "'?";
  return {};
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Signal EstimatorImporter::importNegate(const Expr &expr) {
  Signal operand = import(expr.operand(0));
  if (!requireReal(expr.operand(0), operand))
    return {};
  Value negated =
      arith::NegFOp::create(builder, location(expr.loc), operand.value);
  return real(negated, operand.gate);
}

Signal EstimatorImporter::importNot(const Expr &expr) {
  Value operand = importFlag(expr.operand(0));
  if (!operand)
    return {};
  Location loc = location(expr.loc);
  Value set =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  return flag(arith::XOrIOp::create(builder, loc, operand, set));
}

Signal EstimatorImporter::importArithmetic(const Expr &expr) {
  Signal left = import(expr.operand(0));
  Signal right = import(expr.operand(1));
  if (expr.kind == Expr::Multiply)
    return importMultiply(expr, left, right);
  bool isReal = requireReal(expr.operand(0), left);
  isReal &= requireReal(expr.operand(1), right);
  if (!isReal)
    return {};
  Location loc = location(expr.loc);
  if (expr.kind == Expr::Divide) {
    Value divisor = plain(right, loc);
    return real(arith::DivFOp::create(builder, loc, left.value, divisor),
                left.gate);
  }
  Value a = plain(left, location(expr.operand(0).loc));
  Value b = plain(right, location(expr.operand(1).loc));
  if (expr.kind == Expr::Add)
    return real(arith::AddFOp::create(builder, loc, a, b));
  return real(arith::SubFOp::create(builder, loc, a, b));
}

/// A flag as a factor joins the gate of the product.
Signal EstimatorImporter::importMultiply(const Expr &expr, Signal left,
                                         Signal right) {
  if (left.kind == Signal::Flag && right.kind == Signal::Flag) {
    InFlightDiagnostic error = diagnostics.error(expr.loc);
    error << "a product of two flags";
    error.attachNote() << "write '&' for both";
    return {};
  }
  Location loc = location(expr.loc);
  bool isGatedLeft = left.kind == Signal::Flag;
  if (isGatedLeft || right.kind == Signal::Flag) {
    const Signal &gate = isGatedLeft ? left : right;
    const Signal &gated = isGatedLeft ? right : left;
    if (!requireReal(expr.operand(isGatedLeft ? 1 : 0), gated))
      return {};
    return real(gated.value, andGates(gated.gate, gate.value, loc));
  }
  bool isReal = requireReal(expr.operand(0), left);
  isReal &= requireReal(expr.operand(1), right);
  if (!isReal)
    return {};
  return real(arith::MulFOp::create(builder, loc, left.value, right.value),
              andGates(left.gate, right.gate, loc));
}

Signal EstimatorImporter::importLogic(const Expr &expr) {
  Value left = importFlag(expr.operand(0));
  Value right = importFlag(expr.operand(1));
  if (!left || !right)
    return {};
  Location loc = location(expr.loc);
  if (expr.kind == Expr::And)
    return flag(arith::AndIOp::create(builder, loc, left, right));
  return flag(arith::OrIOp::create(builder, loc, left, right));
}

/// Ordered, but for `!=`, which holds where either side is NaN (as in C).
static arith::CmpFPredicate realPredicate(Expr::Kind kind) {
  switch (kind) {
  case Expr::Less:
    return arith::CmpFPredicate::OLT;
  case Expr::LessEqual:
    return arith::CmpFPredicate::OLE;
  case Expr::Greater:
    return arith::CmpFPredicate::OGT;
  case Expr::GreaterEqual:
    return arith::CmpFPredicate::OGE;
  case Expr::Equal:
    return arith::CmpFPredicate::OEQ;
  default:
    return arith::CmpFPredicate::UNE;
  }
}

bool rlscan::isWholeNumber(const Expr &expr) {
  return expr.kind == Expr::Number && expr.number >= 0.0 &&
         expr.number < 9007199254740992.0 &&
         expr.number == std::floor(expr.number);
}

Signal EstimatorImporter::importComparison(const Expr &expr) {
  Signal left = import(expr.operand(0));
  Signal right = import(expr.operand(1));
  if (left.isPoison() || right.isPoison())
    return {};
  if (left.kind == Signal::Index || right.kind == Signal::Index)
    return compareIndices(expr, left, right);
  bool isReal = requireReal(expr.operand(0), left);
  isReal &= requireReal(expr.operand(1), right);
  if (!isReal)
    return {};
  Location loc = location(expr.loc);
  Value a = plain(left, loc), b = plain(right, loc);
  return flag(
      arith::CmpFOp::create(builder, loc, realPredicate(expr.kind), a, b));
}

Signal EstimatorImporter::importSelect(const Expr &expr) {
  Value condition = importFlag(expr.operand(0));
  Signal ifSet = import(expr.operand(1));
  Signal ifClear = import(expr.operand(2));
  if (!condition || ifSet.isPoison() || ifClear.isPoison())
    return {};
  if (ifSet.kind != ifClear.kind || ifSet.axis != ifClear.axis) {
    InFlightDiagnostic error = diagnostics.error(expr.operand(2).loc);
    error << "both values of a choice must have one type: found "
          << describe(expr.operand(1), ifSet) << " and "
          << describe(expr.operand(2), ifClear);
    error.attachNote() << (ifSet.kind == ifClear.kind
                               ? "they are indices into different axes"
                               : "a flag becomes a real by 'flag ? 1 : 0'");
    return {};
  }
  Location loc = location(expr.loc);
  Signal result = ifSet;
  result.value = arith::SelectOp::create(
      builder, loc, condition, plain(ifSet, loc), plain(ifClear, loc));
  result.gate = {};
  return result;
}
