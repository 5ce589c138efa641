//===- Importer.cpp - Syntax tree to dialect ------------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecipeToRecurrence/Importer.h"
#include "RecipeToRecurrence/Parser.h"
#include "rlscan/Recipe.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/StringSet.h"

#include <cmath>

using namespace mlir;
using namespace rlscan;
using ast::Expr;

EstimatorImporter::EstimatorImporter(RecipeDiagnostics &diagnostics,
                                     const ast::Estimator &estimator,
                                     Type realType)
    : diagnostics(diagnostics), estimator(estimator), realType(realType),
      builder(diagnostics.getContext()) {}

/// Erases what nothing uses: plain values of gated names, mostly.
static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void EstimatorImporter::run(ModuleOp module) {
  unsigned errorsBefore = diagnostics.errorCount();
  builder.setInsertionPointToEnd(module.getBody());
  op = EstimatorOp::create(builder, location(estimator.id.loc),
                           builder.getStringAttr(estimator.id.name),
                           TypeAttr::get(builder.getFunctionType({}, {})),
                           ArrayAttr(), ArrayAttr());
  Block &body = op.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  declareAxes();
  declareInputs();
  for (const ast::Equation &equation : estimator.equations)
    importEquation(equation);
  importResults();
  reportUnused(errorsBefore);
  eraseUnused(body);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Words that would be ambiguous as names.
static bool isReserved(StringRef name) {
  static const llvm::StringSet<> reserved = {
      "t",    "exp",  "log",  "sqrt",  "abs",   "min",       "max",     "sum",
      "clip", "real", "flag", "count", "index", lengthsName, boundsName};
  return reserved.contains(name);
}

/// Adds a name with a poisoned signal; false, after an error, where it is
/// taken.
bool EstimatorImporter::declare(const ast::Identifier &id,
                                decltype(Symbol::what) what) {
  if (isReserved(id.name)) {
    InFlightDiagnostic error = diagnostics.error(id.loc);
    error << "'" << id.name << "' is a word of the language";
    error.attachNote() << "choose another name";
    // Uses of it are not reported again.
    symbols[id.name].what = what;
    symbols[id.name].loc = id.loc;
    return false;
  }
  auto [entry, isNew] = symbols.try_emplace(id.name);
  if (!isNew) {
    InFlightDiagnostic error = diagnostics.error(id.loc);
    error << "'" << id.name << "' already has "
          << (entry->second.what == Symbol::Derived ? "an equation"
                                                    : "a declaration");
    error.attachNote(location(entry->second.loc))
        << "it is here; rename one of the two";
    return false;
  }
  entry->second.loc = id.loc;
  entry->second.what = what;
  return true;
}

void EstimatorImporter::declareAxes() {
  for (const ast::Identifier &axis : estimator.axes)
    declare(axis, Symbol::Axis);
}

/// An axis has the size of the inputs along it.
void EstimatorImporter::reportUnsized(const ast::Identifier &axis) {
  bool hasInput = llvm::any_of(estimator.inputs, [&](const ast::Input &input) {
    return input.axis.name == axis.name;
  });
  if (hasInput)
    return;
  InFlightDiagnostic error = diagnostics.error(axis.loc);
  error << "no input runs along axis '" << axis.name
        << "', so its size is unknown";
  error.attachNote() << "declare one, such as 'step x[" << axis.name
                     << "]', or remove the axis";
}

/// Says nothing where there were errors: they may be why a name is not used.
void EstimatorImporter::reportUnused(unsigned errorsBefore) {
  if (estimator.isBroken || diagnostics.errorCount() != errorsBefore)
    return;
  auto isUnused = [&](const ast::Identifier &id) {
    auto found = symbols.find(id.name);
    return found != symbols.end() && found->second.loc == id.loc &&
           !found->second.isUsed;
  };
  for (const ast::Input &input : estimator.inputs)
    if (isUnused(input.id)) {
      InFlightDiagnostic error = diagnostics.error(input.id.loc);
      error << "input '" << input.id.name << "' is not used";
      error.attachNote() << "remove it, or use it in an equation";
    }
  for (const ast::Identifier &axis : estimator.axes)
    reportUnsized(axis);
  for (const ast::Equation &equation : estimator.equations)
    if (isUnused(equation.id))
      emitWarning(location(equation.id.loc))
          << "'" << equation.id.name << "' is not used";
}

//===----------------------------------------------------------------------===//
// Equations
//===----------------------------------------------------------------------===//

/// Collects the references to a neighbour of `name`.
static void findCarries(const Expr &expr, StringRef name,
                        SmallVectorImpl<const Expr *> &carries) {
  if (expr.kind == Expr::Shift && expr.operand(0).kind == Expr::Name &&
      expr.operand(0).name == name)
    carries.push_back(&expr);
  for (const Expr *operand : expr.operands)
    findCarries(*operand, name, carries);
}

static bool sameExpr(const Expr &a, const Expr &b) {
  if (a.kind != b.kind || a.name != b.name || a.axis != b.axis ||
      a.number != b.number || a.offset != b.offset ||
      a.operands.size() != b.operands.size())
    return false;
  return llvm::all_of(llvm::zip_equal(a.operands, b.operands), [](auto pair) {
    return sameExpr(*std::get<0>(pair), *std::get<1>(pair));
  });
}

/// One direction and one init.
bool EstimatorImporter::checkCarries(const ast::Equation &equation,
                                     ArrayRef<const Expr *> carries) {
  StringRef name = equation.id.name;
  if (!equation.isRecurrence) {
    InFlightDiagnostic error = diagnostics.error(carries.front()->loc);
    error << "'" << name << "' refers to its own neighbour";
    error.attachNote(location(equation.id.loc))
        << "write '" << name << "[t] = ...' for a recurrence";
    return false;
  }
  for (const Expr *other : carries.drop_front()) {
    if (other->offset != carries.front()->offset) {
      InFlightDiagnostic error = diagnostics.error(other->loc);
      error << "'" << name << "' refers to both of its neighbours";
      error.attachNote(location(carries.front()->loc))
          << "the other direction is here; a recurrence runs in one direction: "
             "use two equations";
      return false;
    }
    if (!sameExpr(other->operand(1), carries.front()->operand(1))) {
      InFlightDiagnostic error = diagnostics.error(other->operand(1).loc);
      error << "'" << name << "' has two values past the window";
      error.attachNote(location(carries.front()->operand(1).loc))
          << "the other one is here; give the same one everywhere";
      return false;
    }
  }
  return true;
}

/// Names an equation's value in the IR, so that messages and printed
/// coefficients can speak of it.
static void nameValue(Value value, StringAttr name) {
  if (Operation *definition = value.getDefiningOp())
    if (!isa<NameLoc>(definition->getLoc()))
      definition->setLoc(NameLoc::get(name, definition->getLoc()));
}

void EstimatorImporter::bind(const ast::Identifier &id, Signal signal) {
  if (!signal.isPoison())
    nameValue(plain(signal, location(id.loc)), builder.getStringAttr(id.name));
  symbols[id.name].signal = signal;
}

Signal EstimatorImporter::importRecurrence(const ast::Equation &equation,
                                           ArrayRef<const Expr *> carries) {
  carryName = equation.id.name;
  Value init = importReal(carries.front()->operand(1));
  if (!init) {
    carryName = {};
    return {};
  }
  Location loc = location(equation.id.loc);
  Direction direction =
      carries.front()->offset > 0 ? Direction::Backward : Direction::Forward;
  auto recurrence =
      RecurrenceOp::create(builder, loc, realType, direction, init);
  Block &body = recurrence.getBody().emplaceBlock();
  carry = body.addArgument(realType,
                           NameLoc::get(builder.getStringAttr(equation.id.name),
                                        location(carries.front()->loc)));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  Value value = importReal(*equation.value);
  carryName = {};
  carry = {};
  if (!value) {
    recurrence.erase();
    return {};
  }
  YieldOp::create(builder, location(equation.value->loc), value);
  return real(recurrence.getResult());
}

/// The value over one step, over two, ...: what stands for the neighbour of the
/// first is its init, at every step.
Signal EstimatorImporter::importWindow(const ast::Equation &equation) {
  carryName = equation.id.name;
  isInWindow = true;
  carry = {};
  for (unsigned i = 0; i < equation.window; ++i)
    if (!(carry = importReal(*equation.value)))
      break;
  Signal signal = real(carry);
  carryName = {};
  carry = {};
  isInWindow = false;
  return signal;
}

void EstimatorImporter::importEquation(const ast::Equation &equation) {
  Signal signal;
  SmallVector<const Expr *> carries;
  if (equation.value)
    findCarries(*equation.value, equation.id.name, carries);
  bool isFree = !symbols.count(equation.id.name);
  if (equation.value && isFree) {
    if (carries.empty() && equation.window) {
      InFlightDiagnostic error = diagnostics.error(equation.id.loc);
      error << "'" << equation.id.name << "' looks at no neighbour of its own";
      error.attachNote() << "without one it has no window: write '"
                         << equation.id.name << " = ...'";
    } else if (carries.empty()) {
      // A name that refers to itself at its own step is a cycle.
      carryName = equation.id.name;
      signal = import(*equation.value);
      carryName = {};
    } else if (checkCarries(equation, carries)) {
      signal = equation.window ? importWindow(equation)
                               : importRecurrence(equation, carries);
    }
  }
  if (declare(equation.id, Symbol::Derived))
    bind(equation.id, signal);
}

void EstimatorImporter::importResults() {
  if (!estimator.returnLoc.isValid() && estimator.isBroken)
    return; // it may be what could not be read
  if (!estimator.returnLoc.isValid()) {
    InFlightDiagnostic error = diagnostics.error(estimator.id.loc);
    error << "estimator '" << estimator.id.name << "' returns nothing";
    error.attachNote() << "end it with 'return name, name = expression, ...'";
    return;
  }
  SmallVector<Value> values;
  SmallVector<Type> types;
  SmallVector<Attribute> attributes;
  llvm::StringSet<> names;
  for (const ast::Result &result : estimator.results) {
    if (!names.insert(result.id.name).second)
      diagnostics.error(result.id.loc)
          << "two results named '" << result.id.name << "'";
    if (op.findInput(result.id.name)) {
      InFlightDiagnostic error = diagnostics.error(result.id.loc);
      error << "result '" << result.id.name << "' has the name of an input";
      error.attachNote() << "give it another: 'return name = " << result.id.name
                         << "'";
      continue;
    }
    Expr byName;
    byName.kind = Expr::Name;
    byName.loc = result.id.loc;
    byName.name = result.id.name;
    Signal signal = import(result.value ? *result.value : byName);
    if (signal.isPoison())
      continue;
    Value value = plain(signal, location(result.id.loc));
    if (result.value)
      nameValue(value, builder.getStringAttr(result.id.name));
    values.push_back(value);
    types.push_back(value.getType());
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        EstimatorOp::getOutputAttrName(),
        OutputAttr::get(builder.getContext(),
                        builder.getStringAttr(result.id.name), Type(),
                        Layout::Strided))));
  }
  op.setFunctionType(builder.getFunctionType(op.getArgumentTypes(), types));
  op.setResAttrsAttr(builder.getArrayAttr(attributes));
  ReturnOp::create(builder, location(estimator.returnLoc), values);
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> rlscan::importRecipe(const llvm::SourceMgr &sources,
                                           MLIRContext *context,
                                           const ImportOptions &options) {
  context->loadDialect<RLScanDialect, arith::ArithDialect, math::MathDialect>();
  RecipeDiagnostics diagnostics(sources, context);
  std::unique_ptr<ast::Recipe> recipe = parseRecipe(diagnostics);
  Builder builder(context);
  Type realType =
      options.arithmeticF64 ? builder.getF64Type() : builder.getF32Type();
  OwningOpRef<ModuleOp> module = ModuleOp::create(diagnostics.location(
      llvm::SMLoc::getFromPointer(diagnostics.buffer().data())));
  llvm::StringMap<llvm::SMLoc> names;
  for (ast::Estimator &estimator : recipe->estimators) {
    if (options.withLengths)
      addRowInput(estimator, lengthsName);
    if (options.withPackedRows)
      addRowInput(estimator, boundsName);
    auto [entry, isNew] =
        names.try_emplace(estimator.id.name, estimator.id.loc);
    if (!isNew) {
      InFlightDiagnostic error = diagnostics.error(estimator.id.loc);
      error << "two estimators named '" << estimator.id.name << "'";
      error.attachNote(diagnostics.location(entry->second))
          << "the other one is here; rename one of the two";
      continue;
    }
    EstimatorImporter(diagnostics, estimator, realType).run(*module);
  }
  if (diagnostics.hasErrors() || failed(verify(*module)))
    return nullptr;
  return module;
}

void rlscan::registerImportRecipe() {
  TranslateToMLIRRegistration registration(
      "import-recipe", "read a recipe (.rls) as the rlscan dialect",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        return OwningOpRef<Operation *>(
            importRecipe(sources, context).release());
      },
      [](DialectRegistry &registry) {
        registry
            .insert<RLScanDialect, arith::ArithDialect, math::MathDialect>();
      });
}
