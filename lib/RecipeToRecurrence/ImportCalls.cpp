//===- ImportCalls.cpp - Functions, neighbours and axes of a recipe -------===//
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

using namespace mlir;
using namespace rlscan;
using ast::Expr;

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

/// An input's neighbour where the input has the value after the last step.
Signal EstimatorImporter::importStoredNext(const Expr &expr) {
  Signal result = import(expr.operand(0));
  if (result.isPoison())
    return {};
  Location loc = location(expr.loc);
  Value after = AfterOp::create(builder, loc, result.value);
  result.value = ShiftOp::create(builder, loc, result.value, after, 1);
  return result;
}

/// The neighbour of what is being defined, over one step less.
Signal EstimatorImporter::importShorterWindow(const Expr &expr) {
  Value init = importReal(expr.operand(1));
  if (!init || !carry)
    return real(init);
  return real(
      ShiftOp::create(builder, location(expr.loc), carry, init, expr.offset));
}

Signal EstimatorImporter::importShift(const Expr &expr) {
  if (expr.operands.size() == 1)
    return importStoredNext(expr);
  const Expr &input = expr.operand(0), &otherwise = expr.operand(1);
  if (input.kind == Expr::Name && input.name == carryName)
    return isInWindow ? importShorterWindow(expr) : real(carry);
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
        << "expected an index into axis '" << along.axis << "', found "
        << (index.axis.empty() ? "a count"
                               : "one into axis '" + index.axis + "'");
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
