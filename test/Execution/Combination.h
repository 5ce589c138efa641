//===- Combination.h - What a kernel is compiled for ---------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_COMBINATION_H
#define RLSCAN_TEST_EXECUTION_COMBINATION_H

#include "Random.h"
#include "Scenario.h"

#include <array>
#include <optional>

namespace rlscan::test {

/// What can be chosen. Where a recipe leaves no choice, a factor has one value.
enum class Factor {
  Subset,  // which of the optional inputs are given, one bit each
  Reals,   // how they are stored and computed
  Flags,   // how they are stored
  Indices, // how they are stored
  Params,  // left out, or given as numbers, or arrays [N] or [N, T]
  Layouts, // of inputs
  ResultTypes,
  ResultLayouts,
};
constexpr size_t factorCount = 8;

/// One value for each factor.
using Combination = std::array<unsigned, factorCount>;

/// How many values each factor has for this recipe.
Combination choicesOf(const TestRecipe &recipe);
Combination drawCombination(const Combination &choices, Random &random);

/// The calls that one combination stands for, all of the same kernel.
class Expansion {
public:
  Expansion(const TestRecipe &recipe, const Combination &values, uint64_t seed);

  /// `variant` chooses the placement of all arrays alike, where they have it;
  /// without it, each has its own.
  Scenario make(int64_t rows, int64_t steps, int64_t axisSize,
                std::optional<size_t> variant);

private:
  unsigned value(Factor factor) const {
    return values[static_cast<size_t>(factor)];
  }
  void chooseInputs();
  void chooseResults();
  DType chooseType(ast::TypeKind type);
  Layout chooseLayout(Factor factor);
  const Placement *place(llvm::ArrayRef<Placement> list,
                         const Scenario &scenario,
                         std::optional<size_t> variant);

  const TestRecipe &recipe;
  Combination values;
  Random random;
  Scenario base;
  std::vector<Layout> inputLayouts, resultLayouts;
};

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_COMBINATION_H
