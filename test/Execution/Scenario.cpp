//===- Scenario.cpp - How a call stores its arrays ------------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scenario.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace rlscan;
using namespace rlscan::test;

llvm::SmallVector<int64_t, 3> Scenario::sizes(const ArrayChoice &choice) const {
  llvm::SmallVector<int64_t, 3> all = {rows, steps + choice.extraSteps,
                                       axisSize};
  all.truncate(choice.rank);
  return all;
}

static int64_t rankOf(const ast::Input &input) {
  switch (input.kind) {
  case ast::InputKind::Param:
    return 0;
  case ast::InputKind::Row:
    return 1;
  case ast::InputKind::Step:
    return input.axis.name.empty() ? 2 : 3;
  }
  llvm_unreachable("unknown kind");
}

static DType plainType(const ast::Input &input) {
  switch (input.type) {
  case ast::TypeKind::Real:
    return input.kind == ast::InputKind::Param ? DType::F64 : DType::F32;
  case ast::TypeKind::Flag:
    return DType::Bool;
  case ast::TypeKind::Index:
    return DType::I32;
  }
  llvm_unreachable("unknown type");
}

static DType resultType(mlir::Type signal) {
  if (signal.isInteger(1))
    return DType::Bool;
  return mlir::isa<mlir::IndexType>(signal) ? DType::I64 : DType::F32;
}

/// The packed placement of the layout; arrays along an axis keep it inside.
static const Placement *packed(Layout layout, int64_t rank) {
  return &placements(layout, rank)[rank == 3 && layout == Layout::Rows];
}

Scenario test::plainScenario(const TestRecipe &recipe, int64_t rows,
                             int64_t steps, Layout layout) {
  Scenario scenario;
  scenario.rows = rows;
  scenario.steps = steps;
  for (const ast::Input &input : recipe.syntax().inputs) {
    int64_t rank = rankOf(input);
    scenario.inputs.push_back({!input.isOfCalls, plainType(input), rank,
                               packed(layout, rank), input.extraSteps});
  }
  for (mlir::Type type : recipe.estimator(/*isF64=*/false).getResultTypes())
    scenario.results.push_back({true, resultType(type), 2, packed(layout, 2)});
  return scenario;
}

std::string test::describe(const TestRecipe &recipe, const Scenario &scenario) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << recipe.name() << ", N = " << scenario.rows
      << ", T = " << scenario.steps << ", arithmetic in "
      << (scenario.isF64 ? "f64" : "f32");
  if (!recipe.syntax().axes.empty())
    out << ", axes of " << scenario.axisSize;
  auto print = [&](llvm::StringRef name, const ArrayChoice &choice) {
    out << ", " << name << ' ';
    if (!choice.isPresent)
      out << "absent";
    else if (choice.rank == 0)
      out << "a number";
    else
      out << spelling(choice.dtype) << ' ' << choice.placement->name;
  };
  for (auto [input, choice] :
       llvm::zip_equal(recipe.syntax().inputs, scenario.inputs))
    print(input.id.name, choice);
  for (auto [result, choice] :
       llvm::zip_equal(recipe.syntax().results, scenario.results))
    print(result.id.name, choice);
  return text;
}

std::string test::numbersKey(const Scenario &scenario) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << scenario.seed << ' ' << scenario.rows << ' ' << scenario.steps << ' '
      << scenario.axisSize << (scenario.isF64 ? " f64" : " f32");
  for (const ArrayChoice &choice : scenario.inputs) {
    out << ' ';
    if (choice.isPresent)
      out << spelling(choice.dtype) << choice.rank
          << (choice.placement->repeatsRows ? "n" : "")
          << (choice.placement->repeatsSteps ? "t" : "");
  }
  return text;
}
