//===- Combination.cpp - What a kernel is compiled for --------------------===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Combination.h"

#include "llvm/ADT/STLExtras.h"

using namespace rlscan;
using namespace rlscan::test;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Values of factors
//===----------------------------------------------------------------------===//

/// The values of factors, "any" standing for a choice for each array.
static constexpr DType realTypes[] = {DType::F32, DType::F64, DType::BF16,
                                      DType::F16};
enum RealChoice : unsigned { InF64 = 4, AnyReal, realChoices };
static constexpr DType flagTypes[] = {DType::Bool, DType::I32,  DType::I64,
                                      DType::F32,  DType::BF16, DType::F16,
                                      DType::F64};
enum FlagChoice : unsigned { AnyFlag = 5, flagChoices };
static constexpr DType indexTypes[] = {DType::I32, DType::I64};
/// Left out; then one more than the rank.
enum ParamChoice : unsigned { AnyRank = 4, paramChoices };
static constexpr Layout layouts[] = {Layout::Steps, Layout::Rows,
                                     Layout::Strided};
enum LayoutChoice : unsigned { AnyLayout = 3, layoutChoices };
enum ResultChoice : unsigned { AnyResult = 4, resultChoices };

/// Kernels do not tell these apart.
static constexpr DType byteTypes[] = {DType::Bool, DType::U8, DType::I8};

static bool isOptional(const ast::Input &input) {
  return input.isOptional() && input.kind != ast::InputKind::Param;
}

Combination test::choicesOf(const TestRecipe &recipe) {
  ArrayRef<ast::Input> inputs = recipe.syntax().inputs;
  auto hasType = [&](ast::TypeKind type) {
    return llvm::any_of(inputs, [&](auto &i) { return i.type == type; });
  };
  bool hasParams = llvm::any_of(
      inputs, [](auto &i) { return i.kind == ast::InputKind::Param; });
  return {1u << llvm::count_if(inputs, isOptional),
          realChoices,
          hasType(ast::TypeKind::Flag) ? flagChoices : 1u,
          hasType(ast::TypeKind::Index) ? 2u : 1u,
          hasParams ? paramChoices : 1u,
          layoutChoices,
          resultChoices + 0u,
          layoutChoices};
}

Combination test::drawCombination(const Combination &choices, Random &random) {
  Combination values;
  for (auto [value, count] : llvm::zip_equal(values, choices))
    value = random.below(count);
  return values;
}

//===----------------------------------------------------------------------===//
// From a combination to runs
//===----------------------------------------------------------------------===//

Expansion::Expansion(const TestRecipe &recipe, const Combination &values,
                     uint64_t seed)
    : recipe(recipe), values(values), random(seed),
      base(plainScenario(recipe, 0, 0)) {
  chooseInputs();
  chooseResults();
}

DType Expansion::chooseType(ast::TypeKind type) {
  switch (type) {
  case ast::TypeKind::Real:
    if (value(Factor::Reals) == InF64)
      return DType::F64;
    return value(Factor::Reals) == AnyReal ? random.pick(ArrayRef(realTypes))
                                           : realTypes[value(Factor::Reals)];
  case ast::TypeKind::Flag:
    return value(Factor::Flags) == AnyFlag ? random.pick(ArrayRef(flagTypes))
                                           : flagTypes[value(Factor::Flags)];
  case ast::TypeKind::Index:
    return indexTypes[value(Factor::Indices)];
  }
  llvm_unreachable("unknown type");
}

Layout Expansion::chooseLayout(Factor factor) {
  return value(factor) == AnyLayout ? random.pick(ArrayRef(layouts))
                                    : layouts[value(factor)];
}

void Expansion::chooseInputs() {
  unsigned reals = value(Factor::Reals), optional = 0;
  base.isF64 = reals == InF64 || (reals == AnyReal && random.chance(0.5));
  for (auto [input, choice] :
       llvm::zip_equal(recipe.syntax().inputs, base.inputs)) {
    if (isOptional(input))
      choice.isPresent = value(Factor::Subset) >> optional++ & 1;
    if (input.kind == ast::InputKind::Param) {
      unsigned kind = value(Factor::Params);
      if (kind == AnyRank)
        kind = random.below(AnyRank);
      choice.isPresent = kind > 0 || !input.defaultValue;
      choice.rank = kind > 0 ? kind - 1 : 0;
    }
    if (input.kind != ast::InputKind::Param || choice.rank > 0)
      choice.dtype = chooseType(input.type);
    inputLayouts.push_back(chooseLayout(Factor::Layouts));
  }
}

void Expansion::chooseResults() {
  for (ArrayChoice &choice : base.results) {
    unsigned type = value(Factor::ResultTypes);
    if (choice.dtype == DType::F32) // a real
      choice.dtype = type == AnyResult ? random.pick(ArrayRef(realTypes))
                                       : realTypes[type];
    resultLayouts.push_back(chooseLayout(Factor::ResultLayouts));
  }
}

const Placement *Expansion::place(ArrayRef<Placement> list,
                                  const Scenario &scenario,
                                  std::optional<size_t> variant) {
  const Placement *chosen =
      variant ? &list[*variant % list.size()] : &random.pick(list);
  // Where one side is 1, packed arrays are of both layouts, and which kernel
  // they get is not for this combination to say: the second is padded.
  bool isPacked = chosen->spacing == 1 && chosen->padding == 0 &&
                  !chosen->reversesRows && !chosen->reversesSteps &&
                  !chosen->repeats();
  bool isThin = scenario.rows <= 1 || scenario.steps <= 1;
  return isPacked && isThin && list.size() > 2 ? &list[1] : chosen;
}

Scenario Expansion::make(int64_t rows, int64_t steps, int64_t axisSize,
                         std::optional<size_t> variant) {
  Scenario scenario = base;
  scenario.rows = rows;
  scenario.steps = steps;
  scenario.axisSize = axisSize;
  scenario.seed = random.next();
  for (auto [choice, layout] : llvm::zip_equal(scenario.inputs, inputLayouts)) {
    choice.placement =
        place(placements(layout, choice.rank), scenario, variant);
    if (choice.dtype == DType::Bool && choice.rank > 0)
      choice.dtype = random.pick(ArrayRef(byteTypes));
  }
  for (auto [choice, layout] : llvm::zip_equal(scenario.results, resultLayouts))
    choice.placement = place(outputPlacements(layout), scenario, variant);
  return scenario;
}
