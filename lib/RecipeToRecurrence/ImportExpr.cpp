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

/// "flag 'terminated'", "a real", ...: for messages.
static std::string describe(const Expr &expr, const Signal &signal) {
  StringRef kind = signal.kind == Signal::Real   ? "a real"
                   : signal.kind == Signal::Flag ? "a flag"
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
  else
    error.attachNote() << "an index picks an entry, 'x[index]', or is compared, "
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

bool rlscan::isWholeNumber(const Expr &expr) {
  return expr.kind == Expr::Number && expr.number >= 0.0 &&
         expr.number < 9007199254740992.0 &&
         expr.number == std::floor(expr.number);
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
    diagnostics.error(operand.loc)
        << "expected an index into axis '" << axis
        << "' or a whole number to compare an index with, found "
        << describe(operand, signal);
    return false;
  };
  if (!asIndex(expr.operand(0), left) || !asIndex(expr.operand(1), right))
    return {};
  return flag(arith::CmpIOp::create(builder, loc, indexPredicate(expr.kind),
                                    left.value, right.value));
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

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
/// A function of the language: its number of arguments and how to build it.
struct Function {
  StringRef name;
  unsigned minArguments, maxArguments;
  Value (*build)(OpBuilder &, Location, ArrayRef<Value>);
};
} // namespace

template <typename OpT>
static Value buildUnary(OpBuilder &builder, Location loc, ArrayRef<Value> x) {
  return OpT::create(builder, loc, x[0]);
}

template <typename OpT>
static Value buildFolded(OpBuilder &builder, Location loc, ArrayRef<Value> x) {
  Value result = x[0];
  for (Value next : x.drop_front())
    result = OpT::create(builder, loc, result, next);
  return result;
}

static Value buildClip(OpBuilder &builder, Location loc, ArrayRef<Value> x) {
  Value atLeast = arith::MaximumFOp::create(builder, loc, x[0], x[1]);
  return arith::MinimumFOp::create(builder, loc, atLeast, x[2]);
}

static constexpr unsigned anyNumber = 64;

/// docs/language.md lists them for users.
static const Function functions[] = {
    {"exp", 1, 1, buildUnary<math::ExpOp>},
    {"log", 1, 1, buildUnary<math::LogOp>},
    {"sqrt", 1, 1, buildUnary<math::SqrtOp>},
    {"abs", 1, 1, buildUnary<math::AbsFOp>},
    {"min", 2, anyNumber, buildFolded<arith::MinimumFOp>},
    {"max", 2, anyNumber, buildFolded<arith::MaximumFOp>},
    {"clip", 3, 3, buildClip},
};

Signal EstimatorImporter::importCall(const Expr &expr) {
  const Function *function =
      llvm::find_if(functions, [&](const Function &candidate) {
        return candidate.name == expr.name;
      });
  if (function == std::end(functions)) {
    InFlightDiagnostic error = diagnostics.error(expr.loc);
    error << "unknown function '" << expr.name.take_front(40) << "'";
    error.attachNote()
        << "the functions are exp, log, sqrt, abs, min, max and clip";
    return {};
  }
  unsigned given = expr.operands.size();
  if (given < function->minArguments || given > function->maxArguments) {
    InFlightDiagnostic error = diagnostics.error(expr.loc);
    error << "'" << expr.name << "' takes " << function->minArguments;
    if (function->maxArguments > function->minArguments)
      error << " to " << function->maxArguments;
    error << (function->maxArguments == 1 ? " argument" : " arguments")
          << ", found " << given;
    return {};
  }
  SmallVector<Value> arguments;
  for (const Expr *operand : expr.operands)
    arguments.push_back(importReal(*operand));
  if (llvm::is_contained(arguments, Value()))
    return {};
  return real(function->build(builder, location(expr.loc), arguments));
}

//===----------------------------------------------------------------------===//
// Neighbours and axes
//===----------------------------------------------------------------------===//

Signal EstimatorImporter::importShift(const Expr &expr) {
  const Expr &input = expr.operand(0), &otherwise = expr.operand(1);
  if (input.kind == Expr::Name && input.name == carryName)
    return real(carry);
  Signal value = import(input);
  Signal edge = import(otherwise);
  if (value.isPoison() || edge.isPoison())
    return {};
  if (value.kind != edge.kind || value.axis != edge.axis) {
    InFlightDiagnostic error = diagnostics.error(otherwise.loc);
    error << "a neighbour and what holds past the window must have one type: "
             "found "
          << describe(input, value) << " and " << describe(otherwise, edge);
    if (value.kind == Signal::Flag)
      error.attachNote() << "write 'false' or 'true' past the window";
    return {};
  }
  Location loc = location(expr.loc);
  Signal result = value;
  result.value = ShiftOp::create(builder, loc, plain(value, loc),
                                 plain(edge, loc), expr.offset);
  result.gate = {};
  return result;
}

Signal EstimatorImporter::alongAt(const Expr &expr, const Signal &along,
                                  Value index) {
  Value entry = PickOp::create(builder, location(expr.loc), along.value, index);
  switch (along.element) {
  case ast::TypeKind::Real:
    return real(entry);
  case ast::TypeKind::Flag:
    return flag(entry);
  case ast::TypeKind::Index:
    break;
  }
  llvm_unreachable("an index along an axis is refused where it is declared");
}

/// The index of a pick from `along`; null after an error.
Value EstimatorImporter::importIndex(const Expr &expr, const Signal &along) {
  if (isWholeNumber(expr))
    return arith::ConstantIndexOp::create(builder, location(expr.loc),
                                          static_cast<int64_t>(expr.number));
  bool isNumber = expr.kind == Expr::Number || expr.kind == Expr::Negate;
  Signal index = import(expr);
  if (index.isPoison())
    return {};
  if (isNumber || index.kind != Signal::Index) {
    InFlightDiagnostic error = diagnostics.error(expr.loc);
    error << "expected an index into axis '" << along.axis << "', found "
          << (isNumber ? "a number that is no position"
                       : describe(expr, index));
    error.attachNote() << "an index is an input declared with ': index("
                       << along.axis << ")', or a number 0, 1, ...";
    return {};
  }
  if (index.axis != along.axis) {
    diagnostics.error(expr.loc)
        << "expected an index into axis '" << along.axis << "', found one into "
        << "axis '" << index.axis << "'";
    return {};
  }
  return index.value;
}

Signal EstimatorImporter::importPick(const Expr &expr) {
  const Expr &input = expr.operand(0);
  auto found =
      input.kind == Expr::Name ? symbols.find(input.name) : symbols.end();
  if (found == symbols.end() || found->second.signal.kind != Signal::Along) {
    Signal value = import(input);
    if (value.isPoison())
      return {};
    InFlightDiagnostic error = diagnostics.error(expr.loc);
    error << "cannot pick an entry of " << describe(input, value)
          << ": it runs along no axis";
    error.attachNote() << "declare the input along an axis, 'step x[a]'; a "
                          "neighbour reads '[t+1 | e]'";
    return {};
  }
  found->second.isUsed = true;
  Signal along = found->second.signal;
  Value index = importIndex(expr.operand(1), along);
  return index ? alongAt(expr, along, index) : Signal();
}

Signal EstimatorImporter::importReduce(const Expr &expr) {
  auto found = symbols.find(expr.axis);
  if (found == symbols.end() || found->second.what != Symbol::Axis) {
    InFlightDiagnostic error = diagnostics.error(expr.loc);
    error << "'" << expr.axis << "' is no axis";
    error.attachNote() << "declare it: 'axis " << expr.axis << "'";
    if (expr.name != "sum")
      error.attachNote() << "of several values, write '" << expr.name
                         << "(x, y)'";
    return {};
  }
  found->second.isUsed = true;
  if (reducedAxes.count(expr.axis)) {
    diagnostics.error(expr.loc)
        << "axis '" << expr.axis << "' is already reduced around this";
    return {};
  }
  Location loc = location(expr.loc);
  ReduceKind kind = *symbolizeReduceKind(expr.name);
  auto reduce = ReduceOp::create(builder, loc, realType, kind,
                                 builder.getStringAttr(expr.axis));
  OpBuilder::InsertionGuard guard(builder);
  Block &body = reduce.getBody().emplaceBlock();
  Value index = body.addArgument(builder.getIndexType(), loc);
  builder.setInsertionPointToStart(&body);
  reducedAxes[expr.axis] = index;
  Value value = importReal(expr.operand(0));
  reducedAxes.erase(expr.axis);
  if (!value) {
    reduce.erase();
    return {};
  }
  YieldOp::create(builder, loc, value);
  return real(reduce.getResult());
}
