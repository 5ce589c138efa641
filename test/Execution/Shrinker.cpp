//===- Shrinker.cpp - Smaller recipes that fail as well -------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrinker.h"
#include "RecipePrinter.h"

#include "RecipeToRecurrence/Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

#include <optional>

using namespace rlscan;
using namespace rlscan::test;
using ast::Expr;
using llvm::StringRef;

namespace {
/// A recipe that can be changed and printed.
class Draft {
public:
  explicit Draft(StringRef text) : context(), diagnostics(sources, &context) {
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text),
                               llvm::SMLoc());
    recipe = parseRecipe(diagnostics);
  }

  ast::Estimator &estimator() { return recipe->estimators.front(); }
  Expr *number(double value) { return literal(Expr::Number, value); }
  Expr *flag(bool value) { return literal(Expr::Boolean, value); }
  void dropUnused();

private:
  Expr *literal(Expr::Kind kind, double value) {
    Expr *expr = new (recipe->expressions.Allocate()) Expr();
    expr->kind = kind;
    expr->number = value;
    return expr;
  }

  llvm::SourceMgr sources;
  mlir::MLIRContext context;
  RecipeDiagnostics diagnostics;
  std::unique_ptr<ast::Recipe> recipe;
};
} // namespace

//===----------------------------------------------------------------------===//
// What is used
//===----------------------------------------------------------------------===//

static void addNames(const Expr *expr, llvm::StringSet<> &names) {
  if (!expr)
    return;
  names.insert(expr->name);
  names.insert(expr->axis);
  for (const Expr *operand : expr->operands)
    addNames(operand, names);
}

/// Inputs and axes that nothing refers to are errors, so they go at once.
void Draft::dropUnused() {
  ast::Estimator &all = estimator();
  llvm::StringSet<> names;
  for (const ast::Result &result : all.results) {
    addNames(result.value, names);
    names.insert(result.id.name);
  }
  for (const ast::Equation &equation : all.equations)
    addNames(equation.value, names);
  for (size_t i = all.inputs.size(); i-- > 0;) {
    const ast::Input &input = all.inputs[i];
    if (!names.contains(input.id.name)) {
      all.inputs.erase(all.inputs.begin() + i);
      continue;
    }
    addNames(input.defaultValue, names);
    names.insert(input.axis.name);
    names.insert(input.indexAxis.name);
  }
  llvm::erase_if(all.axes, [&](const ast::Identifier &axis) {
    return !names.contains(axis.name);
  });
}

//===----------------------------------------------------------------------===//
// Smaller recipes
//===----------------------------------------------------------------------===//

/// The places of all expressions, larger ones first.
static void addPlaces(Expr *&expr, std::vector<Expr **> &places) {
  if (!expr)
    return;
  places.push_back(&expr);
  for (Expr *&operand : expr->operands)
    addPlaces(operand, places);
}

/// Takes the change of that number from the count, or makes it.
static bool isTurn(size_t &number, size_t count) {
  if (number < count)
    return true;
  number -= count;
  return false;
}

/// The recipe with one thing less. `number` counts what could be taken away.
static std::optional<std::string> takeAway(StringRef text, size_t number) {
  Draft draft(text);
  ast::Estimator &all = draft.estimator();
  auto finish = [&] {
    draft.dropUnused();
    return print(all);
  };
  if (isTurn(number, all.results.size())) {
    all.results.erase(all.results.begin() + number);
    return finish();
  }
  if (isTurn(number, all.equations.size())) {
    all.equations.erase(all.equations.begin() + number);
    return finish();
  }
  std::vector<Expr **> places;
  for (ast::Equation &equation : all.equations)
    addPlaces(equation.value, places);
  for (ast::Result &result : all.results)
    addPlaces(result.value, places);
  for (Expr **place : places) {
    Expr &expr = **place;
    if (isTurn(number, expr.operands.size())) {
      *place = expr.operands[number];
      return finish();
    }
    if (expr.operands.empty() && expr.kind != Expr::Name)
      continue;
    Expr *literals[] = {draft.number(0), draft.number(1), draft.flag(true),
                        draft.flag(false)};
    if (isTurn(number, std::size(literals))) {
      *place = literals[number];
      return finish();
    }
  }
  return std::nullopt;
}

std::string test::shrink(std::string text,
                         llvm::function_ref<bool(StringRef)> fails) {
  for (bool isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (size_t number = 0;;) {
      std::optional<std::string> candidate = takeAway(text, number);
      if (!candidate)
        break;
      if (*candidate == text || !fails(*candidate)) {
        ++number;
        continue;
      }
      text = *candidate;
      isSmaller = true;
    }
  }
  return text;
}
