//===- RecipeGenerator.h - Random recipes --------------------- -*- C++ -*-===//
//
// Part of the rlscan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef RLSCAN_TEST_EXECUTION_RECIPEGENERATOR_H
#define RLSCAN_TEST_EXECUTION_RECIPEGENERATOR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rlscan::test {

/// The text of a recipe that the compiler must take: one to three recurrences,
/// affine by construction with weights within [-1, 1], and other equations,
/// over inputs of every kind. Values stay of order 1, small errors of operands
/// stay small, and reals are compared only as they are stored, so that f32 and
/// f64 agree.
std::string generateRecipe(uint64_t seed);

/// How many steps a row of that recipe may have. One in eight has weights
/// above 1, up to 1.05, and short rows.
int64_t mostSteps(uint64_t seed);

/// A value of a recurrence that depends on its neighbour.
struct Dependent {
  std::string text;
  std::string name;  // of the recurrence
  std::string carry; // "y0[t+1 | 0]"
  size_t equation;   // its position
};

/// Something else in the place of such a value.
using Change = llvm::function_ref<std::string(const Dependent &)>;

struct Generated {
  std::string text;
  std::vector<std::string> names; // of the equations, in order
  size_t dependents = 0;          // how many such values there are
};

/// The recipe of a seed, with one of its dependent values changed.
Generated generateChanged(uint64_t seed, size_t dependent, Change change);

} // namespace rlscan::test

#endif // RLSCAN_TEST_EXECUTION_RECIPEGENERATOR_H
