//===- Scenario.h - How a call stores its arrays -------------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_SCENARIO_H
#define RLSCAN_TEST_EXECUTION_SCENARIO_H

#include "Placement.h"
#include "TestRecipe.h"

namespace rlscan::test {

struct ArrayChoice {
  bool isPresent = true;
  DType dtype = DType::F32;
  /// 0: one number; 1: one a row; 2: one a row and step; 3: with an axis.
  int64_t rank = 2;
  const Placement *placement = nullptr;
  int64_t extraSteps = 0; // entries of a row past its steps
};

/// Everything about a call, the numbers by way of their seed.
struct Scenario {
  int64_t rows = 0, steps = 0;
  int64_t axisSize = 4; // of every axis
  bool isF64 = false;   // the arithmetic
  uint64_t seed = 1;
  std::vector<ArrayChoice> inputs;  // by position in the recipe
  std::vector<ArrayChoice> results; // by position in the recipe

  llvm::SmallVector<int64_t, 3> sizes(const ArrayChoice &choice) const;
};

/// All inputs given, params as single numbers, reals in f32, flags as bool,
/// indices as i32, everything packed.
Scenario plainScenario(const TestRecipe &recipe, int64_t rows, int64_t steps,
                       Layout layout = Layout::Steps);

/// On one line, for people.
std::string describe(const TestRecipe &recipe, const Scenario &scenario);

/// Equal for scenarios whose inputs hold the same numbers.
std::string numbersKey(const Scenario &scenario);

/// The inputs, packed, in the types that the scenario says. Reals are of order
/// 1, weights of carries within [-1, 1]; flags are set by one of several
/// patterns in each row, and stored as whatever counts as set or clear.
llvm::StringMap<Tensor> randomInputs(const TestRecipe &recipe,
                                     const Scenario &scenario);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_SCENARIO_H
