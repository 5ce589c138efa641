//===- Importer.h - Syntax tree to dialect ----------------------*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_RECIPETORECURRENCE_IMPORTER_H
#define RLSCAN_RECIPETORECURRENCE_IMPORTER_H

#include "RecipeToRecurrence/AST.h"
#include "RecipeToRecurrence/Diagnostics.h"
#include "dialects/rlscan/RLScan.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace rlscan {

/// The value of an expression, with its type in the recipe.
///
/// A real may carry a gate: it then stands for `gate ? value : 0`. Gates stay
/// apart from the factors of a product until the product is used, so that what
/// a clear flag multiplies is never looked at, whatever the order of the
/// factors and whichever names they were given before.
struct Signal {
  enum Kind { Poison, Real, Flag, Index, Along };

  Kind kind = Poison; // Poison: an error was reported, say nothing more
  mlir::Value value;
  mlir::Value gate;      // Real only: an i1, or null
  ast::TypeKind element; // Along: the type of an entry
  llvm::StringRef axis;  // Index: what it counts, empty for a count of steps;
                         // Along: what it runs over

  bool isPoison() const { return kind == Poison; }
};

/// A declared name.
struct Symbol {
  Signal signal;
  llvm::SMLoc loc;
  bool isUsed = false;
  enum { Axis, Input, Derived } what = Derived;
};

/// "flag 'terminated'", "a real", ...: for messages.
std::string describe(const ast::Expr &expr, const Signal &signal);

/// Whether `expr` is a number 0, 1, 2, ...
bool isWholeNumber(const ast::Expr &expr);

/// Checks the names and types of one estimator and builds its
/// `rlscan.estimator`. Goes on after errors, to report them all.
class EstimatorImporter {
public:
  EstimatorImporter(RecipeDiagnostics &diagnostics,
                    const ast::Estimator &estimator, mlir::Type realType);

  /// The op is only meaningful where no error was reported.
  void run(mlir::ModuleOp module);

private:
  // Importer.cpp: the statements.
  bool declare(const ast::Identifier &id, decltype(Symbol::what) what);
  void declareAxes();
  void declareInputs();
  InputAttr describeInput(const ast::Input &input);
  mlir::Attribute importDefault(const ast::Input &input);
  mlir::Attribute importStandIn(const ast::Input &input, llvm::StringRef name);
  mlir::Type inputType(const ast::Input &input);
  Signal inputSignal(const ast::Input &input, mlir::Value argument);
  void importEquation(const ast::Equation &equation);
  Signal importRecurrence(const ast::Equation &equation,
                          llvm::ArrayRef<const ast::Expr *> carries);
  Signal importWindow(const ast::Equation &equation);
  bool checkCarries(const ast::Equation &equation,
                    llvm::ArrayRef<const ast::Expr *> carries);
  void bind(const ast::Identifier &id, Signal signal);
  void importResults();
  void reportUnsized(const ast::Identifier &axis);
  void reportUnused(unsigned errorsBefore);

  // ImportExpr.cpp: the expressions.
  Signal import(const ast::Expr &expr);
  Signal importName(const ast::Expr &expr);
  Signal importNegate(const ast::Expr &expr);
  Signal importNot(const ast::Expr &expr);
  Signal importArithmetic(const ast::Expr &expr);
  Signal importRemainder(const ast::Expr &expr);
  mlir::Value countFrom(const Signal &signal, int64_t least,
                        mlir::Location loc);
  Signal importMultiply(const ast::Expr &expr, Signal left, Signal right);
  Signal importLogic(const ast::Expr &expr);
  Signal importComparison(const ast::Expr &expr);
  Signal compareIndices(const ast::Expr &expr, Signal left, Signal right);
  Signal importSelect(const ast::Expr &expr);
  Signal importCall(const ast::Expr &expr);
  Signal importShift(const ast::Expr &expr);
  Signal importStoredNext(const ast::Expr &expr);
  Signal importShorterWindow(const ast::Expr &expr);
  Signal importPick(const ast::Expr &expr);
  Signal importReduce(const ast::Expr &expr);
  Signal alongAt(const ast::Expr &expr, const Signal &along, mlir::Value index);
  mlir::Value importIndex(const ast::Expr &expr, const Signal &along);
  Signal unknownName(const ast::Expr &expr);

  /// Imports an operand that must be a real (a flag); null after an error.
  mlir::Value importReal(const ast::Expr &expr);
  mlir::Value importFlag(const ast::Expr &expr);
  bool requireReal(const ast::Expr &expr, const Signal &signal);
  bool requireFlag(const ast::Expr &expr, const Signal &signal);

  /// The plain value of a real: `gate ? value : 0`.
  mlir::Value plain(const Signal &signal, mlir::Location loc);
  mlir::Value andGates(mlir::Value a, mlir::Value b, mlir::Location loc);
  mlir::Value constant(double value, mlir::Location loc);
  Signal real(mlir::Value value, mlir::Value gate = {});
  Signal flag(mlir::Value value);

  mlir::Location location(llvm::SMLoc loc) { return diagnostics.location(loc); }

  RecipeDiagnostics &diagnostics;
  const ast::Estimator &estimator;
  mlir::Type realType;
  mlir::OpBuilder builder;
  EstimatorOp op;
  llvm::StringMap<Symbol> symbols;

  /// Inside a recurrence: the name being defined and its neighbour's value.
  /// Over a window of steps: what it is over one step less, null over none.
  llvm::StringRef carryName;
  mlir::Value carry;
  bool isInWindow = false;
  /// Inside reductions: the index of each axis that is being reduced.
  llvm::StringMap<mlir::Value> reducedAxes;
};

} // namespace rlscan

#endif // RLSCAN_RECIPETORECURRENCE_IMPORTER_H
